//! Values without an order, where one is wanted.

use std::cmp::{Ordering, Reverse};

use amp::prelude::*;

#[amp_struct]
#[derive(PartialEq)]
struct Plain {
    n: u32,
}

#[amp_struct]
#[derive(PartialEq, PartialOrd)]
struct Partial {
    x: f32,
}

#[amp_struct]
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Whole {
    n: u32,
}

/// Its order of values that are not equal is the host's alone.
#[amp_struct]
#[derive(PartialEq, Eq)]
struct OfHost {
    n: u32,
}

#[amp_fn]
impl Ord for OfHost {
    fn cmp(&self, other: &Self) -> Ordering {
        other.n.cmp(&self.n)
    }
}

impl PartialOrd for OfHost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[amp_fn]
fn largest<T: Scalar>(x: T, y: T) -> T {
    x.max(y)
}

#[amp_kernel]
fn choose(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let plain = Plain { n: out[idx] };
    let partial = Partial { x: 1.0 };
    let whole = Whole { n: 3 };
    let _ = plain < plain;
    let _ = plain.cmp(&plain);
    let _ = plain.max(plain);
    let _ = whole.clamp(whole, whole);
    let _ = (0..4_u32).max_by_key(|_| partial);
    let _ = (0..4_u32).max_by_key(|_| Reverse(1.0));
    let _ = (plain, 1) < (plain, 2);
    out[idx] = largest(1, 2);
}

#[amp_kernel]
fn choose_by_bounds(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let plain = Plain { n: out[idx] };
    let partial = Partial { x: 1.0 };
    let _ = std::cmp::max(plain, plain);
    let _ = partial.max(partial);
    let mut all = [plain, plain];
    all.sort();
    out[idx] = all[0].n;
}

#[amp_kernel]
fn floats(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = (1.0, 2).min((2.0, 1)).0;
}

fn main() {}
