//! Functions that take iterators, where these cannot be passed or taken.

use amp::prelude::*;

#[amp_fn]
fn total(items: impl Iterator<Item = u32>) -> u32 {
    items.sum()
}

#[amp_fn]
fn twice(items: impl Iterator<Item = u32> + Clone) -> u32 {
    items.clone().sum::<u32>() + items.count() as u32
}

#[amp_fn]
fn numbered<'a>(items: impl Iterator<Item = (usize, &'a u32)>) -> u32 {
    items.map(|(i, x)| x * i as u32).sum()
}

#[amp_fn]
fn both<I: Iterator<Item = u32>>(a: I, b: I) -> u32 {
    a.chain(b).sum()
}

#[amp_fn]
fn evens(n: u32) -> impl Iterator<Item = u32> {
    (0..n).filter(|x| x % 2 == 0)
}

#[amp_fn]
fn last(items: &mut impl DoubleEndedIterator<Item = u32>) -> u32 {
    items.next_back().unwrap_or(0)
}

#[amp_kernel]
fn uses(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [1, 2, 3];
    let n = out[idx];
    out[idx] = total(evens(n));
    let mut kept = x.iter().copied();
    out[idx] = last(&mut kept);
    out[idx] = last((0..n).take_while(|x| *x < 3));
    out[idx] = total((0..n).flat_map(|i| 0..i));
    out[idx] = total(x.iter());
    out[idx] = total(n);
    out[idx] = total(|| Some(n));
    out[idx] = twice(0..n) + numbered(x.iter().enumerate()) + both(0..n, 1..n);
}

fn main() {}
