//! Kernels that several benchmarks measure.

use amp::glam::{Vec3, Vec4};
use amp::prelude::*;

/// Rows and columns of a tile of [`tiled`].
pub const TS: usize = 16;

/// `c = a + s * b`
#[amp_kernel]
pub fn triad(
    idx: Index<1>,
    a: &ArrayView<f32, 1>,
    b: &ArrayView<f32, 1>,
    c: &mut ArrayViewMut<f32, 1>,
    s: f32,
) {
    c[idx] = a[idx] + s * b[idx];
}

/// The mean of each inner element and its four neighbours, in which it has half of the weight.
#[amp_kernel]
pub fn stencil(idx: Index<2>, a: &ArrayView<f32, 2>, b: &mut ArrayViewMut<f32, 2>) {
    let (y, x) = (idx[0], idx[1]);
    let (rows, columns) = (a.extent()[0], a.extent()[1]);
    if y > 0 && y + 1 < rows && x > 0 && x + 1 < columns {
        let around = a[[y - 1, x]] + a[[y + 1, x]] + a[[y, x - 1]] + a[[y, x + 1]];
        b[idx] = 0.5 * a[idx] + 0.125 * around;
    } else {
        b[idx] = a[idx];
    }
}

/// The matrix product, an element in each thread.
#[amp_kernel]
pub fn simple(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    let mut sum = 0.0;
    for k in 0..a.extent()[1] {
        sum += a[[idx[0], k]] * b[[k, idx[1]]];
    }
    c[idx] = sum;
}

/// The matrix product in tiles.
#[amp_kernel]
pub fn tiled(
    t_idx: TiledIndex<2, TS, TS>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut loc_a: [[f32; TS]; TS];
    #[tile_static]
    let mut loc_b: [[f32; TS]; TS];
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let mut sum = 0.0;
    for i in (0..a.extent()[1]).step_by(TS) {
        loc_a[row][col] = a[[t_idx.global[0], col + i]];
        loc_b[row][col] = b[[row + i, t_idx.global[1]]];
        t_idx.barrier.wait();
        for k in 0..TS {
            sum += loc_a[row][k] * loc_b[k][col];
        }
        t_idx.barrier.wait();
    }
    c[t_idx.global] = sum;
}

/// The acceleration at `place` due to another body, whose mass is the last component. A small constant
/// bounds the force of a body that is very near.
#[amp_fn]
pub fn pull(place: Vec3, other: Vec4) -> Vec3 {
    let way = other.truncate() - place;
    let squared = way.length_squared() + 1.0e-2;
    way * (other.w / (squared * squared.sqrt()))
}
