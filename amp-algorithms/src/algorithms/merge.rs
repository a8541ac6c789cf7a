//! Sorts by merges of sorted runs, twice as long each time: of elements of any type, by a comparison, and of the
//! rows of matrices.

use super::host_lines;
use super::launcher::Launcher;
use super::queue::{Queue, Workspace};
use super::radix::digits::{Bits, inverted_by, is_less};
use super::sort::SortKey;
use super::source::Target;
use crate::__private::rows_as_mut;
use crate::prelude::*;
use crate::{Element, Kernel, Result};

/// An order of elements, which [`comparison!`](crate::comparison!) makes.
///
/// ```
/// use amp::algorithms::{Comparison, comparison, sort_by};
/// use amp::prelude::*;
///
/// fn sorted(mut numbers: [i32; 3], order: impl Comparison<i32>) -> amp::Result<[i32; 3]> {
///     sort_by(&mut ArrayViewMut::from(&mut numbers), order)?;
///     Ok(numbers)
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(sorted([2, -3, 1], comparison!(|a: i32, b: i32| a.abs() > b.abs()))?, [-3, 2, 1]);
/// # Ok(())
/// # }
/// ```
pub trait Comparison<T: Element> {
    #[doc(hidden)]
    fn merge<'k>(
        &self,
        from: &'k ArrayView<'_, T, 2>,
        to: &'k mut ArrayViewMut<'_, T, 2>,
        width: usize,
    ) -> Kernel<'k, Index<2>>;

    /// [`merge`](Self::merge) of the places of keys.
    #[doc(hidden)]
    fn merge_places<'k>(
        &self,
        keys: &'k ArrayView<'_, T, 1>,
        from: &'k ArrayView<'_, u32, 2>,
        to: &'k mut ArrayViewMut<'_, u32, 2>,
        width: usize,
    ) -> Kernel<'k, Index<2>>;

    #[doc(hidden)]
    fn bounds<'k>(
        &self,
        sorted: &'k ArrayView<'_, T, 1>,
        values: &'k ArrayView<'_, T, 1>,
        out: &'k mut ArrayViewMut<'_, u32, 1>,
        upper: bool,
    ) -> Kernel<'k, Index<1>>;
}

/// A kernel that merges each two runs of every row. The place of an element in a run of twice the width is its
/// place in its own half, and the number of elements of the other half that belong before it.
#[doc(hidden)]
#[macro_export]
macro_rules! __merge_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $before:expr }
    ) => {
        #[$attribute]
        fn $name<$($generics)*>(
            idx: Index<2>,
            from: &ArrayView<$element, 2>,
            to: &mut ArrayViewMut<$element, 2>,
            width: usize,
            $($capture: $captured,)*
        ) {
            let is_before = |$a: $element, $b: $element| -> bool { $before };
            let n = from.extent()[1];
            let (row, at) = (idx[0], idx[1]);
            let x = from[idx];
            let start = at / (2 * width) * (2 * width);
            let is_second = at - start >= width;
            let other = if is_second { start } else { (start + width).min(n) };
            let mut low = other;
            let mut high = (other + width).min(n);
            while low < high {
                let middle = low + (high - low) / 2;
                let y = from[[row, middle]];
                let goes_on = if is_second { !is_before(x, y) } else { is_before(y, x) };
                if goes_on {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            let own = if is_second { at - width } else { at };
            to[[row, own + (low - other)]] = x;
        }
    };
}

__merge_kernel! {
    #[amp_kernel(K = u8 | u16 | u32 | u64)]
    merge_keys [K: Scalar + Bits] [order: u32] K
    |a, b| { is_less(a, b, inverted_by::<K>(order)) }
}

/// Bit patterns of numbers, of which runs are merged in an order.
pub trait Runs: Element {
    fn merge<'k>(
        from: &'k ArrayView<'_, Self, 2>,
        to: &'k mut ArrayViewMut<'_, Self, 2>,
        width: usize,
        order: u32,
    ) -> Kernel<'k, Index<2>>;
}

macro_rules! runs {
    ($($bits:ident)*) => {$(
        impl Runs for $bits {
            fn merge<'k>(
                from: &'k ArrayView<'_, Self, 2>,
                to: &'k mut ArrayViewMut<'_, Self, 2>,
                width: usize,
                order: u32,
            ) -> Kernel<'k, Index<2>> {
                merge_keys::<$bits>(from, to, width, order)
            }
        }
    )*};
}
runs!(u8 u16 u32 u64);

