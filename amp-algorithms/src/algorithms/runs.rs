//! Runs of equal numbers: `unique`, `run_length`.

use super::launcher::Launcher;
use super::numeric::Numeric;
use super::queue::Queue;
use super::select::{compact, counted};
use super::source::{Source, Target, same_length};
use crate::Result;
use crate::prelude::*;

/// Notes behind which element each run ends.
#[amp_kernel]
fn note_ends(idx: Index<1>, ranks: &ArrayView<u32, 1>, ends: &mut ArrayViewMut<u32, 1>) {
    let next = idx[0] + 1;
    if next == ranks.extent()[0] || ranks[next.min(ranks.extent()[0] - 1)] != ranks[idx] {
        ends[ranks[idx] as usize - 1] = next as u32;
    }
}

/// The lengths of the runs, of which there are as many as the last rank says.
#[amp_kernel]
fn lengths_of_runs(
    idx: Index<1>,
    ranks: &ArrayView<u32, 1>,
    ends: &ArrayView<u32, 1>,
    lengths: &mut ArrayViewMut<u32, 1>,
) {
    if idx[0] < ranks[ranks.extent()[0] - 1] as usize {
        let start = if idx[0] > 0 {
            ends[idx[0].max(1) - 1]
        } else {
            0
        };
        lengths[idx] = ends[idx] - start;
    }
}

/// Copies the first number of each run of equal ones to the first results, and returns how many there
/// are, as `Vec::dedup` does. Other results remain.
///
/// ```
/// use amp::algorithms::unique;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(6, &[3, 3, 1, 4, 4, 3])?;
/// let mut results = Array::zeroed(6)?;
/// assert_eq!(unique(&numbers, &mut results)?, 4);
/// assert_eq!(results.to_vec()?, [3, 1, 4, 3, 0, 0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`select`](super::select).
pub fn unique<T: Numeric>(input: &impl Source<T>, results: &mut impl Target<T>) -> Result<usize> {
    counted(input, |queue, count| {
        unique_on(queue, input, results, count)
    })
}

/// [`unique`] on a queue: see [`Workspace`](super::Workspace). How many there are becomes the first element
/// of `count`.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y, mut count) = (Array::new(3, &[7, 7, 5])?, Array::zeroed(3)?, Array::zeroed(1)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// unique_on(queue, &x, &mut y, &mut count)?;
/// assert_eq!((count[0], y[0], y[1]), (2, 7, 5));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`unique`].
pub fn unique_on<T: Numeric>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    count: &mut impl Target<u32>,
) -> Result<()> {
    let (input, mut results) = (input.elements(), results.elements_mut());
    same_length(&input, &results)?;
    let mark = |marks: &mut ArrayViewMut<'_, u32, 1>, queue: &mut Queue<'_>| {
        queue.launch(marks.extent(), T::heads(&input, marks))
    };
    let ranked = |_: &ArrayView<'_, u32, 1>, _: &mut Queue<'_>| Ok(());
    compact(queue, &input, &mut results, false, count, mark, ranked)
}

/// Encodes runs of equal numbers: copies the first number of each run to the first values, and how long
/// the run is to the first lengths. Returns how many runs there are; other values and lengths remain.
///
/// ```
/// use amp::algorithms::run_length;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(6, &[3, 3, 1, 4, 4, 4])?;
/// let (mut values, mut lengths) = (Array::zeroed(6)?, Array::zeroed(6)?);
/// assert_eq!(run_length(&numbers, &mut values, &mut lengths)?, 3);
/// assert_eq!(values.to_vec()?[..3], [3, 1, 4]);
/// assert_eq!(lengths.to_vec()?[..3], [2, 1, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many values and
/// lengths as elements; as [`select`](super::select).
pub fn run_length<T: Numeric>(
    input: &impl Source<T>,
    values: &mut impl Target<T>,
    lengths: &mut impl Target<u32>,
) -> Result<usize> {
    counted(input, |queue, count| {
        run_length_on(queue, input, values, lengths, count)
    })
}

/// [`run_length`] on a queue: see [`Workspace`](super::Workspace). How many runs there are becomes the first
/// element of `count`.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y, mut count) = (Array::new(3, &[7, 7, 5])?, Array::zeroed(3)?, Array::zeroed(1)?);
/// let mut lengths = Array::zeroed(3)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// run_length_on(queue, &x, &mut y, &mut lengths, &mut count)?;
/// assert_eq!((count[0], lengths[0], lengths[1]), (2, 2, 1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`run_length`].
pub fn run_length_on<T: Numeric>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    values: &mut impl Target<T>,
    lengths: &mut impl Target<u32>,
    count: &mut impl Target<u32>,
) -> Result<()> {
    let (input, mut values) = (input.elements(), values.elements_mut());
    let mut lengths = lengths.elements_mut();
    same_length(&input, &values)?;
    same_length(&input, &lengths)?;
    let n = input.extent()[0];
    let mut kept = queue.temporary(n)?;
    let mut ends = kept.elements()?;
    let mark = |marks: &mut ArrayViewMut<'_, u32, 1>, queue: &mut Queue<'_>| {
        queue.launch(n, T::heads(&input, marks))
    };
    let ranked = |ranks: &ArrayView<'_, u32, 1>, queue: &mut Queue<'_>| {
        queue.launch(n, note_ends(ranks, &mut ends))?;
        queue.launch(n, lengths_of_runs(ranks, &ends, &mut lengths))
    };
    compact(queue, &input, &mut values, false, count, mark, ranked)?;
    drop(ends);
    queue.keep(kept);
    Ok(())
}
