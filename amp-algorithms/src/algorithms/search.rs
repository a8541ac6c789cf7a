//! Places of elements: the smallest and the greatest, and where values belong among sorted ones.

use super::launcher::Launcher;
use super::merge::Comparison;
use super::numeric::Numeric;
use super::operation::{Max, Min, Operation};
use super::queue::{Queue, Workspace, tiles};
use super::reduce::{BLOCKS, in_two_steps, reduce_into};
use super::source::{Source, Target, same_length};
use crate::{ArrayView, ArrayViewMut, Element, Result};

/// The smallest element, and its first place. NaN counts only if there is nothing else.
///
/// ```
/// use amp::algorithms::min_element;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(min_element(&ArrayView::new(4, &[3, 1, 4, 1])?)?, (1, 1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce()).
pub fn min_element<T: Numeric>(input: &impl Source<T>) -> Result<(usize, T)>
where
    Min: Operation<T>,
{
    element(input, Min)
}

/// [`min_element`], whose value and place become the first elements of `value` and `place`: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let x = Array::new(4, &[3, 1, 4, 1])?;
/// let (mut value, mut place) = (Array::zeroed(1)?, Array::zeroed(1)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// min_element_into(queue, &x, &mut value, &mut place)?;
/// assert_eq!((value[0], place[0]), (1, 1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce_into`].
pub fn min_element_into<T: Numeric>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    value: &mut impl Target<T>,
    place: &mut impl Target<u32>,
) -> Result<()>
where
    Min: Operation<T>,
{
    element_into(queue, input, value, place, Min)
}

/// The greatest element, and its first place. NaN counts only if there is nothing else.
///
/// ```
/// use amp::algorithms::max_element;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(max_element(&ArrayView::new(4, &[0.5, 2.5, f32::NAN, 1.5])?)?, (1, 2.5));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce()).
pub fn max_element<T: Numeric>(input: &impl Source<T>) -> Result<(usize, T)>
where
    Max: Operation<T>,
{
    element(input, Max)
}

/// [`max_element`], whose value and place become the first elements of `value` and `place`: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let captures = (
///     Array::builder(3).on(&view).data(&[0.5, 2.5, 1.5]).build()?,
///     (Array::zeroed(1)?, Array::zeroed(1)?),
///     Workspace::default(),
/// );
/// let mut graph = view.record_with(captures, |recording, (x, (value, place), workspace)| {
///     max_element_into(&mut workspace.within(recording), x, value, place)
/// })?;
/// graph.replay()?;
/// let (value, place) = &graph.captures().1;
/// assert_eq!((value[0], place[0]), (2.5, 1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce_into`].
pub fn max_element_into<T: Numeric>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    value: &mut impl Target<T>,
    place: &mut impl Target<u32>,
) -> Result<()>
where
    Max: Operation<T>,
{
    element_into(queue, input, value, place, Max)
}

fn element<T: Numeric>(input: &impl Source<T>, operation: impl Operation<T>) -> Result<(usize, T)> {
    let (mut value, mut place) = (ArrayViewMut::uninit(1)?, ArrayViewMut::uninit(1)?);
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(input)?;
    element_into(queue, input, &mut value, &mut place, operation)?;
    Ok((place.data()?[0] as usize, value.data()?[0]))
}

/// The value, and then the first place of what is equal to it.
fn element_into<T: Numeric>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    value: &mut impl Target<T>,
    place: &mut impl Target<u32>,
    operation: impl Operation<T>,
) -> Result<()> {
    type Places<'a> = ArrayViewMut<'a, u32, 1>;
    reduce_into(queue, input, value, operation)?;
    let (input, value) = (input.elements(), value.elements());
    let first = |out: &mut Places<'_>, length, blocks, queue: &mut Queue<'_>| {
        queue.launch(tiles(blocks), T::first_equal(&input, out, length, &value))
    };
    let again = |parts: &Places<'_>, result: &mut Places<'_>, queue: &mut Queue<'_>| {
        let parts = parts.as_view();
        queue.launch(
            tiles(1),
            Operation::<u32>::reduce(&Min, &parts, result, BLOCKS),
        )
    };
    in_two_steps(queue, input.extent()[0], place, first, again)
}

/// For each value, how many of the sorted numbers are less: the first place where it could stand.
///
/// ```
/// use amp::algorithms::{lower_bound, upper_bound};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let sorted = Array::new(5, &[1, 3, 3, 3, 7])?;
/// let values = Array::new(3, &[0, 3, 9])?;
/// let mut places = Array::zeroed(3)?;
/// lower_bound(&sorted, &values, &mut places)?;
/// assert_eq!(places.to_vec()?, [0, 1, 5]);
/// upper_bound(&sorted, &values, &mut places)?;
/// assert_eq!(places.to_vec()?, [0, 4, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many places as
/// values; as [`parallel_for_each`](crate::parallel_for_each).
pub fn lower_bound<T: Numeric>(
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    lower_bound_on(&mut workspace.at(sorted)?, sorted, values, places)
}

