//! Kernels that do little more than read and write memory in order.

use amp::prelude::*;
use amp_benches::kernels::triad;
use half::f16;
use rayon::prelude::*;

use crate::case::{Case, Work};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("triad", line),
    ("triad-2d", square),
    ("triad-f16", halves),
    ("copy-u8", bytes),
    ("control", control),
];

/// What triads multiply by.
const S: f32 = 0.75;

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
    on_line(bench, "triad", |case, bench| case.measure(bench))
}

/// Amp's module beside itself.
fn control(bench: &Bench) -> Outcome {
    on_line(bench, "control", |case, bench| case.measure_twice(bench))
}

fn on_line(
    bench: &Bench,
    name: &'static str,
    measure: fn(Case<'_, f32, 1>, &Bench) -> Outcome,
) -> Outcome {
    let n = bench.size(1 << 28, 1 << 18);
    let (a, b) = (random::floats(1, n), random::floats(2, n));
    let on_device = |data: &[f32]| Array::builder(n).on(&bench.view).data(data).build();
    let (from_a, from_b) = (on_device(&a)?, on_device(&b)?);
    let case = Case {
        name,
        result: n.into(),
        work: Work::Bytes(12 * n),
        intensity: 2.0 / 12.0,
        launch: Box::new(|view, version, c| {
            view.parallel_for_each(
                version.threads(c.extent()),
                version.of(triad(&from_a, &from_b, c, S)),
            )
        }),
        copy: None,
        rayon: Some(Box::new(|c| {
            let inputs = a.par_iter().zip(&b);
            c.par_iter_mut()
                .zip(inputs)
                .for_each(|(c, (a, b))| *c = a + S * b);
        })),
        expected: Box::new(|i| a[i] + S * b[i]),
        exact: true,
    };
    measure(case, bench)
}

fn square(bench: &Bench) -> Outcome {
    let rows = bench.size(1 << 14, 1 << 9);
    let extent = [rows, rows];
    let n = rows * rows;
    let (a, b) = (random::floats(1, n), random::floats(2, n));
    let on_device = |data: &[f32]| Array::builder(extent).on(&bench.view).data(data).build();
    let (from_a, from_b) = (on_device(&a)?, on_device(&b)?);
    let case = Case {
        name: "triad-2d",
        result: extent.into(),
        work: Work::Bytes(12 * n),
        intensity: 2.0 / 12.0,
        launch: Box::new(|view, version, c| {
            view.parallel_for_each(
                version.threads(c.extent()),
                version.of(triad_2d(&from_a, &from_b, c, S)),
            )
        }),
        copy: None,
        rayon: Some(Box::new(|c| {
            let inputs = a.par_iter().zip(&b);
            c.par_iter_mut()
                .zip(inputs)
                .for_each(|(c, (a, b))| *c = a + S * b);
        })),
        expected: Box::new(|i| a[i] + S * b[i]),
        exact: true,
    };
    case.measure(bench)
}

fn halves(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 28, 1 << 18);
    let data = |seed| random::made(seed, n, |bits| f16::from_f32(random::float(bits)));
    let (a, b, s) = (data(1), data(2), f16::from_f32(S));
    let on_device = |data: &[f16]| Array::builder(n).on(&bench.view).data(data).build();
    let (from_a, from_b) = (on_device(&a)?, on_device(&b)?);
    let case = Case {
        name: "triad-f16",
        result: n.into(),
        work: Work::Bytes(6 * n),
        intensity: 2.0 / 6.0,
        launch: Box::new(|view, version, c| {
            view.parallel_for_each(
                version.threads(c.extent()),
                version.of(triad_f16(&from_a, &from_b, c, s)),
            )
        }),
        copy: None,
        rayon: Some(Box::new(|c| {
            let inputs = a.par_iter().zip(&b);
            c.par_iter_mut()
                .zip(inputs)
                .for_each(|(c, (a, b))| *c = a + s * b);
        })),
        expected: Box::new(|i| a[i] + s * b[i]),
        exact: true,
    };
    case.measure(bench)
}

fn bytes(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 29, 1 << 18);
    let a = random::made(1, n, |bits| bits as u8);
    let from = Array::builder(n).on(&bench.view).data(&a).build()?;
    let case = Case {
        name: "copy-u8",
        result: n.into(),
        work: Work::Bytes(2 * n),
        intensity: 0.0,
        launch: Box::new(|view, version, b| {
            view.parallel_for_each(version.threads(b.extent()), version.of(copy_u8(&from, b)))
        }),
        copy: None,
        rayon: Some(Box::new(|b| {
            b.par_iter_mut().zip(&a).for_each(|(b, a)| *b = *a);
        })),
        expected: Box::new(|i| a[i]),
        exact: true,
    };
    case.measure(bench)
}
