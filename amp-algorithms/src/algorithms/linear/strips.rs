//! Products of matrices on the CPU accelerator: each thread computes a strip of some rows in registers,
//! without tile memory, whose barriers cost much there.

#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};

macro_rules! strips {
    ($module:ident: $type:ty as $sum:ty) => {
        pub mod $module {
            #[allow(unused_imports, reason = "the types of elements")]
            use super::*;
            use crate::algorithms::linear::wide::$module::{narrowed, widened};
            use crate::prelude::*;

            pub const ROWS: usize = 4;
            pub const COLUMNS: usize = 16;

            /// A strip of `alpha * a * b + beta * c`.
            #[amp_fn]
            fn strip(
                layouts: (bool, bool),
                at: [usize; 2],
                alpha: $sum,
                a: &ArrayView<$type, 2>,
                b: &ArrayView<$type, 2>,
                beta: $sum,
                c: &mut ArrayViewMut<$type, 2>,
            ) {
                let (a_last, b_last) = layouts;
                let [rows, columns] = c.extent().to_array();
                let terms = if a_last { a.extent()[1] } else { a.extent()[0] };
                let (first_row, first_col) = (at[0] * ROWS, at[1] * COLUMNS);
                let mut sums: [[$sum; COLUMNS]; ROWS] = [[0.0; COLUMNS]; ROWS];
                for k in 0..terms {
                    let mut from_b: [$sum; COLUMNS] = [0.0; COLUMNS];
                    for x in 0..COLUMNS {
                        let col = (first_col + x).min(columns - 1);
                        from_b[x] = widened(if b_last { b[[col, k]] } else { b[[k, col]] });
                    }
                    for y in 0..ROWS {
                        let row = (first_row + y).min(rows - 1);
                        let from_a = widened(if a_last { a[[row, k]] } else { a[[k, row]] });
                        for x in 0..COLUMNS {
                            sums[y][x] += from_a * from_b[x];
                        }
                    }
                }
                for y in 0..ROWS {
                    for x in 0..COLUMNS {
                        let (row, col) = (first_row + y, first_col + x);
                        if row < rows && col < columns {
                            let mut sum = alpha * sums[y][x];
                            if beta != 0.0 {
                                sum += beta * widened(c[[row, col]]);
                            }
                            c[[row, col]] = narrowed(sum);
                        }
                    }
                }
            }

            #[amp_kernel]
            pub fn plain<const A_LAST: bool, const B_LAST: bool>(
                idx: Index<2>,
                alpha: $sum,
                a: &ArrayView<$type, 2>,
                b: &ArrayView<$type, 2>,
                beta: $sum,
                c: &mut ArrayViewMut<$type, 2>,
            ) {
                strip((A_LAST, B_LAST), idx.to_array(), alpha, a, b, beta, c);
            }

            #[amp_kernel]
            pub fn batch<const A_LAST: bool, const B_LAST: bool>(
                idx: Index<3>,
                alpha: $sum,
                a: &ArrayView<$type, 3>,
                b: &ArrayView<$type, 3>,
                beta: $sum,
                c: &mut ArrayViewMut<$type, 3>,
            ) {
                let a = a.row(idx[0]);
                let b = b.row(idx[0]);
                let mut c = c.row(idx[0]);
                strip(
                    (A_LAST, B_LAST),
                    [idx[1], idx[2]],
                    alpha,
                    &a,
                    &b,
                    beta,
                    &mut c,
                );
            }
        }
    };
}

strips!(of_f32: f32 as f32);
strips!(of_f64: f64 as f64);
#[cfg(feature = "half")]
strips!(of_f16: f16 as f32);
#[cfg(feature = "half")]
strips!(of_bf16: bf16 as f32);

/// How many strips there are of rows and columns.
pub fn counts(rows: usize, columns: usize) -> [usize; 2] {
    [
        rows.div_ceil(of_f32::ROWS),
        columns.div_ceil(of_f32::COLUMNS),
    ]
}
