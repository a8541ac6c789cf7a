//! Patterns of the slices that iterators yield, which may not match.

use amp::prelude::*;

#[amp_fn]
fn sums(v: [u32; 6]) -> u32 {
    let mut sum = 0;
    for [a, b] in v.windows(2) {
        sum += a + b;
    }
    sum + v.chunks(3).map(|[a, .., b]| a * b).sum::<u32>()
}

#[amp_fn]
fn arrays(v: [u32; 6]) -> u32 {
    let mut sum = 0;
    for [a, b, c] in v.array_windows::<2>() {
        sum += a + b + c;
    }
    let mut pairs = v.array_windows::<2>();
    while let Some([a, _, b]) = pairs.next() {
        sum += a + b;
    }
    for [first, _, _, ..] in v.array_windows::<2>() {
        sum += first;
    }
    sum
}

#[amp_kernel]
fn both(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = sums([1; 6]) + arrays([2; 6]);
}

fn main() {}
