//! Local arrays that are too large for a thread, by themselves, in a chain of calls, and as values
//! that have no name.

use amp::prelude::*;

#[amp_kernel]
fn one(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let x = [1_u32; 100_000];
    c[idx] = x[idx[0]];
}

#[amp_fn]
fn changed(mut x: [f32; 8192], k: usize) -> [f32; 8192] {
    x[k] = 1.0;
    x
}

#[amp_fn]
fn twice(x: [f32; 8192], k: usize) -> f32 {
    let y = changed(x, k);
    changed(y, k + 1)[k]
}

#[amp_kernel]
fn in_a_chain(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let x = [0.0; 8192];
    c[idx] = twice(x, idx[0]);
}

#[amp_kernel]
fn narrow_numbers_take_a_register_each(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let x = [[1_u8; 256]; 200];
    c[idx] = x[idx[0]][0] as u32;
}

const N: usize = 5;

#[amp_kernel]
fn besides_what_rustc_knows(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let x = [1_u32; 40_000];
    let y = [idx[0] as u32; N];
    c[idx] = x[idx[0]] + y[2];
}

fn main() {}
