//! Sorts and comparisons of what has no order, and an `Ordering` where zeroes would be read.

use std::cmp::Ordering;

use amp::prelude::*;

#[amp_struct]
#[derive(Clone, Copy, PartialEq)]
struct Point {
    x: f32,
}

#[amp_kernel]
fn sorted(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let mut a = [out[idx], 1.0];
    a.sort();
}

#[amp_kernel]
fn sorted_by_floats(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let mut a = [out[idx], 1.0];
    a.sort_by_key(|x| *x * 2.0);
}

#[amp_kernel]
fn totally(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let order = out[idx].cmp(&1.0);
}

#[amp_kernel]
fn compared(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let p = Point { x: out[idx] };
    let b = p.partial_cmp(&p);
    let c = p.x.total_cmp(1.0);
    let d = Ordering::Less.flip();
    let e = Ordering::Smaller;
    let f = p.x.lt(1.0);
    let g = p.lt(&p);
    let h = 1_u32.classify();
}

#[amp_kernel]
fn kept(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let orders = [out[0].cmp(&1), Ordering::Less];
    out[idx] = orders[idx[0]] as i32;
}

fn main() {}
