//! Segments: reductions and scans of parts that lie one behind the other.
//!
//! A reduction needs no steps: a tile has a segment, or, where segments are short on average, eight
//! of them. Both combine elements in the order in which [`reduce`](super::reduce) combines those of
//! one block. A scan takes the steps of the others, with a mark where each segment starts.

use super::fill::fill_on;
use super::launcher::Launcher;
use super::number::numbers::{Number, combined};
use super::operation::Operation;
use super::queue::{Queue, Workspace, tiles};
use super::scan::{BLOCK, Scan};
use super::source::{Source, Target, same_length, same_length_of};
use crate::prelude::*;
use crate::{Element, Error, Result};

/// A kernel that reduces segments, each by so many threads: 32 or all 256.
#[doc(hidden)]
#[macro_export]
macro_rules! __reduce_segments_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$element, 1>,
            offsets: &ArrayView<u32, 1>,
            out: &mut ArrayViewMut<$element, 1>,
            threads: usize,
            empty: $element,
            $($capture: $captured,)*
        ) {
            #[tile_static]
            let mut shared: [$element; 256];
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            let thread = t_idx.local[0];
            let lane = thread % threads;
            let segment = t_idx.tile[0] * (256 / threads) + thread / threads;
            let exists = segment < out.extent()[0];
            let start = if exists { offsets[segment] as usize } else { 0 };
            let end = if exists { offsets[segment + 1] as usize } else { 0 };
            let first = start + lane;
            let mut sum = empty;
            let count = end.max(start) - start;
            if threads == 256 {
                if first < end {
                    sum = input[first];
                }
                let mut at = first + 256;
                while at + 3 * 256 < end {
                    let row = [input[at], input[at + 256], input[at + 2 * 256], input[at + 3 * 256]];
                    #[unroll]
                    for k in 0..4 {
                        sum = combine(sum, row[k]);
                    }
                    at += 4 * 256;
                }
                while at < end {
                    sum = combine(sum, input[at]);
                    at += 256;
                }
            } else {
                // Each thread does what eight do for a longer segment.
                let mut sums = [empty; 8];
                #[unroll]
                for k in 0..8 {
                    let mut at = first + 32 * k;
                    if at < end {
                        sums[k] = input[at];
                        at += 256;
                        while at < end {
                            sums[k] = combine(sums[k], input[at]);
                            at += 256;
                        }
                    }
                }
                #[unroll]
                for k in 0..4 {
                    if lane + 32 * k + 128 < count {
                        sums[k] = combine(sums[k], sums[k + 4]);
                    }
                }
                #[unroll]
                for k in 0..2 {
                    if lane + 32 * k + 64 < count {
                        sums[k] = combine(sums[k], sums[k + 2]);
                    }
                }
                sum = if lane + 32 < count { combine(sums[0], sums[1]) } else { sums[0] };
            }
            shared[thread] = sum;
            let mut half = threads / 2;
            while half > 0 {
                t_idx.barrier.wait();
                if lane < half && lane + half < count {
                    shared[thread] = combine(shared[thread], shared[thread + half]);
                }
                half /= 2;
            }
            if lane == 0 && exists {
                out[segment] = shared[thread];
            }
        }
    };
}

