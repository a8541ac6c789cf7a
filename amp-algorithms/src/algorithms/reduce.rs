//! Reductions: all elements combined to one.

use super::host;
use super::launcher::Launcher;
use super::number::numbers::{Number, combined};
use super::number::of_numbers;
use super::operation::Operation;
use super::queue::{Queue, Workspace, tiles};
use super::source::{Source, Target};
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;
use crate::{Element, Error, Result};

/// A kernel that combines the elements of each block.
#[doc(hidden)]
#[macro_export]
macro_rules! __reduce_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*]
        |$x:ident: $from:ty, $at:ident| -> $to:ty { $map:expr }
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$from, 1>,
            out: &mut ArrayViewMut<$to, 1>,
            length: usize,
            $($capture: $captured,)*
        ) {
            #[tile_static]
            let mut shared: [$to; 256];
            let map = |$x: $from, $at: usize| -> $to { $map };
            let combine = |$a: $to, $b: $to| -> $to { $combine };
            let lane = t_idx.local[0];
            let start = t_idx.tile[0] * length;
            let end = (start + length).min(input.extent()[0]);
            let mut at = start + lane;
            let mut sum = map(input[at.min(end - 1)], at);
            at += 256;
            // Eight loads wait for memory together. An array of them would stay in memory on lavapipe.
            let with = |sum: $to, x: $from, at: usize| -> $to { combine(sum, map(x, at)) };
            while at + 7 * 256 < end {
                let (a, b) = (input[at], input[at + 256]);
                let (c, d) = (input[at + 2 * 256], input[at + 3 * 256]);
                let (e, f) = (input[at + 4 * 256], input[at + 5 * 256]);
                let (g, h) = (input[at + 6 * 256], input[at + 7 * 256]);
                sum = with(with(sum, a, at), b, at + 256);
                sum = with(with(sum, c, at + 2 * 256), d, at + 3 * 256);
                sum = with(with(sum, e, at + 4 * 256), f, at + 5 * 256);
                sum = with(with(sum, g, at + 6 * 256), h, at + 7 * 256);
                at += 8 * 256;
            }
            while at < end {
                sum = combine(sum, map(input[at], at));
                at += 256;
            }
            shared[lane] = sum;
            let lanes = (end - start).min(256);
            let mut half = 128;
            // Before the loop, so that all results are known to be written before any is read.
            t_idx.barrier.wait();
            while half > 0 {
                if lane < half && lane + half < lanes {
                    shared[lane] = combine(shared[lane], shared[lane + half]);
                }
                half /= 2;
                t_idx.barrier.wait();
            }
            if lane == 0 {
                out[t_idx.tile] = shared[0];
            }
        }
    };
}

of_numbers! {
    __reduce_kernel! {
        reduce_numbers [T: Element + Number, const OPERATION: u32] []
        |x: T, _at| -> T { x }
        |a, b| { combined(OPERATION, a, b) }
    }
}

/// The blocks of a reduction are at least so long.
const BLOCK: usize = 4096;
/// There are at most so many blocks, which are a block themselves.
pub(super) const BLOCKS: usize = 4096;

/// The length of all blocks but the last.
pub(super) fn block_length(n: usize) -> usize {
    n.div_ceil(BLOCKS).next_multiple_of(BLOCK)
}

/// Combines all elements.
///
/// The order is fixed: the elements are divided into at most 4096 blocks of the same length, except
/// for the last one, where the length is the smallest multiple of 4096 for which this is possible.
/// Of each block, every 256th element is combined with the next one, from the first 256 elements on;
/// then result `i` of `k` with result `i + k`, for `k` = 128, 64, .., 1. The results of the blocks
/// are combined in the same way.
///
/// ```
/// use amp::algorithms::{Add, operation, reduce};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = [3.0, -4.0, 12.0];
/// let numbers = ArrayView::new(3, &numbers)?;
/// assert_eq!(reduce(&numbers, Add)?, 11.0);
/// let furthest = operation!(|a: f64, b: f64| if a.abs() < b.abs() { b } else { a });
/// assert_eq!(reduce(&numbers, furthest)?, 12.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`] if there are no elements; as [`parallel_for_each`] and
/// [`ArrayView::to_vec`].
pub fn reduce<T: Element>(input: &impl Source<T>, operation: impl Operation<T>) -> Result<T> {
    let mut result = ArrayViewMut::uninit(1)?;
    let mut workspace = Workspace::default();
    reduce_into(&mut workspace.at(input)?, input, &mut result, operation)?;
    Ok(result.data()?[0])
}

/// [`reduce`], whose result becomes the first element of `result`.
///
/// ```
/// use amp::algorithms::{Max, Workspace, reduce_into};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let numbers = Array::builder(4).on(&view).data(&[3, 1, 4, 1]).build()?;
/// let mut largest = Array::builder(1).on(&view).build()?;
/// reduce_into(&mut Workspace::default().on(&view), &numbers, &mut largest, Max)?;
/// assert_eq!(largest.to_vec()?, [4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`] if there are no elements; as [`parallel_for_each`].
pub fn reduce_into<T: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    result: &mut impl Target<T>,
    operation: impl Operation<T>,
) -> Result<()> {
    let (input, mut result) = (input.elements(), result.elements_mut());
    if input.extent()[0] > 0 && host::reduce(queue, &input, &mut result, &operation)? {
        return Ok(());
    }
    let again = |parts: &ArrayViewMut<'_, T, 1>,
                 result: &mut ArrayViewMut<'_, T, 1>,
                 queue: &mut Queue<'_>| {
        let parts = parts.as_view();
        queue.launch(tiles(1), operation.reduce(&parts, result, BLOCKS))
    };
    let first = |out: &mut ArrayViewMut<'_, T, 1>, length, blocks, queue: &mut Queue<'_>| {
        queue.launch(tiles(blocks), operation.reduce(&input, out, length))
    };
    in_two_steps(queue, input.extent()[0], &mut result, first, again)
}

/// Reduces blocks, by launches that know their length and number, and then the results of the blocks.
pub(super) fn in_two_steps<A: Element>(
    queue: &mut Queue<'_>,
    n: usize,
    result: &mut impl Target<A>,
    first: impl FnOnce(&mut ArrayViewMut<'_, A, 1>, usize, usize, &mut Queue<'_>) -> Result<()>,
    again: impl FnOnce(
        &ArrayViewMut<'_, A, 1>,
        &mut ArrayViewMut<'_, A, 1>,
        &mut Queue<'_>,
    ) -> Result<()>,
) -> Result<()> {
    if n == 0 {
        let message = "a reduction needs at least one element, but there are none";
        return Err(Error::InvalidArgument(message.into()));
    }
    let mut result = result.elements_mut();
    let mut result = result.section(0, 1)?;
    let length = block_length(n);
    let blocks = n.div_ceil(length);
    if blocks == 1 {
        return first(&mut result, length, blocks, queue);
    }
    let mut temporary = queue.temporary(blocks)?;
    let mut parts = temporary.elements()?;
    first(&mut parts, length, blocks, queue)?;
    again(&parts, &mut result, queue)?;
    drop(parts);
    queue.keep(temporary);
    Ok(())
}
