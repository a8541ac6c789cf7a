//! Sorts of elements of any type, by a comparison: merges of sorted runs, twice as long each time.

use super::launcher::Launcher;
use super::moves::copy_on;
use super::queue::{Queue, Workspace};
use super::source::Target;
use crate::{ArrayView, ArrayViewMut, Element, Index, Kernel, Result};

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
        from: &'k ArrayView<'_, T, 1>,
        to: &'k mut ArrayViewMut<'_, T, 1>,
        width: usize,
    ) -> Kernel<'k, Index<1>>;
}

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
                from: &'k $crate::ArrayView<'_, $t, 1>,
                to: &'k mut $crate::ArrayViewMut<'_, $t, 1>,
                width: usize,
            ) -> $crate::Kernel<'k, $crate::Index<1>> {
                use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                // The place of an element in a run of twice the width is its place in its own half,
                // and the number of elements of the other half that belong before it.
                #[amp_kernel]
                fn merge(
                    idx: Index<1>,
                    from: &ArrayView<$t, 1>,
                    to: &mut ArrayViewMut<$t, 1>,
                    width: usize,
                    $($capture: $captured,)*
                ) {
                    let is_before = |$a: $t, $b: $u| -> bool { $before };
                    let n = from.extent()[0];
                    let at = idx[0];
                    let x = from[at];
                    let start = at / (2 * width) * (2 * width);
                    let is_second = at - start >= width;
                    let other = if is_second { start } else { (start + width).min(n) };
                    let mut low = other;
                    let mut high = (other + width).min(n);
                    while low < high {
                        let middle = low + (high - low) / 2;
                        let y = from[middle];
                        let goes_on = if is_second { !is_before(x, y) } else { is_before(y, x) };
                        if goes_on {
                            low = middle + 1;
                        } else {
                            high = middle;
                        }
                    }
                    let own = if is_second { at - width } else { at };
                    to[own + (low - other)] = x;
                }
                merge(from, to, width, $(self.$capture),*)
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
    let mut elements = elements.elements_mut();
    let n = elements.extent()[0];
    let mut kept = queue.temporary(n)?;
    let mut others = kept.elements()?;
    let (mut width, mut is_in_others) = (1, false);
    while width < n {
        if is_in_others {
            let from = others.as_view();
            queue.launch(n, comparison.merge(&from, &mut elements, width))?;
        } else {
            let from = elements.as_view();
            queue.launch(n, comparison.merge(&from, &mut others, width))?;
        }
        is_in_others = !is_in_others;
        width *= 2;
    }
    if is_in_others {
        copy_on(queue, &others, &mut elements)?;
    }
    drop(others);
    queue.keep(kept);
    Ok(())
}
