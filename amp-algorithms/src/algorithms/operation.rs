//! What combines two elements: operations that are ready made, and the user's own.

use super::host::{Combine, HostOperation, host_operation};
use super::lines::reduce_lines_of_numbers;
use super::number::numbers::combined;
use super::reduce::reduce_numbers;
use super::scan::{Scan, scan_numbers};
use super::scan_lines::scan_lines_of_numbers;
use super::scan_whole_blocks::scan_whole_blocks_of_numbers;
use super::scan_whole_lines::scan_whole_lines_of_numbers;
use super::segments::{
    reduce_segments_of_numbers, scan_segments_of_numbers, scan_segments_whole_of_numbers,
};
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::{__scan_step, Element};

/// The methods of an `Operation` that return kernels: their names, the names of their parameters, and of
/// each a body or a semicolon. The attribute is for all of them.
#[doc(hidden)]
#[macro_export]
macro_rules! __operation_kernels {
    (
        $element:ty;
        #[$attribute:meta]
        reduce($r:ident, $r_input:ident, $r_out:ident, $length:ident) $reduce:tt
        reduce_lines($rl:ident, $rl_input:ident, $rl_out:ident, $by_rows:ident) $reduce_lines:tt
        scan_lines(
            $sl:ident, $sl_input:ident, $sl_out:ident, $sl_by_rows:ident, $exclusive:ident, $initial:ident
        ) $scan_lines:tt
        scan_whole_lines(
            $sw:ident, $sw_input:ident, $sw_out:ident, $sw_by_rows:ident, $sw_exclusive:ident, $sw_initial:ident
        ) $scan_whole_lines:tt
        scan($s:ident, $s_input:ident, $s_out:ident, $s_totals:ident, $s_scan:ident) $scan:tt
        scan_whole_blocks(
            $sb:ident, $sb_input:ident, $sb_out:ident, $sb_totals:ident, $sb_scan:ident
        ) $scan_whole_blocks:tt
        reduce_segments(
            $rs:ident, $rs_input:ident, $offsets:ident, $rs_out:ident, $threads:ident, $empty:ident
        ) $reduce_segments:tt
        scan_segments(
            $ss:ident, $ss_input:ident, $marks:ident, $ss_out:ident, $ss_totals:ident,
            $total_marks:ident, $ss_scan:ident
        ) $scan_segments:tt
        scan_segments_whole(
            $sn:ident, $sn_input:ident, $sn_marks:ident, $sn_out:ident, $sn_totals:ident,
            $sn_total_marks:ident, $sn_scan:ident
        ) $scan_segments_whole:tt
    ) => {
        #[$attribute]
        fn reduce<'k>(
            &$r,
            $r_input: &'k $crate::ArrayView<'_, $element, 1>,
            $r_out: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $length: usize,
        ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> $reduce

        #[$attribute]
        fn reduce_lines<'k>(
            &$rl,
            $rl_input: &'k $crate::ArrayView<'_, $element, 2>,
            $rl_out: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $by_rows: bool,
        ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> $reduce_lines

        #[$attribute]
        fn scan_lines<'k>(
            &$sl,
            $sl_input: &'k $crate::ArrayView<'_, $element, 2>,
            $sl_out: &'k mut $crate::ArrayViewMut<'_, $element, 2>,
            $sl_by_rows: bool,
            $exclusive: bool,
            $initial: $element,
        ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> $scan_lines

        #[$attribute]
        fn scan_whole_lines<'k>(
            &$sw,
            $sw_input: &'k $crate::ArrayView<'_, $element, 2>,
            $sw_out: &'k mut $crate::ArrayViewMut<'_, $element, 2>,
            $sw_by_rows: bool,
            $sw_exclusive: bool,
            $sw_initial: $element,
        ) -> $crate::Kernel<'k, $crate::Index<1>> $scan_whole_lines

        #[$attribute]
        fn scan<'k>(
            &$s,
            $s_input: &'k $crate::ArrayView<'_, $element, 1>,
            $s_out: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $s_totals: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $s_scan: $crate::algorithms::Scan<$element>,
        ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> $scan

        #[$attribute]
        fn scan_whole_blocks<'k>(
            &$sb,
            $sb_input: &'k $crate::ArrayView<'_, $element, 1>,
            $sb_out: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $sb_totals: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $sb_scan: $crate::algorithms::Scan<$element>,
        ) -> $crate::Kernel<'k, $crate::Index<1>> $scan_whole_blocks

        #[$attribute]
        fn reduce_segments<'k>(
            &$rs,
            $rs_input: &'k $crate::ArrayView<'_, $element, 1>,
            $offsets: &'k $crate::ArrayView<'_, u32, 1>,
            $rs_out: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $threads: usize,
            $empty: $element,
        ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> $reduce_segments

        #[$attribute]
        fn scan_segments<'k>(
            &$ss,
            $ss_input: &'k $crate::ArrayView<'_, $element, 1>,
            $marks: &'k $crate::ArrayView<'_, u32, 1>,
            $ss_out: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $ss_totals: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $total_marks: &'k mut $crate::ArrayViewMut<'_, u32, 1>,
            $ss_scan: $crate::algorithms::Scan<$element>,
        ) -> $crate::Kernel<'k, $crate::TiledIndex<1, 256>> $scan_segments

        #[$attribute]
        fn scan_segments_whole<'k>(
            &$sn,
            $sn_input: &'k $crate::ArrayView<'_, $element, 1>,
            $sn_marks: &'k $crate::ArrayView<'_, u32, 1>,
            $sn_out: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $sn_totals: &'k mut $crate::ArrayViewMut<'_, $element, 1>,
            $sn_total_marks: &'k mut $crate::ArrayViewMut<'_, u32, 1>,
            $sn_scan: $crate::algorithms::Scan<$element>,
        ) -> $crate::Kernel<'k, $crate::Index<1>> $scan_segments_whole
    };
}

