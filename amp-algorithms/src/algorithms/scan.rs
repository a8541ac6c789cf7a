//! Scans: what has been combined up to each element.
//!
//! A kernel scans blocks of 2048 elements, in two steps: the first computes what each block
//! combines to, and, when these totals have been scanned, the second computes all results.

use super::host;
use super::launcher::Launcher;
use super::number::numbers::{Number, combined};
use super::number::of_numbers;
use super::operation::Operation;
use super::queue::{Queue, Workspace, tiles};
use super::source::{Source, Target, same_length};
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;
use crate::{Element, Result};

/// Elements of a block.
pub(super) const BLOCK: usize = 2048;

/// What a kernel of a scan does.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Scan<T> {
    /// 0: computes the totals of the blocks. 1: computes the results, with scanned totals of all
    /// blocks. 2: computes the results of the only block.
    pub step: u32,
    /// Whether an element's result leaves the element out, and begins with the initial value.
    pub exclusive: bool,
    pub initial: T,
}

/// Calls a kernel of a scan for its step, with arguments, and with generic ones besides the step.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_step {
    ($scan:ident, $kernel:ident [$($generic:tt)*] $arguments:tt) => {
        match ($scan.step, $scan.exclusive) {
            (0, _) => $kernel::<0, $($generic)*> $arguments,
            (_, false) => $kernel::<1, $($generic)*> $arguments,
            _ => $kernel::<2, $($generic)*> $arguments,
        }
    };
}

/// A kernel that scans blocks. Step 0 computes the totals of the blocks, step 1 the results, and step 2
/// those of a scan that leaves out each element itself; the last two take scanned totals, if there are several
/// blocks.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<const STEP: u32, $($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$element, 1>,
            out: &mut ArrayViewMut<$element, 1>,
            totals: &mut ArrayViewMut<$element, 1>,
            initial: $element,
            $($capture: $captured,)*
        ) {
            #[tile_static]
            let mut elements: [$element; 2048];
            #[tile_static]
            let mut sums: [$element; 256];
            #[tile_static]
            let mut rows: [$element; 16];
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            // Threads that access every eighth element, or every sixteenth sum, find each in a bank
            // of its own.
            let place = |at: usize| at ^ (at / 32 % 8);
            let sum_place = |at: usize| at ^ (at / 16 % 16);
            let lane = t_idx.local[0];
            let start = t_idx.tile[0] * 2048;
            let count = (input.extent()[0] - start).min(2048);
            // What comes before the block is on its way while the block is scanned.
            let carried = STEP > 0 && t_idx.tile[0] > 0;
            let mut carry = initial;
            if carried {
                carry = totals[t_idx.tile[0].max(1) - 1];
            }
            #[unroll]
            for k in 0..8 {
                let at = lane + k * 256;
                elements[place(at)] = input[start + at.min(count - 1)];
            }
            t_idx.barrier.wait_with_tile_static_memory_fence();
            // Each thread scans a group of eight elements.
            let first = lane * 8;
            let own = count.max(first).min(first + 8) - first;
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
            sums[sum_place(lane)] = sum;
            t_idx.barrier.wait_with_tile_static_memory_fence();
            // Sixteen threads scan a row of sixteen sums each. They read eight sums before they write
            // any: more would cost registers that all threads have to spare.
            let groups = (count + 7) / 8;
            if lane < 16 {
                let mut total = sums[sum_place(lane * 16)];
                #[unroll]
                for half in 0..2 {
                    let row_start = lane * 16 + half * 8;
                    let mut row = [total; 8];
                    #[unroll]
                    for k in 0..8 {
                        row[k] = sums[sum_place(row_start + k)];
                    }
                    #[unroll]
                    for k in 0..8 {
                        if half * 8 + k > 0 && row_start + k < groups {
                            total = combine(total, row[k]);
                        }
                        if STEP > 0 {
                            sums[sum_place(row_start + k)] = total;
                        }
                    }
                }
                rows[lane] = total;
            }
            t_idx.barrier.wait_with_tile_static_memory_fence();
            if STEP == 0 {
                if lane == 0 {
                    let mut total = rows[0];
                    #[unroll]
                    for row in 1..16 {
                        let next = rows[row];
                        if row * 16 < groups {
                            total = combine(total, next);
                        }
                    }
                    totals[t_idx.tile] = total;
                }
            } else {
                // What comes before the group: in its block, and before that. A thread without elements combines none.
                let place_of_group = if own > 0 { lane } else { 0 };
                let mut before = rows[0];
                #[unroll]
                for row in 1..15 {
                    let next = rows[row];
                    if row < place_of_group / 16 {
                        before = combine(before, next);
                    }
                }
                if place_of_group % 16 > 0 {
                    let in_row = sums[sum_place(place_of_group - 1)];
                    before = if lane >= 16 { combine(before, in_row) } else { in_row };
                }
                if carried {
                    before = if place_of_group > 0 { combine(carry, before) } else { carry };
                }
                let has_before = carried || lane > 0;
                // Whole blocks, which all but the last one are, need no tests.
                if count == 2048 {
                    #[unroll]
                    for k in 0..8 {
                        let within = results[k];
                        elements[place(first + k)] =
                            if has_before { combine(before, within) } else { within };
                    }
                } else {
                    for k in 0..8 {
                        if k < own {
                            let within = results[k];
                            elements[place(first + k)] =
                                if has_before { combine(before, within) } else { within };
                        }
                    }
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                #[unroll]
                for k in 0..8 {
                    let at = lane + k * 256;
                    if at < count {
                        if STEP == 2 {
                            let mut x = initial;
                            if at > 0 {
                                x = combine(initial, elements[place(at - 1)]);
                            } else if carried {
                                x = combine(initial, carry);
                            }
                            out[start + at] = x;
                        } else {
                            out[start + at] = elements[place(at)];
                        }
                    }
                }
            }
        }
    };
}

