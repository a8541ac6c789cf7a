//! A system of linear equations: the heat of a plate whose border is cold.

use std::error::Error;

use amp::prelude::*;

use amp_benches::random;

use crate::Bench;
use crate::problem::{Problem, Row, timed, timed_on};
use crate::streams::sum_on;

/// The matrix, which is not stored: each place loses heat to its four neighbours.
#[amp_kernel]
fn apply(idx: Index<2>, x: &ArrayView<f32, 2>, y: &mut ArrayViewMut<f32, 2>) {
    let [rows, columns] = x.extent().to_array();
    let [i, j] = idx.to_array();
    let mut sum = 4.0 * x[idx];
    if i > 0 {
        sum -= x[[i - 1, j]];
    }
    if i + 1 < rows {
        sum -= x[[i + 1, j]];
    }
    if j > 0 {
        sum -= x[[i, j - 1]];
    }
    if j + 1 < columns {
        sum -= x[[i, j + 1]];
    }
    y[idx] = sum;
}

/// `y = a * y + b * x`
#[amp_kernel]
fn combine(idx: Index<1>, a: f32, b: f32, x: &ArrayView<f32, 1>, y: &mut ArrayViewMut<f32, 1>) {
    y[idx] = a * y[idx] + b * x[idx];
}

#[amp_kernel]
fn multiply(
    idx: Index<1>,
    x: &ArrayView<f32, 1>,
    y: &ArrayView<f32, 1>,
    products: &mut ArrayViewMut<f32, 1>,
) {
    products[idx] = x[idx] * y[idx];
}

type Vector = Array<f32, 1>;

/// What the solution needs on a device.
struct Solver<'a> {
    view: &'a AcceleratorView,
    products: Vector,
    sums: Vector,
}

impl Solver<'_> {
    fn dot(&mut self, x: &Vector, y: &Vector) -> amp::Result<f32> {
        let kernel = multiply(x, y, &mut self.products);
        self.view.parallel_for_each(x.extent(), kernel)?;
        sum_on(self.view, &self.products, &mut self.sums)
    }

    fn combine(&self, a: f32, b: f32, x: &Vector, y: &mut Vector) -> amp::Result<()> {
        self.view.parallel_for_each(x.extent(), combine(a, b, x, y))
    }

    fn solve(
        &mut self,
        size: usize,
        steps: usize,
        [x, residual, direction, image]: &mut [Vector; 4],
    ) -> amp::Result<()> {
        let shape = [size, size];
        let mut error = self.dot(residual, residual)?;
        for _ in 0..steps {
            self.view.parallel_for_each(
                shape,
                apply(&direction.view_as(shape)?, &mut image.view_as_mut(shape)?),
            )?;
            let step = error / self.dot(direction, image)?;
            self.combine(1.0, step, direction, x)?;
            self.combine(1.0, -step, image, residual)?;
            let before = std::mem::replace(&mut error, self.dot(residual, residual)?);
            self.combine(error / before, 1.0, residual, direction)?;
        }
        Ok(())
    }
}

/// One thread of plain Rust.
fn solve(size: usize, steps: usize, heat: &[f32]) -> Vec<f32> {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f32>();
    let mut residual = heat.to_vec();
    let mut direction = heat.to_vec();
    let mut image = vec![0.0; heat.len()];
    let mut x = vec![0.0; heat.len()];
    let mut error = dot(&residual, &residual);
    for _ in 0..steps {
        for i in 0..size {
            for j in 0..size {
                let at = i * size + j;
                let mut sum = 4.0 * direction[at];
                if i > 0 {
                    sum -= direction[at - size];
                }
                if i + 1 < size {
                    sum -= direction[at + size];
                }
                if j > 0 {
                    sum -= direction[at - 1];
                }
                if j + 1 < size {
                    sum -= direction[at + 1];
                }
                image[at] = sum;
            }
        }
        let step = error / dot(&direction, &image);
        for n in 0..x.len() {
            x[n] += step * direction[n];
            residual[n] -= step * image[n];
        }
        let before = std::mem::replace(&mut error, dot(&residual, &residual));
        for (direction, residual) in direction.iter_mut().zip(&residual) {
            *direction = residual + error / before * *direction;
        }
    }
    x
}

/// Whether two solutions differ by no more than the order of their sums explains.
fn are_close(found: &[f32], expected: &[f32]) -> bool {
    let largest = expected.iter().fold(0.0, |a: f32, b| a.max(b.abs()));
    let close = |(found, expected): (&f32, &f32)| (found - expected).abs() <= 1e-2 * largest;
    found.iter().zip(expected).all(close)
}

pub fn conjugate_gradient(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let (size, steps) = (bench.size(128, 16), bench.size(200, 10));
    let heat = random::floats(1, size * size);
    let problem = Problem {
        what: format!("conjugate gradient, {size}² unknowns, {steps} steps (one thread)"),
        plain: &|| timed(|| solve(size, steps, &heat)),
        amp: &|view| {
            let array = |data: &[f32]| Array::builder(heat.len()).on(view).data(data).build();
            let zeros = vec![0.0; heat.len()];
            let mut vectors = [array(&zeros)?, array(&heat)?, array(&heat)?, array(&zeros)?];
            let mut solver = Solver {
                view,
                products: array(&zeros)?,
                sums: Array::builder(16).on(view).build()?,
            };
            let time = timed_on(view, || solver.solve(size, steps, &mut vectors))?;
            Ok((time, vectors[0].to_vec()?))
        },
        agree: are_close,
    };
    problem.measure(bench)
}
