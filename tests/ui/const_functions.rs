//! `const fn`s: rustc has them as they are written, and reports what they cannot have once.

use amp::prelude::*;

/// Not constant.
#[amp_fn]
const fn summed(values: [u32; 4]) -> u32 {
    let mut sum = 0;
    for value in values {
        sum += value;
    }
    sum
}

#[amp_fn]
fn plain(x: u32) -> u32 {
    x / 2
}

#[amp_fn]
const fn calls(x: u32) -> u32 {
    plain(x)
}

/// Not for kernels.
#[amp_fn]
const fn named(x: u32) -> u32 {
    let name = "a name";
    x + name.len() as u32
}

const NAMED: u32 = named(1);

#[amp_struct]
struct Seed {
    state: u32,
}

#[amp_fn]
impl Seed {
    const fn new(state: u32) -> Self {
        Self { state: plain(state) }
    }
}

/// Beyond the end, when rustc computes it.
#[amp_fn]
const fn picked(i: usize) -> u32 {
    [1, 2, 3][i]
}

const PICKED: u32 = picked(3);

#[amp_kernel]
fn uses(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = NAMED + PICKED + summed([1; 4]) + calls(2) + Seed::new(3).state;
}

fn main() {}
