//! Constants that do not fit what they are on a device: assertions in the expansion, since only
//! rustc knows their values.

use amp::prelude::*;

const FAR: usize = 5_000_000_000;
const ROUNDS: u32 = 3_000_000_000;
const ENDLESS: u64 = u64::MAX;

#[amp_kernel]
fn index(_idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let i: usize = FAR;
    c[i] = 1;
}

#[amp_kernel]
fn bound(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    for _ in 0..ROUNDS {
        c[idx] += 1;
    }
}

#[amp_kernel(index = 64)]
fn wide_bound(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    for _ in 0..ENDLESS {
        c[idx] += 1;
    }
}

#[amp_fn]
fn raised(x: u32) -> u32 {
    let mut raised = x;
    for _ in 0..ROUNDS {
        raised += 1;
    }
    raised
}

#[amp_kernel]
fn in_a_helper(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    c[idx] = raised(c[idx]);
}

#[amp_kernel]
fn fits(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    for _ in 0_u32..ROUNDS {
        c[idx] += 1;
    }
}

fn main() {}
