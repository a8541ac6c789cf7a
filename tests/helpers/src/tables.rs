//! Constants that kernels of other crates use.

use amp::prelude::*;

use crate::shapes::Point;

/// How many weights there are.
#[amp_const]
pub const TAPS: usize = 5;

/// An array of a named length.
#[amp_const]
pub const WEIGHTS: [f32; TAPS] = [0.1, 0.25, 0.3, 0.25, 0.1];

/// A number.
#[amp_const]
pub const GAIN: f32 = 2.25;

/// A slice, whose elements the macro counts.
#[amp_const]
pub const PRIMES: &[u32] = &[2, 3, 5, 7, 11, 13];

type Row = [i16; COLUMNS.len()];

const COLUMNS: &[&str] = &["a", "b", "c"];

/// Of an alias.
#[amp_const]
pub const ROWS: [Row; 2] = [[1, 2, 3], [-4, -5, -6]];

/// A struct that this module alone imports.
#[amp_const]
pub const CORNERS: [Point; TAPS - 1] = [
    Point { x: 0.0, y: 0.5 },
    Point { x: 1.0, y: 0.5 },
    Point { x: 1.0, y: 1.5 },
    Point { x: 0.0, y: 1.5 },
];

/// An enum in tuples.
#[amp_const]
pub const TURNS: [(Turn, f32, bool); 3] = [
    (Turn::Left, 0.5, true),
    (Turn::Right, 1.5, false),
    (Turn::Left, 2.5, true),
];

/// Which way.
#[amp_enum]
#[derive(Debug)]
pub enum Turn {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// A struct with a parameter.
#[amp_const]
pub const SPAN: Span<f32> = Span {
    from: -1.5,
    to: 4.0,
};

/// From one number to another.
#[amp_struct]
#[derive(Debug, PartialEq)]
pub struct Span<T> {
    /// Where it begins.
    pub from: T,
    /// Where it ends.
    pub to: T,
}

/// A constant of a type.
#[amp_fn]
impl Span<f32> {
    /// From zero to one.
    pub const UNIT: Self = Self { from: 0.0, to: 1.0 };
    /// Where spans may begin.
    pub const STARTS: [f32; 3] = [0.0, 0.5, -0.5];

    /// How long it is.
    pub fn length(&self) -> f32 {
        self.to - self.from
    }
}

/// Constants of a module whose types are visible to each other.
#[amp_module]
pub mod levels {
    use amp::prelude::*;

    /// A level.
    pub struct Level {
        /// How high it is.
        pub height: f32,
    }

    /// All of them.
    #[amp_const]
    pub const LEVELS: [Level; 2] = [Level { height: 0.5 }, Level { height: 8.0 }];

    /// The height of one.
    pub fn height(i: usize) -> f32 {
        LEVELS[i].height
    }
}

/// Other constants of the same names.
pub mod coarse {
    use amp::prelude::*;

    const TAPS: usize = 2;

    /// Not those above.
    #[amp_const]
    pub const WEIGHTS: [f32; TAPS] = [0.75, 0.25];
}

/// A helper with constants of its own crate.
#[amp_fn]
pub fn weighted(x: &[f32; TAPS]) -> f32 {
    let mut sum = 0.0;
    for (x, weight) in x.iter().zip(WEIGHTS) {
        sum += *x * weight;
    }
    sum * GAIN
}
