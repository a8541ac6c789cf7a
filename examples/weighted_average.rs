//! Uses several accelerators at once: each element of a matrix becomes the weighted average
//! of itself and its eight neighbours at a distance, and each accelerator computes some of
//! the rows.
//!
//! To compute its rows, an accelerator also needs rows above and below, its halo. All
//! accelerators read one view of the matrix, and only the rows that each one needs are copied
//! to it. The result is split, so that all can write their parts at the same time.

use std::process::ExitCode;

use amp::prelude::*;

/// The weight of the neighbour in row `i` and column `j` of the nine: 1 2 1, 2 4 2, 1 2 1.
#[amp_fn]
fn weight(i: usize, j: usize) -> f32 {
    ((1 + i % 2) * (1 + j % 2)) as f32
}

/// The average at a place of a matrix. Neighbours outside of the matrix do not count.
#[amp_fn]
fn average_at(matrix: &ArrayView<f32, 2>, row: usize, column: usize, shift: usize) -> f32 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for i in 0..3 {
        for j in 0..3 {
            // Shifted once, so that no index is negative.
            let (row, column) = (row + i * shift, column + j * shift);
            let is_inside = row >= shift
                && column >= shift
                && row - shift < matrix.extent()[0]
                && column - shift < matrix.extent()[1];
            if is_inside {
                sum += weight(i, j) * matrix[[row - shift, column - shift]];
                weights += weight(i, j);
            }
        }
    }
    sum / weights
}

/// Computes the rows of `out`. The first of them is row `halo` of `matrix`.
#[amp_kernel]
fn average(
    idx: Index<2>,
    matrix: &ArrayView<f32, 2>,
    halo: usize,
    shift: usize,
    out: &mut ArrayViewMut<f32, 2>,
) {
    out[idx] = average_at(matrix, idx[0] + halo, idx[1], shift);
}

/// The averages of a matrix of `rows` rows, computed on all `views`, each of which takes an
/// equal part of the rows. Neighbours are `shift` rows and columns away.
pub fn weighted_average(
    views: &[AcceleratorView],
    matrix: &[f32],
    rows: usize,
    shift: usize,
) -> amp::Result<Vec<f32>> {
    let columns = matrix.len() / rows;
    let mut averages = vec![0.0; rows * columns];
    let matrix = ArrayView::new([rows, columns], matrix)?;
    let mut out = ArrayViewMut::new([rows, columns], &mut averages)?;
    out.discard_data();

    // A launch on a device returns at once, so the devices work concurrently, and the CPU
    // accelerator, which comes last, works at the same time.
    let (mut rest, mut parts) = (Some(out), Vec::new());
    for (k, view) in views.iter().enumerate() {
        let (start, end) = (k * rows / views.len(), (k + 1) * rows / views.len());
        if start == end {
            continue;
        }
        let Some(mut part) = rest.take() else { break };
        if end < rows {
            let (mine, others) = part.into_split_at(0, end - start)?;
            (part, rest) = (mine, Some(others));
        }
        let first = start.saturating_sub(shift);
        let last = (end + shift).min(rows);
        let needed = matrix.section([first, 0], [last - first, columns])?;
        let kernel = average(&needed, start - first, shift, &mut part);
        view.parallel_for_each([end - start, columns], kernel)?;
        parts.push(part);
    }
    for part in parts {
        part.synchronize()?;
    }
    drop(rest);
    Ok(averages)
}

/// The same on the host.
pub fn on_host(matrix: &[f32], rows: usize, shift: usize) -> Vec<f32> {
    let columns = matrix.len() / rows;
    let average = |at: usize| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for i in 0..3 {
            for j in 0..3 {
                let row = (at / columns + i * shift).wrapping_sub(shift);
                let column = (at % columns + j * shift).wrapping_sub(shift);
                if row < rows && column < columns {
                    sum += weight(i, j) * matrix[row * columns + column];
                    weights += weight(i, j);
                }
            }
        }
        sum / weights
    };
    (0..matrix.len()).map(average).collect()
}

fn run() -> amp::Result<bool> {
    let (size, shift) = (2000, 60);
    let matrix: Vec<f32> = (0..size * size).map(|i| (i * 7 % 1001) as f32).collect();
    let mut views = Vec::new();
    for accelerator in Accelerator::all() {
        println!("{accelerator}");
        views.push(accelerator.default_view()?);
    }
    let averages = weighted_average(&views, &matrix, size, shift)?;
    let right = averages == on_host(&matrix, size, shift);
    println!(
        "{size} rows on {} accelerators: {}",
        views.len(),
        if right { "as on the host" } else { "wrong" }
    );
    Ok(right)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
