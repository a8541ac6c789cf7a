//! Kernels that do little more than read and write memory in order.

use amp::prelude::*;
use half::f16;

use crate::case::{Case, Work};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("triad", line),
    ("triad-2d", square),
    ("triad-f16", halves),
    ("copy-u8", bytes),
];

/// What triads multiply by.
const S: f32 = 0.75;

#[amp_kernel]
fn triad(
    idx: Index<1>,
    a: &ArrayView<f32, 1>,
    b: &ArrayView<f32, 1>,
    c: &mut ArrayViewMut<f32, 1>,
    s: f32,
) {
    c[idx] = a[idx] + s * b[idx];
}

#[amp_kernel]
fn triad_2d(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
    s: f32,
) {
    c[idx] = a[idx] + s * b[idx];
}

#[amp_kernel]
fn triad_f16(
    idx: Index<1>,
    a: &ArrayView<f16, 1>,
    b: &ArrayView<f16, 1>,
    c: &mut ArrayViewMut<f16, 1>,
    s: f16,
) {
    c[idx] = a[idx] + s * b[idx];
}

#[amp_kernel]
fn copy_u8(idx: Index<1>, a: &ArrayView<u8, 1>, b: &mut ArrayViewMut<u8, 1>) {
    b[idx] = a[idx];
}

fn line(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 27, 1 << 18);
    let (a, b) = (random::floats(1, n), random::floats(2, n));
    let on_device = |data: &[f32]| Array::builder(n).on(&bench.view).data(data).build();
    let (from_a, from_b) = (on_device(&a)?, on_device(&b)?);
    let case = Case {
        name: "triad",
        result: n.into(),
        work: Work::Bytes(12 * n),
        launch: Box::new(|view, version, c| {
            view.parallel_for_each(c.extent(), version.of(triad(&from_a, &from_b, c, S)))
        }),
        expected: Box::new(|i| a[i] + S * b[i]),
        exact: true,
    };
    case.measure(bench)
}

fn square(bench: &Bench) -> Outcome {
    let rows = bench.size(1 << 13, 1 << 9);
    let extent = [rows, 2 * rows];
    let n = 2 * rows * rows;
    let (a, b) = (random::floats(1, n), random::floats(2, n));
    let on_device = |data: &[f32]| Array::builder(extent).on(&bench.view).data(data).build();
    let (from_a, from_b) = (on_device(&a)?, on_device(&b)?);
    let case = Case {
        name: "triad-2d",
        result: extent.into(),
        work: Work::Bytes(12 * n),
        launch: Box::new(|view, version, c| {
            view.parallel_for_each(c.extent(), version.of(triad_2d(&from_a, &from_b, c, S)))
        }),
        expected: Box::new(|i| a[i] + S * b[i]),
        exact: true,
    };
    case.measure(bench)
}

fn halves(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 27, 1 << 18);
    let data = |seed| -> Vec<f16> {
        let floats = random::floats(seed, n).into_iter();
        floats.map(f16::from_f32).collect()
    };
    let (a, b, s) = (data(1), data(2), f16::from_f32(S));
    let on_device = |data: &[f16]| Array::builder(n).on(&bench.view).data(data).build();
    let (from_a, from_b) = (on_device(&a)?, on_device(&b)?);
    let case = Case {
        name: "triad-f16",
        result: n.into(),
        work: Work::Bytes(6 * n),
        launch: Box::new(|view, version, c| {
            view.parallel_for_each(c.extent(), version.of(triad_f16(&from_a, &from_b, c, s)))
        }),
        expected: Box::new(|i| a[i] + s * b[i]),
        exact: true,
    };
    case.measure(bench)
}

fn bytes(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 29, 1 << 18);
    let a: Vec<u8> = random::bits(1).take(n).map(|bits| bits as u8).collect();
    let from = Array::builder(n).on(&bench.view).data(&a).build()?;
    let case = Case {
        name: "copy-u8",
        result: n.into(),
        work: Work::Bytes(2 * n),
        launch: Box::new(|view, version, b| {
            view.parallel_for_each(b.extent(), version.of(copy_u8(&from, b)))
        }),
        expected: Box::new(|i| a[i]),
        exact: true,
    };
    case.measure(bench)
}
