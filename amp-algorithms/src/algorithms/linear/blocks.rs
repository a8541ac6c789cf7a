//! Products of matrices on devices, in blocks.
//!
//! A tile of threads computes a block of the product. It goes through both factors in steps of some
//! terms; while it computes with one step, which is in tile memory, it loads the next one into registers.
//! Each thread computes a block of its own in registers.
//!
//! Rows and columns that do not exist are replaced by the last ones, and their elements of the product are
//! not stored; terms beyond the last one are zero, which does not change a sum.

/// Kernels for blocks of a size. `rows` and `columns` are those of the tile of threads.
macro_rules! blocks {
    (
        $module:ident: $wide:ident, $type:ty as $sum:ty, $four:ident, $rows:literal x $columns:literal threads,
        blocks of $block:literal, steps of $depth:literal
    ) => {
        pub mod $module {
            #[allow(unused_imports, reason = "the types of elements")]
            use super::*;
            use crate::__private::glam::$four;
            use crate::algorithms::linear::wide::$wide::{narrowed, widened};
            use crate::prelude::*;

            const ROWS: usize = $rows;
            const COLUMNS: usize = $columns;
            pub const BLOCK: usize = $block;
            const DEPTH: usize = $depth;
            /// Rows of the product that a thread computes, in fours, too, and fours of each.
            const OWN_ROWS: usize = BLOCK / ROWS;
            const FOURS_OF_ROWS: usize = OWN_ROWS / 4;
            const OWN_FOURS: usize = BLOCK / COLUMNS / 4;
            /// Elements of each factor that a thread loads in a step, and how far they are apart.
            const LOADS: usize = BLOCK * DEPTH / (ROWS * COLUMNS);
            const STRIDE: usize = BLOCK / LOADS;
            /// Fours in a row of tile memory, and one more, so that threads that store a column store
            /// to different banks.
            const PADDED: usize = BLOCK / 4 + 1;

            /// Loads elements of term `k`, from row or column `at` on.
            #[amp_fn]
            fn load(
                next: &mut [$sum; LOADS],
                factor: &ArrayView<$type, 2>,
                at: usize,
                k: usize,
                terms_last: bool,
            ) {
                let extent = factor.extent();
                *next = [0.0; LOADS];
                if terms_last {
                    if k < extent[1] {
                        for part in 0..LOADS {
                            next[part] =
                                widened(factor[[(at + part * STRIDE).min(extent[0] - 1), k]]);
                        }
                    }
                } else if k < extent[0] {
                    for part in 0..LOADS {
                        next[part] = widened(factor[[k, (at + part * STRIDE).min(extent[1] - 1)]]);
                    }
                }
            }

            /// Stores what a thread has loaded as elements of term `k`.
            #[amp_fn]
            fn store(
                step: &mut [[$four; PADDED]; DEPTH],
                next: &[$sum; LOADS],
                at: usize,
                k: usize,
            ) {
                for part in 0..LOADS {
                    let at = part * STRIDE + at;
                    step[k][at / 4][at % 4] = next[part];
                }
            }

            /// A block of `alpha * a * b + beta * c`.
            #[amp_fn]
            fn block(
                layouts: (bool, bool),
                barrier: &TileBarrier,
                local: [usize; 2],
                tile: [usize; 2],
                loc_a: &mut [[[$four; PADDED]; DEPTH]; 2],
                loc_b: &mut [[[$four; PADDED]; DEPTH]; 2],
                alpha: $sum,
                a: &ArrayView<$type, 2>,
                b: &ArrayView<$type, 2>,
                beta: $sum,
                c: &mut ArrayViewMut<$type, 2>,
            ) {
                let (a_last, b_last) = layouts;
                let [row, col] = local;
                let (first_row, first_col) = (tile[0] * BLOCK, tile[1] * BLOCK);
                let terms = if a_last { a.extent()[1] } else { a.extent()[0] };
                // Neighbouring threads load neighbours. The limits change nothing, but with them the host
                // knows that all indices are in bounds.
                let thread = row * COLUMNS + col;
                let a_at = if a_last {
                    thread / DEPTH
                } else {
                    thread % STRIDE
                };
                let a_k = if a_last {
                    thread % DEPTH
                } else {
                    thread / STRIDE
                };
                let b_at = if b_last {
                    thread / DEPTH
                } else {
                    thread % STRIDE
                };
                let b_k = if b_last {
                    thread % DEPTH
                } else {
                    thread / STRIDE
                };
                let (a_at, a_k) = (a_at.min(STRIDE - 1), a_k.min(DEPTH - 1));
                let (b_at, b_k) = (b_at.min(STRIDE - 1), b_k.min(DEPTH - 1));

                let mut sums = [[$four::ZERO; OWN_FOURS]; OWN_ROWS];
                let mut next_a: [$sum; LOADS] = [0.0; LOADS];
                let mut next_b: [$sum; LOADS] = [0.0; LOADS];
                load(&mut next_a, a, first_row + a_at, a_k, a_last);
                load(&mut next_b, b, first_col + b_at, b_k, b_last);
                let mut now = 0;
                store(&mut loc_a[now], &next_a, a_at, a_k);
                store(&mut loc_b[now], &next_b, b_at, b_k);
                barrier.wait();
                for i in (0..terms).step_by(DEPTH) {
                    load(&mut next_a, a, first_row + a_at, i + DEPTH + a_k, a_last);
                    load(&mut next_b, b, first_col + b_at, i + DEPTH + b_k, b_last);
                    for k in 0..DEPTH {
                        let mut from_a = [$four::ZERO; FOURS_OF_ROWS];
                        let mut from_b = [$four::ZERO; OWN_FOURS];
                        for part in 0..FOURS_OF_ROWS {
                            from_a[part] = loc_a[now][k][part * ROWS + row];
                        }
                        for part in 0..OWN_FOURS {
                            from_b[part] = loc_b[now][k][part * COLUMNS + col];
                        }
                        for y in 0..OWN_ROWS {
                            for x in 0..OWN_FOURS {
                                sums[y][x] += from_a[y / 4][y % 4] * from_b[x];
                            }
                        }
                    }
                    now = 1 - now;
                    store(&mut loc_a[now], &next_a, a_at, a_k);
                    store(&mut loc_b[now], &next_b, b_at, b_k);
                    barrier.wait();
                }
                // What is indexed in a loop that is not unrolled stays in memory, everywhere in the kernel.
                #[unroll]
                for y in 0..OWN_ROWS {
                    #[unroll]
                    for x in 0..OWN_FOURS {
                        #[unroll]
                        for k in 0..4 {
                            let at_row = first_row + (y / 4 * ROWS + row) * 4 + y % 4;
                            let at_col = first_col + (x * COLUMNS + col) * 4 + k;
                            if at_row < c.extent()[0] && at_col < c.extent()[1] {
                                let mut sum = alpha * sums[y][x][k];
                                if beta != 0.0 {
                                    sum += beta * widened(c[[at_row, at_col]]);
                                }
                                c[[at_row, at_col]] = narrowed(sum);
                            }
                        }
                    }
                }
            }

            $crate::algorithms::linear::blocks::block_kernels! {
                exact, exact_batch, #[amp_kernel], $type, $sum, $four
            }
            $crate::algorithms::linear::blocks::block_kernels! {
                fast, fast_batch, #[amp_kernel(fast_math)], $type, $sum, $four
            }

            /// The threads that compute a matrix.
            pub fn threads(c: Extent<2>) -> TiledExtent<2, ROWS, COLUMNS> {
                let (rows, columns) = (c[0].div_ceil(BLOCK), c[1].div_ceil(BLOCK));
                Extent::new([rows * ROWS, columns * COLUMNS]).tile()
            }

            /// The threads that compute many.
            pub fn batch_threads(c: Extent<3>) -> TiledExtent<3, 1, ROWS, COLUMNS> {
                let (rows, columns) = (c[1].div_ceil(BLOCK), c[2].div_ceil(BLOCK));
                Extent::new([c[0], rows * ROWS, columns * COLUMNS]).tile()
            }
        }
    };
}

