//! Functions of elements: `transform`, `transform_reduce`, `iota`.

use super::launcher::Launcher;
use super::numeric::Numeric;
use super::queue::{Queue, Workspace, tiles};
use super::reduce::{BLOCKS, in_two_steps};
use super::source::{Source, Target, same_length};
use crate::{ArrayView, ArrayViewMut, Element, Index, Kernel, Result, TiledIndex};

/// A function of one element, which [`function!`](crate::function!) makes.
///
/// ```
/// use amp::algorithms::{Function, function, transform};
/// use amp::prelude::*;
///
/// fn first_of(numbers: &[i32], function: impl Function<i32, f32>) -> amp::Result<f32> {
///     let mut results = ArrayViewMut::uninit(numbers.len())?;
///     transform(&ArrayView::from(numbers), &mut results, function)?;
///     Ok(results[0])
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(first_of(&[3, 4], function!(|x: i32| -> f32 { x as f32 / 2.0 }))?, 1.5);
/// # Ok(())
/// # }
/// ```
pub trait Function<T: Element, U: Element> {
    #[doc(hidden)]
    fn kernel<'k>(
        &self,
        input: &'k ArrayView<'_, T, 1>,
        out: &'k mut ArrayViewMut<'_, U, 1>,
    ) -> Kernel<'k, Index<1>>;
}

/// A function of two elements, which [`function!`](crate::function!) makes.
///
/// ```
/// use amp::algorithms::{PairFunction, function, transform_pairs};
/// use amp::prelude::*;
///
/// fn first_of(a: &[i32], b: &[i32], function: impl PairFunction<i32, i32, i32>) -> amp::Result<i32> {
///     let mut results = ArrayViewMut::uninit(a.len())?;
///     transform_pairs(&ArrayView::from(a), &ArrayView::from(b), &mut results, function)?;
///     Ok(results[0])
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(first_of(&[3, 4], &[5, 6], function!(|x: i32, y: i32| -> i32 { x * y }))?, 15);
/// # Ok(())
/// # }
/// ```
pub trait PairFunction<S: Element, T: Element, U: Element> {
    #[doc(hidden)]
    fn kernel<'k>(
        &self,
        first: &'k ArrayView<'_, S, 1>,
        second: &'k ArrayView<'_, T, 1>,
        out: &'k mut ArrayViewMut<'_, U, 1>,
    ) -> Kernel<'k, Index<1>>;
}

/// A function of elements and an operation on its results, which [`reduction!`](crate::reduction!)
/// makes.
///
/// ```
/// use amp::algorithms::{Reduction, reduction, transform_reduce};
/// use amp::prelude::*;
///
/// fn of_numbers<R: Reduction<i32>>(reduction: R) -> amp::Result<R::Output> {
///     transform_reduce(&ArrayView::new(3, &[3, -5, 4])?, reduction)
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(of_numbers(reduction!(|x: i32| -> u32 { x.unsigned_abs() }, |a, b| a.max(b)))?, 5);
/// # Ok(())
/// # }
/// ```
pub trait Reduction<T: Element> {
    /// A result.
    type Output: Element;

    #[doc(hidden)]
    fn first<'k>(
        &self,
        input: &'k ArrayView<'_, T, 1>,
        out: &'k mut ArrayViewMut<'_, Self::Output, 1>,
        length: usize,
    ) -> Kernel<'k, TiledIndex<1, 256>>;

    #[doc(hidden)]
    fn again<'k>(
        &self,
        input: &'k ArrayView<'_, Self::Output, 1>,
        out: &'k mut ArrayViewMut<'_, Self::Output, 1>,
        length: usize,
    ) -> Kernel<'k, TiledIndex<1, 256>>;
}

