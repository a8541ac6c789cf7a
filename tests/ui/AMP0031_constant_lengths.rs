//! Local arrays whose lengths rustc computes: an assertion in the expansion.

use amp::prelude::*;

const LONG: usize = 40_000;
const SIDE: usize = 25 * size_of::<u32>();

#[amp_kernel]
fn constant(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let x = [1_u32; LONG];
    c[idx] = x[idx[0]];
}

#[amp_fn]
fn corner(x: [[f64; SIDE]; SIDE]) -> f64 {
    x[0][0]
}

#[amp_kernel]
fn in_a_helper(idx: Index<1>, c: &mut ArrayViewMut<f64, 1>) {
    let x = [[1.0; SIDE]; SIDE];
    c[idx] = corner(x);
}

fn main() {}
