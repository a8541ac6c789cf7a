//! Helpers and structs that kernels of another crate import: with constants, modules and
//! tile memory of their own, none of which the importing crate names.

#![forbid(unsafe_code)]

use amp::prelude::*;

pub mod generic;
pub mod plain;
pub mod shapes;
pub mod solid;
pub mod tables;
pub mod tiles;

/// Only this crate can see it; kernels elsewhere use it all the same.
const WEIGHTS: usize = 4;

/// A factor that an associated constant of another type is made of.
const SCALE: f32 = 1.5;

const DIRECTIONS: [i32; WEIGHTS - 1] = [4, -5, 6];

/// An element of a constant.
#[amp_fn]
pub fn direction(i: usize) -> i32 {
    DIRECTIONS[i % DIRECTIONS.len()]
}

/// A way to go.
#[amp_struct]
pub struct Direction {
    pub up: i32,
    pub left: i32,
}

/// A constant whose type other crates tell.
pub const DIRECTION: Direction = Direction { up: -7, left: 2 };

/// A part of it.
#[amp_fn]
pub fn left() -> i32 {
    DIRECTION.left
}

mod private {
    use super::*;

    pub const OFFSET: i32 = -3;

    /// A type with associated constants.
    pub struct Limits;

    impl Limits {
        pub const MOST: i32 = 1 << 20;
    }

    #[amp_fn]
    pub fn shift(x: &mut i32) {
        *x += OFFSET;
    }

    #[amp_fn]
    pub fn shifted(x: i32) -> i32 {
        (x + OFFSET).min(Limits::MOST)
    }
}

/// A weighted sum through a local array whose length is a constant of this crate.
#[amp_fn]
pub fn weighted(x: i32) -> i32 {
    let mut weights = [1; WEIGHTS];
    for i in 1..WEIGHTS {
        weights[i] = weights[i - 1] * 3 + x;
    }
    let mut sum = 0;
    for i in 0..WEIGHTS {
        sum += weights[i] * private::shifted(i as i32);
    }
    sum
}

/// Writes to a place of its caller, through a helper that only this crate sees.
#[amp_fn]
pub fn advance(x: &mut i32) {
    private::shift(x);
    *x *= WEIGHTS as i32;
}

/// Equal in name to a helper of the tests.
#[amp_fn]
pub fn twist(x: i32) -> i32 {
    x * 1000 + WEIGHTS as i32
}

/// A float by a constant.
#[amp_fn]
pub fn scaled(x: f32) -> f32 {
    x * SCALE + f32::EPSILON
}

/// Adds up a row of a view, whatever crate launched the kernel.
#[amp_fn]
pub fn row_sum(a: &ArrayView<i32, 2>, row: usize) -> i32 {
    let mut sum = 0;
    for j in 0..a.extent()[1] {
        sum += a[[row, j]];
    }
    sum
}

/// Writes through a view.
#[amp_fn]
pub fn store(out: &mut ArrayViewMut<i32, 1>, i: usize, value: i32) {
    if i < out.extent().size() {
        out[i] = value;
    }
}

/// Half of a number that is a multiple of what [`scaled`] makes of one.
#[amp_fn]
pub fn checked_half(x: i32) -> i32 {
    assert!(scaled(x as f32) % 3.0 == 0.0);
    x / 2
}

/// Requires that a number is not too large.
#[amp_fn]
pub fn bounded(x: f32, most: f32, idx: Index<1>) {
    assert!(
        x <= most,
        "{x} is more than {most} at {idx}: {:?}",
        [x, most]
    );
}

/// Prints a number.
#[amp_fn]
pub fn announced(n: u32) {
    println!("{n} is announced");
}
