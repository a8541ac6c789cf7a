//! Lengths that are computed, where a layout must be known before rustc evaluates them: in constants that are
//! indexed, in fields, in parameters of kernels. By `const fn`s, from tables, and by methods of integers.

use amp::prelude::*;
use testkit::{launch, twice};

const NUMBERS: [u32; 5] = [0, 1, 7, 250, u32::MAX];

const LAYERS: [usize; 4] = [3, 5, 4, 2];
const WEIGHTS: usize = weights(&LAYERS);
const WIDEST: usize = widest();
const SQUARE: usize = side(WIDEST).pow(2);
const BYTES: usize = (u16::BITS / 8) as usize + if SQUARE > 8 { 1 } else { 0 };

const fn weights(layers: &[usize]) -> usize {
    assert!(layers.len() > 1);
    let mut sum = 0;
    let mut i = 1;
    while i < layers.len() {
        sum += layers[i - 1] * layers[i];
        i += 1;
    }
    sum
}

const fn widest() -> usize {
    let (mut widest, mut i) = (0, 0);
    loop {
        if i == LAYERS.len() {
            return widest;
        }
        let at = i;
        i += 1;
        if LAYERS[at] <= widest {
            continue;
        }
        widest = LAYERS[at];
    }
}

const fn side(n: usize) -> usize {
    match n {
        0 => 1,
        small @ 1..=2 => small,
        n if n.is_power_of_two() => n,
        _ => side(n / 2) + n.next_power_of_two() / 8,
    }
}

/// Indexed by kernels, with a value that rustc computes.
const TABLE: [u32; WEIGHTS] = table();

const fn table() -> [u32; WEIGHTS] {
    let mut table = [0; WEIGHTS];
    let mut i = 0;
    while i < WEIGHTS {
        table[i] = i as u32 * 3 + 1;
        i += 1;
    }
    table
}

#[amp_struct]
struct Layer {
    weights: [u32; LAYERS[0] * LAYERS[1]],
    square: [u32; SQUARE],
}

#[amp_fn]
fn layer(x: u32) -> Layer {
    let mut layer = Layer {
        weights: [x; LAYERS[0] * LAYERS[1]],
        square: [1; SQUARE],
    };
    for (i, weight) in layer.weights.iter_mut().enumerate() {
        *weight ^= TABLE[i % WEIGHTS];
    }
    layer.square[SQUARE - 1] = 9;
    layer
}

twice! {
    constants_and_fields(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let layer = layer(x);
        let mut sum = TABLE[x as usize % TABLE.len()] + SQUARE as u32 * 1000 + BYTES as u32;
        for weight in layer.weights {
            sum = sum.wrapping_mul(31).wrapping_add(weight);
        }
        for cell in layer.square {
            sum = sum.wrapping_add(cell);
        }
        sum
    }
}

#[amp_kernel]
fn parameters(
    idx: Index<1>,
    bytes: [u32; BYTES],
    cells: &ArrayView<[u16; side(4)], 1>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    let mut sum = bytes[idx[0] % BYTES];
    for cell in cells[idx] {
        sum = sum * 10 + cell as u32;
    }
    out[idx] = sum;
}

#[test]
fn parameters_of_kernels() {
    let cells = [[1_u16, 2, 3, 4], [5, 6, 7, 8], [9, 0, 1, 2]];
    testkit::becomes([3], &[0; 3], &[51_234, 65_678, 79_012], |view, out| {
        let cells = ArrayView::from(&cells[..]);
        launch(view, 3, parameters([5, 6, 7], &cells, out))
    });
}

#[amp_struct]
struct Grid<T, const W: usize> {
    cells: [T; W],
}

#[amp_fn]
impl<T: Copy, const W: usize> Grid<T, W> {
    fn first(&self) -> T {
        self.cells[0]
    }

    fn turned(&self) -> [T; WIDEST] {
        [self.cells[W - 1]; WIDEST]
    }
}

type Map = Grid<u32, WIDEST>;

#[amp_fn]
fn row(x: u32) -> [u32; WIDEST] {
    let mut row = [x; WIDEST];
    row[WIDEST - 1] += 5;
    row
}

#[amp_fn]
fn map(x: u32) -> Map {
    Grid { cells: row(x) }
}

#[amp_fn]
fn total(rows: &[[u32; WIDEST]; 2]) -> u32 {
    rows.iter().flatten().fold(0, |sum, cell| sum * 3 + cell)
}

twice! {
    results_and_parameters(x: u32) -> u32 = (vec![0, 3, 70],);
    {
        let row = row(x);
        let map = map(x + 1);
        let sum = row.iter().sum::<u32>() + row[1] + map.cells.iter().sum::<u32>() + map.first();
        sum + total(&[row, map.turned()]) + map.turned().len() as u32
    }
}

const TOLERANCE: f32 = 1e-3;
const FLAGS: u16 = 0b1011;
const OFFSET: i32 = -7;
const SHIFT: u32 = WIDEST.trailing_zeros() + 2;

// The types of numbers, where nothing else tells them.
twice! {
    types_of_numbers(x: f32) -> f32 = (vec![0.0, 2.5, -9.0],);
    {
        let offset = OFFSET;
        let flags = FLAGS | FLAGS << 1;
        let bits = FLAGS.count_ones() + (FLAGS << 2).trailing_zeros() + flags.count_zeros();
        let shifted = (x as u32 + 1000) >> SHIFT >> (SHIFT - 1);
        TOLERANCE.max(x)
            + TOLERANCE.sqrt()
            + (x - TOLERANCE).abs()
            + bits as f32
            + offset.abs() as f32
            + shifted as f32
    }
}

// Const parameters that have the name of a constant hide it.
#[amp_module]
mod hidden {
    const W: usize = 7;
    const K: u32 = 5;

    pub struct Row<const W: usize> {
        pub first: i16,
    }

    impl<const W: usize> Row<W> {
        pub fn has(&self, x: i16) -> bool {
            (self.first..W as i16).contains(&x)
        }

        pub fn square(&self) -> usize {
            W.pow(2)
        }

        pub fn power<const K: u32>(&self) -> u32 {
            K.pow(3)
        }
    }

    pub fn of_a_body(x: u32) -> u32 {
        fn inner<const K: u32>(x: u32) -> u32 {
            K.pow(2) + x
        }
        inner::<3>(x) * 100 + K.pow(2)
    }

    pub fn of_the_module() -> usize {
        W.pow(2)
    }
}

use hidden::{Row, of_a_body, of_the_module};

twice! {
    parameters_hide_constants(x: u32) -> u32 = (vec![0, 2, 4],);
    {
        let row = Row::<3> { first: 1 };
        let squares = row.square() * 100 + of_the_module();
        row.has(x as i16) as u32 + row.power::<2>() * 7 + of_a_body(x) + squares as u32
    }
}