of_numbers! {
    __scan_kernel! {
        scan_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}

/// Combines each element with all before it: the last result is that of all elements.
///
/// The order is fixed. The elements are divided into blocks of 16 rows, of 16 groups, of eight elements.
/// In a group, each element is combined with the one before, as are, in a row, the totals of groups, and in
/// a block those of rows. The totals of blocks are scanned in the same way. What comes before a group is
/// combined from what comes before the row and the group in its row; in front of that stands what comes
/// before the block. With all this an element's result in its group is combined.
///
/// ```
/// use amp::algorithms::{Add, Max, inclusive_scan};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(5, &[3, 1, 4, 1, 5])?;
/// let mut results = Array::zeroed(5)?;
/// inclusive_scan(&numbers, &mut results, Add)?;
/// assert_eq!(results.to_vec()?, [3, 4, 8, 9, 14]);
/// inclusive_scan(&numbers, &mut results, Max)?;
/// assert_eq!(results.to_vec()?, [3, 3, 4, 4, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many results as
/// elements; as [`parallel_for_each`].
pub fn inclusive_scan<T: Element>(
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    inclusive_scan_on(&mut workspace.at(input)?, input, results, operation)
}

/// [`inclusive_scan`] on a queue.
///
/// ```
/// use amp::algorithms::{Add, Workspace, inclusive_scan_on};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let numbers = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
/// let mut sums = Array::builder(3).on(&view).build()?;
/// inclusive_scan_on(&mut Workspace::default().on(&view), &numbers, &mut sums, Add)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 6]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan`].
pub fn inclusive_scan_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    scan(queue, input, results, &operation, None)
}

/// Combines an initial value with all elements before each: the result of the first element is the
/// initial value. The others are the initial value combined with what [`inclusive_scan`] has in the
/// place before, or, for the first element of a block of that order, with what comes before the block.
///
/// ```
/// use amp::algorithms::{Add, exclusive_scan};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(5, &[3, 1, 4, 1, 5])?;
/// let mut results = Array::zeroed(5)?;
/// exclusive_scan(&numbers, &mut results, 100, Add)?;
/// assert_eq!(results.to_vec()?, [100, 103, 104, 108, 109]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan`].
pub fn exclusive_scan<T: Element>(
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    initial: T,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    exclusive_scan_on(
        &mut workspace.at(input)?,
        input,
        results,
        initial,
        operation,
    )
}

/// [`exclusive_scan`] on a queue, as [`inclusive_scan_on`].
///
/// ```
/// use amp::algorithms::{Add, Workspace, exclusive_scan_on};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let numbers = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
/// let mut sums = Array::builder(3).on(&view).build()?;
/// exclusive_scan_on(&mut Workspace::default().on(&view), &numbers, &mut sums, 0, Add)?;
/// assert_eq!(sums.to_vec()?, [0, 1, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`inclusive_scan`].
pub fn exclusive_scan_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    initial: T,
    operation: impl Operation<T>,
) -> Result<()> {
    scan(queue, input, results, &operation, Some(initial))
}

fn scan<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    operation: &impl Operation<T>,
    initial: Option<T>,
) -> Result<()> {
    let (input, mut results) = (input.elements(), results.elements_mut());
    same_length(&input, &results)?;
    if input.extent()[0] == 0 || host::scan(queue, &input, &mut results, operation, initial)? {
        return Ok(());
    }
    let of_step = |step| Scan {
        step,
        exclusive: initial.is_some(),
        initial: initial.unwrap_or(T::zeroed()),
    };
    let blocks = input.extent()[0].div_ceil(BLOCK);
    let whole = queue.is_on_software() || queue.is_on_cpu();
    let launch = |out: &mut ArrayViewMut<'_, T, 1>,
                  totals: &mut ArrayViewMut<'_, T, 1>,
                  step,
                  queue: &mut Queue<'_>| match whole {
        true => {
            let kernel = operation.scan_whole_blocks(&input, out, totals, of_step(step));
            queue.launch(blocks, kernel)
        }
        false => {
            let kernel = operation.scan(&input, out, totals, of_step(step));
            queue.launch(tiles(blocks), kernel)
        }
    };
    // Of the totals, whose scan the second step reads.
    let mut scanned = queue.temporary::<T>(blocks)?;
    let mut before = scanned.elements()?;
    if blocks == 1 {
        launch(&mut results, &mut before, 2, queue)?;
    } else {
        let mut unscanned = queue.temporary(blocks)?;
        let mut totals = unscanned.elements()?;
        launch(&mut before, &mut totals, 0, queue)?;
        scan(queue, &totals, &mut before, operation, None)?;
        launch(&mut results, &mut before, 1, queue)?;
        drop(totals);
        queue.keep(unscanned);
    }
    drop(before);
    queue.keep(scanned);
    Ok(())
}
