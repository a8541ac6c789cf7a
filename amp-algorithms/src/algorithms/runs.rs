//! Runs of equal elements: `unique`, `run_length`.

use super::launcher::Launcher;
use super::numeric::Numeric;
use super::queue::Queue;
use super::select::{compact, counted};
use super::source::{Source, Target, same_length};
use crate::prelude::*;
use crate::{Element, Kernel, Result};

/// Which elements are equal, which [`equality!`](crate::equality!) makes.
///
/// ```
/// use amp::algorithms::{Equality, equality, unique_by};
/// use amp::prelude::*;
///
/// fn runs(numbers: &[i32], equality: impl Equality<i32>) -> amp::Result<usize> {
///     let mut firsts = ArrayViewMut::uninit(numbers.len())?;
///     unique_by(&ArrayView::from(numbers), &mut firsts, equality)
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(runs(&[1, -1, 2, 1], equality!(|a: i32, b: i32| a.abs() == b.abs()))?, 3);
/// # Ok(())
/// # }
/// ```
pub trait Equality<T: Element> {
    /// Marks the elements that differ from the one before.
    #[doc(hidden)]
    fn heads<'k>(
        &self,
        input: &'k ArrayView<'_, T, 1>,
        marks: &'k mut ArrayViewMut<'_, u32, 1>,
    ) -> Kernel<'k, Index<1>>;
}

/// Makes an [`Equality`](crate::algorithms::Equality) of a closure in the kernel language, which decides
/// whether two neighbours, in their order, are equal. A list of variables to capture, by value, may stand between
/// the parameters and the body.
///
/// ```
/// use amp::algorithms::{equality, unique_by};
/// use amp::prelude::*;
///
/// #[amp_struct]
/// #[derive(Debug, PartialEq)]
/// struct Reading {
///     sensor: u32,
///     value: f32,
/// }
///
/// # fn main() -> amp::Result<()> {
/// let readings = [(1, 0.5), (1, 0.75), (2, 0.5)].map(|(sensor, value)| Reading { sensor, value });
/// let mut firsts = ArrayViewMut::uninit(3)?;
/// let of_one = equality!(|a: Reading, b: Reading| a.sensor == b.sensor);
/// assert_eq!(unique_by(&Array::new(3, &readings)?, &mut firsts, of_one)?, 2);
/// assert_eq!(firsts[1], Reading { sensor: 2, value: 0.5 });
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! equality {
    (
        |$a:ident: $t:ty, $b:ident: $u:ty $(,)?|
        [$($capture:ident: $captured:ty),* $(,)?] $equal:expr
    ) => {{
        struct Own {
            $($capture: $captured,)*
        }

        impl $crate::algorithms::Equality<$t> for Own {
            fn heads<'k>(
                &self,
                input: &'k $crate::ArrayView<'_, $t, 1>,
                marks: &'k mut $crate::ArrayViewMut<'_, u32, 1>,
            ) -> $crate::Kernel<'k, $crate::Index<1>> {
                use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                $crate::__heads_kernel! {
                    #[amp_kernel]
                    heads [] [$($capture: $captured),*] $t
                    |$a, $b| { $equal }
                }
                heads(input, marks, $(self.$capture),*)
            }
        }

        Own { $($capture,)* }
    }};
    (|$a:ident: $t:ty, $b:ident: $u:ty $(,)?| $equal:expr) => {
        $crate::equality!(|$a: $t, $b: $u| [] $equal)
    };
}

/// That of numbers.
struct Equal;

impl<T: Numeric> Equality<T> for Equal {
    fn heads<'k>(
        &self,
        input: &'k ArrayView<'_, T, 1>,
        marks: &'k mut ArrayViewMut<'_, u32, 1>,
    ) -> Kernel<'k, Index<1>> {
        T::heads(input, marks)
    }
}

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
    unique_by_on(queue, input, results, count, Equal)
}

