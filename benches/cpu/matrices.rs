//! Problems of dense matrices.

use std::error::Error;

use amp::prelude::*;
use rayon::prelude::*;

use amp_benches::kernels::{self, TS};
use amp_benches::random;

use crate::Bench;
use crate::problem::{Problem, Row, timed, timed_on};

pub fn simple(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    product(bench, "simple", |view, a, b, c| {
        view.parallel_for_each(c.extent(), kernels::simple(a, b, c))
    })
}

pub fn tiled(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    product(bench, "tiled", |view, a, b, c| {
        view.parallel_for_each(c.extent().tile::<TS, TS>(), kernels::tiled(a, b, c))
    })
}

type Matrix = Array<f32, 2>;

fn product(
    bench: &Bench,
    form: &str,
    launch: fn(&AcceleratorView, &Matrix, &Matrix, &mut Matrix) -> amp::Result<()>,
) -> Result<Row, Box<dyn Error>> {
    let n = bench.size(512, 64);
    let (a, b) = (random::floats(1, n * n), random::floats(2, n * n));
    let problem = Problem {
        what: format!("{form} product, {n}³"),
        plain: &|| {
            let mut c = vec![1.0; n * n];
            let (time, ()) = timed(|| {
                let rows = c.par_chunks_mut(n).zip(a.par_chunks(n));
                rows.for_each(|(row, a)| {
                    row.fill(0.0);
                    for (a, b) in a.iter().zip(b.chunks(n)) {
                        row.iter_mut().zip(b).for_each(|(sum, b)| *sum += a * b);
                    }
                });
            });
            (time, c)
        },
        amp: &|view| {
            let array = |data: &[f32]| Array::builder([n, n]).on(view).data(data).build();
            let (a, b, mut c) = (array(&a)?, array(&b)?, array(&vec![0.0; n * n])?);
            let time = timed_on(view, || launch(view, &a, &b, &mut c))?;
            Ok((time, c.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}

/// Divides the column below a pivot by it.
#[amp_kernel]
fn scale(idx: Index<1>, k: usize, a: &mut ArrayViewMut<f32, 2>) {
    let i = k + 1 + idx[0];
    a[[i, k]] /= a[[k, k]];
}

/// Subtracts multiples of a pivot's row from the rows below.
#[amp_kernel]
fn eliminate(idx: Index<2>, k: usize, a: &mut ArrayViewMut<f32, 2>) {
    let [i, j] = (idx + (k + 1)).to_array();
    a[[i, j]] -= a[[i, k]] * a[[k, j]];
}

pub fn lu(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let n = bench.size(512, 32);
    // The diagonal dominates, so that no pivot is near zero.
    let mut matrix = random::floats(1, n * n);
    matrix
        .iter_mut()
        .step_by(n + 1)
        .for_each(|x| *x += n as f32);
    let problem = Problem {
        what: format!("LU factors, {n}²"),
        plain: &|| {
            let mut a = matrix.clone();
            let (time, ()) = timed(|| {
                for k in 0..n - 1 {
                    let (upper, lower) = a.split_at_mut((k + 1) * n);
                    let pivots = &upper[k * n..];
                    lower.par_chunks_mut(n).for_each(|row| {
                        row[k] /= pivots[k];
                        let factor = row[k];
                        let rest = row[k + 1..].iter_mut().zip(&pivots[k + 1..]);
                        rest.for_each(|(x, pivot)| *x -= factor * pivot);
                    });
                }
            });
            (time, a)
        },
        amp: &|view| {
            let mut a = Array::builder([n, n]).on(view).data(&matrix).build()?;
            let time = timed_on(view, || {
                for k in 0..n - 1 {
                    let rest = n - k - 1;
                    view.parallel_for_each(rest, scale(k, &mut a))?;
                    view.parallel_for_each([rest, rest], eliminate(k, &mut a))?;
                }
                Ok(())
            })?;
            Ok((time, a.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}

/// Goes through place `k` where that is shorter.
#[amp_kernel]
fn shorten(idx: Index<2>, k: usize, ways: &mut ArrayViewMut<u32, 2>) {
    let [from, to] = idx.to_array();
    let detour = ways[[from, k]].saturating_add(ways[[k, to]]);
    if detour < ways[idx] {
        ways[idx] = detour;
    }
}

pub fn floyd_warshall(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let n = bench.size(512, 32);
    let mut roads = random::made(1, n * n, |x| {
        if x % 64 < 4 {
            1 + x / 64 % 1000
        } else {
            u32::MAX
        }
    });
    roads.iter_mut().step_by(n + 1).for_each(|way| *way = 0);
    let problem = Problem {
        what: format!("Floyd-Warshall, {n} places"),
        plain: &|| {
            let mut ways = roads.clone();
            let (time, ()) = timed(|| {
                for k in 0..n {
                    let through = ways[k * n..][..n].to_vec();
                    ways.par_chunks_mut(n).for_each(|row| {
                        let first = row[k];
                        for (way, second) in row.iter_mut().zip(&through) {
                            *way = first.saturating_add(*second).min(*way);
                        }
                    });
                }
            });
            (time, ways)
        },
        amp: &|view| {
            let mut ways = Array::builder([n, n]).on(view).data(&roads).build()?;
            let time = timed_on(view, || {
                for k in 0..n {
                    view.parallel_for_each([n, n], shorten(k, &mut ways))?;
                }
                Ok(())
            })?;
            Ok((time, ways.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}
