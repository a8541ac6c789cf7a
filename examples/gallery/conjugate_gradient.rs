//! Solves a system of linear equations: the heat of a plate whose border is cold (conjugate
//! gradients, Hestenes and Stiefel 1952).
//!
//! `cargo run --release --features algorithms --example conjugate_gradient -- 500`

use amp::algorithms::{SourceAlgorithms, function, transform_pairs};
use amp::prelude::*;

mod support;

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

/// The dot product, by way of the products of the elements.
fn dot(x: &Array<f32, 1>, y: &Array<f32, 1>, products: &mut Array<f32, 1>) -> amp::Result<f32> {
    let product = function!(|x: f32, y: f32| -> f32 { x * y });
    transform_pairs(x, y, products, product)?;
    products.sum()
}

/// The solution, and the number of steps until its error is small.
fn solve(size: usize, heat: &[f32]) -> amp::Result<(Vec<f32>, usize)> {
    let shape = [size, size];
    let mut x = Array::zeroed(heat.len())?;
    let mut residual = Array::new(heat.len(), heat)?;
    let mut direction = Array::new(heat.len(), heat)?;
    let mut image = Array::zeroed(heat.len())?;
    let mut products = Array::zeroed(heat.len())?;
    let mut error = dot(&residual, &residual, &mut products)?;
    let mut steps = 0;
    while error > 1e-6 {
        parallel_for_each(
            shape,
            apply(&direction.view_as(shape)?, &mut image.view_as_mut(shape)?),
        )?;
        let step = error / dot(&direction, &image, &mut products)?;
        parallel_for_each(x.extent(), combine(1.0, step, &direction, &mut x))?;
        parallel_for_each(x.extent(), combine(1.0, -step, &image, &mut residual))?;
        let before = error;
        error = dot(&residual, &residual, &mut products)?;
        parallel_for_each(
            x.extent(),
            combine(error / before, 1.0, &residual, &mut direction),
        )?;
        steps += 1;
    }
    Ok((x.to_vec()?, steps))
}

fn apply_on_host(size: usize, x: &[f64]) -> Vec<f64> {
    let at = |i: usize, j: usize| {
        if i < size && j < size {
            x[i * size + j]
        } else {
            0.0
        }
    };
    let row = |n: usize| {
        let (i, j) = (n / size, n % size);
        let beside =
            at(i.wrapping_sub(1), j) + at(i + 1, j) + at(i, j.wrapping_sub(1)) + at(i, j + 1);
        4.0 * x[n] - beside
    };
    (0..x.len()).map(row).collect()
}

fn on_host(size: usize, heat: &[f32]) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let mut residual: Vec<f64> = heat.iter().map(|&x| x.into()).collect();
    let mut direction = residual.clone();
    let mut x = vec![0.0; heat.len()];
    let mut error = dot(&residual, &residual);
    while error > 1e-20 {
        let image = apply_on_host(size, &direction);
        let step = error / dot(&direction, &image);
        for n in 0..x.len() {
            x[n] += step * direction[n];
            residual[n] -= step * image[n];
        }
        let before = std::mem::replace(&mut error, dot(&residual, &residual));
        let next = residual
            .iter()
            .zip(&direction)
            .map(|(r, d)| r + error / before * d);
        direction = next.collect();
    }
    x
}

fn main() -> amp::Result<()> {
    let size = support::argument(1, 24);
    let heat: Vec<f32> = support::random_floats().take(size * size).collect();
    let (found, steps) = solve(size, &heat)?;
    let pairs = found.iter().zip(on_host(size, &heat));
    let error = pairs
        .map(|(&x, y)| (f64::from(x) - y).abs())
        .fold(0.0, f64::max);
    assert!(error < 1e-2, "differs from the host by {error}");
    println!("conjugate_gradient: {size} × {size} unknowns after {steps} steps");
    Ok(())
}
