//! rustc proves that nothing changes what a variable for references refers to.

use amp::prelude::*;

#[amp_kernel]
fn changed(idx: Index<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
    let (mut x, mut y) = (a[idx], 2);
    let r = if x > 1 { &x } else { &y };
    x = 3;
    let mut s = &y;
    if *r > 1 {
        s = r;
    }
    y = 4;
    c[idx] = *s;
    let t;
    {
        let inner = 1;
        t = &inner;
    }
    c[idx] += *t;
}

#[amp_kernel]
fn not_assigned(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let x = 1;
    let r;
    if idx[0] > 1 {
        r = &x;
    }
    c[idx] = *r;
}

#[amp_kernel]
fn optional(idx: Index<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
    let mut x = a[idx];
    let mut best: Option<&u32> = None;
    if x > 2 {
        best = Some(&x);
    }
    x = 3;
    c[idx] = *best.unwrap();
}

/// What a pattern has bound is used after the reference that leads to it.
#[amp_fn]
fn matched(x: &mut Option<u32>) {
    if let Some(n) = x {
        *x = None;
        *n += 1;
    }
}

fn main() {}
