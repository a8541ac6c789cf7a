//! Problems that read long arrays once.

use std::error::Error;

use amp::prelude::*;
use rayon::prelude::*;

use amp_benches::{kernels, random};

use crate::Bench;
use crate::problem::{Problem, Row, timed, timed_on};

const TILE: usize = 256;

pub fn triad(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let n = bench.size(1 << 24, 1 << 12);
    let (a, b) = (random::floats(1, n), random::floats(2, n));
    let s = 0.75;
    let problem = Problem {
        what: format!("triad of {n} `f32`"),
        plain: &|| {
            let mut c = vec![1.0; n];
            let inputs = a.par_iter().zip(&b);
            let (time, ()) = timed(|| {
                let all = c.par_iter_mut().zip(inputs);
                all.for_each(|(c, (a, b))| *c = a + s * b);
            });
            (time, c)
        },
        amp: &|view| {
            let from_a = Array::builder(n).on(view).data(&a).build()?;
            let from_b = Array::builder(n).on(view).data(&b).build()?;
            let mut c = Array::builder(n).on(view).data(&vec![0.0; n]).build()?;
            let time = timed_on(view, || {
                view.parallel_for_each(n, kernels::triad(&from_a, &from_b, &mut c, s))
            })?;
            Ok((time, c.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}

/// Each thread adds elements that are as far apart as there are threads, and each tile adds the sums of its
/// threads in a tree.
#[amp_kernel]
fn partial_sums(
    t_idx: TiledIndex<1, TILE>,
    a: &ArrayView<f32, 1>,
    sums: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut of_threads: [f32; TILE];
    let local = t_idx.local[0];
    let mut sum = 0.0;
    for i in (t_idx.global[0]..a.extent()[0]).step_by(sums.extent()[0] * TILE) {
        sum += a[i];
    }
    of_threads[local] = sum;
    t_idx.barrier.wait();
    let mut half = TILE / 2;
    while half > 0 {
        if local < half {
            of_threads[local] += of_threads[local + half];
        }
        t_idx.barrier.wait();
        half /= 2;
    }
    if local == 0 {
        sums[t_idx.tile] = of_threads[0];
    }
}

/// The sum of an array: a sum for each of so many tiles on the device, which the host adds.
pub fn sum_on(
    view: &AcceleratorView,
    a: &Array<f32, 1>,
    sums: &mut Array<f32, 1>,
) -> amp::Result<f32> {
    let domain = Extent::from(sums.extent()[0] * TILE).tile::<TILE>();
    view.parallel_for_each(domain, partial_sums(a, sums))?;
    Ok(sums.to_vec()?.iter().sum())
}

pub fn reduction(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let n = bench.size(1 << 24, 1 << 12);
    // Small whole numbers, so that every order gives the same sum.
    let a: Vec<f32> = random::made(1, n, |bits| (bits % 3) as f32 - 1.0);
    let problem = Problem {
        what: format!("sum of {n} `f32`"),
        plain: &|| {
            let (time, sum) = timed(|| a.par_iter().sum());
            (time, vec![sum])
        },
        amp: &|view| {
            let a = Array::builder(n).on(view).data(&a).build()?;
            let mut sums = Array::builder(64).on(view).build()?;
            let mut sum = 0.0;
            let time = timed_on(view, || {
                sum = sum_on(view, &a, &mut sums)?;
                Ok(())
            })?;
            Ok((time, vec![sum]))
        },
        agree: |found: &[f32], expected| found == expected,
    };
    problem.measure(bench)
}

/// Each tile counts the values of its part in memory of its own first.
#[amp_kernel]
fn count(
    t_idx: TiledIndex<1, TILE>,
    bytes: &ArrayView<u8, 1>,
    each: usize,
    counts: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut of_tile: [u32; 256];
    let local = t_idx.local[0];
    of_tile[local] = 0;
    t_idx.barrier.wait();
    let first = t_idx.tile[0] * TILE * each + local;
    for round in 0..each {
        atomic_fetch_inc(&mut of_tile[bytes[first + round * TILE] as usize]);
    }
    t_idx.barrier.wait();
    atomic_fetch_add(&mut counts[local], of_tile[local]);
}

pub fn histogram(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let each = 64;
    let n = bench.size(1 << 24, TILE * each);
    let bytes: Vec<u8> = random::made(1, n, |bits| bits as u8);
    let problem = Problem {
        what: format!("histogram of {n} bytes"),
        plain: &|| {
            let (time, counts) = timed(|| {
                let parts = bytes.par_chunks(TILE * each).fold(
                    || vec![0; 256],
                    |mut counts: Vec<u32>, part| {
                        part.iter().for_each(|it| counts[usize::from(*it)] += 1);
                        counts
                    },
                );
                parts.reduce(
                    || vec![0; 256],
                    |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect(),
                )
            });
            (time, counts)
        },
        amp: &|view| {
            let bytes = Array::builder(n).on(view).data(&bytes).build()?;
            let mut counts = Array::builder(256).on(view).data(&[0; 256]).build()?;
            let domain = Extent::from(n / each).tile::<TILE>();
            let time = timed_on(view, || {
                view.parallel_for_each(domain, count(&bytes, each, &mut counts))
            })?;
            Ok((time, counts.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}
