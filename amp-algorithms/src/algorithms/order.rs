//! Orders by a comparison: of keys that stay where they are, and of values with such keys.

use super::launcher::Launcher;
use super::merge::{Comparison, merged};
use super::moves::rearrange;
use super::queue::{Queue, Workspace};
use super::source::{Source, Target, same_length};
use super::transform::iota_on;
use crate::{Element, Result};

/// Computes the order in which elements are sorted by a comparison: `order[0]` is the place of the first one. Equal
/// elements keep their order, and all remain where they are. That of numbers is computed faster by
/// [`argsort`](super::argsort).
///
/// ```
/// use amp::algorithms::{argsort_by, comparison};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let keys = Array::new(4, &[[2, 0], [1, 7], [2, -1], [1, 3]])?;
/// let mut order = Array::zeroed(4)?;
/// argsort_by(&keys, &mut order, comparison!(|a: [i32; 2], b: [i32; 2]| a[0] < b[0]))?;
/// assert_eq!(order.to_vec()?, [1, 3, 0, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if the order has not as many elements as there are keys;
/// as [`parallel_for_each`](crate::parallel_for_each).
pub fn argsort_by<T: Element>(
    keys: &impl Source<T>,
    order: &mut impl Target<u32>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    argsort_by_on(&mut workspace.at(keys)?, keys, order, comparison)
}

/// [`argsort_by`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (keys, mut order) = (Array::new(3, &[2, 3, 1])?, Array::zeroed(3)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&keys.accelerator_view());
/// argsort_by_on(queue, &keys, &mut order, comparison!(|a: i32, b: i32| a > b))?;
/// assert_eq!(order.to_vec()?, [1, 0, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`argsort_by`].
pub fn argsort_by_on<T: Element>(
    queue: &mut Queue<'_>,
    keys: &impl Source<T>,
    order: &mut impl Target<u32>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    let (keys, mut order) = (keys.elements(), order.elements_mut());
    same_length(&keys, &order)?;
    let n = keys.extent()[0];
    if n == 0 {
        // A view of other rank is never empty.
        return Ok(());
    }
    iota_on(queue, &mut order, 0, 1)?;
    merged(
        queue,
        order.into_view_as([1, n])?,
        |from, to, width, queue| {
            queue.launch(
                from.extent(),
                comparison.merge_places(&keys, from, to, width),
            )
        },
    )
}

/// Sorts values by keys, and the keys, by a comparison of keys. Values with equal keys keep their order. By numbers,
/// values are sorted faster by [`sort_by_key`](super::sort_by_key).
///
/// ```
/// use amp::algorithms::{comparison, sort_by_key_by};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut keys = Array::new(3, &[[2, 5], [1, 9], [2, 4]])?;
/// let mut values = Array::new(3, &[0.0, 0.1, 0.2])?;
/// let before = comparison!(|a: [i32; 2], b: [i32; 2]| {
///     a[0] < b[0] || a[0] == b[0] && a[1] < b[1]
/// });
/// sort_by_key_by(&mut keys, &mut values, before)?;
/// assert_eq!(keys.to_vec()?, [[1, 9], [2, 4], [2, 5]]);
/// assert_eq!(values.to_vec()?, [0.1, 0.2, 0.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many values as keys; as
/// [`parallel_for_each`](crate::parallel_for_each).
pub fn sort_by_key_by<K: Element, V: Element>(
    keys: &mut impl Target<K>,
    values: &mut impl Target<V>,
    comparison: impl Comparison<K>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    sort_by_key_by_on(&mut workspace.at(keys)?, keys, values, comparison)
}

/// [`sort_by_key_by`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (mut keys, mut x) = (Array::new(2, &[1, 2])?, Array::new(2, &[0.5, 1.5])?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// sort_by_key_by_on(queue, &mut keys, &mut x, comparison!(|a: i32, b: i32| a > b))?;
/// assert_eq!((keys.to_vec()?, x.to_vec()?), (vec![2, 1], vec![1.5, 0.5]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`sort_by_key_by`].
pub fn sort_by_key_by_on<K: Element, V: Element>(
    queue: &mut Queue<'_>,
    keys: &mut impl Target<K>,
    values: &mut impl Target<V>,
    comparison: impl Comparison<K>,
) -> Result<()> {
    let (mut keys, mut values) = (keys.elements_mut(), values.elements_mut());
    same_length(&keys.as_view(), &values)?;
    let mut kept = queue.temporary(keys.extent()[0])?;
    let mut order = kept.elements()?;
    argsort_by_on(queue, &keys, &mut order, comparison)?;
    rearrange(queue, &order.as_view(), &mut keys)?;
    rearrange(queue, &order.as_view(), &mut values)?;
    drop(order);
    queue.keep(kept);
    Ok(())
}
