//! Variables of a kernel that are read before they have a value: rustc refuses them.

use amp::prelude::*;

#[amp_kernel]
fn never(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let x: f32;
    c[idx] = x;
}

#[amp_kernel]
fn sometimes(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let x;
    if c[idx] > 0.0 {
        x = 1.0_f32;
    }
    c[idx] = x;
}

fn main() {}
