//! `collect` of what kernels have no collections of.

use amp::prelude::*;

#[amp_fn]
fn evens(n: u32) -> Vec<u32> {
    (0..n).filter(|x| x % 2 == 0).collect()
}

#[amp_kernel]
fn collects(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let n = out[idx];
    let all = (0..n).map(|x| x * x).collect::<Vec<_>>();
    let some: [u32; 3] = (0..3).collect();
    out[idx] = all[0] + some[1];
}

fn main() {}
