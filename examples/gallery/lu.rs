//! Factors a matrix into a lower and an upper triangular one, in place and without pivots
//! (Rodinia's lud).
//!
//! `cargo run --release --example lu -- 1024`

use amp::prelude::*;

mod support;

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

fn factor(size: usize, matrix: &mut [f32]) -> amp::Result<()> {
    let mut a = ArrayViewMut::new([size, size], matrix)?;
    for k in 0..size - 1 {
        let rest = size - k - 1;
        parallel_for_each(rest, scale(k, &mut a))?;
        parallel_for_each([rest, rest], eliminate(k, &mut a))?;
    }
    a.synchronize()
}

fn on_host(size: usize, matrix: &mut [f32]) {
    for k in 0..size - 1 {
        let (upper, lower) = matrix.split_at_mut((k + 1) * size);
        let pivots = &upper[k * size..];
        for row in lower.chunks_mut(size) {
            row[k] /= pivots[k];
            let factor = row[k];
            let rest = row.iter_mut().zip(pivots).skip(k + 1);
            rest.for_each(|(x, pivot)| *x -= factor * pivot);
        }
    }
}

/// The largest difference between a matrix and the product of its factors.
fn error(size: usize, matrix: &[f32], factors: &[f32]) -> f32 {
    let difference = |n: usize| {
        let (i, j) = (n / size, n % size);
        let term = |k: usize| {
            let lower = if k == i { 1.0 } else { factors[i * size + k] };
            lower * factors[k * size + j]
        };
        (matrix[n] - (0..=i.min(j)).map(term).sum::<f32>()).abs()
    };
    (0..size * size).map(difference).fold(0.0, f32::max)
}

fn main() -> amp::Result<()> {
    let size = support::argument(1, 32);
    // The diagonal dominates, so that no pivot is near zero.
    let mut matrix: Vec<f32> = support::random_floats().take(size * size).collect();
    matrix
        .iter_mut()
        .step_by(size + 1)
        .for_each(|x| *x += size as f32);
    let (mut factors, mut expected) = (matrix.clone(), matrix.clone());
    factor(size, &mut factors)?;
    on_host(size, &mut expected);
    assert!(factors == expected, "differs from the host");
    let error = error(size, &matrix, &factors);
    println!("lu: the factors of {size} × {size} numbers differ from them by at most {error:e}");
    Ok(())
}
