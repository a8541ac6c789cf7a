//! Generic helpers that are called with what does not fit, or with too little.

use amp::prelude::*;

#[amp_fn]
fn sum<T: Scalar, const N: usize>(values: [T; N]) -> T {
    let mut sum = T::ZERO;
    for x in values {
        sum += x;
    }
    sum
}

#[amp_fn]
fn any<T: Copy>(a: T, b: T) -> T {
    a + b
}

#[amp_fn]
fn other<T: Scalar>(a: T, b: T) -> T {
    let shifted = a << 1;
    let negated = -b;
    let converted = a as f32;
    let rounded = a.floor();
    let largest = T::MAX;
    let parsed = T::from_str(1);
    a
}

#[amp_fn]
fn none<T: Scalar>() -> u32 {
    0
}

#[amp_fn]
fn misapplied<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
    f(x, x)
}

#[amp_fn]
fn called<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
    f(x)
}

#[amp_kernel]
fn calls(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = sum([1.0, 2.0]) + sum([1, 2]);
    c[idx] = sum::<f32>([1.0]);
    let n = none();
    c[idx] = called(1.0, 2.0);
    c[idx] = called(|x, y| x + y, 2.0);
    c[idx] = called(|x| x > 1.0, 2.0);
    c[idx] = called(|x| x);
}

/// Each closure calls the one before it eight times.
#[amp_kernel]
fn large(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let f0 = |x: f32| x + 1.0;
    let f1 = |x: f32| f0(x) + f0(x) + f0(x) + f0(x) + f0(x) + f0(x) + f0(x) + f0(x);
    let f2 = |x: f32| f1(x) + f1(x) + f1(x) + f1(x) + f1(x) + f1(x) + f1(x) + f1(x);
    let f3 = |x: f32| f2(x) + f2(x) + f2(x) + f2(x) + f2(x) + f2(x) + f2(x) + f2(x);
    let f4 = |x: f32| f3(x) + f3(x) + f3(x) + f3(x) + f3(x) + f3(x) + f3(x) + f3(x);
    c[idx] = f4(1.0) + f4(2.0) + f4(3.0);
}

#[amp_kernel]
fn typed<T: Scalar>(idx: Index<1>, c: &mut ArrayViewMut<T, 1>) {
    c[idx] = T::ZERO;
}

/// The functions of `precise_math` are generic over the floats that have them.
#[amp_kernel]
fn whole(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    c[idx] = precise_math::sin(c[idx]);
}

fn main() {}