/// A kernel that scans blocks, with a mark at each element that starts a segment.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_segments_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$element, 1>,
            marks: &ArrayView<u32, 1>,
            out: &mut ArrayViewMut<$element, 1>,
            totals: &mut ArrayViewMut<$element, 1>,
            total_marks: &mut ArrayViewMut<u32, 1>,
            step: u32,
            exclusive: bool,
            initial: $element,
            $($capture: $captured,)*
        ) {
            #[tile_static]
            let mut elements: [$element; 2048];
            #[tile_static]
            let mut sums: [$element; 256];
            #[tile_static]
            let mut opened: [u32; 256];
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
            // Each thread scans eight elements. A bit says where a segment starts.
            let first = lane * 8;
            let own = count.max(first).min(first + 8) - first;
            let mut starts = 0_u32;
            let mut sum = elements[place(first)];
            for k in 0..own {
                let x = elements[place(first + k)];
                if marks[start + first + k] != 0 {
                    starts |= 1 << k;
                    sum = x;
                } else if k > 0 {
                    sum = combine(sum, x);
                }
                elements[place(first + k)] = sum;
            }
            // The threads' sums, and whether a segment starts in or before them.
            let mut is_open = if starts != 0 { 1_u32 } else { 0 };
            sums[lane] = sum;
            opened[lane] = is_open;
            let mut distance = 1;
            while distance < 256 {
                t_idx.barrier.wait();
                let before = sums[lane.max(distance) - distance];
                let open_before = opened[lane.max(distance) - distance];
                t_idx.barrier.wait();
                if lane >= distance {
                    if is_open == 0 {
                        sum = combine(before, sum);
                        sums[lane] = sum;
                    }
                    is_open |= open_before;
                    opened[lane] = is_open;
                }
                distance *= 2;
            }
            t_idx.barrier.wait();
            let last = (count - 1) / 8;
            if step == 0 {
                if lane == 0 {
                    totals[t_idx.tile] = sums[last];
                    total_marks[t_idx.tile] = opened[last];
                }
            } else {
                let carried = step == 1 && t_idx.tile[0] > 0;
                let block = t_idx.tile[0].max(1) - 1;
                let carry = if carried { totals[block] } else { initial };
                let before = sums[lane.max(1) - 1];
                let is_carried = carried && (lane == 0 || opened[lane.max(1) - 1] == 0);
                for k in 0..own {
                    if starts & ((2 << k) - 1) == 0 {
                        let mut x = elements[place(first + k)];
                        if lane > 0 {
                            x = combine(before, x);
                        }
                        if is_carried {
                            x = combine(carry, x);
                        }
                        elements[place(first + k)] = x;
                    }
                }
                t_idx.barrier.wait();
                for k in 0..8 {
                    let at = lane + k * 256;
                    if at < count {
                        if exclusive {
                            let mut x = initial;
                            if marks[start + at] == 0 {
                                if at > 0 {
                                    x = combine(initial, elements[place(at - 1)]);
                                } else if carried {
                                    x = combine(initial, carry);
                                }
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

__reduce_segments_kernel! {
    #[amp_kernel(T = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f32 | f64)]
    reduce_segments_of_numbers [T: Scalar + Number, const OPERATION: u32] [] T
    |a, b| { combined(OPERATION, a, b) }
}

__scan_segments_kernel! {
    #[amp_kernel(T = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f32 | f64)]
    scan_segments_of_numbers [T: Scalar + Number, const OPERATION: u32] [] T
    |a, b| { combined(OPERATION, a, b) }
}

/// Marks where a segment starts, unless that is the end.
#[amp_kernel]
fn mark_starts(idx: Index<1>, offsets: &ArrayView<u32, 1>, marks: &mut ArrayViewMut<u32, 1>) {
    let offset = offsets[idx] as usize;
    if offset != marks.extent()[0] {
        marks[offset] = 1;
    }
}

/// So long are segments, on average, that each gets a whole tile.
const LONG: usize = 1024;

/// Combines the elements of each segment: segment `i` reaches from `offsets[i]` to `offsets[i + 1]`, so
/// that there is one offset more than results. The result of an empty segment is `empty`, which is not
/// combined with anything.
///
/// The order is that in which [`reduce`](super::reduce) combines elements of one block, however long
/// the segment.
///
/// ```
/// use amp::algorithms::{Add, segmented_reduce};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(6, &[1, 2, 3, 4, 5, 6])?;
/// let offsets = Array::new(4, &[0, 2, 2, 6])?;
/// let mut sums = Array::zeroed(3)?;
/// segmented_reduce(&numbers, &offsets, &mut sums, 0, Add)?;
/// assert_eq!(sums.to_vec()?, [3, 0, 18]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`] if there is not one offset more than results; as
/// [`parallel_for_each`]. A segment with places where no element is, is a fault.
pub fn segmented_reduce<T: Element>(
    input: &impl Source<T>,
    offsets: &impl Source<u32>,
    results: &mut impl Target<T>,
    empty: T,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(input)?;
    segmented_reduce_on(queue, input, offsets, results, empty, operation)
}

/// [`segmented_reduce`] on a queue: see [`Workspace`].
///
/// # Errors
///
/// As [`segmented_reduce`].
pub fn segmented_reduce_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    offsets: &impl Source<u32>,
    results: &mut impl Target<T>,
    empty: T,
    operation: impl Operation<T>,
) -> Result<()> {
    let (input, offsets) = (input.elements(), offsets.elements());
    let mut results = results.elements_mut();
    let segments = results.extent()[0];
    if offsets.extent()[0] != segments + 1 {
        return Err(Error::InvalidArgument(format!(
            "{segments} segments have {} offsets, but {} were passed",
            segments + 1,
            offsets.extent()[0]
        )));
    }
    let threads = match input.extent()[0] / segments.max(1) < LONG {
        true => 32,
        false => 256,
    };
    let domain = tiles((segments * threads).div_ceil(256));
    let kernel = operation.reduce_segments(&input, &offsets, &mut results, threads, empty);
    queue.launch(domain, kernel)
}

/// Combines each element with all before it in its segment, as
/// [`inclusive_scan`](super::inclusive_scan). A segment starts at each of the offsets, which may be in
/// any order, and at the first element.
///
/// The order is that of the other scan, with nothing combined across the start of a segment.
///
/// ```
/// use amp::algorithms::{Add, segmented_inclusive_scan};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(6, &[1, 2, 3, 4, 5, 6])?;
/// let offsets = Array::new(2, &[0, 2])?;
/// let mut sums = Array::zeroed(6)?;
/// segmented_inclusive_scan(&numbers, &offsets, &mut sums, Add)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 3, 7, 12, 18]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`] if there are not as many results as elements; as
/// [`parallel_for_each`]. An offset behind the end is a fault.
pub fn segmented_inclusive_scan<T: Element>(
    input: &impl Source<T>,
    offsets: &impl Source<u32>,
    results: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(input)?;
    segmented_inclusive_scan_on(queue, input, offsets, results, operation)
}

/// [`segmented_inclusive_scan`] on a queue: see [`Workspace`].
///
/// # Errors
///
/// As [`segmented_inclusive_scan`].
pub fn segmented_inclusive_scan_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    offsets: &impl Source<u32>,
    results: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    scan(queue, input, offsets, results, &operation, None)
}

/// Combines an initial value with all elements before each in its segment, as
/// [`exclusive_scan`](super::exclusive_scan). Segments are those of [`segmented_inclusive_scan`].
///
/// ```
/// use amp::algorithms::{Add, segmented_exclusive_scan};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(6, &[1, 2, 3, 4, 5, 6])?;
/// let offsets = Array::new(2, &[0, 2])?;
/// let mut sums = Array::zeroed(6)?;
/// segmented_exclusive_scan(&numbers, &offsets, &mut sums, 10, Add)?;
/// assert_eq!(sums.to_vec()?, [10, 11, 10, 13, 17, 22]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`segmented_inclusive_scan`].
pub fn segmented_exclusive_scan<T: Element>(
    input: &impl Source<T>,
    offsets: &impl Source<u32>,
    results: &mut impl Target<T>,
    initial: T,
    operation: impl Operation<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(input)?;
    segmented_exclusive_scan_on(queue, input, offsets, results, initial, operation)
}

/// [`segmented_exclusive_scan`] on a queue: see [`Workspace`].
///
/// # Errors
///
/// As [`segmented_inclusive_scan`].
pub fn segmented_exclusive_scan_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    offsets: &impl Source<u32>,
    results: &mut impl Target<T>,
    initial: T,
    operation: impl Operation<T>,
) -> Result<()> {
    scan(queue, input, offsets, results, &operation, Some(initial))
}

fn scan<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    offsets: &impl Source<u32>,
    results: &mut impl Target<T>,
    operation: &impl Operation<T>,
    initial: Option<T>,
) -> Result<()> {
    let (input, offsets) = (input.elements(), offsets.elements());
    let mut results = results.elements_mut();
    let n = input.extent()[0];
    same_length_of(n, results.extent()[0])?;
    if n == 0 {
        return Ok(());
    }
    let mut kept = queue.temporary(n)?;
    let mut marks = kept.elements()?;
    fill_on(queue, &mut marks, 0)?;
    queue.launch(offsets.extent(), mark_starts(&offsets, &mut marks))?;
    blocks(
        queue,
        &input,
        &marks.as_view(),
        &mut results,
        operation,
        initial,
    )?;
    drop(marks);
    queue.keep(kept);
    Ok(())
}

/// The scan of marked elements, of which there are some.
fn blocks<T: Element>(
    queue: &mut Queue<'_>,
    input: &ArrayView<'_, T, 1>,
    marks: &ArrayView<'_, u32, 1>,
    results: &mut ArrayViewMut<'_, T, 1>,
    operation: &impl Operation<T>,
    initial: Option<T>,
) -> Result<()> {
    same_length(input, results)?;
    let of_step = |step| Scan {
        step,
        exclusive: initial.is_some(),
        initial: initial.unwrap_or(T::zeroed()),
    };
    let count = input.extent()[0].div_ceil(BLOCK);
    let domain = tiles(count);
    // Of the totals, whose scan the second step reads.
    let mut scanned = queue.temporary::<T>(count)?;
    let mut before = scanned.elements()?;
    let mut marked = queue.temporary::<u32>(count)?;
    let mut total_marks = marked.elements()?;
    if count == 1 {
        let kernel = operation.scan_segments(
            input,
            marks,
            results,
            &mut before,
            &mut total_marks,
            of_step(2),
        );
        queue.launch(domain, kernel)?;
    } else {
        let mut unscanned = queue.temporary(count)?;
        let mut totals = unscanned.elements()?;
        let kernel = operation.scan_segments(
            input,
            marks,
            &mut before,
            &mut totals,
            &mut total_marks,
            of_step(0),
        );
        queue.launch(domain, kernel)?;
        blocks(
            queue,
            &totals.as_view(),
            &total_marks.as_view(),
            &mut before,
            operation,
            None,
        )?;
        let kernel = operation.scan_segments(
            input,
            marks,
            results,
            &mut before,
            &mut total_marks,
            of_step(1),
        );
        queue.launch(domain, kernel)?;
        drop(totals);
        queue.keep(unscanned);
    }
    drop((before, total_marks));
    queue.keep(marked);
    queue.keep(scanned);
    Ok(())
}
