//! Sorts of numbers, by their digits.

use super::host;
use super::moves::{copy_on, gather_on, rearrange};
use super::queue::{Queue, Workspace};
use super::radix::{
    ALONE, DESCENDING, FLOAT, Keys, LookBack, Pairs, Pass, SIGNED, UNSIGNED, WITH_PLACES,
    WITH_VALUES, run,
};
use super::source::{Source, Target, same_length};
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;
use crate::{Element, Result};

mod sealed {
    /// A number, and its bits.
    pub trait Number {
        type Bits: super::Keys;
        const ORDER: u32;
    }
}

/// A number that arrays are sorted by: an integer of 8 to 64 bits, `f32` or `f64`, and with the feature `half`
/// `f16` or `bf16`. Floats have the order of `f32::total_cmp`: -NaN, -∞, .., -0, +0, .., ∞, NaN.
///
/// ```
/// use amp::algorithms::{SortKey, sort};
/// use amp::prelude::*;
///
/// fn smallest<K: SortKey>(numbers: &[K]) -> amp::Result<K> {
///     let mut numbers = Array::new(numbers.len(), numbers)?;
///     sort(&mut numbers)?;
///     Ok(numbers.to_vec()?[0])
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!((smallest(&[3, -1, 2])?, smallest(&[0.5, -0.5])?), (-1, -0.5));
/// # Ok(())
/// # }
/// ```
pub trait SortKey: Element + sealed::Number {}

macro_rules! keys {
    ($($order:ident: $($number:ident = $bits:ident)*;)*) => {$($(
        impl sealed::Number for $number {
            type Bits = $bits;
            const ORDER: u32 = $order;
        }
        impl SortKey for $number {}
    )*)*};
}
keys! {
    UNSIGNED: u8 = u8 u16 = u16 u32 = u32 u64 = u64;
    SIGNED: i8 = u8 i16 = u16 i32 = u32 i64 = u64;
    FLOAT: f32 = u32 f64 = u64;
}
#[cfg(feature = "half")]
keys! {
    FLOAT: f16 = u16 bf16 = u16;
}

/// Sorts numbers from the smallest to the greatest. Floats have the order of `f32::total_cmp`.
///
/// ```
/// use amp::algorithms::sort;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = Array::new(5, &[0.5, -1.0, 3.5, f32::NEG_INFINITY, 0.0])?;
/// sort(&mut numbers)?;
/// assert_eq!(numbers.to_vec()?, [f32::NEG_INFINITY, -1.0, 0.0, 0.5, 3.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn sort<K: SortKey>(keys: &mut impl Target<K>) -> Result<()> {
    let mut workspace = Workspace::default();
    sort_on(&mut workspace.at(keys)?, keys)
}

/// [`sort`] on a queue.
///
/// ```
/// use amp::algorithms::{Workspace, sort_on};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let mut numbers = Array::builder(3).on(&view).data(&[3_u64, 1, 2]).build()?;
/// sort_on(&mut Workspace::default().on(&view), &mut numbers)?;
/// assert_eq!(numbers.to_vec()?, [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn sort_on<K: SortKey>(queue: &mut Queue<'_>, keys: &mut impl Target<K>) -> Result<()> {
    let mut keys = keys.elements_mut();
    let mut bits = keys.reinterpret::<K::Bits>()?;
    // No values; a kernel has views of some all the same.
    let (mut one, mut other) = (queue.temporary(1)?, queue.temporary(1)?);
    let (mut some, mut others) = (one.elements()?, other.elements()?);
    sorted(queue, K::ORDER, ALONE, &mut bits, &mut some, &mut others)?;
    drop((some, others));
    queue.keep(other);
    queue.keep(one);
    Ok(())
}

