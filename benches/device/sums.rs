//! Sums: in loops whose lengths are unknown before they run, and by many threads at once.

use amp::prelude::*;
use rayon::prelude::*;

use crate::case::{Case, Work};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("sum", strided),
    ("column-sums", columns),
    ("spmv", sparse),
    ("table", scattered),
    ("pushes", pushed),
];

/// Each thread adds every so many elements, as many as there are threads.
#[amp_kernel]
fn sum(idx: Index<1>, a: &ArrayView<f32, 1>, sums: &mut ArrayViewMut<f32, 1>) {
    let mut sum = 0.0;
    let mut i = idx[0];
    while i < a.extent()[0] {
        sum += a[i];
        i += sums.extent()[0];
    }
    sums[idx] = sum;
}

#[amp_kernel]
fn column_sums(idx: Index<1>, a: &ArrayView<f32, 2>, sums: &mut ArrayViewMut<f32, 1>) {
    let mut sum = 0.0;
    for row in 0..a.extent()[0] {
        sum += a[[row, idx[0]]];
    }
    sums[idx] = sum;
}

/// A sparse matrix times a vector. Row `i` has the `values[k]` in the `columns[k]`, for `k` from
/// `starts[i]` to `starts[i + 1]`.
#[amp_kernel]
fn spmv(
    idx: Index<1>,
    starts: &ArrayView<u32, 1>,
    columns: &ArrayView<u32, 1>,
    values: &ArrayView<f32, 1>,
    x: &ArrayView<f32, 1>,
    y: &mut ArrayViewMut<f32, 1>,
) {
    let mut sum = 0.0;
    for k in starts[idx[0]] as usize..starts[idx[0] + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[idx] = sum;
}

/// Each thread adds elements of a small table, at places that it draws (Numerical Recipes).
#[amp_kernel]
fn table(idx: Index<1>, a: &ArrayView<u32, 1>, sums: &mut ArrayViewMut<u32, 1>, count: u32) {
    let mut sum = 0;
    let mut state = idx[0] as u32;
    for _ in 0..count {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        sum += a[(state >> 8) as usize % a.extent()[0]];
    }
    sums[idx] = sum;
}

/// Each edge of a graph adds its weight to the node that it leads to.
#[amp_kernel]
fn pushes(
    idx: Index<1>,
    to: &ArrayView<u32, 1>,
    weights: &ArrayView<f32, 1>,
    sums: &mut ArrayViewMut<f32, 1>,
) {
    atomic_fetch_add(&mut sums[to[idx] as usize], weights[idx]);
}

fn strided(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 28, 1 << 18);
    let threads = bench.size(1 << 18, 1 << 12);
    let a = random::floats(1, n);
    let from = Array::builder(n).on(&bench.view).data(&a).build()?;
    let element = |i: usize| a[i..].iter().step_by(threads).fold(0.0, |sum, it| sum + it);
    let case = Case {
        name: "sum",
        result: threads.into(),
        work: Work::Bytes(4 * n),
        intensity: 0.25,
        launch: Box::new(|view, version, sums| {
            view.parallel_for_each(sums.extent(), version.of(sum(&from, sums)))
        }),
        copy: None,
        rayon: Some(Box::new(|sums| {
            sums.par_iter_mut()
                .enumerate()
                .for_each(|(i, sum)| *sum = element(i));
        })),
        expected: Box::new(element),
        exact: true,
    };
    case.measure(bench)
}

fn columns(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 14, 1 << 9);
    let a = random::floats(1, n * n);
    let from = Array::builder([n, n]).on(&bench.view).data(&a).build()?;
    let element = |i: usize| a[i..].iter().step_by(n).fold(0.0, |sum, it| sum + it);
    let case = Case {
        name: "column-sums",
        result: n.into(),
        work: Work::Bytes(4 * n * n),
        intensity: 0.25,
        launch: Box::new(|view, version, sums| {
            view.parallel_for_each(sums.extent(), version.of(column_sums(&from, sums)))
        }),
        copy: None,
        rayon: Some(Box::new(|sums| {
            sums.par_iter_mut()
                .enumerate()
                .for_each(|(i, sum)| *sum = element(i));
        })),
        expected: Box::new(element),
        exact: true,
    };
    case.measure(bench)
}

