//! Iterators that variables are, where they cannot be used.

use amp::prelude::*;

#[amp_fn]
fn evens(n: u32) -> impl Iterator<Item = u32> {
    (0..n).filter(|x| x % 2 == 0)
}

#[amp_fn]
fn first(x: &mut std::ops::Range<u32>) -> u32 {
    x.start
}

#[amp_kernel]
fn used(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [1, 2, 3];
    let mut n = out[idx];
    let mut it = x.iter();
    let returned = evens(n);
    n += 1;
    out[idx] = first(&mut it);
    let kept = it.next();
    out[idx] = match it.next() {
        Some(x @ 1..=2) => *x,
        _ => 0,
    };
    if it.peek().is_some() {
        out[idx] = 1;
    }
    let mut some = x.iter().flat_map(|x| 0..*x);
    out[idx] = some.next().unwrap();
}

#[amp_kernel]
fn hidden(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [1, 2, 3];
    let k = 2;
    let it = x.iter().map(|x| x * k);
    let multiples = |n: u32| (0..n).map(|x| x * k);
    let k = 3;
    out[idx] = it.sum::<u32>() + k;
    out[idx] += multiples(3).sum::<u32>();
}

#[amp_fn]
fn counted(x: &[u32; 3], count: &mut u32) -> u32 {
    let it = x.iter().map(move |x| {
        *count += 1;
        *x
    });
    *count += 2;
    it.sum()
}

#[amp_kernel]
fn behind(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [1, 2, 3, 4, 5];
    let parts = x.chunks(2);
    for y in parts.remainder() {
        out[idx] += y;
    }
    for y in x.chunks_exact(idx[0] + 1).remainder() {
        out[idx] += y;
    }
}

fn main() {}