/// [`lower_bound`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (sorted, x) = (Array::new(3, &[1, 5, 5])?, Array::new(1, &[5])?);
/// let mut places = Array::zeroed(1)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// lower_bound_on(queue, &sorted, &x, &mut places)?;
/// assert_eq!(places[0], 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`lower_bound`].
pub fn lower_bound_on<T: Numeric>(
    queue: &mut Queue<'_>,
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
) -> Result<()> {
    bounds(sorted, values, places, |sorted, values, places| {
        queue.launch(values.extent(), T::bounds(sorted, values, places, false))
    })
}

/// For each value, how many of the sorted numbers are not greater: the last place where it could
/// stand.
///
/// ```
/// use amp::algorithms::upper_bound;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let limits = Array::new(3, &[10.0, 20.0, 50.0])?;
/// let mut classes = Array::zeroed(4)?;
/// upper_bound(&limits, &Array::new(4, &[5.0, 10.0, 49.0, 70.0])?, &mut classes)?;
/// assert_eq!(classes.to_vec()?, [0, 1, 2, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`lower_bound`].
pub fn upper_bound<T: Numeric>(
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    upper_bound_on(&mut workspace.at(sorted)?, sorted, values, places)
}

/// [`upper_bound`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (sorted, x) = (Array::new(3, &[1, 5, 5])?, Array::new(1, &[5])?);
/// let mut places = Array::zeroed(1)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// upper_bound_on(queue, &sorted, &x, &mut places)?;
/// assert_eq!(places[0], 3);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`lower_bound`].
pub fn upper_bound_on<T: Numeric>(
    queue: &mut Queue<'_>,
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
) -> Result<()> {
    bounds(sorted, values, places, |sorted, values, places| {
        queue.launch(values.extent(), T::bounds(sorted, values, places, true))
    })
}

/// [`lower_bound`] of elements of any type, which are sorted by a comparison: for each value, how many elements
/// belong before it.
///
/// ```
/// use amp::algorithms::{comparison, lower_bound_by};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let sorted = Array::new(4, &[-1, 2, -3, 3])?;
/// let values = Array::new(2, &[3, -9])?;
/// let mut places = Array::zeroed(2)?;
/// lower_bound_by(&sorted, &values, &mut places, comparison!(|a: i32, b: i32| a.abs() < b.abs()))?;
/// assert_eq!(places.to_vec()?, [2, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`lower_bound`].
pub fn lower_bound_by<T: Element>(
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(sorted)?;
    lower_bound_by_on(queue, sorted, values, places, comparison)
}

/// [`lower_bound_by`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (sorted, x) = (Array::new(3, &[5, 5, 1])?, Array::new(1, &[5])?);
/// let mut places = Array::zeroed(1)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// let descending = comparison!(|a: i32, b: i32| a > b);
/// lower_bound_by_on(queue, &sorted, &x, &mut places, descending)?;
/// assert_eq!(places[0], 0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`lower_bound`].
pub fn lower_bound_by_on<T: Element>(
    queue: &mut Queue<'_>,
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    bounds(sorted, values, places, |sorted, values, places| {
        let kernel = comparison.bounds(sorted, values, places, false);
        queue.launch(values.extent(), kernel)
    })
}

/// [`upper_bound`] of elements of any type, which are sorted by a comparison: for each value, how many elements
/// it does not belong before.
///
/// ```
/// use amp::algorithms::{comparison, upper_bound_by};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let sorted = Array::new(4, &[-1, 2, -3, 3])?;
/// let values = Array::new(2, &[3, 0])?;
/// let mut places = Array::zeroed(2)?;
/// upper_bound_by(&sorted, &values, &mut places, comparison!(|a: i32, b: i32| a.abs() < b.abs()))?;
/// assert_eq!(places.to_vec()?, [4, 0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`lower_bound`].
pub fn upper_bound_by<T: Element>(
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    let queue = &mut workspace.at(sorted)?;
    upper_bound_by_on(queue, sorted, values, places, comparison)
}

/// [`upper_bound_by`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (sorted, x) = (Array::new(3, &[5, 5, 1])?, Array::new(1, &[5])?);
/// let mut places = Array::zeroed(1)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// let descending = comparison!(|a: i32, b: i32| a > b);
/// upper_bound_by_on(queue, &sorted, &x, &mut places, descending)?;
/// assert_eq!(places[0], 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`lower_bound`].
pub fn upper_bound_by_on<T: Element>(
    queue: &mut Queue<'_>,
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    bounds(sorted, values, places, |sorted, values, places| {
        let kernel = comparison.bounds(sorted, values, places, true);
        queue.launch(values.extent(), kernel)
    })
}

/// Launches what finds a place for each value.
fn bounds<T: Element>(
    sorted: &impl Source<T>,
    values: &impl Source<T>,
    places: &mut impl Target<u32>,
    launch: impl FnOnce(
        &ArrayView<'_, T, 1>,
        &ArrayView<'_, T, 1>,
        &mut ArrayViewMut<'_, u32, 1>,
    ) -> Result<()>,
) -> Result<()> {
    let (values, mut places) = (values.elements(), places.elements_mut());
    same_length(&values, &places)?;
    launch(&sorted.elements(), &values, &mut places)
}
