//! Sections and the like with arguments and views that they do not take (C++ AMP §5.2.5).

use amp::prelude::*;
use glam::{Mat2, UVec2, Vec4};

#[amp_struct]
struct Pair {
    a: f32,
    b: u32,
}

#[amp_kernel]
fn arguments(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    line: &ArrayView<f32, 1>,
    c: &mut ArrayViewMut<f32, 1>,
    n: u32,
) {
    let part = a.section([0, 0]);
    let part = a.section(0, 4);
    let part = a.section([0, 0, 0], [1, 1, 1]);
    let part = a.section(a.extent(), idx);
    let part = line.section(n, 4);
    let part = line.section(0.5, 4);
    let part = a.view_as([2, 2]);
    let part = line.view_as();
    let part = line.view_as(n);
    let row = line.row(0);
    let row = a.row(n);
    let part = a.slice(0, 4);
}

#[amp_kernel]
fn elements(idx: Index<1>, a: &ArrayView<f32, 2>, line: &ArrayView<f32, 1>, p: &ArrayView<Pair, 1>) {
    let words = a.reinterpret::<u32>();
    let words = line.reinterpret();
    let words = line.reinterpret::<u32, u32>();
    let words = line.reinterpret::<bool>();
    let words = p.reinterpret::<usize>();
    let words = p.reinterpret::<(u32, u32)>();
    let words = line.reinterpret::<u32>(4);
    let vectors = line.reinterpret::<Vec4>();
    let vectors = p.reinterpret::<UVec2>();
    let vectors = line.reinterpret::<UVec2>();
    let wide = line.reinterpret::<f64>();
    let vectors = line.reinterpret::<Mat2>();
    let part = line.section::<1>(0, 4);
}

#[amp_kernel]
fn writes(idx: Index<1>, a: &ArrayView<u32, 2>) {
    let mut row = a.row(0);
    row[idx] = 1;
    a.row(0).section(0, 1)[0] = 1;
    row.section(0, 1)[0] += 1;
}

#[amp_struct]
struct Lines<'a> {
    first: ArrayView<'a, f32, 1>,
}

#[amp_kernel]
fn elements_that_may_not_be_there(
    idx: Index<1>,
    a: &ArrayView<f32, 2>,
    line: &ArrayView<f32, 1>,
    lines: &Lines,
    c: &mut ArrayViewMut<f32, 1>,
) {
    let part = line.get(1..3);
    let none = line.get();
    let kept = line.get(0);
    c[idx] = line.get(0.5).copied().unwrap_or(0.0);
    c[idx] = a.get(0).copied().unwrap_or(0.0);
    c[idx] = lines.first.get(0).copied().unwrap_or(0.0);
    if let Some(x) = line.get_mut(0) {
        *x = 1.0;
    }
}

fn main() {}
