//! Structs that host and device cannot share (C++ AMP §2.4.1, §5).

use amp::prelude::*;

const SIDE: usize = size_of::<f32>();

#[amp_struct]
struct Flags {
    alive: bool,
    count: usize,
    pair: (f32, f32),
    index: Index<2>,
    extent: Extent<2>,
    length: isize,
    large: i128,
    reference: &'static f32,
    pointer: *const f32,
    arrays: Array<i32, 2>,
    array: Array<f32, 1>,
    matrix: [[f32; SIDE]; 4],
    letters: [char; 2],
    #[cfg(unix)]
    only_here: f32,
}

#[amp_struct]
struct Inner {
    pointer: *mut f32,
}

/// Not reported again.
#[amp_struct]
struct Outer {
    inner: Inner,
}

struct Plain {
    x: f32,
}

#[amp_struct]
struct HasPlain {
    plain: Plain,
}

#[amp_struct]
struct Bounded<T: Into<f32>> {
    x: T,
}

#[amp_struct]
struct Flag<const SIGNED: bool> {
    x: u32,
}

#[amp_struct]
struct Poly<const N: usize> {
    c: [f32; N],
}

#[amp_kernel]
fn lengths(idx: Index<1>, poly: Poly<SIDE>, c: &mut ArrayViewMut<f32, 1>) {
    let other = Poly { c: [0.0; SIDE] };
    c[idx] = other.c[0] + poly.c[0];
}

#[amp_struct]
struct Borrowing<'a> {
    x: &'a f32,
}

#[amp_struct]
struct Lasting<'a> {
    x: f32,
}

fn main() {}
