//! Operators that the bounds of a type parameter do not have, and elements of what has no zero.

use std::ops::{Add, Mul};

use amp::prelude::*;

#[amp_struct]
struct Length {
    x: f32,
}

#[amp_fn]
impl Add for Length {
    type Output = Length;

    fn add(self, other: Length) -> Length {
        Length { x: self.x + other.x }
    }
}

#[amp_fn]
fn another_operator<T: Add<Output = T> + Copy>(x: T) -> T {
    x * x
}

#[amp_fn]
fn no_negation<T: Add<Output = T>>(x: T) -> T {
    -x
}

#[amp_fn]
fn another_operand<T: Mul<f32, Output = T>>(x: T) -> T {
    x * 2_u32
}

#[amp_fn]
fn a_number<T: Mul<Output = T>>(x: T) -> T {
    x * 2.0
}

#[amp_fn]
fn another_result<T: Add + Copy>(x: T) -> T {
    x + x
}

#[amp_fn]
fn no_conversion<T: Add<Output = T>>(x: T) -> T {
    x + T::from(2)
}

#[amp_fn]
fn first<T: Copy>(all: &[T]) -> T {
    all[0]
}

#[amp_kernel]
fn kernel(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let all = [Length { x: out[idx] }; 3];
    out[idx] = first(&all).x + first(&[1.0, 2.0]);
    if first(&[Some(1), None]).is_none() {
        out[idx] = 0.0;
    }
}

fn main() {}
