//! What `Wrapping` does not have in kernels.

use std::num::Wrapping;

use amp::prelude::*;

#[amp_fn]
fn quotient(x: Wrapping<u32>, y: Wrapping<u32>) -> Wrapping<u32> {
    x / y
}

#[amp_fn]
fn mixed(x: Wrapping<u32>) -> Wrapping<u32> {
    x + 1
}

#[amp_fn]
fn counted(x: Wrapping<u32>) -> Wrapping<u32> {
    x << 3_u32
}

#[amp_fn]
fn power(x: Wrapping<u32>) -> Wrapping<u32> {
    x.pow(2)
}

#[amp_kernel]
fn element(idx: Index<1>, x: &mut ArrayViewMut<Wrapping<u32>, 1>) {
    x[idx] += Wrapping(1);
}

fn main() {}
