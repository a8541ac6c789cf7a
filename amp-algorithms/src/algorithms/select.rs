//! Elements by a condition: `count_if`, `any`, `all`, `select`, `partition`.

use super::fill::fill_on;
use super::launcher::Launcher;
use super::moves::copy_on;
use super::operation::{Add, Operation};
use super::place::{Place, place_on};
use super::predicate::Predicate;
use super::queue::{Queue, Workspace, tiles};
use super::reduce::{BLOCKS, in_two_steps};
use super::scan::inclusive_scan_on;
use super::source::{Source, Target, same_length};
use super::words::by_word;
use crate::prelude::*;
use crate::{Element, Result};

/// Moves the marked elements to the front, in their order, and, if `others` says so, the others
/// behind them. `ranks` has the number of marked elements up to each.
#[amp_kernel(T = u8 | u16 | u32)]
fn place_words<T: Scalar>(
    idx: Index<1>,
    from: &ArrayView<T, 1>,
    ranks: &ArrayView<u32, 1>,
    to: &mut ArrayViewMut<T, 1>,
    width: usize,
    others: bool,
) {
    let element = idx[0] / width;
    let word = idx[0] - element * width;
    let rank = ranks[element];
    let before = if element > 0 {
        ranks[element.max(1) - 1]
    } else {
        0
    };
    if rank != before {
        to[before as usize * width + word] = from[idx];
    } else if others {
        let marked = ranks[ranks.extent()[0] - 1] as usize;
        to[(marked + element - rank as usize) * width + word] = from[idx];
    }
}

#[amp_kernel]
fn is_at_least(idx: Index<1>, count: &mut ArrayViewMut<u32, 1>, least: u32) {
    count[idx] = if count[idx] >= least { 1 } else { 0 };
}

/// Counts the elements for which a condition holds.
///
/// ```
/// use amp::algorithms::{count_if, predicate};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = ArrayView::new(4, &[0.5, -1.0, f32::NAN, 2.0])?;
/// assert_eq!(count_if(&numbers, predicate!(|x: f32| x > 0.0))?, 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn count_if<T: Element>(input: &impl Source<T>, predicate: impl Predicate<T>) -> Result<usize> {
    counted(input, |queue, count| {
        count_if_into(queue, input, count, predicate)
    })
}

/// [`count_if`], whose result becomes the first element of `count`: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut count) = (Array::new(3, &[-1, 2, 3])?, Array::zeroed(1)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// count_if_into(queue, &x, &mut count, predicate!(|x: i32| x > 0))?;
/// assert_eq!(count[0], 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn count_if_into<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    count: &mut impl Target<u32>,
    predicate: impl Predicate<T>,
) -> Result<()> {
    type Counts<'a> = ArrayViewMut<'a, u32, 1>;
    let input = input.elements();
    if input.extent()[0] == 0 {
        return fill_on(queue, &mut count.elements_mut().section(0, 1)?, 0);
    }
    let first = |out: &mut Counts<'_>, length, blocks, queue: &mut Queue<'_>| {
        queue.launch(tiles(blocks), predicate.count(&input, out, length))
    };
    let again = |parts: &Counts<'_>, result: &mut Counts<'_>, queue: &mut Queue<'_>| {
        let parts = parts.as_view();
        queue.launch(
            tiles(1),
            Operation::<u32>::reduce(&Add, &parts, result, BLOCKS),
        )
    };
    in_two_steps(queue, input.extent()[0], count, first, again)
}

/// Whether a condition holds for some element.
///
/// ```
/// use amp::algorithms::{all, any, predicate};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = ArrayView::new(3, &[1, 2, 3])?;
/// assert!(any(&numbers, predicate!(|x: i32| x % 2 == 0))?);
/// assert!(!all(&numbers, predicate!(|x: i32| x % 2 == 0))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn any<T: Element>(input: &impl Source<T>, predicate: impl Predicate<T>) -> Result<bool> {
    Ok(count_if(input, predicate)? > 0)
}

