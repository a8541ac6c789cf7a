//! `const fn`s that kernels call and constants are computed by: the host has them as they are written,
//! and kernels another version, in which what would be a panic is a fault.

use amp::prelude::*;
use testkit::twice;

use crate::faults::faults_in;

const NUMBERS: [u32; 7] = [0, 1, 2, 9, 40, 250, 65_535];

#[amp_fn]
const fn filled<const N: usize>(first: u32) -> [u32; N] {
    assert!(N > 0, "no elements");
    let mut all = [first; N];
    let mut i = 1;
    while i < N {
        all[i] = all[i - 1] * 3 % 17;
        i += 1;
    }
    all
}

#[amp_fn]
const fn total(values: &[u32]) -> u32 {
    let mut sum = 0;
    let mut i = 0;
    while i < values.len() {
        sum += values[i] / 2;
        i += 1;
    }
    sum
}

#[amp_fn]
const fn reduce(x: &mut u32, by: u32) {
    *x = *x / by + 1;
}

#[amp_fn]
const fn half(x: u32) -> Option<u32> {
    if x & 1 == 0 { Some(x / 2) } else { None }
}

#[amp_fn]
const fn third(x: u32) -> u32 {
    match half(x) {
        Some(half) => half / 3,
        None => 7 % x,
    }
}

const TABLE: [u32; 6] = filled(2);
const SUM: u32 = total(&TABLE) + total(&[4, 5]) + third(30);

#[amp_struct]
struct Random {
    state: u32,
}

#[amp_fn]
impl Random {
    const START: Self = Self::new(77);

    const fn new(seed: u32) -> Self {
        Self {
            state: seed % 1000 + 1,
        }
    }

    const fn next(&mut self) -> u32 {
        self.state = self.state * 75 % 65_537;
        self.state
    }

    const fn half(&self) -> u32 {
        self.state / 2
    }

    const fn pair() -> (u32, u32) {
        let mut random = Self::new(5);
        let first = random.next();
        (first, random.next())
    }

    fn last(self) -> u32 {
        let mut own = self;
        own.next() + own.half()
    }
}

const PAIR: (u32, u32) = Random::pair();
const SECOND: Random = Random::new(PAIR.1);

#[amp_struct]
struct Row<const N: usize> {
    cells: [u32; N],
}

#[amp_fn]
impl<const N: usize> Row<N> {
    const fn new(x: u32) -> Self {
        Self { cells: [x / 2; N] }
    }

    const fn at(&self, i: usize) -> u32 {
        self.cells[i % N]
    }
}

const ROW: Row<3> = Row::new(9);

/// A module, whose functions see each other.
#[amp_module]
mod checks {
    /// Of the polynomial of Ethernet.
    pub const TABLE: [u32; 256] = table();

    const fn table() -> [u32; 256] {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            table[i] = step(i as u32, 8);
            i += 1;
        }
        table
    }

    pub const fn step(mut check: u32, bits: u32) -> u32 {
        let mut k = 0;
        while k < bits {
            check = if check & 1 != 0 {
                0xedb8_8320 ^ (check >> 1)
            } else {
                check >> 1
            };
            k += 1;
        }
        check
    }

    pub const fn added(check: u32, byte: u8) -> u32 {
        TABLE[((check ^ byte as u32) & 0xff) as usize] ^ (check >> 8)
    }
}

twice! {
    functions_of_constants(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        const LOCAL: u32 = third(18) + total(&[2, 4]);
        let mut reduced = x;
        reduce(&mut reduced, 3);
        let all: [u32; 5] = filled(x % 50);
        let thirds = [1_u32, 2, 3, 4].map(third);
        let halved = half(x).map(third).unwrap_or(3);
        reduced + all[4] + total(&all[1..]) + total(&thirds) + halved + LOCAL + SUM + TABLE[5]
    }
}

twice! {
    methods_of_constants(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let mut random = Random::new(x);
        let (first, second) = Random::pair();
        let halves: u32 = [SECOND, Random::START].iter().map(Random::half).sum();
        let row = Row::<4>::new(x);
        random.next() + random.half() + first + second + PAIR.1 + halves + random.last()
            + row.at(x as usize) + ROW.at(1)
    }
}

twice! {
    tables_that_rustc_computes(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let mut check = !0;
        for byte in x.to_le_bytes() {
            check = checks::added(check, byte);
        }
        !check ^ checks::step(x, 3)
    }
}

#[amp_kernel]
fn beyond(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = picked(idx[0]);
}

#[amp_fn]
const fn picked(i: usize) -> i32 {
    let all = [20, 30, 40];
    all[i] //~ beyond: all[i]
}

#[test]
fn a_fault_is_no_panic() {
    faults_in(
        (file!(), include_str!("const_functions.rs")),
        (
            "beyond",
            &[3],
            "index out of bounds: the length is 3 but the index is 3",
        ),
        &[10, 11, 12, 13],
        &[20, 30, 40, 0],
        |view, out| view.parallel_for_each(out.extent(), beyond(out)),
    );
    assert_eq!(picked(2), 40);
}

twice! {
    in_bodies(x: u32) -> u32 = ((0..16).collect(),);
    {
        const fn square(n: u32) -> u32 {
            n * n
        }
        const NINE: u32 = square(3);
        const fn first(pair: [u32; 2]) -> u32 {
            pair[0]
        }
        const TABLE: [u32; 3] = [square(1), square(2), first([NINE, 1])];
        let chosen = if x > 3 { first([x, 2]) } else { square(x) };
        let [a, b] = [x, 2].map(square);
        NINE + chosen + a + b + TABLE[(x % 3) as usize]
    }
}
