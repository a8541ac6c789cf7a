//! Scans of the rows or columns of a matrix.
//!
//! A tile has 32 lines, and eight threads for each, which take 64 elements of their line at a time. Neighbouring
//! threads access neighbouring elements: those of a row, or of several columns.

use super::host_lines;
use super::launcher::Launcher;
use super::number::numbers::{Number, combined};
use super::number::of_numbers;
use super::operation::Operation;
use super::queue::{Queue, Workspace, tiles};
use super::source::{Source, Target};
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;
use crate::{Element, Error, Result};

/// A kernel that scans each line.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_lines_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$element, 2>,
            out: &mut ArrayViewMut<$element, 2>,
            by_rows: bool,
            exclusive: bool,
            initial: $element,
            $($capture: $captured,)*
        ) {
            #[tile_static]
            let mut elements: [$element; 2048];
            #[tile_static]
            let mut sums: [$element; 256];
            #[tile_static]
            let mut carries: [$element; 32];
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            // Threads that access an element of each line, or every eighth one, find each in a bank of its own.
            let place = |at: usize| at ^ (at / 64 % 32);
            let thread = t_idx.local[0];
            let (own_line, lane) = (thread / 8, thread % 8);
            let first_line = t_idx.tile[0] * 32;
            let [rows, columns] = input.extent().to_array();
            let count = if by_rows { columns } else { rows };
            let mut carry = initial;
            let mut start = 0;
            while start < count {
                // What does not exist is replaced by the last line and element.
                #[unroll]
                for k in 0..8 {
                    let at = thread + k * 256;
                    let line = if by_rows { at / 64 } else { at % 32 };
                    let in_line = if by_rows { at % 64 } else { at / 32 };
                    let row = if by_rows { first_line + line } else { start + in_line };
                    let column = if by_rows { start + in_line } else { first_line + line };
                    elements[place(line * 64 + in_line)] = input[[row.min(rows - 1), column.min(columns - 1)]];
                }
                t_idx.barrier.wait();
                // Each thread scans a group of eight elements.
                let part = (count - start).min(64);
                let first = thread * 8;
                let own = part.max(lane * 8).min(lane * 8 + 8) - lane * 8;
                let mut sum = elements[place(first)];
                let mut results = [sum; 8];
                #[unroll]
                for k in 1..8 {
                    let next = elements[place(first + k)];
                    if k < own {
                        sum = combine(sum, next);
                    }
                    results[k] = sum;
                }
                sums[thread] = sum;
                if lane == 0 {
                    carries[own_line] = carry;
                }
                t_idx.barrier.wait();
                let mut total = sums[own_line * 8];
                let mut before = total;
                #[unroll]
                for k in 1..8 {
                    let next = sums[own_line * 8 + k];
                    if k * 8 < part {
                        total = combine(total, next);
                    }
                    if k < lane {
                        before = total;
                    }
                }
                let carried = start > 0;
                if carried {
                    before = if lane > 0 { combine(carry, before) } else { carry };
                    carry = combine(carry, total);
                } else {
                    carry = total;
                }
                #[unroll]
                for k in 0..8 {
                    let within = results[k];
                    if k < own {
                        elements[place(first + k)] =
                            if carried || lane > 0 { combine(before, within) } else { within };
                    }
                }
                t_idx.barrier.wait();
                for k in 0..8 {
                    let at = thread + k * 256;
                    let line = if by_rows { at / 64 } else { at % 32 };
                    let in_line = if by_rows { at % 64 } else { at / 32 };
                    let row = if by_rows { first_line + line } else { start + in_line };
                    let column = if by_rows { start + in_line } else { first_line + line };
                    if row < rows && column < columns {
                        let mut x = elements[place(line * 64 + in_line)];
                        if exclusive {
                            x = initial;
                            if in_line > 0 {
                                x = combine(initial, elements[place(line * 64 + in_line.max(1) - 1)]);
                            } else if carried {
                                x = combine(initial, carries[line]);
                            }
                        }
                        out[[row, column]] = x;
                    }
                }
                // The next elements replace these.
                t_idx.barrier.wait();
                start += 64;
            }
        }
    };
}

of_numbers! {
    __scan_lines_kernel! {
        scan_lines_of_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}

/// Combines each element of a matrix with all before it in its row.
///
/// The order is fixed: a row is divided into parts of eight groups of eight elements. In a group, each element is
/// combined with the one before, as are, in a part, the totals of groups, and in the row those of parts. What comes
/// before a group is combined from what comes before its part and what comes before it there. With that an element's
/// result in its group is combined. For a few long rows, one [`inclusive_scan`](super::inclusive_scan()) of each is
/// faster.
///
/// ```
/// use amp::algorithms::{Add, inclusive_scan_rows};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let matrix = Array::new([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let mut sums = Array::zeroed([2, 3])?;
/// inclusive_scan_rows(&matrix, &mut sums, Add)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 6, 4, 9, 15]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`] if the results have another extent than the matrix; as [`parallel_for_each`].
pub fn inclusive_scan_rows<T: Element>(
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(matrix)?;
    inclusive_scan_rows_on(queue, matrix, results, operation)
}

/// [`inclusive_scan_rows`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new([2, 2], &[3, 1, 2, 4])?, Array::zeroed([2, 2])?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// inclusive_scan_rows_on(queue, &x, &mut y, Max)?;
/// assert_eq!(y.to_vec()?, [3, 3, 2, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan_rows`].
pub fn inclusive_scan_rows_on<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    operation: impl Operation<T>,
) -> Result<()> {
    lines(queue, matrix, results, &operation, true, None)
}