/// Makes a [`Function`](crate::algorithms::Function) of one element, or a
/// [`PairFunction`](crate::algorithms::PairFunction) of two, of a closure in the kernel language. A
/// list of variables to capture, by value, may stand before the arrow.
///
/// ```
/// use amp::algorithms::{function, transform, transform_pairs};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let x = Array::new(3, &[1.0_f32, 4.0, 9.0])?;
/// let mut roots = Array::zeroed(3)?;
/// transform(&x, &mut roots, function!(|x: f32| -> f32 { x.sqrt() }))?;
/// assert_eq!(roots.to_vec()?, [1.0, 2.0, 3.0]);
///
/// let a = 2.0;
/// let mut sums = Array::zeroed(3)?;
/// let axpy = function!(|x: f32, y: f32| [a: f32] -> f32 { a * x + y });
/// transform_pairs(&x, &roots, &mut sums, axpy)?;
/// assert_eq!(sums.to_vec()?, [3.0, 10.0, 21.0]);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! function {
    (|$x:ident: $t:ty| [$($capture:ident: $captured:ty),* $(,)?] -> $u:ty $body:block) => {{
        struct Own {
            $($capture: $captured,)*
        }

        impl $crate::algorithms::Function<$t, $u> for Own {
            fn kernel<'k>(
                &self,
                input: &'k $crate::ArrayView<'_, $t, 1>,
                out: &'k mut $crate::ArrayViewMut<'_, $u, 1>,
            ) -> $crate::Kernel<'k, $crate::Index<1>> {
                use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                #[amp_kernel]
                fn transform(
                    idx: Index<1>,
                    input: &ArrayView<$t, 1>,
                    out: &mut ArrayViewMut<$u, 1>,
                    $($capture: $captured,)*
                ) {
                    let function = |$x: $t| -> $u { $body };
                    out[idx] = function(input[idx]);
                }
                transform(input, out, $(self.$capture),*)
            }
        }

        Own { $($capture,)* }
    }};
    (
        |$x:ident: $s:ty, $y:ident: $t:ty $(,)?|
        [$($capture:ident: $captured:ty),* $(,)?] -> $u:ty $body:block
    ) => {{
        struct Own {
            $($capture: $captured,)*
        }

        impl $crate::algorithms::PairFunction<$s, $t, $u> for Own {
            fn kernel<'k>(
                &self,
                first: &'k $crate::ArrayView<'_, $s, 1>,
                second: &'k $crate::ArrayView<'_, $t, 1>,
                out: &'k mut $crate::ArrayViewMut<'_, $u, 1>,
            ) -> $crate::Kernel<'k, $crate::Index<1>> {
                use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                #[amp_kernel]
                fn transform(
                    idx: Index<1>,
                    first: &ArrayView<$s, 1>,
                    second: &ArrayView<$t, 1>,
                    out: &mut ArrayViewMut<$u, 1>,
                    $($capture: $captured,)*
                ) {
                    let function = |$x: $s, $y: $t| -> $u { $body };
                    out[idx] = function(first[idx], second[idx]);
                }
                transform(first, second, out, $(self.$capture),*)
            }
        }

        Own { $($capture,)* }
    }};
    (|$($parameter:ident: $t:ty),* $(,)?| -> $u:ty $body:block) => {
        $crate::function!(|$($parameter: $t),*| [] -> $u $body)
    };
}

