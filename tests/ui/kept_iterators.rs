//! What rustc reports about iterators in variables.

use amp::prelude::*;

#[amp_kernel]
fn moved(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [1, 2, 3];
    let it = x.iter();
    out[idx] = it.sum::<u32>();
    out[idx] = it.sum::<u32>();
}

#[amp_kernel]
fn changed(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut x = [1, 2, 3];
    let it = x.iter();
    x[0] = 2;
    out[idx] = it.sum::<u32>();
}

#[amp_kernel]
fn constant(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [1, 2, 3];
    let it = x.iter();
    out[idx] = *it.next().unwrap();
}

fn main() {}
