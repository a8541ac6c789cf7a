//! Iterators and closures that functions return, where they cannot be used.

use amp::prelude::*;

#[amp_fn]
fn evens(n: u32) -> impl Iterator<Item = u32> {
    (0..n).filter(|x| x % 2 == 0)
}

#[amp_fn]
fn above(x: &[u32], least: u32) -> impl Iterator<Item = &u32> {
    x.iter().filter(move |x| **x > least)
}

#[amp_fn]
fn scaler(k: u32) -> impl Fn(u32) -> u32 {
    move |x| x * k
}

#[amp_fn]
fn differences(n: u32) -> Option<u32> {
    let mut sum = 0;
    for x in evens(n) {
        sum += x.checked_sub(1)?;
    }
    Some(sum)
}

#[amp_kernel]
fn uses(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [1, 2, 3];
    let n = out[idx];
    let all = evens(n);
    out[idx] = (0..3).zip(evens(n)).map(|(a, b)| a * b).sum::<u32>();
    out[idx] = evens(n).rev().sum::<u32>();
    out[idx] = x.iter().copied().map(scaler(n * 2)).sum::<u32>();
    #[unroll]
    for x in evens(4) {
        out[idx] += x;
    }
}

fn main() {}
