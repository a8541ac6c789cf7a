//! Scans: of all elements, of rows and of segments, as the other algorithms are measured.

use amp::algorithms::{
    Add, Queue, exclusive_scan_on, inclusive_scan_on, inclusive_scan_rows_on, iota, operation,
    segmented_inclusive_scan_on,
};
use rayon::prelude::*;

use crate::algorithms::{Algorithm, Arrays, BLOCK, sizes, timed};
use crate::shaders::Arguments;
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("scan", |bench| {
        scanned(bench, "scan", |arrays, queue| {
            inclusive_scan_on(queue, &arrays.from, &mut arrays.to, Add)
        })
    }),
    ("scan-own", |bench| {
        scanned(bench, "scan-own", |arrays, queue| {
            let sum = operation!(|a: f32, b: f32| a + b);
            inclusive_scan_on(queue, &arrays.from, &mut arrays.to, sum)
        })
    }),
    ("scan-exclusive", |bench| {
        scanned(bench, "scan-exclusive", |arrays, queue| {
            exclusive_scan_on(queue, &arrays.from, &mut arrays.to, 0.0, Add)
        })
    }),
    ("scan-rows", rows_scanned),
    ("scan-segments", segments_scanned),
];

/// Columns of the matrix, and elements of a segment.
const COLUMNS: usize = 2048;
const SEGMENT: usize = 128;

/// Scans parts of a slice, of which each thread has a few, once their sums are known.
fn scan_over_rayon(input: &[f32], results: &mut [f32], is_inclusive: bool) {
    let length = input.len().div_ceil(4 * rayon::current_num_threads());
    let mut before: Vec<f32> = input
        .par_chunks(length)
        .map(|part| part.iter().sum())
        .collect();
    let mut sum = 0.0;
    for part in &mut before {
        sum += std::mem::replace(part, sum);
    }
    let parts = input.par_chunks(length).zip(results.par_chunks_mut(length));
    parts.zip(before).for_each(|((input, results), sum)| {
        scan_slice(input, results, sum, is_inclusive);
    });
}

/// Scans each part of a slice by itself.
fn scan_parts_over_rayon(input: &[f32], results: &mut [f32], length: usize) {
    let parts = input.par_chunks(length).zip(results.par_chunks_mut(length));
    parts.for_each(|(input, results)| scan_slice(input, results, 0.0, true));
}

/// Scans a slice, with what stands before it.
fn scan_slice(input: &[f32], results: &mut [f32], mut sum: f32, is_inclusive: bool) {
    let pairs = results.iter_mut().zip(input);
    match is_inclusive {
        true => pairs.for_each(|(result, x)| {
            sum += x;
            *result = sum;
        }),
        false => pairs.for_each(|(result, x)| {
            *result = sum;
            sum += x;
        }),
    }
}

