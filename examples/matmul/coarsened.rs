//! The article's tiled kernel in tiles of 64 × 64, of which each thread of the device runs 8 × 2: a
//! thread loads 8 elements of A and 2 of B for 16 products. The source is that of `tiled` in
//! `product.rs`, but for the size of its tiles, the argument `coarsen`, and a hint to unroll.

use amp::prelude::*;

/// Rows and columns of a tile.
pub const TS: usize = 64;

macro_rules! coarsened {
    ($name:ident, $padded:ident, #[$attribute:meta]) => {
        /// M, N and W are multiples of TS.
        #[$attribute]
        pub fn $name(
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
                #[unroll]
                for k in 0..TS {
                    sum += loc_a[row][k] * loc_b[k][col];
                }
                t_idx.barrier.wait();
            }
            c[t_idx.global] = sum;
        }

        /// For any M, N and W.
        #[$attribute]
        pub fn $padded(
            t_idx: TiledIndex<2, TS, TS>,
            a: &ArrayView<f32, 2>,
            b: &ArrayView<f32, 2>,
            c: &mut ArrayViewMut<f32, 2>,
        ) {
            #[tile_static]
            let mut loc_a: [[f32; TS]; TS];
            #[tile_static]
            let mut loc_b: [[f32; TS]; TS];
            let (m, n, w) = (a.extent()[0], b.extent()[1], a.extent()[1]);
            let (row, col) = (t_idx.local[0], t_idx.local[1]);
            let (c_row, c_col) = (t_idx.global[0], t_idx.global[1]);
            let mut sum = 0.0;
            for i in (0..w).step_by(TS) {
                loc_a[row][col] = if c_row < m && col + i < w {
                    a[[c_row, col + i]]
                } else {
                    0.0
                };
                loc_b[row][col] = if row + i < w && c_col < n {
                    b[[row + i, c_col]]
                } else {
                    0.0
                };
                t_idx.barrier.wait();
                #[unroll]
                for k in 0..TS {
                    sum += loc_a[row][k] * loc_b[k][col];
                }
                t_idx.barrier.wait();
            }
            if c_row < m && c_col < n {
                c[t_idx.global] = sum;
            }
        }
    };
}
coarsened!(coarsened, coarsened_padded, #[amp_kernel(coarsen(8, 2))]);
coarsened!(coarsened_fast, coarsened_padded_fast, #[amp_kernel(coarsen(8, 2), fast_math)]);
