//! The matrix product C = A · B in tiles, as in Moth's article, and on the host.

use amp::prelude::*;

use crate::numbers::random_unit;

/// The threads of a tile load A and B together. All sizes are multiples of TS.
#[amp_kernel]
pub fn tiled<const TS: usize>(
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

/// The product of an M × W and a W × N matrix, summed in the order of the kernels.
pub fn on_host(a: &[f32], b: &[f32], [m, n, w]: [usize; 3]) -> Vec<f32> {
    let element = |at| (0..w).fold(0.0, |sum, k| sum + a[at / n * w + k] * b[k * n + at % n]);
    (0..m * n).map(element).collect()
}

/// Two factors of M × W and W × N, and their product.
pub fn random([m, n, w]: [usize; 3]) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    let a: Vec<f32> = random_unit(1).take(m * w).collect();
    let b: Vec<f32> = random_unit(2).take(w * n).collect();
    let product = on_host(&a, &b, [m, n, w]);
    (a, b, product)
}