/// Makes a [`Reduction`](crate::algorithms::Reduction) of two closures in the kernel language: a
/// function of elements, and an associative and commutative operation on its results. Variables to
/// capture, by value, may be listed before the arrow, for both.
///
/// ```
/// use amp::algorithms::{reduction, transform_reduce};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = ArrayView::new(3, &[1.0_f32, -2.0, 5.0])?;
/// let mean = 1.5;
/// let squares = reduction!(|x: f32| [mean: f64] -> f64 { (x as f64 - mean).powi(2) }, |a, b| a + b);
/// assert_eq!(transform_reduce(&numbers, squares)?, 24.75);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! reduction {
    (
        |$x:ident: $t:ty| [$($capture:ident: $captured:ty),* $(,)?] -> $u:ty $map:block,
        |$a:ident, $b:ident| $combine:expr $(,)?
    ) => {{
        struct Own {
            $($capture: $captured,)*
        }

        impl $crate::algorithms::Reduction<$t> for Own {
            type Output = $u;

            fn first<'k>(
                &self,
                input: &'k $crate::ArrayView<'_, $t, 1>,
                out: &'k mut $crate::ArrayViewMut<'_, $u, 1>,
                length: usize,
            ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> {
                use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                $crate::__reduce_kernel! {
                    #[amp_kernel]
                    first [] [$($capture: $captured),*]
                    |$x: $t, _at| -> $u { $map }
                    |$a, $b| { $combine }
                }
                first(input, out, length, $(self.$capture),*)
            }

            fn again<'k>(
                &self,
                input: &'k $crate::ArrayView<'_, $u, 1>,
                out: &'k mut $crate::ArrayViewMut<'_, $u, 1>,
                length: usize,
            ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> {
                use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                $crate::__reduce_kernel! {
                    #[amp_kernel]
                    again [] [$($capture: $captured),*]
                    |x: $u, _at| -> $u { x }
                    |$a, $b| { $combine }
                }
                again(input, out, length, $(self.$capture),*)
            }
        }

        Own { $($capture,)* }
    }};
    (|$x:ident: $t:ty| -> $u:ty $map:block, $($combine:tt)*) => {
        $crate::reduction!(|$x: $t| [] -> $u $map, $($combine)*)
    };
}

/// Computes a function of each element.
///
/// ```
/// use amp::algorithms::{function, transform};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let angles = Array::new(2, &[0.0, 180.0])?;
/// let mut radians = Array::zeroed(2)?;
/// transform(&angles, &mut radians, function!(|x: f64| -> f64 { x.to_radians() }))?;
/// assert_eq!(radians.to_vec()?, [0.0, std::f64::consts::PI]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`](crate::Error::InvalidArgument) if there are not as many results as
/// elements; as [`parallel_for_each`](crate::parallel_for_each).
pub fn transform<T: Element, U: Element>(
    input: &impl Source<T>,
    results: &mut impl Target<U>,
    function: impl Function<T, U>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    transform_on(&mut workspace.at(input)?, input, results, function)
}

/// [`transform`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new(3, &[10, 20, 30])?, Array::zeroed(3)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// transform_on(queue, &x, &mut y, function!(|x: i32| -> i32 { x + 1 }))?;
/// assert_eq!(y.to_vec()?, [11, 21, 31]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`transform`].
pub fn transform_on<T: Element, U: Element>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    results: &mut impl Target<U>,
    function: impl Function<T, U>,
) -> Result<()> {
    let (input, mut results) = (input.elements(), results.elements_mut());
    same_length(&input, &results)?;
    queue.launch(results.extent(), function.kernel(&input, &mut results))
}

/// Computes a function of each element of one array and the element in its place in another.
///
/// ```
/// use amp::algorithms::{function, transform_pairs};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let (x, y) = (Array::new(2, &[3.0, 5.0])?, Array::new(2, &[4.0, 12.0])?);
/// let mut lengths = Array::zeroed(2)?;
/// let length = function!(|x: f64, y: f64| -> f64 { (x * x + y * y).sqrt() });
/// transform_pairs(&x, &y, &mut lengths, length)?;
/// assert_eq!(lengths.to_vec()?, [5.0, 13.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`transform`].
pub fn transform_pairs<S: Element, T: Element, U: Element>(
    first: &impl Source<S>,
    second: &impl Source<T>,
    results: &mut impl Target<U>,
    function: impl PairFunction<S, T, U>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    transform_pairs_on(&mut workspace.at(first)?, first, second, results, function)
}

