//! Scans: what has been combined up to each element.
//!
//! A kernel scans blocks of 2048 elements, in two steps: the first computes what each block
//! combines to, and, when these totals have been scanned, the second computes all results.

use super::launcher::Launcher;
use super::number::numbers::{Number, combined};
use super::operation::Operation;
use super::queue::{Queue, Workspace, tiles};
use super::source::{Source, Target, same_length};
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

/// A kernel that scans blocks.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$element, 1>,
            out: &mut ArrayViewMut<$element, 1>,
            totals: &mut ArrayViewMut<$element, 1>,
            step: u32,
            exclusive: bool,
            initial: $element,
            $($capture: $captured,)*
        ) {
            #[tile_static]
            let mut elements: [$element; 2048];
            #[tile_static]
            let mut sums: [$element; 256];
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            // Threads that access every eighth element, too, find each in a bank of its own.
            let place = |at: usize| at ^ (at / 32 % 8);
            let lane = t_idx.local[0];
            let start = t_idx.tile[0] * 2048;
            let count = (input.extent()[0] - start).min(2048);
            for k in 0..8 {
                let at = lane + k * 256;
                elements[place(at)] = input[start + at.min(count - 1)];
            }
            t_idx.barrier.wait();
            // Each thread scans eight elements.
            let first = lane * 8;
            let own = count.max(first).min(first + 8) - first;
            let mut sum = elements[place(first)];
            for k in 1..own {
                sum = combine(sum, elements[place(first + k)]);
                elements[place(first + k)] = sum;
            }
            // The threads' sums.
            sums[lane] = sum;
            let mut distance = 1;
            while distance < 256 {
                t_idx.barrier.wait();
                let before = sums[lane.max(distance) - distance];
                t_idx.barrier.wait();
                if lane >= distance {
                    sum = combine(before, sum);
                    sums[lane] = sum;
                }
                distance *= 2;
            }
            t_idx.barrier.wait();
            let last = (count - 1) / 8;
            if step == 0 {
                if lane == 0 {
                    totals[t_idx.tile] = sums[last];
                }
            } else {
                let carried = step == 1 && t_idx.tile[0] > 0;
                let block = t_idx.tile[0].max(1) - 1;
                let carry = if carried { totals[block] } else { initial };
                if lane > 0 {
                    let before = sums[lane - 1];
                    for k in 0..own {
                        elements[place(first + k)] = combine(before, elements[place(first + k)]);
                    }
                }
                t_idx.barrier.wait();
                for k in 0..8 {
                    let at = lane + k * 256;
                    if at < count {
                        if exclusive {
                            let mut x = initial;
                            if at > 0 {
                                let within = elements[place(at - 1)];
                                x = combine(initial, if carried { combine(carry, within) } else { within });
                            } else if carried {
                                x = combine(initial, carry);
                            }
                            out[start + at] = x;
                        } else {
                            let within = elements[place(at)];
                            out[start + at] = if carried { combine(carry, within) } else { within };
                        }
                    }
                }
            }
        }
    };
}

__scan_kernel! {
    #[amp_kernel(T = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f32 | f64)]
    scan_numbers [T: Scalar + Number, const OPERATION: u32] [] T
    |a, b| { combined(OPERATION, a, b) }
}

/// Combines each element with all before it: the last result is that of all elements.
///
/// The order is fixed. The elements are divided into blocks of 2048 elements, and these into groups
/// of eight. In a group, each element is combined with the result before it. The totals of the 256
/// groups are combined with those at distances 1, 2, 4, .. 128 before them, and an element with what
/// comes before its group. The totals of the blocks are scanned in the same way, and an element is
/// combined with what comes before its block.
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
/// place before.
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
    let of_step = |step| Scan {
        step,
        exclusive: initial.is_some(),
        initial: initial.unwrap_or(T::zeroed()),
    };
    let blocks = input.extent()[0].div_ceil(BLOCK);
    if blocks == 0 {
        return Ok(());
    }
    let domain = tiles(blocks);
    // Of the totals, whose scan the second step reads.
    let mut scanned = queue.temporary::<T>(blocks)?;
    let mut before = scanned.elements()?;
    if blocks == 1 {
        let kernel = operation.scan(&input, &mut results, &mut before, of_step(2));
        queue.launch(domain, kernel)?;
    } else {
        let mut unscanned = queue.temporary(blocks)?;
        let mut totals = unscanned.elements()?;
        let kernel = operation.scan(&input, &mut before, &mut totals, of_step(0));
        queue.launch(domain, kernel)?;
        scan(queue, &totals, &mut before, operation, None)?;
        let kernel = operation.scan(&input, &mut results, &mut before, of_step(1));
        queue.launch(domain, kernel)?;
        drop(totals);
        queue.keep(unscanned);
    }
    drop(before);
    queue.keep(scanned);
    Ok(())
}
