//! Algorithms that only move elements: `gather`, `scatter`, `reverse`, `rotate`.

use super::launcher::Launcher;
use super::queue::{Queue, Workspace};
use super::source::{Source, Target, same_length, same_length_of};
use super::words::by_word;
use crate::prelude::*;
use crate::{Element, Result};

/// Words of an element in the type of word that [`by_word`] chooses.
fn width<T: Element, Word>() -> usize {
    size_of::<T>() / size_of::<Word>()
}

#[amp_kernel(T = u8 | u16 | u32)]
fn copy_words<T: Scalar>(idx: Index<1>, from: &ArrayView<T, 1>, to: &mut ArrayViewMut<T, 1>) {
    to[idx] = from[idx];
}

#[amp_kernel(T = u8 | u16 | u32)]
fn gather_words<T: Scalar>(
    idx: Index<1>,
    from: &ArrayView<T, 1>,
    places: &ArrayView<u32, 1>,
    to: &mut ArrayViewMut<T, 1>,
    width: usize,
) {
    let element = idx[0] / width;
    to[idx] = from[places[element] as usize * width + (idx[0] - element * width)];
}

#[amp_kernel(T = u8 | u16 | u32)]
fn scatter_words<T: Scalar>(
    idx: Index<1>,
    from: &ArrayView<T, 1>,
    places: &ArrayView<u32, 1>,
    to: &mut ArrayViewMut<T, 1>,
    width: usize,
) {
    let element = idx[0] / width;
    to[places[element] as usize * width + (idx[0] - element * width)] = from[idx];
}

/// Exchanges each element of the first half with its counterpart.
#[amp_kernel(T = u8 | u16 | u32)]
fn reverse_words<T: Scalar>(idx: Index<1>, x: &mut ArrayViewMut<T, 1>, width: usize) {
    let (element, word) = (idx[0] / width, idx[0] % width);
    let other = x.extent()[0] - (element + 1) * width + word;
    let first = x[idx];
    x[idx] = x[other];
    x[other] = first;
}

#[amp_kernel(T = u8 | u16 | u32)]
fn rotate_words<T: Scalar>(
    idx: Index<1>,
    from: &ArrayView<T, 1>,
    to: &mut ArrayViewMut<T, 1>,
    by: usize,
) {
    let n = from.extent()[0];
    let before_end = n - by;
    to[idx] = if idx[0] < before_end {
        from[idx[0] + by]
    } else {
        from[idx[0] - before_end]
    };
}

/// Copies elements, by a kernel.
pub(super) fn copy_on<T: Element>(
    queue: &mut Queue<'_>,
    from: &impl Source<T>,
    to: &mut impl Target<T>,
) -> Result<()> {
    let (from, mut to) = (from.elements(), to.elements_mut());
    same_length(&from, &to)?;
    by_word!(T, Word => {
        let (from, mut to) = (from.reinterpret::<Word>()?, to.reinterpret::<Word>()?);
        queue.launch(to.extent(), copy_words(&from, &mut to))
    })
}

/// Moves the elements of an array to other places: the first becomes that at `order[0]`.
pub(super) fn rearrange<T: Element>(
    queue: &mut Queue<'_>,
    order: &ArrayView<'_, u32, 1>,
    elements: &mut ArrayViewMut<'_, T, 1>,
) -> Result<()> {
    let mut kept = queue.temporary(elements.extent()[0])?;
    let mut before = kept.elements()?;
    copy_on(queue, elements, &mut before)?;
    gather_on(queue, &before, order, elements)?;
    drop(before);
    queue.keep(kept);
    Ok(())
}

/// Copies the elements at given places: `results[i] = elements[places[i]]`.
///
/// ```
/// use amp::algorithms::gather;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let elements = Array::new(4, &[0.5, 1.5, 2.5, 3.5])?;
/// let mut results = Array::zeroed(3)?;
/// gather(&elements, &Array::new(3, &[3, 0, 3])?, &mut results)?;
/// assert_eq!(results.to_vec()?, [3.5, 0.5, 3.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many results as
/// places; as [`parallel_for_each`]. A place where no element is, is a fault.
pub fn gather<T: Element>(
    elements: &impl Source<T>,
    places: &impl Source<u32>,
    results: &mut impl Target<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    gather_on(&mut workspace.at(elements)?, elements, places, results)
}

/// [`gather`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new(3, &[10, 20, 30])?, Array::zeroed(3)?);
/// let places = Array::new(3, &[2, 0, 2])?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// gather_on(queue, &x, &places, &mut y)?;
/// assert_eq!(y.to_vec()?, [30, 10, 30]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`gather`].
pub fn gather_on<T: Element>(
    queue: &mut Queue<'_>,
    elements: &impl Source<T>,
    places: &impl Source<u32>,
    results: &mut impl Target<T>,
) -> Result<()> {
    let (from, places, mut to) = (
        elements.elements(),
        places.elements(),
        results.elements_mut(),
    );
    same_length(&places, &to)?;
    by_word!(T, Word => {
        let (from, mut to) = (from.reinterpret::<Word>()?, to.reinterpret::<Word>()?);
        let width = width::<T, Word>();
        queue.launch(to.extent(), gather_words(&from, &places, &mut to, width))
    })
}

