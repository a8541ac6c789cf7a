//! Views that helpers return, and that blocks make.

#![allow(dead_code)]

use amp::prelude::*;

#[amp_fn]
pub fn row_of(a: &ArrayView<f32, 2>, i: usize) -> ArrayView<f32, 1> {
    a.row(i)
}

#[amp_fn]
fn first_of(a: &mut amp::ArrayViewMut<f32, 1>) -> amp::ArrayViewMut<'_, f32> {
    assert!(a.extent()[0] > 0);
    a.section(0, 1)
}

#[amp_kernel]
fn uses(idx: Index<1>, a: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 1>) {
    fn inner(a: &ArrayView<f32, 2>) -> ArrayView<'_, f32, 1> {
        let row = row_of(a, 1);
        row.section(0, 1)
    }
    let row = row_of(a, idx[0]);
    let part = { inner(a) };
    let _ = row_of(a, 0);
    let mut first = first_of(c);
    first[0] = row[0] + part[0];
    let nested = {
        let k = 1;
        { a.row(k) }
    };
    first[0] += nested[0];
}

fn main() {}