/// Kernels for a product, and for many of the same size.
macro_rules! block_kernels {
    ($plain:ident, $batch:ident, #[$attribute:meta], $type:ty, $sum:ty, $four:ident) => {
        #[$attribute]
        pub fn $plain<const A_LAST: bool, const B_LAST: bool>(
            t_idx: TiledIndex<2, ROWS, COLUMNS>,
            alpha: $sum,
            a: &ArrayView<$type, 2>,
            b: &ArrayView<$type, 2>,
            beta: $sum,
            c: &mut ArrayViewMut<$type, 2>,
        ) {
            // A row for each term, so that the elements that a thread needs are neighbours.
            #[tile_static]
            let mut loc_a: [[[$four; PADDED]; DEPTH]; 2];
            #[tile_static]
            let mut loc_b: [[[$four; PADDED]; DEPTH]; 2];
            let (local, tile) = (t_idx.local.to_array(), t_idx.tile.to_array());
            block(
                (A_LAST, B_LAST),
                &t_idx.barrier,
                local,
                tile,
                &mut loc_a,
                &mut loc_b,
                alpha,
                a,
                b,
                beta,
                c,
            );
        }

        #[$attribute]
        pub fn $batch<const A_LAST: bool, const B_LAST: bool>(
            t_idx: TiledIndex<3, 1, ROWS, COLUMNS>,
            alpha: $sum,
            a: &ArrayView<$type, 3>,
            b: &ArrayView<$type, 3>,
            beta: $sum,
            c: &mut ArrayViewMut<$type, 3>,
        ) {
            #[tile_static]
            let mut loc_a: [[[$four; PADDED]; DEPTH]; 2];
            #[tile_static]
            let mut loc_b: [[[$four; PADDED]; DEPTH]; 2];
            let [_, row, col] = t_idx.local.to_array();
            let [number, tile_row, tile_col] = t_idx.tile.to_array();
            let a = a.row(number);
            let b = b.row(number);
            let mut c = c.row(number);
            block(
                (A_LAST, B_LAST),
                &t_idx.barrier,
                [row, col],
                [tile_row, tile_col],
                &mut loc_a,
                &mut loc_b,
                alpha,
                &a,
                &b,
                beta,
                &mut c,
            );
        }
    };
}

pub(crate) use block_kernels;

blocks!(large_f32: of_f32, f32 as f32, Vec4, 8 x 16 threads, blocks of 128, steps of 8);
blocks!(small_f32: of_f32, f32 as f32, Vec4, 8 x 8 threads, blocks of 32, steps of 16);
blocks!(large_f64: of_f64, f64 as f64, DVec4, 8 x 16 threads, blocks of 64, steps of 4);
blocks!(small_f64: of_f64, f64 as f64, DVec4, 8 x 8 threads, blocks of 32, steps of 8);

#[cfg(feature = "half")]
mod halves {
    use crate::__private::half::{bf16, f16};

    blocks!(large_f16: of_f16, f16 as f32, Vec4, 8 x 16 threads, blocks of 128, steps of 8);
    blocks!(small_f16: of_f16, f16 as f32, Vec4, 8 x 8 threads, blocks of 32, steps of 16);
    blocks!(large_bf16: of_bf16, bf16 as f32, Vec4, 8 x 16 threads, blocks of 128, steps of 8);
    blocks!(small_bf16: of_bf16, bf16 as f32, Vec4, 8 x 8 threads, blocks of 32, steps of 16);
}
#[cfg(feature = "half")]
pub use halves::*;
