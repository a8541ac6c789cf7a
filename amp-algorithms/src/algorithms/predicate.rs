//! Conditions of elements, as the kernels that count, mark and move those for which one holds.

use super::place::PlaceKernel;
use crate::prelude::*;
use crate::{Element, Kernel};

/// A condition of elements, which [`predicate!`](crate::predicate!) makes.
///
/// ```
/// use amp::algorithms::{Predicate, count_if, predicate};
/// use amp::prelude::*;
///
/// fn share(numbers: &[f32], predicate: impl Predicate<f32>) -> amp::Result<f32> {
///     let count = count_if(&ArrayView::from(numbers), predicate)?;
///     Ok(count as f32 / numbers.len() as f32)
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(share(&[1.0, -2.0, 3.0, 0.5], predicate!(|x: f32| x > 0.75))?, 0.5);
/// # Ok(())
/// # }
/// ```
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

    /// Counts or moves elements. To move them, it takes the scanned counts of all blocks.
    #[doc(hidden)]
    fn place<'k>(
        &self,
        input: &'k ArrayView<'_, T, 1>,
        out: &'k mut ArrayViewMut<'_, T, 1>,
        counts: &'k mut ArrayViewMut<'_, u32, 1>,
        kernel: PlaceKernel,
    ) -> Kernel<'k, TiledIndex<1, 256>>;
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

            fn place<'k>(
                &self,
                input: &'k $crate::ArrayView<'_, $t, 1>,
                out: &'k mut $crate::ArrayViewMut<'_, $t, 1>,
                counts: &'k mut $crate::ArrayViewMut<'_, u32, 1>,
                kernel: $crate::algorithms::PlaceKernel,
            ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> {
                use $crate::algorithms::{Place, PlaceKernel};
                use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                use $crate::{atomic_fetch_inc, subgroup};
                $crate::__place_kernel! {
                    $t, [$($capture: $captured),*] |$x| { $condition }
                }
                $crate::__vote_kernel! {
                    $t, [$($capture: $captured),*] |$x| { $condition }
                }
                match kernel {
                    PlaceKernel::Marks(Place::Count) => {
                        place::<0>(input, out, counts, $(self.$capture),*)
                    }
                    PlaceKernel::Marks(Place::Move) => {
                        place::<1>(input, out, counts, $(self.$capture),*)
                    }
                    PlaceKernel::Marks(Place::MoveAll) => {
                        place::<2>(input, out, counts, $(self.$capture),*)
                    }
                    PlaceKernel::Votes { others: false } => {
                        vote::<0>(input, out, counts, $(self.$capture),*)
                    }
                    PlaceKernel::Votes { others: true } => {
                        vote::<1>(input, out, counts, $(self.$capture),*)
                    }
                }
            }
        }

        Own { $($capture,)* }
    }};
    (|$x:ident: $t:ty| $condition:expr) => {
        $crate::predicate!(|$x: $t| [] $condition)
    };
}
