//! Arguments that the attributes do not know.

use amp::prelude::*;

#[amp_kernel(fastest)]
fn kernel(idx: Index<1>) {}

#[amp_kernel(index = 64, fast_math)]
fn two(idx: Index<1>) {}

#[amp_kernel(T = f32 | f64, fast_math, fast_math)]
fn twice(idx: Index<1>) {}

#[amp_kernel(index = 16)]
fn narrow(idx: Index<1>) {}

#[amp_kernel(index)]
fn without_a_value(idx: Index<1>) {}

#[amp_kernel(fastest = "yes", unsafe, index = 64)]
fn many(idx: Index<1>) {}

#[amp_fn(inline)]
fn helper(x: f32) -> f32 {
    x
}

#[amp_struct(packed)]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_fn(fast_math)]
fn add_to(sum: &mut f32, x: f32) {
    *sum += x;
}

fn main() {}
