//! Functions of the standard library, of what they do not take.

use std::cmp::max;
use std::mem::{self, size_of_val};

use amp::prelude::*;

#[amp_kernel]
fn of_floats(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = max(out[idx], 1.0);
}

#[amp_kernel]
fn of_values(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let (mut a, b) = (1_u32, 2.0_f32);
    mem::swap(&mut a, b);
    let c = mem::replace(a, 3);
    let d = max(a);
}

#[amp_kernel]
fn sizes(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let a = size_of::<usize>();
    let b = mem::align_of::<(u8, u32)>();
}

#[amp_kernel]
fn others(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let c = size_of_val(&idx);
}

#[amp_kernel]
fn open_length(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let a = std::array::from_fn(|i| i as u32);
}

fn main() {}
