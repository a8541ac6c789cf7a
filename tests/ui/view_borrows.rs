//! What rustc says about views made from views: one name at a time for what is written.

use amp::prelude::*;

#[amp_fn]
fn clear(c: &mut ArrayViewMut<u32, 1>) {
    c[0] = 0;
}

#[amp_kernel]
fn two_at_once(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let mut left = c.section(0, 4);
    let mut right = c.section(4, 4);
    left[idx] = right[idx];
}

#[amp_kernel]
fn both(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let mut left = c.section(0, 4);
    c[0] = 1;
    left[idx] = 2;
}

#[amp_kernel]
fn not_mut(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let left = c.section(0, 4);
    left[idx] = 1;
}

#[amp_kernel]
fn read_only(idx: Index<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
    let mut left = c.section(0, 4);
    clear(&left);
    clear(&mut a.section(0, 4));
}

#[amp_kernel]
fn slice_and_view(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let part = &mut c[1..3];
    c[0] = 1;
    part[idx[0]] = 2;
}

#[amp_kernel]
fn two_slices(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let left = &mut c[..2];
    let right = &c[1..];
    left[0] = right[idx[0]];
}

fn main() {}