/// An associative and commutative operation on elements, with which [`reduce`](super::reduce) and
/// [`inclusive_scan`](super::inclusive_scan) combine them: [`Add`], [`Mul`], [`Min`], [`Max`],
/// [`And`], [`Or`], [`Xor`], or what [`operation!`](crate::operation!) makes.
///
/// ```
/// use amp::algorithms::{Add, Max, Operation, reduce};
/// use amp::prelude::*;
///
/// fn of_squares(operation: impl Operation<u64>) -> amp::Result<u64> {
///     let squares = Array::from_iter(5, (1..).map(|i| i * i))?;
///     reduce(&squares, operation)
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!((of_squares(Add)?, of_squares(Max)?), (55, 25));
/// # Ok(())
/// # }
/// ```
pub trait Operation<T: Element> {
    __operation_kernels! {
        T;
        #[doc(hidden)]
        reduce(self, input, out, length);
        reduce_lines(self, input, out, by_rows);
        scan_lines(self, input, out, by_rows, exclusive, initial);
        scan_whole_lines(self, input, out, by_rows, exclusive, initial);
        scan(self, input, out, totals, scan);
        scan_whole_blocks(self, input, out, totals, scan);
        reduce_segments(self, input, offsets, out, threads, empty);
        scan_segments(self, input, marks, out, totals, total_marks, scan);
        scan_segments_whole(self, input, marks, out, totals, total_marks, scan);
    }

    /// The operation in plain Rust, if it cannot fault.
    #[doc(hidden)]
    fn on_host(&self) -> Option<HostOperation<T>> {
        None
    }
}

