//! Types that kernels do not have, wherever they are written (C++ AMP §2.4.1).

use amp::prelude::*;
use std::ops::RangeFrom;

#[repr(u8)]
enum Letter {
    A,
}

struct Plain {
    x: i32,
}

#[amp_fn]
fn one() -> i32 {
    1
}

#[amp_kernel]
fn parameters(
    idx: Index<1>,
    g: i128,
    h: u128,
    i: char,
    k: &i32,
    l: &&f32,
    m: &[f32],
    n: *const f32,
    o: fn(i32) -> i32,
    p: String,
    q: VecDeque<i32>,
    r: Vec<f32>,
    s: &str,
) {
}

#[amp_fn]
fn returns() -> i128 {
    1
}

#[amp_kernel]
fn locals(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let a: u128 = 1;
    let b: [&i32; 2];
    let e: impl Copy = 1;
    let f: dyn Copy = 1;
    let g = 1_i128;
    let h = 1.5_f128;
    let j = 1 as u128;
    let k: u32 = 2 as _;
    let l: one = 3;
    let m: Box<i32> = 1;
    let o: (i32, char) = (1, 2);
    let p: f64::consts = 1;
    let q: [f32] = 1;
    let r: letters!() = 1;
}

#[amp_kernel]
fn enumeration(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let letter: Letter = Letter::A;
}

#[cfg(test)]
type Number = i64;
#[cfg(not(test))]
type Number = i32;

#[amp_kernel]
fn alias(idx: Index<1>, n: Number) {}

#[amp_kernel]
fn absent(idx: Index<1>, n: NoSuchType) {}

#[amp_kernel]
fn unmarked(idx: Index<1>, p: Plain) {
    let q = Plain { x: 1 };
}

#[amp_kernel]
fn elements(
    idx: Index<1>,
    a: &ArrayView<bool, 1>,
    b: &ArrayView<usize, 1>,
    c: &ArrayView<(f32, f32), 1>,
    d: &ArrayView<[(f32, f32); 4], 1>,
    e: &ArrayView<isize, 1>,
    f: &ArrayView<ArrayView<f32, 1>, 1>,
    g: &ArrayView<[f32; 0], 1>,
    h: &ArrayView<[bool; 2], 1>,
    i: &ArrayView<[f32; size_of::<u32>()], 1>,
    j: &ArrayView<[[usize; 2]; 2], 1>,
) {
}

#[amp_kernel]
fn open_elements<const N: usize>(idx: Index<1>, a: &ArrayView<[f32; N], 1>) {}

#[amp_kernel]
fn other_elements<const N: usize>(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] += out.reinterpret::<[f32; N]>()[0][0];
}

#[amp_kernel]
fn barrier_kept(t_idx: TiledIndex<1, 16>) {
    let b = t_idx.barrier;
    b.wait();
}

const ORIGIN: (f32, [f32; size_of::<u8>()]) = (0.0, [1.0]);

#[amp_kernel]
fn constants(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = ORIGIN.0;
}

const TABLE: [f32; 300] = [0.0; 300];
const LIMITS: [u32; 2] = [1, 2];
const FLAGS: [(); 2] = [(); 2];

#[amp_kernel]
fn constant_tables(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let table: [f32; 300] = TABLE;
    let flags: [(); 2] = FLAGS;
    c[idx] = TABLE[0];
    c[idx] += LIMITS[0] as f32;
}

#[amp_enum]
enum Suit {
    Hearts,
}

#[amp_enum]
enum Played {
    Nothing,
    Card(Suit),
}

#[amp_enum]
enum Bid {
    Pass,
    Tricks(u32),
}

#[amp_struct]
struct Round {
    bid: Bid,
    players: u32,
}

const PLAYED: Played = Played::Card(Suit::Hearts);
const ROUND: Round = Round {
    bid: Bid::Tricks(3),
    players: 4,
};

#[amp_kernel]
fn constant_enums(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    if let Played::Card(_) = PLAYED {
        c[idx] = ROUND.players;
    }
}

#[amp_struct]
struct Mark;

#[amp_struct]
struct Card {
    suit: Suit,
}

#[amp_kernel]
fn enums(
    idx: Index<1>,
    suits: &ArrayView<Suit, 1>,
    cards: &mut ArrayViewMut<Card, 1>,
    card: Card,
    marks: &ArrayView<Mark, 1>,
) {
}

#[amp_struct]
struct Marked {
    x: f32,
    of_function: std::marker::PhantomData<fn() -> u32>,
}

#[amp_struct]
struct Unit {
    x: f32,
    of: std::marker::PhantomData<f32>,
}

#[amp_kernel]
fn marked_elements(idx: Index<1>, a: &mut ArrayViewMut<Unit, 1>) {
    a[idx].x = 1.0;
}

#[amp_fn]
fn four() -> [u32; 4] {
    [1; 4]
}

#[amp_fn]
fn within(around: std::ops::RangeInclusive<u32>, from: RangeFrom<u32>) -> bool {
    let length: [u32; _] = four();
    true
}

#[amp_kernel]
fn lengths(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = within(1..=2, 1..) as u32;
}

#[amp_module]
mod of_std {
    use std::num::{NonZeroU32, ParseIntError};

    pub struct Parsed {
        pub value: u32,
    }

    impl Parsed {
        pub fn of(value: NonZeroU32) -> Self {
            Parsed { value: 1 }
        }
    }

    impl From<ParseIntError> for Parsed {
        fn from(_: ParseIntError) -> Self {
            Parsed { value: 0 }
        }
    }
}

#[amp_kernel]
fn nested(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    struct Frame {
        a: u32,
    }
    c[idx] = Frame { a: 1 }.a;
}

#[amp_module]
mod bodies {
    pub fn one() -> u32 {
        struct Cell(u32);
        Cell(1).0
    }

    pub fn other() -> u32 {
        enum Cell {
            A,
        }
        Cell::A as u32
    }
}

#[amp_module]
mod readers {
    pub struct Reader<'a> {
        data: &'a [u8],
        pos: usize,
        name: &'static u32,
    }

    impl<'a> Reader<'a> {
        pub fn new(data: &'a [u8]) -> Self {
            Reader { data, pos: 0, name: &1 }
        }

        pub fn next(&mut self) -> u8 {
            self.pos += 1;
            self.data[self.pos - 1]
        }
    }

    pub fn first(data: &[u8]) -> u8 {
        Reader::new(data).next()
    }
}

fn main() {}
