//! Problems whose threads are the points of a grid.

use std::error::Error;

use amp::prelude::*;
use rayon::prelude::*;

use amp_benches::{kernels, random};

use crate::Bench;
use crate::problem::{Problem, Row, timed, timed_on};

pub fn stencil(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let n = bench.size(2048, 64);
    let a = random::floats(1, n * n);
    let point = |i: usize| {
        let (y, x) = (i / n, i % n);
        if y > 0 && y + 1 < n && x > 0 && x + 1 < n {
            0.5 * a[i] + 0.125 * (a[i - n] + a[i + n] + a[i - 1] + a[i + 1])
        } else {
            a[i]
        }
    };
    let problem = Problem {
        what: format!("stencil of 5 points, {n}²"),
        plain: &|| {
            let mut b = vec![1.0; n * n];
            let (time, ()) = timed(|| {
                let rows = b.par_chunks_mut(n).enumerate();
                rows.for_each(|(y, row)| (0..n).for_each(|x| row[x] = point(y * n + x)));
            });
            (time, b)
        },
        amp: &|view| {
            let a = Array::builder([n, n]).on(view).data(&a).build()?;
            let mut b = Array::builder([n, n])
                .on(view)
                .data(&vec![0.0; n * n])
                .build()?;
            let time = timed_on(view, || {
                view.parallel_for_each([n, n], kernels::stencil(&a, &mut b))
            })?;
            Ok((time, b.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}

/// A step of Rodinia's hotspot: heat flows to the four neighbours, and to the air.
#[amp_kernel]
fn heat(
    idx: Index<2>,
    power: &ArrayView<f32, 2>,
    now: &ArrayView<f32, 2>,
    next: &mut ArrayViewMut<f32, 2>,
) {
    let [rows, columns] = now.extent().to_array();
    let [i, j] = idx.to_array();
    let here = now[idx];
    let up = now[[i.saturating_sub(1), j]];
    let down = now[[(i + 1).min(rows - 1), j]];
    let left = now[[i, j.saturating_sub(1)]];
    let right = now[[i, (j + 1).min(columns - 1)]];
    next[idx] = after_step(power[idx], here, [up, down, left, right]);
}

/// The temperature of a point after a step.
#[amp_fn]
fn after_step(power: f32, here: f32, around: [f32; 4]) -> f32 {
    let [up, down, left, right] = around;
    let flow =
        (up + down - 2.0 * here) * 0.9 + (left + right - 2.0 * here) * 0.9 + (80.0 - here) * 0.02;
    here + 0.2 * (power + flow)
}

pub fn hotspot(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let (n, steps) = (bench.size(1024, 64), 20);
    let power = random::floats(1, n * n);
    let start = vec![80.0; n * n];
    let problem = Problem {
        what: format!("hotspot, {n}², {steps} steps"),
        plain: &|| {
            let (mut now, mut next) = (start.clone(), start.clone());
            let (time, ()) = timed(|| {
                for _ in 0..steps {
                    let rows = next.par_chunks_mut(n).enumerate();
                    rows.for_each(|(i, row)| {
                        let now = |i: usize| &now[i * n..][..n];
                        let (up, here) = (now(i.saturating_sub(1)), now(i));
                        let (down, power) = (now((i + 1).min(n - 1)), &power[i * n..][..n]);
                        for (j, it) in row.iter_mut().enumerate() {
                            let (left, right) = (j.saturating_sub(1), (j + 1).min(n - 1));
                            let around = [up[j], down[j], here[left], here[right]];
                            *it = after_step(power[j], here[j], around);
                        }
                    });
                    std::mem::swap(&mut now, &mut next);
                }
            });
            (time, now)
        },
        amp: &|view| {
            let array = |data: &[f32]| Array::builder([n, n]).on(view).data(data).build();
            let (power, mut now, mut next) = (array(&power)?, array(&start)?, array(&start)?);
            let time = timed_on(view, || {
                for _ in 0..steps {
                    view.parallel_for_each([n, n], heat(&power, &now, &mut next))?;
                    std::mem::swap(&mut now, &mut next);
                }
                Ok(())
            })?;
            Ok((time, now.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}

/// The number of steps after which the orbit of a point leaves, at most 255.
#[amp_fn]
fn escape(re: f32, im: f32) -> u32 {
    let (mut x, mut y, mut steps) = (0.0f32, 0.0f32, 0);
    while steps < 255 && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        steps += 1;
    }
    steps
}

/// The place of a point in the plane.
#[amp_fn]
fn place(i: usize, j: usize, n: usize) -> (f32, f32) {
    (
        j as f32 * 3.0 / n as f32 - 2.25,
        i as f32 * 3.0 / n as f32 - 1.5,
    )
}

#[amp_kernel]
fn escapes(idx: Index<2>, n: usize, steps: &mut ArrayViewMut<u32, 2>) {
    let (re, im) = place(idx[0], idx[1], n);
    steps[idx] = escape(re, im);
}

pub fn mandelbrot(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let n = bench.size(1024, 64);
    let problem = Problem {
        what: format!("Mandelbrot set, {n}²"),
        plain: &|| {
            let mut steps = vec![1; n * n];
            let (time, ()) = timed(|| {
                let all = steps.par_iter_mut().enumerate();
                all.for_each(|(at, it)| {
                    let (re, im) = place(at / n, at % n, n);
                    *it = escape(re, im);
                });
            });
            (time, steps)
        },
        amp: &|view| {
            let mut steps = Array::builder([n, n]).on(view).build()?;
            let time = timed_on(view, || {
                view.parallel_for_each([n, n], escapes(n, &mut steps))
            })?;
            Ok((time, steps.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}