/// [`any`], which makes the first element of `result` 1 or 0: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut result) = (Array::new(3, &[-1, 2, 3])?, Array::zeroed(1)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// any_into(queue, &x, &mut result, predicate!(|x: i32| x < 0))?;
/// assert_eq!(result[0], 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn any_into<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    result: &mut impl Target<u32>,
    predicate: impl Predicate<T>,
) -> Result<()> {
    has_at_least(queue, input, result, 1, predicate)
}

/// Whether a condition holds for all elements.
///
/// ```
/// use amp::algorithms::{all, predicate};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(3, &[0.5, 1.0, f64::INFINITY])?;
/// assert!(!all(&numbers, predicate!(|x: f64| x.is_finite()))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn all<T: Element>(input: &impl Source<T>, predicate: impl Predicate<T>) -> Result<bool> {
    Ok(count_if(input, predicate)? == input.elements().extent()[0])
}

/// [`all`], which makes the first element of `result` 1 or 0: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let captures = (
///     Array::builder(2).on(&view).data(&[0.5, 2.0]).build()?,
///     Array::zeroed(1)?,
///     Workspace::default(),
/// );
/// let mut graph = view.record_with(captures, |recording, (x, result, workspace)| {
///     all_into(&mut workspace.within(recording), x, result, predicate!(|x: f64| x < 1.0))
/// })?;
/// graph.replay()?;
/// assert_eq!(graph.captures().1[0], 0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn all_into<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    result: &mut impl Target<u32>,
    predicate: impl Predicate<T>,
) -> Result<()> {
    let n = input.elements().extent()[0];
    has_at_least(queue, input, result, n as u32, predicate)
}

/// Makes the first element 1 if a condition holds for so many elements, else 0.
fn has_at_least<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    result: &mut impl Target<u32>,
    least: u32,
    predicate: impl Predicate<T>,
) -> Result<()> {
    count_if_into(queue, input, result, predicate)?;
    let mut result = result.elements_mut();
    queue.launch(1, is_at_least(&mut result, least))
}

/// Copies the elements for which a condition holds to the first results, in their order, and returns
/// how many there are. Other results remain.
///
/// ```
/// use amp::algorithms::{predicate, select};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(5, &[3, -1, 4, -1, 5])?;
/// let mut positive = Array::zeroed(5)?;
/// assert_eq!(select(&numbers, &mut positive, predicate!(|x: i32| x > 0))?, 3);
/// assert_eq!(positive.to_vec()?, [3, 4, 5, 0, 0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many results as
/// elements; as [`reduce`](super::reduce).
pub fn select<T: Element>(
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    predicate: impl Predicate<T>,
) -> Result<usize> {
    counted(input, |queue, count| {
        select_on(queue, input, results, count, predicate)
    })
}

/// [`select`] on a queue: see [`Workspace`]. How many there are becomes the first element of `count`.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y, mut count) = (Array::new(3, &[-1, 2, 3])?, Array::zeroed(3)?, Array::zeroed(1)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// select_on(queue, &x, &mut y, &mut count, predicate!(|x: i32| x > 0))?;
/// assert_eq!((count[0], y[0], y[1]), (2, 2, 3));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`select`].
pub fn select_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    count: &mut impl Target<u32>,
    predicate: impl Predicate<T>,
) -> Result<()> {
    placed(queue, input, results, count, &predicate, Place::Move)
}

/// Copies the elements for which a condition holds, and behind them the others, both in their order.
/// Returns for how many it holds.
///
/// ```
/// use amp::algorithms::{partition, predicate};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(5, &[3, -1, 4, -2, 5])?;
/// let mut results = Array::zeroed(5)?;
/// assert_eq!(partition(&numbers, &mut results, predicate!(|x: i32| x > 0))?, 3);
/// assert_eq!(results.to_vec()?, [3, 4, 5, -1, -2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`select`].
pub fn partition<T: Element>(
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    predicate: impl Predicate<T>,
) -> Result<usize> {
    counted(input, |queue, count| {
        partition_on(queue, input, results, count, predicate)
    })
}

