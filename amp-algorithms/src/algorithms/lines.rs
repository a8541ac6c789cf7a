//! Reductions of the rows or columns of a matrix.
//!
//! A tile has 32 lines, and eight threads for each. Neighbouring threads access neighbouring elements: those of a
//! row, or of several columns.

use super::host_lines;
use super::launcher::Launcher;
use super::number::numbers::{Number, combined};
use super::number::of_numbers;
use super::operation::Operation;
use super::queue::{Queue, Workspace, tiles};
use super::source::{Source, Target, same_length_of};
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;
use crate::{Element, Result};

/// A kernel that combines the elements of each line.
#[doc(hidden)]
#[macro_export]
macro_rules! __reduce_lines_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$element, 2>,
            out: &mut ArrayViewMut<$element, 1>,
            by_rows: bool,
            $($capture: $captured,)*
        ) {
            #[tile_static]
            let mut shared: [$element; 256];
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            let thread = t_idx.local[0];
            let own = if by_rows { thread / 8 } else { thread % 32 };
            let lane = if by_rows { thread % 8 } else { thread / 32 };
            let line = t_idx.tile[0] * 32 + own;
            let [rows, columns] = input.extent().to_array();
            let lines = if by_rows { rows } else { columns };
            let count = if by_rows { columns } else { rows };
            // The limits are for threads that have no elements, and prove the indices.
            let at_line = line.min(lines - 1);
            let at_lane = lane.min(count - 1);
            let mut sum = if by_rows { input[[at_line.min(rows - 1), at_lane.min(columns - 1)]] } else {
                input[[at_lane.min(rows - 1), at_line.min(columns - 1)]]
            };
            for at in (lane + 8..count).step_by(8) {
                let next = if by_rows { input[[at_line.min(rows - 1), at.min(columns - 1)]] } else {
                    input[[at.min(rows - 1), at_line.min(columns - 1)]]
                };
                sum = combine(sum, next);
            }
            shared[thread] = sum;
            t_idx.barrier.wait();
            let apart = if by_rows { 1 } else { 32 };
            let mut half = 4;
            while half > 0 {
                if lane < half && lane + half < count {
                    shared[thread] = combine(shared[thread], shared[(thread + half * apart) % 256]);
                }
                t_idx.barrier.wait();
                half /= 2;
            }
            if lane == 0 && line < lines {
                out[line] = shared[thread];
            }
        }
    };
}

of_numbers! {
    __reduce_lines_kernel! {
        reduce_lines_of_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}

/// Combines the elements of each row of a matrix.
///
/// The order is fixed: of a row, every eighth element is combined with the next one, from the first eight elements
/// on; then result `i` of `k` with result `i + k`, for `k` = 4, 2, 1. For a few long rows, one
/// [`reduce`](super::reduce()) of each is faster.
///
/// ```
/// use amp::algorithms::{Add, reduce_rows};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let matrix = Array::new([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let mut sums = Array::zeroed(2)?;
/// reduce_rows(&matrix, &mut sums, Add)?;
/// assert_eq!(sums.to_vec()?, [6, 15]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many results as rows; as
/// [`parallel_for_each`].
pub fn reduce_rows<T: Element>(
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    reduce_rows_on(&mut workspace.at(matrix)?, matrix, results, operation)
}

/// [`reduce_rows`] on a queue: see [`Workspace`].
///
/// ```
/// use amp::algorithms::{Max, Workspace, reduce_rows_on};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let matrix = Array::builder([2, 2]).on(&view).data(&[3, 1, 2, 4]).build()?;
/// let mut greatest = Array::builder(2).on(&view).build()?;
/// reduce_rows_on(&mut Workspace::default().on(&view), &matrix, &mut greatest, Max)?;
/// assert_eq!(greatest.to_vec()?, [3, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce_rows`].
pub fn reduce_rows_on<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    lines(queue, matrix, results, &operation, true)
}

/// Combines the elements of each column of a matrix, in the order of [`reduce_rows`].
///
/// ```
/// use amp::algorithms::{Add, reduce_columns};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let matrix = Array::new([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let mut sums = Array::zeroed(3)?;
/// reduce_columns(&matrix, &mut sums, Add)?;
/// assert_eq!(sums.to_vec()?, [5, 7, 9]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many results as columns; as
/// [`parallel_for_each`].
pub fn reduce_columns<T: Element>(
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    reduce_columns_on(&mut workspace.at(matrix)?, matrix, results, operation)
}

/// [`reduce_columns`] on a queue: see [`Workspace`].
///
/// ```
/// use amp::algorithms::{Min, Workspace, reduce_columns_on};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let matrix = Array::builder([2, 2]).on(&view).data(&[3, 1, 2, 4]).build()?;
/// let mut smallest = Array::builder(2).on(&view).build()?;
/// reduce_columns_on(&mut Workspace::default().on(&view), &matrix, &mut smallest, Min)?;
/// assert_eq!(smallest.to_vec()?, [2, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce_columns`].
pub fn reduce_columns_on<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    lines(queue, matrix, results, &operation, false)
}

fn lines<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T>,
    operation: &impl Operation<T>,
    by_rows: bool,
) -> Result<()> {
    let (input, mut results) = (matrix.elements(), results.elements_mut());
    let [rows, columns] = input.extent().to_array();
    let lines = if by_rows { rows } else { columns };
    same_length_of(lines, results.extent()[0])?;
    if host_lines::reduce(queue, &input, &mut results, operation, by_rows)? {
        return Ok(());
    }
    let kernel = operation.reduce_lines(&input, &mut results, by_rows);
    queue.launch(tiles(lines.div_ceil(32)), kernel)
}
