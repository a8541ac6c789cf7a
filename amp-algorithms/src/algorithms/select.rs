//! Elements by a condition: `count_if`, `any`, `all`, `select`, `partition`.

use super::launcher::Launcher;
use super::operation::{Add, Operation};
use super::queue::{Queue, Workspace, tiles};
use super::reduce::{BLOCKS, in_two_steps};
use super::scan::inclusive_scan_on;
use super::source::{Source, Target, same_length};
use super::words::by_word;
use crate::prelude::*;
use crate::{Element, Kernel, Result};

/// A condition of elements, which [`predicate!`](crate::predicate!) makes.
pub trait Predicate<T: Element> {
    #[doc(hidden)]
    fn count<'k>(
        &self,
        input: &'k ArrayView<'_, T, 1>,
        out: &'k mut ArrayViewMut<'_, u32, 1>,
        length: usize,
    ) -> Kernel<'k, TiledIndex<1, 256>>;

    #[doc(hidden)]
    fn mark<'k>(
        &self,
        input: &'k ArrayView<'_, T, 1>,
        out: &'k mut ArrayViewMut<'_, u32, 1>,
    ) -> Kernel<'k, Index<1>>;
}

/// Makes a [`Predicate`](crate::algorithms::Predicate) of a closure in the kernel language. A list
/// of variables to capture, by value, may stand between the parameter and the body.
///
/// ```
/// use amp::algorithms::{count_if, predicate};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = ArrayView::new(4, &[3, 14, 15, 92])?;
/// let limit = 14;
/// assert_eq!(count_if(&numbers, predicate!(|x: i32| [limit: i32] x > limit))?, 2);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! predicate {
    (|$x:ident: $t:ty| [$($capture:ident: $captured:ty),* $(,)?] $condition:expr) => {{
        struct Own {
            $($capture: $captured,)*
        }

        impl $crate::algorithms::Predicate<$t> for Own {
            fn count<'k>(
                &self,
                input: &'k $crate::ArrayView<'_, $t, 1>,
                out: &'k mut $crate::ArrayViewMut<'_, u32, 1>,
                length: usize,
            ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> {
                use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                $crate::__reduce_kernel! {
                    #[amp_kernel]
                    count [] [$($capture: $captured),*]
                    |$x: $t, _at| -> u32 { if $condition { 1 } else { 0 } }
                    |a, b| { a + b }
                }
                count(input, out, length, $(self.$capture),*)
            }

            fn mark<'k>(
                &self,
                input: &'k $crate::ArrayView<'_, $t, 1>,
                out: &'k mut $crate::ArrayViewMut<'_, u32, 1>,
            ) -> $crate::Kernel<'k, $crate::Index<1>> {
                use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                #[amp_kernel]
                fn mark(
                    idx: Index<1>,
                    input: &ArrayView<$t, 1>,
                    out: &mut ArrayViewMut<u32, 1>,
                    $($capture: $captured,)*
                ) {
                    let holds = |$x: $t| -> bool { $condition };
                    out[idx] = if holds(input[idx]) { 1 } else { 0 };
                }
                mark(input, out, $(self.$capture),*)
            }
        }

        Own { $($capture,)* }
    }};
    (|$x:ident: $t:ty| $condition:expr) => {
        $crate::predicate!(|$x: $t| [] $condition)
    };
}

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
    type Counts<'a> = ArrayViewMut<'a, u32, 1>;
    let mut workspace = Workspace::default();
    let mut queue = workspace.at(input)?;
    let input = input.elements();
    if input.extent()[0] == 0 {
        return Ok(0);
    }
    let mut count = ArrayViewMut::uninit(1)?;
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
    in_two_steps(&mut queue, input.extent()[0], &mut count, first, again)?;
    Ok(count.data()?[0] as usize)
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

/// Whether a condition holds for all elements. [`any`] has an example.
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn all<T: Element>(input: &impl Source<T>, predicate: impl Predicate<T>) -> Result<bool> {
    Ok(count_if(input, predicate)? == input.elements().extent()[0])
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
    placed(input, results, &predicate, false)
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
    placed(input, results, &predicate, true)
}

fn placed<T: Element>(
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    predicate: &impl Predicate<T>,
    others: bool,
) -> Result<usize> {
    let mut workspace = Workspace::default();
    let mut queue = workspace.at(input)?;
    let (input, mut results) = (input.elements(), results.elements_mut());
    same_length(&input, &results)?;
    let n = input.extent()[0];
    if n == 0 {
        return Ok(0);
    }
    let mut marks = ArrayViewMut::uninit(n)?;
    let mut ranks = ArrayViewMut::uninit(n)?;
    queue.launch(n, predicate.mark(&input, &mut marks))?;
    inclusive_scan_on(&mut queue, &marks, &mut ranks, Add)?;
    by_word!(T, Word => {
        let (from, mut to) = (input.reinterpret::<Word>()?, results.reinterpret::<Word>()?);
        let width = size_of::<T>() / size_of::<Word>();
        queue.launch(from.extent(), place_words(&from, &ranks, &mut to, width, others))?;
    });
    let count = ranks.section(n - 1, 1)?.to_vec()?;
    Ok(count[0] as usize)
}