/// [`transform_pairs`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut y) = (Array::new(3, &[10, 20, 30])?, Array::zeroed(3)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// transform_pairs_on(queue, &x, &x, &mut y, function!(|a: i32, b: i32| -> i32 { a * b }))?;
/// assert_eq!(y.to_vec()?, [100, 400, 900]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`transform`].
pub fn transform_pairs_on<S: Element, T: Element, U: Element>(
    queue: &mut Queue<'_>,
    first: &impl Source<S>,
    second: &impl Source<T>,
    results: &mut impl Target<U>,
    function: impl PairFunction<S, T, U>,
) -> Result<()> {
    let (first, second) = (first.elements(), second.elements());
    let mut results = results.elements_mut();
    same_length(&first, &results)?;
    same_length(&second, &results)?;
    queue.launch(
        results.extent(),
        function.kernel(&first, &second, &mut results),
    )
}

/// Computes a function of each element, and combines all results, in the order of
/// [`reduce`](super::reduce).
///
/// ```
/// use amp::algorithms::{reduction, transform_reduce};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(3, &[1_u8, 200, 100])?;
/// let sum = reduction!(|x: u8| -> u32 { x as u32 }, |a, b| a + b);
/// assert_eq!(transform_reduce(&numbers, sum)?, 301);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn transform_reduce<T: Element, R: Reduction<T>>(
    input: &impl Source<T>,
    reduction: R,
) -> Result<R::Output> {
    let mut workspace = Workspace::default();
    let mut queue = workspace.at(input)?;
    let mut result = ArrayViewMut::uninit(1)?;
    transform_reduce_into(&mut queue, input, &mut result, reduction)?;
    Ok(result.data()?[0])
}

/// [`transform_reduce`], whose result becomes the first element of `result`: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut sum) = (Array::new(2, &[3.0_f32, 4.0])?, Array::zeroed(1)?);
/// let squares = reduction!(|x: f32| -> f32 { x * x }, |a, b| a + b);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// transform_reduce_into(queue, &x, &mut sum, squares)?;
/// assert_eq!(sum[0], 25.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`reduce`](super::reduce).
pub fn transform_reduce_into<T: Element, R: Reduction<T>>(
    queue: &mut Queue<'_>,
    input: &impl Source<T>,
    result: &mut impl Target<R::Output>,
    reduction: R,
) -> Result<()> {
    type Out<'a, R, T> = ArrayViewMut<'a, <R as Reduction<T>>::Output, 1>;
    let input = input.elements();
    let first = |out: &mut Out<'_, R, T>, length, blocks, queue: &mut Queue<'_>| {
        queue.launch(tiles(blocks), reduction.first(&input, out, length))
    };
    let again = |parts: &Out<'_, R, T>, result: &mut Out<'_, R, T>, queue: &mut Queue<'_>| {
        let parts = parts.as_view();
        queue.launch(tiles(1), reduction.again(&parts, result, BLOCKS))
    };
    in_two_steps(queue, input.extent()[0], result, first, again)
}

/// Fills an array with `start`, `start + step`, `start + step * 2` and so on.
///
/// ```
/// use amp::algorithms::iota;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = Array::zeroed(4)?;
/// iota(&mut numbers, 10, -3)?;
/// assert_eq!(numbers.to_vec()?, [10, 7, 4, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`](crate::parallel_for_each).
pub fn iota<T: Numeric>(target: &mut impl Target<T>, start: T, step: T) -> Result<()> {
    let mut workspace = Workspace::default();
    iota_on(&mut workspace.at(target)?, target, start, step)
}

/// [`iota`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let mut x = Array::zeroed(3)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// iota_on(queue, &mut x, 1, 2)?;
/// assert_eq!(x.to_vec()?, [1, 3, 5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`](crate::parallel_for_each).
pub fn iota_on<T: Numeric>(
    queue: &mut Queue<'_>,
    target: &mut impl Target<T>,
    start: T,
    step: T,
) -> Result<()> {
    let mut target = target.elements_mut();
    queue.launch(target.extent(), T::iota(&mut target, start, step))
}