/// Combines an initial value with all elements before each in its row: the result of the first is the initial value.
/// The others are the initial value combined with what [`inclusive_scan_rows`] has in the place before, or, for the
/// first element of a part of that order, with what comes before the part.
///
/// ```
/// use amp::algorithms::{Add, exclusive_scan_rows};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let matrix = Array::new([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let mut sums = Array::zeroed([2, 3])?;
/// exclusive_scan_rows(&matrix, &mut sums, 0, Add)?;
/// assert_eq!(sums.to_vec()?, [0, 1, 3, 0, 4, 9]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan_rows`].
pub fn exclusive_scan_rows<T: Element>(
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    initial: T,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(matrix)?;
    exclusive_scan_rows_on(queue, matrix, results, initial, operation)
}

/// [`exclusive_scan_rows`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new([2, 2], &[3, 1, 2, 4])?, Array::zeroed([2, 2])?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// exclusive_scan_rows_on(queue, &x, &mut y, 2, Max)?;
/// assert_eq!(y.to_vec()?, [2, 3, 2, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan_rows`].
pub fn exclusive_scan_rows_on<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    initial: T,
    operation: impl Operation<T>,
) -> Result<()> {
    lines(queue, matrix, results, &operation, true, Some(initial))
}

/// Combines each element of a matrix with all before it in its column, in the order of [`inclusive_scan_rows`].
///
/// ```
/// use amp::algorithms::{Add, inclusive_scan_columns};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let matrix = Array::new([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let mut sums = Array::zeroed([2, 3])?;
/// inclusive_scan_columns(&matrix, &mut sums, Add)?;
/// assert_eq!(sums.to_vec()?, [1, 2, 3, 5, 7, 9]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan_rows`].
pub fn inclusive_scan_columns<T: Element>(
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(matrix)?;
    inclusive_scan_columns_on(queue, matrix, results, operation)
}

/// [`inclusive_scan_columns`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new([2, 2], &[3, 1, 2, 4])?, Array::zeroed([2, 2])?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// inclusive_scan_columns_on(queue, &x, &mut y, Max)?;
/// assert_eq!(y.to_vec()?, [3, 1, 3, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan_rows`].
pub fn inclusive_scan_columns_on<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    operation: impl Operation<T>,
) -> Result<()> {
    lines(queue, matrix, results, &operation, false, None)
}

/// Combines an initial value with all elements before each in its column, as [`exclusive_scan_rows`] does in rows.
///
/// ```
/// use amp::algorithms::{Add, exclusive_scan_columns};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let matrix = Array::new([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let mut sums = Array::zeroed([2, 3])?;
/// exclusive_scan_columns(&matrix, &mut sums, 0, Add)?;
/// assert_eq!(sums.to_vec()?, [0, 0, 0, 1, 2, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan_rows`].
pub fn exclusive_scan_columns<T: Element>(
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    initial: T,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(matrix)?;
    exclusive_scan_columns_on(queue, matrix, results, initial, operation)
}

/// [`exclusive_scan_columns`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new([2, 2], &[3, 1, 2, 4])?, Array::zeroed([2, 2])?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// exclusive_scan_columns_on(queue, &x, &mut y, 2, Max)?;
/// assert_eq!(y.to_vec()?, [2, 2, 3, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan_rows`].
pub fn exclusive_scan_columns_on<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    initial: T,
    operation: impl Operation<T>,
) -> Result<()> {
    lines(queue, matrix, results, &operation, false, Some(initial))
}

fn lines<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &impl Source<T, 2>,
    results: &mut impl Target<T, 2>,
    operation: &impl Operation<T>,
    by_rows: bool,
    initial: Option<T>,
) -> Result<()> {
    let (input, mut results) = (matrix.elements(), results.elements_mut());
    if input.extent() != results.extent() {
        let (extent, found) = (input.extent(), results.extent());
        return Err(Error::InvalidArgument(format!(
            "a scan of a matrix of {}×{} elements has as many results, but there is room for {}×{}",
            extent[0], extent[1], found[0], found[1]
        )));
    }
    if host_lines::scan(queue, &input, &mut results, operation, by_rows, initial)? {
        return Ok(());
    }
    let lines = input.extent()[if by_rows { 0 } else { 1 }];
    let exclusive = initial.is_some();
    let initial = initial.unwrap_or(T::zeroed());
    if queue.is_on_software() || queue.is_on_cpu() {
        let kernel = operation.scan_whole_lines(&input, &mut results, by_rows, exclusive, initial);
        return queue.launch(lines, kernel);
    }
    let kernel = operation.scan_lines(&input, &mut results, by_rows, exclusive, initial);
    queue.launch(tiles(lines.div_ceil(32)), kernel)
}
