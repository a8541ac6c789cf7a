//! A module of vectors and matrices for kernels of other crates.

use amp::prelude::*;

pub use space::{Matrix, OFFSET, Spot, Turn, scale_of};

#[amp_module]
mod space {
    use std::ops::{Add, Mul, MulAssign, Sub};

    /// Added to every point by who wants to.
    pub const OFFSET: f32 = 0.125;

    /// Only functions of this module know it.
    const SMALL: f32 = 0.5;

    const SIDES: usize = 3;

    /// A point in space.
    #[derive(Debug, Default, PartialEq)]
    pub struct Spot {
        /// Its coordinates.
        pub at: [f32; 3],
    }

    /// Three rows.
    pub struct Matrix {
        rows: [Spot; 3],
    }

    /// How far to turn.
    pub enum Turn {
        /// Not at all.
        None,
        /// Once to the left.
        Left,
        /// To the right.
        Back = 3,
    }

    impl Turn {
        /// Number of quarters to the left.
        pub fn quarters(self) -> u32 {
            self as u32
        }
    }

    impl Spot {
        /// From its coordinates.
        pub fn new(x: f32, y: f32, z: f32) -> Self {
            Self { at: [x, y, z] }
        }

        /// The same coordinate three times.
        pub fn splat(x: f32) -> Self {
            let at = [x; SIDES];
            Self { at }
        }

        /// One along an axis.
        pub fn unit(axis: usize) -> Self {
            let mut unit = Self::splat(0.0);
            unit.at[axis] = 1.0;
            unit
        }

        /// The sum of products.
        pub fn dot(self, other: Self) -> f32 {
            let mut sum = 0.0;
            for i in 0..SIDES {
                sum += self.at[i] * other.at[i];
            }
            sum
        }

        /// Turns it by a quarter around the last axis.
        pub fn turn(&mut self) {
            let x = self.at[0];
            self.at[0] = -self.at[1];
            self.at[1] = x;
        }
    }

    impl Matrix {
        /// From its rows.
        pub fn rows(a: Spot, b: Spot, c: Spot) -> Self {
            Self { rows: [a, b, c] }
        }
    }

    impl Add for Spot {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Self::new(
                self.at[0] + other.at[0],
                self.at[1] + other.at[1],
                self.at[2] + other.at[2],
            )
        }
    }

    impl Sub for Spot {
        type Output = Self;

        fn sub(self, other: Self) -> Self {
            self + -1.0 * other
        }
    }

    impl Mul<Spot> for f32 {
        type Output = Spot;

        fn mul(self, point: Spot) -> Spot {
            Spot::new(self * point.at[0], self * point.at[1], self * point.at[2])
        }
    }

    impl Mul<Spot> for Matrix {
        type Output = Spot;

        fn mul(self, point: Spot) -> Spot {
            Spot::new(
                self.rows[0].dot(point),
                self.rows[1].dot(point),
                self.rows[2].dot(point),
            )
        }
    }

    impl MulAssign<f32> for Spot {
        fn mul_assign(&mut self, factor: f32) {
            *self = factor * *self;
        }
    }

    /// One, or less for what is far.
    pub fn scale_of(point: Spot) -> f32 {
        if point.dot(point) > 10.0 { SMALL } else { 1.0 }
    }
}
