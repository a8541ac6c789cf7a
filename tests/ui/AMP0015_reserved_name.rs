//! Functions that would hide a macro of the standard library.

use amp::prelude::*;

#[amp_fn]
fn line(x: f32) -> f32 {
    2.0 * x + 1.0
}

#[amp_kernel]
fn vec(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = line(c[idx]);
}

fn main() {}
