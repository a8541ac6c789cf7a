//! Arrays full of random integers of a range.

use std::ops::Range;

use super::super::launcher::{Anywhere, Launcher};
use super::super::source::Target;
use super::fills::fill_blocks;
use super::philox::generator::Philox;
use crate::prelude::*;
use crate::{Element, Error, Result};

/// Types of which [`fill_range`] makes numbers: integers of 8 to 64 bits.
///
/// ```
/// use amp::algorithms::random::{Philox, Whole, fill_range};
/// use amp::prelude::*;
///
/// fn draw<T: Whole>(count: usize, from: std::ops::Range<T>) -> amp::Result<Vec<T>> {
///     let mut numbers = ArrayViewMut::uninit(count)?;
///     fill_range(Philox::new(1), from, &mut numbers)?;
///     numbers.to_vec()
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert!(draw(100, -5..5)?.iter().all(|x| (-5..5).contains(x)));
/// # Ok(())
/// # }
/// ```
pub trait Whole: Element + sealed::Sealed {
    /// Fills an array with numbers of a range that is not empty.
    #[doc(hidden)]
    fn fill(
        on: &mut impl Launcher,
        from: Philox,
        numbers: Range<Self>,
        to: &mut ArrayViewMut<'_, Self, 1>,
    ) -> Result<()>;

    #[doc(hidden)]
    fn is_empty(numbers: &Range<Self>) -> bool;
}

mod sealed {
    pub trait Sealed {}
}

#[amp_fn]
fn range(from: Philox, low: u32, span: u32, block: u32) -> [u32; 4] {
    let mut numbers = from.block(block);
    for k in 0..4 {
        let mut more = from.apart(4 * block + k as u32);
        numbers[k] = low + more.scaled(numbers[k], span);
    }
    numbers
}

fill_blocks!(all_range by range: u32, UVec4 of 4, (low: u32, span: u32));

/// The same of shorter integers. A thread makes the four elements of a block of words.
#[amp_kernel(T = i8 | u8 | i16 | u16)]
fn short_range<T: Scalar>(
    idx: Index<1>,
    from: Philox,
    low: u32,
    span: u32,
    to: &mut ArrayViewMut<T, 1>,
) {
    let numbers = range(from, low, span, idx[0] as u32);
    for k in 0..4 {
        if 4 * idx[0] + k < to.extent()[0] {
            to[4 * idx[0] + k] = T::from_u32(numbers[k]);
        }
    }
}

/// The same of longer ones, two of a block.
#[amp_kernel]
fn long_range(idx: Index<1>, from: Philox, low: u64, span: u64, to: &mut ArrayViewMut<u64, 1>) {
    let words = from.block(idx[0] as u32);
    for k in 0..2 {
        let at = 2 * idx[0] + k;
        if at < to.extent()[0] {
            let word = words[2 * k] as u64 | (words[2 * k + 1] as u64) << 32;
            let mut more = from.apart(at as u32);
            to[at] = low + more.scaled_u64(word, span);
        }
    }
}

/// What fills arrays of some types: an expression of the first number and how many there are, as an unsigned type.
macro_rules! whole {
    (
        $($type:ident)*: $unsigned:ident,
        |$on:ident, $from:ident, $low:ident, $span:ident, $to:ident| $fill:expr
    ) => {$(
        impl sealed::Sealed for $type {}

        impl Whole for $type {
            fn fill(
                $on: &mut impl Launcher,
                $from: Philox,
                numbers: Range<Self>,
                $to: &mut ArrayViewMut<'_, Self, 1>,
            ) -> Result<()> {
                let $low = numbers.start as $unsigned;
                let $span = (numbers.end as $unsigned).wrapping_sub($low);
                $fill
            }

            fn is_empty(numbers: &Range<Self>) -> bool {
                numbers.is_empty()
            }
        }
    )*};
}
whole!(i8 u8 i16 u16: u32, |on, from, low, span, to| {
    let blocks = to.extent()[0].div_ceil(4);
    on.launch(blocks, short_range(from, low, span, to))
});
whole!(i32 u32: u32, |on, from, low, span, to| {
    all_range::fill(on, from, low, span, &mut to.reinterpret()?)
});
whole!(i64 u64: u64, |on, from, low, span, to| {
    let blocks = to.extent()[0].div_ceil(2);
    on.launch(blocks, long_range(from, low, span, &mut to.reinterpret()?))
});

/// Fills an array with integers of a range, each with the same probability.
///
/// Element i is word i that the generator draws, scaled, or of 64 bits the words 2i and 2i + 1; in the few cases where
/// that would prefer some numbers, it is scaled from words that the element draws far from all others of the stream.
///
/// ```
/// use amp::algorithms::random::{Philox, fill_range};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut dice = Array::zeroed(100)?;
/// fill_range(Philox::new(42), 1..7, &mut dice)?;
/// assert!(dice.to_vec()?.iter().all(|pips: &u32| (1..7).contains(pips)));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`]; [`Error::InvalidArgument`] if the range is empty.
pub fn fill_range<T: Whole>(
    from: Philox,
    numbers: Range<T>,
    to: &mut impl Target<T>,
) -> Result<()> {
    fill_range_on(&mut Anywhere, from, numbers, to)
}

/// [`fill_range`], on an accelerator view or in a graph.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// use amp::algorithms::random::*;
/// let mut x = Array::zeroed(9)?;
/// fill_range_on(&mut x.accelerator_view(), Philox::new(0), -3..3, &mut x)?;
/// assert!(x.min()? >= -3 && x.max()? < 3);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`fill_range`].
pub fn fill_range_on<T: Whole>(
    on: &mut impl Launcher,
    from: Philox,
    numbers: Range<T>,
    to: &mut impl Target<T>,
) -> Result<()> {
    let mut to = to.elements_mut();
    if T::is_empty(&numbers) {
        let wanted = "the range of random numbers is empty: its start must be below its end";
        return Err(Error::InvalidArgument(wanted.to_owned()));
    }
    T::fill(on, from, numbers, &mut to)
}