/// Sorts numbers, and the elements of another array in the same way: `values[i]` stays with
/// `keys[i]`. Values of equal keys keep their order.
///
/// ```
/// use amp::algorithms::sort_by_key;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut keys = Array::new(4, &[2, 1, 2, -1])?;
/// let mut values = Array::new(4, &[0.0, 0.1, 0.2, 0.3])?;
/// sort_by_key(&mut keys, &mut values)?;
/// assert_eq!(keys.to_vec()?, [-1, 1, 2, 2]);
/// assert_eq!(values.to_vec()?, [0.3, 0.1, 0.0, 0.2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many values as
/// keys; as [`parallel_for_each`].
pub fn sort_by_key<K: SortKey, V: Element>(
    keys: &mut impl Target<K>,
    values: &mut impl Target<V>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    sort_by_key_on(&mut workspace.at(keys)?, keys, values)
}

/// [`sort_by_key`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (mut keys, mut x) = (Array::new(2, &[2_u8, 1])?, Array::new(2, &[0.5, 1.5])?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// sort_by_key_on(queue, &mut keys, &mut x)?;
/// assert_eq!((keys.to_vec()?, x.to_vec()?), (vec![1, 2], vec![1.5, 0.5]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`sort_by_key`].
pub fn sort_by_key_on<K: SortKey, V: Element>(
    queue: &mut Queue<'_>,
    keys: &mut impl Target<K>,
    values: &mut impl Target<V>,
) -> Result<()> {
    let (mut keys, mut values) = (keys.elements_mut(), values.elements_mut());
    same_length(&keys.as_view(), &values)?;
    let n = keys.extent()[0];
    let mut bits = keys.reinterpret::<K::Bits>()?;
    let mut kept = queue.temporary(n)?;
    let mut others = kept.elements()?;
    if size_of::<V>() == 4 && align_of::<V>() == 4 {
        let mut words = values.reinterpret::<u32>()?;
        sorted(
            queue,
            K::ORDER,
            WITH_VALUES,
            &mut bits,
            &mut words,
            &mut others,
        )?;
    } else {
        // The values follow where the keys came from.
        let mut order = queue.temporary(n)?;
        let mut places = order.elements()?;
        sorted(
            queue,
            K::ORDER,
            WITH_PLACES,
            &mut bits,
            &mut places,
            &mut others,
        )?;
        rearrange(queue, &places.as_view(), &mut values)?;
        drop(places);
        queue.keep(order);
    }
    drop(others);
    queue.keep(kept);
    Ok(())
}

/// Computes the order in which numbers are sorted: `order[0]` is the place of the smallest one, and
/// of equal ones the first comes first. The numbers remain where they are.
///
/// ```
/// use amp::algorithms::argsort;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let keys = Array::new(4, &[2_u8, 1, 2, 0])?;
/// let mut order = Array::zeroed(4)?;
/// argsort(&keys, &mut order)?;
/// assert_eq!(order.to_vec()?, [3, 1, 0, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`sort_by_key`].
pub fn argsort<K: SortKey>(keys: &impl Source<K>, order: &mut impl Target<u32>) -> Result<()> {
    let mut workspace = Workspace::default();
    argsort_on(&mut workspace.at(keys)?, keys, order)
}

/// [`argsort`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (keys, mut order) = (Array::new(3, &[2, 3, 1])?, Array::zeroed(3)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&keys.accelerator_view());
/// argsort_on(queue, &keys, &mut order)?;
/// assert_eq!(order.to_vec()?, [2, 0, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`sort_by_key`].
pub fn argsort_on<K: SortKey>(
    queue: &mut Queue<'_>,
    keys: &impl Source<K>,
    order: &mut impl Target<u32>,
) -> Result<()> {
    ordered(queue, K::ORDER, keys, order)
}

/// Copies the greatest numbers, from the greatest on, as many as there is room for, and their
/// places. Of equal ones the first come first.
///
/// ```
/// use amp::algorithms::top_k;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(5, &[3.0, 1.0, 4.0, 1.0, 5.0])?;
/// let (mut greatest, mut places) = (Array::zeroed(2)?, Array::zeroed(2)?);
/// top_k(&numbers, &mut greatest, &mut places)?;
/// assert_eq!((greatest.to_vec()?, places.to_vec()?), (vec![5.0, 4.0], vec![4, 2]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there is not as much room for places
/// as for numbers; an error of [`ArrayView::section`] if there is more room than numbers; as
/// [`parallel_for_each`].
pub fn top_k<K: SortKey>(
    numbers: &impl Source<K>,
    greatest: &mut impl Target<K>,
    places: &mut impl Target<u32>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    top_k_on(&mut workspace.at(numbers)?, numbers, greatest, places)
}