/// [`partition`] on a queue: see [`Workspace`]. For how many it holds becomes the first element of
/// `count`.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y, mut count) = (Array::new(3, &[-1, 2, 3])?, Array::zeroed(3)?, Array::zeroed(1)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// partition_on(queue, &x, &mut y, &mut count, predicate!(|x: i32| x > 0))?;
/// assert_eq!((count[0], y.to_vec()?), (2, vec![2, 3, -1]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`select`].
pub fn partition_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    count: &mut impl Target<u32>,
    predicate: impl Predicate<T>,
) -> Result<()> {
    placed(queue, input, results, count, &predicate, Place::MoveAll)
}

/// Runs an algorithm where its input lives, and returns the number that it computes.
pub(super) fn counted<T: Element>(
    input: &impl Source<T>,
    run: impl FnOnce(&mut Queue<'_>, &mut ArrayViewMut<'_, u32, 1>) -> Result<()>,
) -> Result<usize> {
    let mut workspace = Workspace::default();
    let mut count = ArrayViewMut::uninit(1)?;
    run(&mut workspace.at(input)?, &mut count)?;
    Ok(count.data()?[0] as usize)
}

fn placed<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    count: &mut impl Target<u32>,
    predicate: &impl Predicate<T>,
    step: Place,
) -> Result<()> {
    let (input, mut results) = (input.elements(), results.elements_mut());
    same_length(&input, &results)?;
    if queue.is_on_cpu() {
        // The kernels of blocks have closures around barriers, and would run as coroutines there.
        let others = matches!(step, Place::MoveAll);
        let mark = |marks: &mut ArrayViewMut<'_, u32, 1>, queue: &mut Queue<'_>| {
            queue.launch(marks.extent(), predicate.mark(&input, marks))
        };
        let ranked = |_: &ArrayView<'_, u32, 1>, _: &mut Queue<'_>| Ok(());
        return compact(queue, &input, &mut results, others, count, mark, ranked);
    }
    place_on(queue, &input, &mut results, count, predicate, step)
}

/// Has elements marked, and copies those that are marked to the first results: each to its rank, the number
/// of elements that are marked up to it. Then calls `ranked` with the ranks. How many elements are marked
/// becomes the first element of `count`.
pub(super) fn compact<T: Element>(
    queue: &mut Queue<'_>,
    input: &ArrayView<'_, T, 1>,
    results: &mut ArrayViewMut<'_, T, 1>,
    others: bool,
    count: &mut impl Target<u32>,
    mark: impl FnOnce(&mut ArrayViewMut<'_, u32, 1>, &mut Queue<'_>) -> Result<()>,
    ranked: impl FnOnce(&ArrayView<'_, u32, 1>, &mut Queue<'_>) -> Result<()>,
) -> Result<()> {
    let n = input.extent()[0];
    let (mut kept_marks, mut kept_ranks) = (queue.temporary(n)?, queue.temporary(n)?);
    let (mut marks, mut scanned) = (kept_marks.elements()?, kept_ranks.elements()?);
    mark(&mut marks, queue)?;
    inclusive_scan_on(queue, &marks, &mut scanned, Add)?;
    let ranks = scanned.as_view();
    by_word!(T, Word => {
        let (from, mut to) = (input.reinterpret::<Word>()?, results.reinterpret::<Word>()?);
        let width = size_of::<T>() / size_of::<Word>();
        queue.launch(from.extent(), place_words(&from, &ranks, &mut to, width, others))
    })?;
    ranked(&ranks, queue)?;
    let mut count = count.elements_mut();
    let mut count = count.section(0, 1)?;
    match n {
        0 => fill_on(queue, &mut count, 0)?,
        n => copy_on(queue, &ranks.section(n - 1, 1)?, &mut count)?,
    }
    drop((marks, scanned));
    queue.keep(kept_ranks);
    queue.keep(kept_marks);
    Ok(())
}
