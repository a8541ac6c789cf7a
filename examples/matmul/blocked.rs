//! The fastest product here: each thread computes 16 × 8 elements of C in registers.
//!
//! A tile of 8 × 16 threads computes a block of 128 × 128 elements. It goes through A and B in
//! steps of 8 columns and rows; while it computes with one step, which is in tile memory, it loads
//! the next one into registers, and then stores it to the other half of tile memory. Each element
//! loaded from tile memory is used 8 or 16 times, each loaded from A and B 128 times.
//!
//! M, N and W are any. Rows of A and columns of B that do not exist are replaced by the last ones, and
//! the elements of C that come of it are not stored; what lies beyond W is zero, which does not
//! change a sum.

use amp::prelude::*;
use glam::Vec4;

/// Rows and columns of a tile of threads.
pub const ROWS: usize = 8;
pub const COLUMNS: usize = 16;
/// Rows and columns of C that a tile computes.
pub const BLOCK: usize = 128;
/// Rows of C that a thread computes, and `Vec4`s of each.
const OWN_ROWS: usize = BLOCK / ROWS;
const OWN_FOURS: usize = BLOCK / COLUMNS / 4;
/// Columns of A and rows of B in a step.
const DEPTH: usize = 8;
/// Elements of A, and of B, that a thread loads in a step, and how far they are apart.
const LOADS: usize = BLOCK * DEPTH / (ROWS * COLUMNS);
const STRIDE: usize = BLOCK / LOADS;
/// `Vec4`s of B in a row of tile memory.
const FOURS: usize = BLOCK / 4;
/// Those of A, and one more, so that threads that store a column store to different banks.
const PADDED: usize = FOURS + 1;

/// Loads a column of A, from a row on.
#[amp_fn]
fn load_a(next: &mut [f32; LOADS], a: &ArrayView<f32, 2>, row: usize, col: usize) {
    if col < a.extent()[1] {
        for part in 0..LOADS {
            next[part] = a[[(row + part * STRIDE).min(a.extent()[0] - 1), col]];
        }
    } else {
        *next = [0.0; LOADS];
    }
}

/// Loads a row of B, from a column on.
#[amp_fn]
fn load_b(next: &mut [f32; LOADS], b: &ArrayView<f32, 2>, row: usize, col: usize) {
    if row < b.extent()[0] {
        for part in 0..LOADS {
            next[part] = b[[row, (col + part * STRIDE).min(b.extent()[1] - 1)]];
        }
    } else {
        *next = [0.0; LOADS];
    }
}

macro_rules! blocked {
    ($name:ident, #[$attribute:meta]) => {
        #[$attribute]
        pub fn $name(
            t_idx: TiledIndex<2, ROWS, COLUMNS>,
            a: &ArrayView<f32, 2>,
            b: &ArrayView<f32, 2>,
            c: &mut ArrayViewMut<f32, 2>,
        ) {
            // A's part is transposed, so that the elements that a thread needs are neighbours.
            #[tile_static]
            let mut loc_a: [[[Vec4; PADDED]; DEPTH]; 2];
            #[tile_static]
            let mut loc_b: [[[Vec4; FOURS]; DEPTH]; 2];
            let (row, col) = (t_idx.local[0], t_idx.local[1]);
            let (first_row, first_col) = (t_idx.tile[0] * BLOCK, t_idx.tile[1] * BLOCK);
            // What the thread loads: neighbouring threads load neighbours.
            let thread = row * COLUMNS + col;
            let (a_row, a_col) = (thread / DEPTH, thread % DEPTH);
            let (b_row, b_col) = (thread / STRIDE, thread % STRIDE);

            let mut sums = [[Vec4::ZERO; OWN_FOURS]; OWN_ROWS];
            let mut next_a = [0.0_f32; LOADS];
            let mut next_b = [0.0_f32; LOADS];
            load_a(&mut next_a, a, first_row + a_row, a_col);
            load_b(&mut next_b, b, b_row, first_col + b_col);
            let mut now = 0;
            for part in 0..LOADS {
                let (a_at, b_at) = (part * STRIDE + a_row, part * STRIDE + b_col);
                loc_a[now][a_col][a_at / 4][a_at % 4] = next_a[part];
                loc_b[now][b_row][b_at / 4][b_at % 4] = next_b[part];
            }
            t_idx.barrier.wait();
            for i in (0..b.extent()[0]).step_by(DEPTH) {
                load_a(&mut next_a, a, first_row + a_row, i + DEPTH + a_col);
                load_b(&mut next_b, b, i + DEPTH + b_row, first_col + b_col);
                #[unroll]
                for k in 0..DEPTH {
                    let mut from_a = [Vec4::ZERO; OWN_ROWS / 4];
                    let mut from_b = [Vec4::ZERO; OWN_FOURS];
                    for part in 0..OWN_ROWS / 4 {
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
                for part in 0..LOADS {
                    let (a_at, b_at) = (part * STRIDE + a_row, part * STRIDE + b_col);
                    loc_a[now][a_col][a_at / 4][a_at % 4] = next_a[part];
                    loc_b[now][b_row][b_at / 4][b_at % 4] = next_b[part];
                }
                t_idx.barrier.wait();
            }
            for y in 0..OWN_ROWS {
                for x in 0..OWN_FOURS {
                    for k in 0..4 {
                        let at_row = first_row + (y / 4 * ROWS + row) * 4 + y % 4;
                        let at_col = first_col + (x * COLUMNS + col) * 4 + k;
                        if at_row < c.extent()[0] && at_col < c.extent()[1] {
                            c[[at_row, at_col]] = sums[y][x][k];
                        }
                    }
                }
            }
        }
    };
}
blocked!(blocked, #[amp_kernel]);
blocked!(blocked_fast, #[amp_kernel(fast_math)]);

/// The threads that compute a matrix.
pub fn threads(c: Extent<2>) -> TiledExtent<2, ROWS, COLUMNS> {
    let (rows, columns) = (c[0].div_ceil(BLOCK), c[1].div_ceil(BLOCK));
    Extent::new([rows * ROWS, columns * COLUMNS]).tile()
}
