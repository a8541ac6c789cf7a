//! Kernels on matrices of ndarray: the distances between all pairs of points.
//!
//! A view wraps an `ndarray` as it wraps a slice, without a copy. An array whose elements are
//! not in row-major order, such as a transposed one, is copied into an `Array`.

use std::process::ExitCode;

use amp::ndarray::{Array2, ArrayView2, Axis, array};
use amp::prelude::*;

/// The distance of the points in row `idx[0]` of `a` and column `idx[1]` of `b`.
#[amp_kernel]
fn distance(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    distances: &mut ArrayViewMut<f32, 2>,
) {
    let mut sum = 0.0;
    for k in 0..a.extent()[1] {
        let difference = a[[idx[0], k]] - b[[k, idx[1]]];
        sum += difference * difference;
    }
    distances[idx] = sum.sqrt();
}

/// Computes on `view` the distances between all points. Each point is a row of a matrix.
pub fn distances(view: &AcceleratorView, points: ArrayView2<f32>) -> amp::Result<Array2<f32>> {
    let count = points.len_of(Axis(0));
    let mut result = Array2::zeros((count, count));
    let mut out = ArrayViewMut::from_ndarray(result.view_mut())?;
    out.discard_data();
    let columns = Array::from_ndarray_on(view, points.t())?;
    let rows = ArrayView::from_ndarray(points)?;
    view.parallel_for_each(out.extent(), distance(&rows, &columns, &mut out))?;
    out.synchronize()?;
    drop(out);
    Ok(result)
}

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    let points = array![[0.0, 0.0], [3.0, 4.0], [6.0, 8.0], [3.0, 0.0]];
    println!("{}", view.accelerator().description());
    println!("{}", distances(&view, points.view())?);
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