/// Copies elements to given places: `results[places[i]] = elements[i]`. Of elements with the same
/// place, one is written; other results remain.
///
/// ```
/// use amp::algorithms::scatter;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let elements = Array::new(2, &[0.5, 1.5])?;
/// let mut results = Array::zeroed(4)?;
/// scatter(&elements, &Array::new(2, &[3, 0])?, &mut results)?;
/// assert_eq!(results.to_vec()?, [1.5, 0.0, 0.0, 0.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many places as
/// elements; as [`parallel_for_each`]. A place outside of the results is a fault.
pub fn scatter<T: Element>(
    elements: &impl Source<T>,
    places: &impl Source<u32>,
    results: &mut impl Target<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    scatter_on(&mut workspace.at(elements)?, elements, places, results)
}

/// [`scatter`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new(3, &[10, 20, 30])?, Array::zeroed(3)?);
/// let places = Array::new(3, &[2, 0, 1])?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// scatter_on(queue, &x, &places, &mut y)?;
/// assert_eq!(y.to_vec()?, [20, 30, 10]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`scatter`].
pub fn scatter_on<T: Element>(
    queue: &mut Queue<'_>,
    elements: &impl Source<T>,
    places: &impl Source<u32>,
    results: &mut impl Target<T>,
) -> Result<()> {
    let (from, places, mut to) = (
        elements.elements(),
        places.elements(),
        results.elements_mut(),
    );
    same_length_of(from.extent()[0], places.extent()[0])?;
    by_word!(T, Word => {
        let (from, mut to) = (from.reinterpret::<Word>()?, to.reinterpret::<Word>()?);
        let width = width::<T, Word>();
        queue.launch(from.extent(), scatter_words(&from, &places, &mut to, width))
    })
}

/// Reverses the order of elements.
///
/// ```
/// use amp::algorithms::reverse;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = Array::new(3, &[1, 2, 3])?;
/// reverse(&mut numbers)?;
/// assert_eq!(numbers.to_vec()?, [3, 2, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn reverse<T: Element>(elements: &mut impl Target<T>) -> Result<()> {
    let mut workspace = Workspace::default();
    reverse_on(&mut workspace.at(elements)?, elements)
}

/// [`reverse`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let mut x = Array::new(3, &[10, 20, 30])?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// reverse_on(queue, &mut x)?;
/// assert_eq!(x.to_vec()?, [30, 20, 10]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn reverse_on<T: Element>(queue: &mut Queue<'_>, elements: &mut impl Target<T>) -> Result<()> {
    let mut elements = elements.elements_mut();
    let half = elements.extent()[0] / 2;
    if half == 0 {
        return Ok(());
    }
    by_word!(T, Word => {
        let width = width::<T, Word>();
        let mut words = elements.reinterpret::<Word>()?;
        queue.launch(half * width, reverse_words(&mut words, width))
    })
}

/// Copies elements from a place on, and behind them those before it: `slice::rotate_left`, out of
/// place.
///
/// ```
/// use amp::algorithms::rotate;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(5, &[1, 2, 3, 4, 5])?;
/// let mut results = Array::zeroed(5)?;
/// rotate(&numbers, &mut results, 2)?;
/// assert_eq!(results.to_vec()?, [3, 4, 5, 1, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many results as
/// elements; as [`parallel_for_each`].
pub fn rotate<T: Element>(
    elements: &impl Source<T>,
    results: &mut impl Target<T>,
    place: usize,
) -> Result<()> {
    let mut workspace = Workspace::default();
    rotate_on(&mut workspace.at(elements)?, elements, results, place)
}

/// [`rotate`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new(3, &[10, 20, 30])?, Array::zeroed(3)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// rotate_on(queue, &x, &mut y, 1)?;
/// assert_eq!(y.to_vec()?, [20, 30, 10]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`rotate`].
pub fn rotate_on<T: Element>(
    queue: &mut Queue<'_>,
    elements: &impl Source<T>,
    results: &mut impl Target<T>,
    place: usize,
) -> Result<()> {
    let (from, mut to) = (elements.elements(), results.elements_mut());
    same_length(&from, &to)?;
    let place = place % from.extent()[0].max(1);
    by_word!(T, Word => {
        let (from, mut to) = (from.reinterpret::<Word>()?, to.reinterpret::<Word>()?);
        let by = place * width::<T, Word>();
        queue.launch(to.extent(), rotate_words(&from, &mut to, by))
    })
}