fn scanned(
    bench: &Bench,
    name: &str,
    run: fn(&mut Arrays<f32, f32>, &mut Queue<'_>) -> amp::Result<()>,
) -> Outcome {
    let of = |n: usize| {
        // Of one sign: where sums cancel, another order makes more than a small difference.
        let floats: Vec<f32> = random::floats(1, n).into_iter().map(f32::abs).collect();
        let mut results = vec![0.0; if bench.is_on_cpu() { n } else { 0 }];
        let algorithm = Algorithm {
            name,
            n,
            bytes: 8 * n,
            arrays: Arrays::<f32, f32>::new(bench, &floats, [n, 1, n.div_ceil(BLOCK), 1, 1])?,
            prepare: |_| Ok(()),
            run,
            steps: 3,
            glsl: |arrays, shaders| {
                let [totals, ..] = &mut arrays.scratch;
                let (n, blocks) = (arrays.from.extent()[0], totals.extent()[0]);
                let count = Arguments {
                    a: arrays.from.view().reinterpret()?,
                    c: totals.view_mut(),
                    n,
                    ..Arguments::default()
                };
                shaders.run(0, blocks, count)?;
                let scan = Arguments {
                    c: totals.view_mut(),
                    n: blocks,
                    ..Arguments::default()
                };
                shaders.run(1, 1, scan)?;
                let mut sums = arrays.to.view_mut();
                let results = Arguments {
                    a: arrays.from.view().reinterpret()?,
                    b: totals.view(),
                    c: sums.reinterpret()?,
                    n,
                    ..Arguments::default()
                };
                shaders.run(2, blocks, results)
            },
            rayon: &mut || {
                timed(|| scan_over_rayon(&floats, &mut results, name != "scan-exclusive"))
            },
        };
        algorithm.measure(bench)
    };
    sizes(bench, 1 << 28, 1 << 18).into_iter().map(of).collect()
}

fn rows_scanned(bench: &Bench) -> Outcome {
    let of = |n: usize| {
        let floats: Vec<f32> = random::floats(1, n).into_iter().map(f32::abs).collect();
        let mut results = vec![0.0; if bench.is_on_cpu() { n } else { 0 }];
        let algorithm = Algorithm {
            name: "scan-rows",
            n,
            bytes: 8 * n,
            arrays: Arrays::<f32, f32>::new(bench, &floats, [n, 1, 1, 1, 1])?,
            prepare: |_| Ok(()),
            run: |arrays, queue| {
                let extent = [arrays.from.extent()[0] / COLUMNS, COLUMNS];
                let from = arrays.from.view().view_as(extent)?;
                let mut to = arrays.to.view_mut().into_view_as(extent)?;
                inclusive_scan_rows_on(queue, &from, &mut to, Add)
            },
            steps: 1,
            glsl: |arrays, shaders| {
                let n = arrays.from.extent()[0];
                let mut sums = arrays.to.view_mut();
                let arguments = Arguments {
                    a: arrays.from.view().reinterpret()?,
                    c: sums.reinterpret()?,
                    n,
                    p: COLUMNS,
                    ..Arguments::default()
                };
                shaders.run(0, n / COLUMNS, arguments)
            },
            rayon: &mut || timed(|| scan_parts_over_rayon(&floats, &mut results, COLUMNS)),
        };
        algorithm.measure(bench)
    };
    sizes(bench, 1 << 28, 1 << 18).into_iter().map(of).collect()
}

fn segments_scanned(bench: &Bench) -> Outcome {
    let of = |n: usize| {
        let floats: Vec<f32> = random::floats(1, n).into_iter().map(f32::abs).collect();
        let mut results = vec![0.0; if bench.is_on_cpu() { n } else { 0 }];
        let (blocks, segments) = (n.div_ceil(BLOCK), n / SEGMENT);
        let mut arrays =
            Arrays::<f32, f32>::new(bench, &floats, [n, segments + 1, n, blocks, blocks])?;
        iota(&mut arrays.with, 0, SEGMENT as u32)?;
        let algorithm = Algorithm {
            name: "scan-segments",
            n,
            bytes: 8 * n,
            arrays,
            prepare: |_| Ok(()),
            run: |arrays, queue| {
                let (offsets, results) = (&arrays.with, &mut arrays.to);
                segmented_inclusive_scan_on(queue, &arrays.from, offsets, results, Add)
            },
            steps: 5,
            glsl: |arrays, shaders| {
                let [marks, totals, opens] = &mut arrays.scratch;
                let (n, blocks) = (arrays.from.extent()[0], totals.extent()[0]);
                let starts = arrays.with.extent()[0];
                for (step, groups, n) in [
                    (0, blocks, n),
                    (1, starts.div_ceil(256), starts),
                    (2, blocks, n),
                    (3, 1, blocks),
                ] {
                    let arguments = Arguments {
                        a: arrays.from.view().reinterpret()?,
                        b: arrays.with.view(),
                        c: totals.view_mut(),
                        d: marks.view_mut(),
                        e: opens.view_mut(),
                        n,
                        p: arrays.from.extent()[0],
                    };
                    shaders.run(step, groups, arguments)?;
                }
                let mut sums = arrays.to.view_mut();
                let results = Arguments {
                    a: arrays.from.view().reinterpret()?,
                    b: totals.view(),
                    c: sums.reinterpret()?,
                    d: marks.view_mut(),
                    n,
                    ..Arguments::default()
                };
                shaders.run(4, blocks, results)
            },
            rayon: &mut || timed(|| scan_parts_over_rayon(&floats, &mut results, SEGMENT)),
        };
        algorithm.measure(bench)
    };
    sizes(bench, 1 << 28, 1 << 18).into_iter().map(of).collect()
}
