//! Slices are behind references, and of arrays and views of rank 1.

use amp::prelude::*;

const TABLE: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

#[amp_fn]
fn sum(a: &[f32]) -> f32 {
    a.iter().sum()
}

#[amp_fn]
fn double(a: &mut [f32]) {
    for x in a {
        *x *= 2.0;
    }
}

#[amp_kernel]
fn values(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let mut a = [1.0, 2.0, 3.0];
    let b = a[1..];
    let c = a[1..] + 1.0;
    a[1..] = [1.0, 2.0];
    a[1..] = a[..2];
    let d = a[1..] == a[..2];
    out[idx] = a[1..];
    sum(a[1..]);
    sum(a);
    let other = [4.0, 5.0];
    let e = if idx[0] > 1 { &a[1..] } else { &other[..2] };
    let f = (&a[1..], 1);
}

#[amp_kernel]
fn patterns(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let a = [1.0_f32, 2.0, 3.0];
    let [x, y] = &a[1..];
    match &a[1..] {
        [x, ..] => out[idx] = *x,
        _ => {}
    }
    let s = &a[..2];
    match s {
        s => out[idx] = s[0],
    }
    if let [x, y] = s {}
}

#[amp_kernel]
fn kinds(
    idx: Index<1>,
    x: &ArrayView<f32, 1>,
    y: &ArrayView<f32, 2>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    let a = [1_i32, 2, 3];
    sum(&a[1..]);
    sum(x);
    sum(&y[1..]);
    sum(x[1..]);
    double(&mut x[1..]);
    double(&out[1..]);
    sum(&a[1.0..]);
    sum(&a["x"..]);
    sum(&idx[1..]);
    let b = 1.0;
    sum(&b[1..]);
    let s = &a[1..];
    s[0] = 1;
    double(&TABLE[1..]);
    double(&mut TABLE[1..]);
    let t = &s;
    let u: &mut [i32] = &a;
    let v: [i32; 2] = &a[1..];
    println!("{:?}", s);
    s.push(1);
    s.to_vec();
    a.as_slice();
}

#[amp_kernel]
fn ranges(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let n = idx[0];
    let r = 0..n;
    let s = r;
    let mut t = 0..n;
    let u = (0..n, 1);
    let v = ..n;
    let w = 0..n;
    w.collect();
    if (0..n).contains(n) {}
    let r2 = 1..n;
    out[r2.first] = 1.0;
}

#[amp_fn]
fn elements(a: &[f32]) -> f32 {
    let b = a.first();
    let c = a.get(0..2);
    let d = a.get();
    let (e, f) = a.split_at_mut(1);
    let [g, h] = [a.last(), a.last()];
    0.0
}

#[amp_fn]
fn aliased(x: f32) -> f32 {
    type Own = f32;
    let y: Own = 1_i32;
    y
}

#[amp_struct]
struct Holder<'a> {
    part: &'a [f32],
}

#[amp_fn]
fn compared(a: &f32, b: f32) -> bool {
    a == b || &b < b
}

#[amp_kernel]
fn stated(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    let a = [1u32, 2];
    a[1..];
    x[..1];
    x[idx] = a[0];
}

#[amp_fn]
fn tail(a: &[f32]) -> &[f32] {
    &a[1..]
}

/// Of none of the two the type is written.
#[amp_fn]
fn returned(a: &[f32], b: &[f32]) -> bool {
    let part = tail(a);
    part == tail(b) || tail(a) < tail(b)
}

#[amp_fn]
fn behind_two(a: &f32) -> f32 {
    let b = &a;
    **b
}

fn main() {}
