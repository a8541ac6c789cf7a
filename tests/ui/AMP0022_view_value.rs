//! Views and barriers used as values (C++ AMP §2.4.3).

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

#[amp_fn]
fn clear(c: &mut ArrayViewMut<f32, 1>) {
    c[0] = 0.0;
}

#[amp_kernel]
fn by_value(idx: Index<1>, a: ArrayView<f32, 1>, b: ArrayViewMut<f32, 1>, c: Array<f32, 1>) {}

#[amp_kernel]
fn kept(t_idx: TiledIndex<1, 16>, a: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 1>) {
    let view = c;
    let row = if 1 < 2 { a.row(0) } else { a.row(1) };
    let (row, other) = (a.row(0), a.row(1));
    let rows = [a.row(0), a.row(1)];
    let mut row = a.row(0);
    row = a.row(1);
    let Some(row) = a.row(1) else { return };
    match a.row(1) {
        row => c[0] = row[0],
    }
    let part = a.section([0, 0], [1, 1]);
    let again = part;
    let chosen = { a }[[0, 0]];
    let row = (if 1 < 2 { a } else { part }).row(0);
    let pair = (a, 1);
    let array = [c, c];
    let pair = Pair { a: a, b: 1.0 };
    let again = [c; 2];
    let row = a.row(1);
    c[0] = first(row);
    c[0] = first(a.row(1));
    c[0] = first(&{ row });
    let mut part = c.section(0, 4);
    clear(part);
    let sum = a + a;
    let b = t_idx.barrier == t_idx.barrier;
    let negated = -c;
    a.row(1) = a.row(2);
    let view = if 1 < 2 { c } else { c };
    c
}

#[amp_kernel]
fn never_made(t_idx: TiledIndex<1, 16>, a: &ArrayView<f32, 1>, c: &mut ArrayViewMut<f32, 1>) {
    c[0] = first(panic!());
    meet(panic!("no barrier"), a);
    meet(&t_idx.barrier, return);
}

#[amp_fn]
fn meet(barrier: &TileBarrier, _a: &ArrayView<f32, 1>) {
    barrier.wait();
}

fn main() {}