/// [`unique`] of elements of any type, as `Vec::dedup_by` does: copies each element that is not equal to the one
/// before it.
///
/// ```
/// use amp::algorithms::{equality, unique_by};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(5, &[0.1, 0.2, 1.7, 1.1, 0.4])?;
/// let mut results = Array::zeroed(5)?;
/// let same_floor = equality!(|a: f32, b: f32| a.floor() == b.floor());
/// assert_eq!(unique_by(&numbers, &mut results, same_floor)?, 3);
/// assert_eq!(results.to_vec()?[..3], [0.1, 1.7, 0.4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`select`](super::select).
pub fn unique_by<T: Element>(
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    equality: impl Equality<T>,
) -> Result<usize> {
    counted(input, |queue, count| {
        unique_by_on(queue, input, results, count, equality)
    })
}

/// [`unique_by`] on a queue: see [`Workspace`](super::Workspace). How many there are becomes the first element
/// of `count`.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y, mut count) = (Array::new(3, &[7, -7, 5])?, Array::zeroed(3)?, Array::zeroed(1)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// let same_square = equality!(|a: i32, b: i32| a * a == b * b);
/// unique_by_on(queue, &x, &mut y, &mut count, same_square)?;
/// assert_eq!((count[0], y[0], y[1]), (2, 7, 5));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`unique_by`].
pub fn unique_by_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<T>,
    count: &mut impl Target<u32>,
    equality: impl Equality<T>,
) -> Result<()> {
    let (input, mut results) = (input.elements(), results.elements_mut());
    same_length(&input, &results)?;
    let mark = |marks: &mut ArrayViewMut<'_, u32, 1>, queue: &mut Queue<'_>| {
        queue.launch(marks.extent(), equality.heads(&input, marks))
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
    run_length_by_on(queue, input, values, lengths, count, Equal)
}

/// [`run_length`] of elements of any type, each of which is equal to the one before it in its run.
///
/// ```
/// use amp::algorithms::{equality, run_length_by};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let letters = Array::new(5, b"aAbBB")?;
/// let (mut values, mut lengths) = (Array::zeroed(5)?, Array::zeroed(5)?);
/// let same_letter = equality!(|a: u8, b: u8| a | 32 == b | 32);
/// assert_eq!(run_length_by(&letters, &mut values, &mut lengths, same_letter)?, 2);
/// assert_eq!((&values.to_vec()?[..2], &lengths.to_vec()?[..2]), (&b"ab"[..], &[2, 3][..]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`run_length`].
pub fn run_length_by<T: Element>(
    input: &impl Source<T>,
    values: &mut impl Target<T>,
    lengths: &mut impl Target<u32>,
    equality: impl Equality<T>,
) -> Result<usize> {
    counted(input, |queue, count| {
        run_length_by_on(queue, input, values, lengths, count, equality)
    })
}

/// [`run_length_by`] on a queue: see [`Workspace`](super::Workspace). How many runs there are becomes the first
/// element of `count`.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y, mut count) = (Array::new(3, &[7, -7, 5])?, Array::zeroed(3)?, Array::zeroed(1)?);
/// let mut lengths = Array::zeroed(3)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// let same_square = equality!(|a: i32, b: i32| a * a == b * b);
/// run_length_by_on(queue, &x, &mut y, &mut lengths, &mut count, same_square)?;
/// assert_eq!((count[0], lengths[0], lengths[1]), (2, 2, 1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`run_length`].
pub fn run_length_by_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    values: &mut impl Target<T>,
    lengths: &mut impl Target<u32>,
    count: &mut impl Target<u32>,
    equality: impl Equality<T>,
) -> Result<()> {
    let (input, mut values) = (input.elements(), values.elements_mut());
    let mut lengths = lengths.elements_mut();
    same_length(&input, &values)?;
    same_length(&input, &lengths)?;
    let n = input.extent()[0];
    let mut kept = queue.temporary(n)?;
    let mut ends = kept.elements()?;
    let mark = |marks: &mut ArrayViewMut<'_, u32, 1>, queue: &mut Queue<'_>| {
        queue.launch(n, equality.heads(&input, marks))
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
