//! `try_from` and `try_into` where kernels use them in a wrong way.

use std::num::TryFromIntError;

use amp::prelude::*;

#[amp_fn]
fn of_floats(x: f32, y: i32) -> u32 {
    let a = u32::try_from(x).unwrap_or(0);
    let b: f32 = y.try_into().unwrap_or(0.0);
    let c: u8 = x.try_into().unwrap();
    let d = bool::try_from(y);
    a
}

#[amp_fn]
fn of_nothing(x: i32) -> u32 {
    let a = x.try_into().unwrap();
    let b = u8::try_from();
    let c = u8::try_from(x, x);
    3
}

#[amp_fn]
fn another_error(x: i32) -> Result<u8, u32> {
    let y: u16 = x.try_into()?;
    u8::try_from(y)
}

#[amp_fn]
fn of_infallible(x: u8) -> Result<u32, TryFromIntError> {
    u32::try_from(x)
}

#[amp_fn]
fn no_zero(x: i32) -> TryFromIntError {
    assert!(x < 0);
    let errors = [u8::try_from(x).unwrap_err(), u8::try_from(-1).unwrap_err()];
    errors[(x % 2) as usize]
}

#[amp_fn]
fn of_generic<T: Scalar>(x: T) -> u8 {
    u8::try_from(x).unwrap_or(0)
}

#[amp_fn]
fn of_slices(x: &[u8], y: u32) -> u32 {
    let kept: Result<[u8; 4], _> = x.try_into();
    let no_slice: [u8; 4] = y.try_into().unwrap();
    u32::from_be_bytes(<[u8; 4]>::try_from(y).unwrap())
}

#[amp_kernel]
fn kernel(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let whole: Result<_, _> = c[idx].try_into();
    let text = "3".try_into();
}

fn main() {}
