//! An `Option` has references to read in it, to places that nothing changes meanwhile.

use amp::prelude::*;

#[amp_fn]
fn find(a: &[u32], x: u32) -> Option<&u32> {
    a.iter().find(|y| **y == x)
}

#[amp_fn]
fn find_mut(a: &mut [u32]) -> Option<&mut u32> {
    a.first_mut()
}

#[amp_fn]
fn tail(a: &[u32]) -> Option<&[u32]> {
    a.get(1..)
}

#[amp_struct]
struct Best<'a> {
    of: Option<&'a u32>,
}

/// Places to write, and slices.
#[amp_kernel]
fn others(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let mut x = 1;
    let a = [1, 2, 3];
    let one = Some(&mut x);
    let part = Some(&a[1..]);
    let found = a.iter().enumerate().max_by_key(|(_, x)| **x);
    c[idx] = 1;
}

/// Places that other threads change.
#[amp_kernel]
fn changed(t_idx: TiledIndex<1, 4>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut part: [u32; 4];
    part[t_idx.local[0]] = 1;
    t_idx.barrier.wait();
    let mut best: Option<&u32> = Some(&part[0]);
    best = Some(&c[t_idx]);
    c[t_idx] = *best.unwrap();
}

/// What a function finds in memory that other threads may use, and values.
#[amp_kernel]
fn found(idx: Index<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
    let mut best: Option<&u32> = None;
    best = find(&a[..], 2);
    best = Some(a[idx]);
    let value: Option<u32> = Some(&a[0]);
    best.unwrap().size = 1;
    *best.unwrap() = 1;
    if let Some(x) = best {
        *x = 2;
    }
    c[idx] = best.insert(3);
}

#[amp_fn]
fn given(x: Option<&u32>, pair: (Option<&u32>, u32), s: Option<&[u32]>, w: Option<&mut u32>) -> u32 {
    x.copied().unwrap_or(pair.1)
}

#[amp_fn]
fn taken(x: Option<&u32>) -> u32 {
    x.copied().unwrap_or(1)
}

/// Arguments that other threads change, and parameters of kernels.
#[amp_kernel]
fn arguments(idx: Index<1>, x: Option<&u32>, c: &mut ArrayViewMut<u32, 1>) {
    let mut own = 2;
    c[idx] = taken(Some(&c[idx])) + taken(c.get(1)) + taken(Some(&mut own)) + taken(Some(3));
}

fn main() {}