macro_rules! ready_made {
    ($($(#[$document:meta])* $name:ident = $number:literal: $($element:ident)*;)*) => {
        $(
            $(#[$document])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name;
        )*
        of_elements! { $($name = $number: $($element)*;)* }
    };
}

macro_rules! of_elements {
    ($($name:ident = $number:literal: $($element:ident)*;)*) => {$(
        $(impl Combine<$element> for $name {
            #[inline(always)]
            fn combine(a: $element, b: $element) -> $element {
                combined($number, a, b)
            }
        }

        impl Operation<$element> for $name {
            __operation_kernels! {
                $element;
                #[inline]
                reduce(self, input, out, length) {
                    reduce_numbers::<$element, $number>(input, out, length)
                }
                reduce_lines(self, input, out, by_rows) {
                    reduce_lines_of_numbers::<$element, $number>(input, out, by_rows)
                }
                scan_lines(self, input, out, by_rows, exclusive, initial) {
                    scan_lines_of_numbers::<$element, $number>(input, out, by_rows, exclusive, initial)
                }
                scan_whole_lines(self, input, out, by_rows, exclusive, initial) {
                    scan_whole_lines_of_numbers::<$element, $number>(
                        input, out, by_rows, exclusive, initial,
                    )
                }
                scan(self, input, out, totals, scan) {
                    __scan_step!(scan, scan_numbers [$element, $number] (
                        input, out, totals, scan.initial,
                    ))
                }
                scan_whole_blocks(self, input, out, totals, scan) {
                    __scan_step!(scan, scan_whole_blocks_of_numbers [$element, $number] (
                        input, out, totals, scan.initial,
                    ))
                }
                reduce_segments(self, input, offsets, out, threads, empty) {
                    reduce_segments_of_numbers::<$element, $number>(input, offsets, out, threads, empty)
                }
                scan_segments(self, input, marks, out, totals, total_marks, scan) {
                    let Scan { step, exclusive, initial } = scan;
                    scan_segments_of_numbers::<$element, $number>(
                        input, marks, out, totals, total_marks, step, exclusive, initial,
                    )
                }
                scan_segments_whole(self, input, marks, out, totals, total_marks, scan) {
                    let Scan { step, exclusive, initial } = scan;
                    scan_segments_whole_of_numbers::<$element, $number>(
                        input, marks, out, totals, total_marks, step, exclusive, initial,
                    )
                }
            }

            #[inline]
            fn on_host(&self) -> Option<HostOperation<$element>> {
                Some(host_operation::<$element, Self>())
            }
        })*
    )*};
}

ready_made! {
    /// The sum. Integers wrap. Each sum of `f16` and `bf16`, with the feature `half`, is rounded to the type: to add
    /// them as `f32`, use [`transform_reduce`](super::transform_reduce).
    ///
    /// ```
    /// use amp::algorithms::{Add, reduce};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(reduce(&ArrayView::new(3, &[1.5, 2.0, -0.5])?, Add)?, 3.0);
    /// # Ok(())
    /// # }
    /// ```
    Add = 0: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64;
    /// The product. Integers wrap.
    ///
    /// ```
    /// use amp::algorithms::{Mul, reduce};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(reduce(&ArrayView::new(3, &[2, 3, -7])?, Mul)?, -42);
    /// # Ok(())
    /// # }
    /// ```
    Mul = 1: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64;
    /// The smaller one. As in `f32::min`, NaN counts only if there is nothing else.
    ///
    /// ```
    /// use amp::algorithms::{Min, reduce};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(reduce(&ArrayView::new(3, &[1.5, f32::NAN, -0.5])?, Min)?, -0.5);
    /// # Ok(())
    /// # }
    /// ```
    Min = 2: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64;
    /// The larger one. As in `f32::max`, NaN counts only if there is nothing else.
    ///
    /// ```
    /// use amp::algorithms::{Max, reduce};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(reduce(&ArrayView::new(3, &[1_u8, 250, 3])?, Max)?, 250);
    /// # Ok(())
    /// # }
    /// ```
    Max = 3: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64;
    /// The bits that both integers have.
    ///
    /// ```
    /// use amp::algorithms::{And, reduce};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(reduce(&ArrayView::new(2, &[12, 6])?, And)?, 4);
    /// # Ok(())
    /// # }
    /// ```
    And = 4: i8 u8 i16 u16 i32 u32 i64 u64;
    /// The bits that one of the integers has.
    ///
    /// ```
    /// use amp::algorithms::{Or, reduce};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(reduce(&ArrayView::new(2, &[12, 6])?, Or)?, 14);
    /// # Ok(())
    /// # }
    /// ```
    Or = 5: i8 u8 i16 u16 i32 u32 i64 u64;
    /// The bits in which integers differ.
    ///
    /// ```
    /// use amp::algorithms::{Xor, reduce};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(reduce(&ArrayView::new(2, &[12, 6])?, Xor)?, 10);
    /// # Ok(())
    /// # }
    /// ```
    Xor = 6: i8 u8 i16 u16 i32 u32 i64 u64;
}

#[cfg(feature = "half")]
of_elements! {
    Add = 0: f16 bf16;
    Mul = 1: f16 bf16;
    Min = 2: f16 bf16;
    Max = 3: f16 bf16;
}

/// Makes an [`Operation`](crate::algorithms::Operation) of a closure in the kernel language. Algorithms combine elements in an
/// order of their own, so it has to be associative. For [`reduce`](crate::algorithms::reduce) it has to be
/// commutative, too.
///
/// Between the parameters and the body there may be a list of variables to capture, by value, with
/// their types. The body may call the `#[amp_fn]`s that are in scope.
///
/// ```
/// use amp::algorithms::{inclusive_scan, operation, reduce};
/// use amp::prelude::*;
///
/// /// A linear function.
/// #[amp_struct]
/// #[derive(Debug, PartialEq)]
/// struct Linear {
///     factor: i32,
///     summand: i32,
/// }
///
/// # fn main() -> amp::Result<()> {
/// let functions = [(2, 1), (3, -1), (-1, 4)].map(|(factor, summand)| Linear { factor, summand });
/// let after = operation!(|f: Linear, g: Linear| Linear {
///     factor: f.factor * g.factor,
///     summand: f.summand * g.factor + g.summand,
/// });
/// let mut results = ArrayViewMut::uninit(3)?;
/// inclusive_scan(&ArrayView::new(3, &functions)?, &mut results, after)?;
/// assert_eq!(results.to_vec()?[2], Linear { factor: -6, summand: 2 });
///
/// let modulus = 1000;
/// let product = operation!(|a: u32, b: u32| [modulus: u32] a * b % modulus);
/// assert_eq!(reduce(&ArrayView::new(3, &[2, 30, 70])?, product)?, 200);
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! operation {
    (
        |$a:ident: $element:ty, $b:ident: $other:ty $(,)?|
        [$($capture:ident: $captured:ty),* $(,)?] $combine:expr
    ) => {{
        struct Own {
            $($capture: $captured,)*
        }

        impl $crate::algorithms::Operation<$element> for Own {
            $crate::__operation_kernels! {
                $element;
                #[inline]
                reduce(self, input, out, length) {
                    use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                    $crate::__reduce_kernel! {
                        #[amp_kernel]
                        reduce [] [$($capture: $captured),*]
                        |x: $element, _at| -> $element { x }
                        |$a, $b| { $combine }
                    }
                    reduce(input, out, length, $(self.$capture),*)
                }
                reduce_lines(self, input, out, by_rows) {
                    use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                    $crate::__reduce_lines_kernel! {
                        #[amp_kernel]
                        kernel [] [$($capture: $captured),*] $element
                        |$a, $b| { $combine }
                    }
                    kernel(input, out, by_rows, $(self.$capture),*)
                }
                scan_lines(self, input, out, by_rows, exclusive, initial) {
                    use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                    $crate::__scan_lines_kernel! {
                        #[amp_kernel]
                        kernel [] [$($capture: $captured),*] $element
                        |$a, $b| { $combine }
                    }
                    kernel(input, out, by_rows, exclusive, initial, $(self.$capture),*)
                }
                scan_whole_lines(self, input, out, by_rows, exclusive, initial) {
                    use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                    $crate::__scan_whole_lines_kernel! {
                        #[amp_kernel]
                        kernel [] [$($capture: $captured),*] $element
                        |$a, $b| { $combine }
                    }
                    kernel(input, out, by_rows, exclusive, initial, $(self.$capture),*)
                }
                scan(self, input, out, totals, scan) {
                    use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                    $crate::__scan_kernel! {
                        #[amp_kernel]
                        kernel [] [$($capture: $captured),*] $element
                        |$a, $b| { $combine }
                    }
                    $crate::__scan_step!(scan, kernel [] (
                        input, out, totals, scan.initial, $(self.$capture),*
                    ))
                }
                scan_whole_blocks(self, input, out, totals, scan) {
                    use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                    $crate::__scan_whole_blocks_kernel! {
                        #[amp_kernel]
                        kernel [] [$($capture: $captured),*] $element
                        |$a, $b| { $combine }
                    }
                    $crate::__scan_step!(scan, kernel [] (
                        input, out, totals, scan.initial, $(self.$capture),*
                    ))
                }
                reduce_segments(self, input, offsets, out, threads, empty) {
                    use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                    $crate::__reduce_segments_kernel! {
                        #[amp_kernel]
                        kernel [] [$($capture: $captured),*] $element
                        |$a, $b| { $combine }
                    }
                    kernel(input, offsets, out, threads, empty, $(self.$capture),*)
                }
                scan_segments(self, input, marks, out, totals, total_marks, scan) {
                    use $crate::{ArrayView, ArrayViewMut, TiledIndex, amp_kernel};
                    $crate::__scan_segments_kernel! {
                        #[amp_kernel]
                        kernel [] [$($capture: $captured),*] $element
                        |$a, $b| { $combine }
                    }
                    let $crate::algorithms::Scan { step, exclusive, initial } = scan;
                    kernel(
                        input, marks, out, totals, total_marks, step, exclusive, initial,
                        $(self.$capture),*
                    )
                }
                scan_segments_whole(self, input, marks, out, totals, total_marks, scan) {
                    use $crate::{ArrayView, ArrayViewMut, Index, amp_kernel};
                    $crate::__scan_segments_whole_kernel! {
                        #[amp_kernel]
                        kernel [] [$($capture: $captured),*] $element
                        |$a, $b| { $combine }
                    }
                    let $crate::algorithms::Scan { step, exclusive, initial } = scan;
                    kernel(
                        input, marks, out, totals, total_marks, step, exclusive, initial,
                        $(self.$capture),*
                    )
                }
            }
        }

        Own { $($capture,)* }
    }};
    (|$($parameter:ident: $element:ty),* $(,)?| $combine:expr) => {
        $crate::operation!(|$($parameter: $element),*| [] $combine)
    };
}
