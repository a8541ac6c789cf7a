//! Views and barriers used as values (C++ AMP 2.4.3).

use amp::prelude::*;

#[amp_struct]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_fn]
fn first(a: &ArrayView<f32, 1>) -> f32 {
    a[0]
}

#[amp_kernel]
fn by_value(idx: Index<1>, a: ArrayView<f32, 1>, b: ArrayViewMut<f32, 1>, c: Array<f32, 1>) {}

#[amp_kernel]
fn kept(t_idx: TiledIndex<1, 16>, a: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 1>) {
    let row = a.row(3);
    let view = c;
    let pair = (a, 1);
    let array = [c, c];
    let pair = Pair { a: a, b: 1.0 };
    let again = [c; 2];
    c[0] = first(a.row(1));
    c[0] = first(&a.row(1));
    let sum = a + a;
    let b = t_idx.barrier == t_idx.barrier;
    let negated = -c;
    a.row(1) = a.row(2);
    let view = if 1 < 2 { c } else { c };
    c
}

#[amp_fn]
fn returned(a: &ArrayView<f32, 1>) -> ArrayView<f32, 1> {
    return a;
}

fn main() {}