/// Makes a [`Comparison`](crate::algorithms::Comparison) of a closure in the kernel language, which
/// says whether one element belongs before another. A list of variables to capture, by value, may
/// stand between the parameters and the body.
///
/// ```
/// use amp::algorithms::{comparison, sort_by};
/// use amp::prelude::*;
///
/// #[amp_struct]
/// #[derive(Debug, PartialEq)]
/// struct Player {
///     number: u32,
///     score: f32,
/// }
///
/// # fn main() -> amp::Result<()> {
/// let players = [(1, 2.5), (2, 7.0), (3, 2.5)].map(|(number, score)| Player { number, score });
/// let mut players = Array::new(3, &players)?;
/// sort_by(&mut players, comparison!(|a: Player, b: Player| a.score > b.score))?;
/// let numbers: Vec<u32> = players.to_vec()?.iter().map(|player| player.number).collect();
/// assert_eq!(numbers, [2, 1, 3]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! comparison {
    (
        |$a:ident: $t:ty, $b:ident: $u:ty $(,)?|
        [$($capture:ident: $captured:ty),* $(,)?] $before:expr
    ) => {{
        struct Own {
            $($capture: $captured,)*
        }

        impl $crate::algorithms::Comparison<$t> for Own {
            fn merge<'k>(
                &self,
                from: &'k $crate::ArrayView<'_, $t, 2>,
                to: &'k mut $crate::ArrayViewMut<'_, $t, 2>,
                width: usize,
            ) -> $crate::Kernel<'k, $crate::Index<2>> {
                use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                $crate::__merge_kernel! {
                    #[amp_kernel]
                    merge [] [$($capture: $captured),*] $t
                    |$a, $b| { $before }
                }
                merge(from, to, width, $(self.$capture),*)
            }

            fn merge_places<'k>(
                &self,
                keys: &'k $crate::ArrayView<'_, $t, 1>,
                from: &'k $crate::ArrayView<'_, u32, 2>,
                to: &'k mut $crate::ArrayViewMut<'_, u32, 2>,
                width: usize,
            ) -> $crate::Kernel<'k, $crate::Index<2>> {
                use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                $crate::__merge_kernel! {
                    #[amp_kernel]
                    merge [] [__keys: &ArrayView<$t, 1> $(, $capture: $captured)*] u32
                    |__a, __b| {{
                        let ($a, $b) = (__keys[__a as usize], __keys[__b as usize]);
                        $before
                    }}
                }
                merge(from, to, width, keys, $(self.$capture),*)
            }

            fn bounds<'k>(
                &self,
                sorted: &'k $crate::ArrayView<'_, $t, 1>,
                values: &'k $crate::ArrayView<'_, $t, 1>,
                out: &'k mut $crate::ArrayViewMut<'_, u32, 1>,
                upper: bool,
            ) -> $crate::Kernel<'k, $crate::Index<1>> {
                use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                $crate::__bounds_kernel! {
                    #[amp_kernel]
                    bounds [] [$($capture: $captured),*] $t
                    |$a, $b| { $before }
                    |x, value, upper, is_less| {
                        if upper { !is_less(value, x) } else { is_less(x, value) }
                    }
                }
                bounds(sorted, values, out, upper, $(self.$capture),*)
            }
        }

        Own { $($capture,)* }
    }};
    (|$a:ident: $t:ty, $b:ident: $u:ty $(,)?| $before:expr) => {
        $crate::comparison!(|$a: $t, $b: $u| [] $before)
    };
}

/// Sorts elements by a comparison. Equal elements keep their order. Numbers are sorted faster by
/// [`sort`](super::sort), and elements by numbers by [`sort_by_key`](super::sort_by_key).
///
/// ```
/// use amp::algorithms::{comparison, sort_by};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = Array::new(5, &[3, 14, 15, 92, 65])?;
/// let modulus = 10;
/// sort_by(&mut numbers, comparison!(|a: u32, b: u32| [modulus: u32] a % modulus < b % modulus))?;
/// assert_eq!(numbers.to_vec()?, [92, 3, 14, 15, 65]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`](crate::parallel_for_each).
pub fn sort_by<T: Element>(
    elements: &mut impl Target<T>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    sort_by_on(&mut workspace.at(elements)?, elements, comparison)
}

