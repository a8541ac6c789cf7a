//! Segments: reductions and scans of parts that lie one behind the other.
//!
//! A reduction needs no steps: a tile has a segment, or, where segments are short on average, eight
//! of them. Both combine elements in the order in which [`reduce`](super::reduce) combines those of
//! one block. A scan takes the steps of the others, with a mark where each segment starts.

mod kernels;
mod whole_blocks;

pub(super) use kernels::{reduce_segments_of_numbers, scan_segments_of_numbers};
pub(super) use whole_blocks::scan_segments_whole_of_numbers;

use crate::algorithms::fill::fill_on;
use crate::algorithms::launcher::Launcher;
use crate::algorithms::operation::Operation;
use crate::algorithms::queue::{Queue, Workspace, tiles};
use crate::algorithms::scan::{BLOCK, Scan};
use crate::algorithms::source::{Source, Target, same_length, same_length_of};
use crate::prelude::*;
use crate::{Element, Error, Result};

/// Marks where a segment starts, unless that is the end. Empty segments start where others do.
#[amp_kernel]
fn mark_starts(idx: Index<1>, offsets: &ArrayView<u32, 1>, marks: &mut ArrayViewMut<u32, 1>) {
    let offset = offsets[idx] as usize;
    if offset != marks.extent()[0] {
        atomic_store(&mut marks[offset], 1);
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
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, offsets) = (Array::new(3, &[1, 2, 4])?, Array::new(2, &[0, 3])?);
/// let mut sums = Array::zeroed(1)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// segmented_reduce_on(queue, &x, &offsets, &mut sums, 0, Add)?;
/// assert_eq!(sums[0], 7);
/// # Ok(())
/// # }
/// ```
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
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, offsets) = (Array::new(3, &[1, 2, 4])?, Array::new(2, &[0, 2])?);
/// let mut sums = Array::zeroed(3)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// segmented_inclusive_scan_on(queue, &x, &offsets, &mut sums, Add)?;
/// assert_eq!(sums.to_vec()?, [1, 3, 4]);
/// # Ok(())
/// # }
/// ```
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
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, offsets) = (Array::new(3, &[1, 2, 4])?, Array::new(2, &[0, 2])?);
/// let mut sums = Array::zeroed(3)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// segmented_exclusive_scan_on(queue, &x, &offsets, &mut sums, 0, Add)?;
/// assert_eq!(sums.to_vec()?, [0, 1, 0]);
/// # Ok(())
/// # }
/// ```
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
    let whole = queue.is_on_software() || queue.is_on_cpu();
    let launch = |out: &mut ArrayViewMut<'_, T, 1>,
                  totals: &mut ArrayViewMut<'_, T, 1>,
                  total_marks: &mut ArrayViewMut<'_, u32, 1>,
                  step,
                  queue: &mut Queue<'_>| {
        let step = of_step(step);
        match whole {
            true => {
                let kernel =
                    operation.scan_segments_whole(input, marks, out, totals, total_marks, step);
                queue.launch(count, kernel)
            }
            false => {
                let kernel = operation.scan_segments(input, marks, out, totals, total_marks, step);
                queue.launch(tiles(count), kernel)
            }
        }
    };
    // Of the totals, whose scan the second step reads.
    let mut scanned = queue.temporary::<T>(count)?;
    let mut before = scanned.elements()?;
    let mut marked = queue.temporary::<u32>(count)?;
    let mut total_marks = marked.elements()?;
    if count == 1 {
        launch(results, &mut before, &mut total_marks, 2, queue)?;
    } else {
        let mut unscanned = queue.temporary(count)?;
        let mut totals = unscanned.elements()?;
        launch(&mut before, &mut totals, &mut total_marks, 0, queue)?;
        blocks(
            queue,
            &totals.as_view(),
            &total_marks.as_view(),
            &mut before,
            operation,
            None,
        )?;
        launch(results, &mut before, &mut total_marks, 1, queue)?;
        drop(totals);
        queue.keep(unscanned);
    }
    drop((before, total_marks));
    queue.keep(marked);
    queue.keep(scanned);
    Ok(())
}
