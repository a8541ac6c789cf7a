//! Functions that are named by a trait of std: what is not of kernels, and names that mean something else.

use std::ops::Add;

use amp::prelude::*;

#[amp_fn]
fn types(x: u32) -> f32 {
    <f32 as Add>::add(x, 1.0)
}

#[amp_struct]
struct Point {
    x: f32,
}

#[amp_fn]
fn missing(x: f32) -> f32 {
    Add::add(Point { x }, Point { x }).x + <Point as From<f32>>::from(x).x
}

#[amp_fn]
trait Blend<T> {
    fn blend(&self, other: T) -> T;
}

#[amp_fn]
impl Blend<f32> for Point {
    fn blend(&self, other: f32) -> f32 {
        self.x * other
    }
}

#[amp_fn]
fn other_parameter(x: f32) -> f32 {
    <Point as Blend<u32>>::blend(&Point { x }, 3) as f32
}

/// A trait that only the host knows hides that of the library.
mod hidden {
    use amp::prelude::*;

    trait From<T> {
        fn from(other: T) -> Self;
    }

    impl From<u8> for u32 {
        fn from(other: u8) -> u32 {
            other as u32 + 1
        }
    }

    #[amp_fn]
    fn made(x: u8) -> u32 {
        <u32 as From<u8>>::from(x)
    }
}

fn main() {}