/// [`sort_by`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let mut x = Array::new(3, &[2, 3, 1])?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// sort_by_on(queue, &mut x, comparison!(|a: i32, b: i32| a > b))?;
/// assert_eq!(x.to_vec()?, [3, 2, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`sort_by`].
pub fn sort_by_on<T: Element>(
    queue: &mut Queue<'_>,
    elements: &mut impl Target<T>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    let elements = elements.elements_mut();
    match elements.extent()[0] {
        // A view of other rank is never empty.
        0 => Ok(()),
        n => rows_by(queue, elements.into_view_as([1, n])?, comparison),
    }
}

/// Sorts the numbers of each row of a matrix from the smallest to the greatest, as [`sort`](super::sort()) does.
///
/// ```
/// use amp::algorithms::sort_rows;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut matrix = Array::new([2, 3], &[3, 1, 2, 0, -1, 5])?;
/// sort_rows(&mut matrix)?;
/// assert_eq!(matrix.to_vec()?, [1, 2, 3, -1, 0, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn sort_rows<K: SortKey>(matrix: &mut impl Target<K, 2>) -> Result<()> {
    let mut workspace = Workspace::default();
    sort_rows_on(&mut workspace.at(matrix)?, matrix)
}

/// [`sort_rows`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let mut x = Array::new([2, 2], &[1.5, -0.5, 1.0, f32::NEG_INFINITY])?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// sort_rows_on(queue, &mut x)?;
/// assert_eq!(x.to_vec()?, [-0.5, 1.5, f32::NEG_INFINITY, 1.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`sort_rows`].
pub fn sort_rows_on<K: SortKey>(
    queue: &mut Queue<'_>,
    matrix: &mut impl Target<K, 2>,
) -> Result<()> {
    let mut bits = rows_as_mut::<K, K::Bits, 2>(matrix.elements_mut())?;
    if host_lines::sort_rows(queue, K::ORDER, &mut bits)? {
        return Ok(());
    }
    merged(queue, bits, |from, to, width, queue| {
        queue.launch(from.extent(), K::Bits::merge(from, to, width, K::ORDER))
    })
}

/// Sorts the elements of each row of a matrix by a comparison, as [`sort_by`] does.
///
/// ```
/// use amp::algorithms::{comparison, sort_rows_by};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut matrix = Array::new([2, 3], &[3, 1, 2, 0, -1, 5])?;
/// sort_rows_by(&mut matrix, comparison!(|a: i32, b: i32| a > b))?;
/// assert_eq!(matrix.to_vec()?, [3, 2, 1, 5, 0, -1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn sort_rows_by<T: Element>(
    matrix: &mut impl Target<T, 2>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    sort_rows_by_on(&mut workspace.at(matrix)?, matrix, comparison)
}

/// [`sort_rows_by`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let mut x = Array::new([1, 3], &[2, -3, 1])?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// sort_rows_by_on(queue, &mut x, comparison!(|a: i32, b: i32| a * a < b * b))?;
/// assert_eq!(x.to_vec()?, [1, 2, -3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`sort_rows_by`].
pub fn sort_rows_by_on<T: Element>(
    queue: &mut Queue<'_>,
    matrix: &mut impl Target<T, 2>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    rows_by(queue, matrix.elements_mut(), comparison)
}

fn rows_by<T: Element>(
    queue: &mut Queue<'_>,
    matrix: ArrayViewMut<'_, T, 2>,
    comparison: impl Comparison<T>,
) -> Result<()> {
    merged(queue, matrix, |from, to, width, queue| {
        queue.launch(from.extent(), comparison.merge(from, to, width))
    })
}

/// Sorts rows by launches that merge runs of a width from one matrix into another.
pub(super) fn merged<T: Element>(
    queue: &mut Queue<'_>,
    mut matrix: ArrayViewMut<'_, T, 2>,
    merge: impl Fn(
        &ArrayView<'_, T, 2>,
        &mut ArrayViewMut<'_, T, 2>,
        usize,
        &mut Queue<'_>,
    ) -> Result<()>,
) -> Result<()> {
    let extent = matrix.extent();
    let mut kept = queue.temporary(extent.size())?;
    let mut others = kept.elements()?.into_view_as(extent)?;
    let (mut width, mut is_in_others) = (1, false);
    // A last merge, of a run with none, brings the elements back.
    while width < extent[1] || is_in_others {
        match is_in_others {
            true => merge(&others.as_view(), &mut matrix, width, queue)?,
            false => merge(&matrix.as_view(), &mut others, width, queue)?,
        }
        is_in_others = !is_in_others;
        width *= 2;
    }
    drop(others);
    queue.keep(kept);
    Ok(())
}
