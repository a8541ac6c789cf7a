//! Structs that host and device cannot share (C++ AMP §2.4.1, §5).

use amp::prelude::*;

const SIDE: usize = size_of::<f32>();

#[amp_struct]
struct Flags {
    alive: bool,
    large: i128,
    nothing: (),
    tile: TiledIndex<1, 4>,
    reference: &'static f32,
    pointer: *const f32,
    arrays: Array<i32, 2>,
    array: Array<f32, 1>,
    matrix: [[f32; SIDE]; 4],
    letters: [char; 2],
    #[cfg(unix)]
    only_here: f32,
}

/// A value, but no element.
#[amp_struct]
struct Hit {
    distance: f32,
    index: usize,
}

#[amp_struct]
struct Ray {
    start: [f32; 3],
    hits: [Hit; 2],
}

#[amp_kernel]
fn elements(
    idx: Index<1>,
    hits: &ArrayView<Hit, 1>,
    rays: &ArrayView<[Ray; 2], 1>,
    c: &mut ArrayViewMut<f32, 1>,
) {
    c[idx] = hits[idx].distance + rays[idx][0].start[0];
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