fn sparse(bench: &Bench) -> Outcome {
    let rows = bench.size(1 << 20, 1 << 12);
    let mut starts = vec![0];
    for length in random::indices(1, rows, 64) {
        starts.push(starts[starts.len() - 1] + length);
    }
    let entries = starts[rows] as usize;
    let columns = random::indices(2, entries, rows);
    let (values, x) = (random::floats(3, entries), random::floats(4, rows));
    let view = &bench.view;
    let from_starts = Array::builder(rows + 1).on(view).data(&starts).build()?;
    let from_columns = Array::builder(entries).on(view).data(&columns).build()?;
    let from_values = Array::builder(entries).on(view).data(&values).build()?;
    let from_x = Array::builder(rows).on(view).data(&x).build()?;
    let element = |i: usize| {
        let row = starts[i] as usize..starts[i + 1] as usize;
        row.fold(0.0, |sum, k| sum + values[k] * x[columns[k] as usize])
    };
    let case = Case {
        name: "spmv",
        result: rows.into(),
        work: Work::Flops(2 * entries),
        intensity: 2.0 / 12.0,
        launch: Box::new(|view, version, y| {
            let kernel = spmv(&from_starts, &from_columns, &from_values, &from_x, y);
            view.parallel_for_each(Extent::from(rows), version.of(kernel))
        }),
        copy: None,
        rayon: Some(Box::new(|sums| {
            sums.par_iter_mut()
                .enumerate()
                .for_each(|(i, sum)| *sum = element(i));
        })),
        expected: Box::new(element),
        exact: true,
    };
    case.measure(bench)
}

fn scattered(bench: &Bench) -> Outcome {
    let threads = bench.size(1 << 20, 1 << 12);
    let count = 64;
    let a: Vec<u32> = random::bits(1).take(1000).collect();
    let from = Array::builder(a.len()).on(&bench.view).data(&a).build()?;
    let element = |i: usize| {
        let mut state = i as u32;
        (0..count).fold(0u32, |sum, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            sum.wrapping_add(a[(state >> 8) as usize % a.len()])
        })
    };
    let case = Case {
        name: "table",
        result: threads.into(),
        work: Work::Bytes(4 * count as usize * threads),
        intensity: 0.0,
        launch: Box::new(|view, version, sums| {
            view.parallel_for_each(sums.extent(), version.of(table(&from, sums, count)))
        }),
        copy: None,
        rayon: Some(Box::new(|sums| {
            sums.par_iter_mut()
                .enumerate()
                .for_each(|(i, sum)| *sum = element(i));
        })),
        expected: Box::new(element),
        exact: true,
    };
    case.measure(bench)
}

/// The first nodes have most of the edges, as in graphs of people or pages. The sums are exact in any
/// order.
fn pushed(bench: &Bench) -> Outcome {
    let edges = bench.size(400_000, 1 << 12);
    let nodes = edges / 8;
    let fraction = |bits: u32| f64::from(bits) / 4_294_967_296.0;
    let to = random::bits(1).map(|bits| (fraction(bits).powi(3) * nodes as f64) as u32);
    let to: Vec<u32> = to.take(edges).collect();
    let weights = random::bits(2).map(|bits| (1 + bits % 8) as f32 / 8.0);
    let weights: Vec<f32> = weights.take(edges).collect();
    let mut expected = vec![0.0; nodes];
    for (to, weight) in to.iter().zip(&weights) {
        expected[*to as usize] += weight;
    }
    let from_to = Array::builder(edges).on(&bench.view).data(&to).build()?;
    let from_weights = Array::builder(edges)
        .on(&bench.view)
        .data(&weights)
        .build()?;
    let case = Case {
        name: "pushes",
        result: nodes.into(),
        work: Work::Round,
        intensity: 0.0,
        copy: None,
        rayon: None,
        launch: Box::new(|view, version, sums| {
            let kernel = version.of(pushes(&from_to, &from_weights, sums));
            view.parallel_for_each(Extent::from(edges), kernel)
        }),
        expected: Box::new(|i| expected[i]),
        exact: true,
    };
    case.measure(bench)
}