/// [`top_k`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut greatest, mut place) = (Array::new(3, &[2, 3, 1])?, Array::zeroed(1)?, Array::zeroed(1)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// top_k_on(queue, &x, &mut greatest, &mut place)?;
/// assert_eq!((greatest[0], place[0]), (3, 1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`top_k`].
pub fn top_k_on<K: SortKey>(
    queue: &mut Queue<'_>,
    numbers: &impl Source<K>,
    greatest: &mut impl Target<K>,
    places: &mut impl Target<u32>,
) -> Result<()> {
    let (n, mut places) = (numbers.elements().extent(), places.elements_mut());
    if places.extent()[0] == 0 {
        return same_length(&places.as_view(), &greatest.elements_mut());
    }
    let mut all = queue.temporary(n[0])?;
    let mut order = all.elements()?;
    ordered(queue, K::ORDER + DESCENDING, numbers, &mut order)?;
    copy_on(
        queue,
        &order.as_view().section(0, places.extent())?,
        &mut places,
    )?;
    gather_on(queue, numbers, &places, greatest)?;
    drop(order);
    queue.keep(all);
    Ok(())
}

fn ordered<K: SortKey>(
    queue: &mut Queue<'_>,
    order: u32,
    keys: &impl Source<K>,
    places: &mut impl Target<u32>,
) -> Result<()> {
    let (keys, mut places) = (keys.elements(), places.elements_mut());
    same_length(&keys, &places)?;
    let n = keys.extent()[0];
    let (mut one, mut other) = (queue.temporary(n)?, queue.temporary(n)?);
    let (mut bits, mut others) = (one.elements()?, other.elements()?);
    copy_on(queue, &keys.reinterpret::<K::Bits>()?, &mut bits)?;
    sorted(
        queue,
        order,
        WITH_PLACES,
        &mut bits,
        &mut places,
        &mut others,
    )?;
    drop((bits, others));
    queue.keep(other);
    queue.keep(one);
    Ok(())
}

/// Sorts keys and values in place; the other values are for what is between two passes.
fn sorted<K: Keys>(
    queue: &mut Queue<'_>,
    order: u32,
    values_are: u32,
    keys: &mut ArrayViewMut<'_, K, 1>,
    values: &mut ArrayViewMut<'_, u32, 1>,
    other_values: &mut ArrayViewMut<'_, u32, 1>,
) -> Result<()> {
    if queue.is_on_host() {
        return host::sort(order, values_are, keys, values);
    }
    let mut kept = queue.temporary::<K>(keys.extent()[0])?;
    let mut other_keys = kept.elements()?;
    let mut look_back = LookBack::new::<K>(queue, keys, order, values_are)?;
    for byte in 0..size_of::<K>() {
        let pass = Pass {
            shift: 8 * byte as u32,
            order,
            // Afterwards there are values.
            values_are: match byte {
                0 => values_are,
                _ => values_are.min(WITH_VALUES),
            },
        };
        let counted = look_back.as_mut();
        match byte % 2 {
            0 => {
                let from = Pairs {
                    keys: keys.as_view(),
                    values: values.as_view(),
                };
                run(queue, counted, pass, &from, &mut other_keys, other_values)?;
            }
            _ => {
                let from = Pairs {
                    keys: other_keys.as_view(),
                    values: other_values.as_view(),
                };
                run(queue, counted, pass, &from, keys, values)?;
            }
        }
    }
    if let Some(look_back) = look_back {
        look_back.keep(queue);
    }
    if size_of::<K>() % 2 == 1 {
        copy_on(queue, &other_keys, keys)?;
        if values_are != ALONE {
            copy_on(queue, &*other_values, values)?;
        }
    }
    drop(other_keys);
    queue.keep(kept);
    Ok(())
}
