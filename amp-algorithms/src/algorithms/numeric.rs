//! The kernels of all numbers that functions with a type parameter launch.

use super::number::numbers::Number;
use super::number::of_numbers;
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;
use crate::{__reduce_kernel, Element, Kernel};

mod sealed {
    pub trait Sealed {}
}

/// A kernel that writes numbers at the same distance.
macro_rules! iota_kernel {
    (#[$attribute:meta] $name:ident) => {
        #[$attribute]
        fn $name<T: Element + Number>(
            idx: Index<1>,
            x: &mut ArrayViewMut<T, 1>,
            start: T,
            step: T,
        ) {
            x[idx] = start.sum(step.product(T::from_index(idx[0])));
        }
    };
}

of_numbers! {
    iota_kernel! { iota_numbers }
}

/// A kernel that marks the elements that differ from the one before.
#[doc(hidden)]
#[macro_export]
macro_rules! __heads_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $equal:expr }
    ) => {
        #[$attribute]
        fn $name<$($generics)*>(
            idx: Index<1>,
            input: &ArrayView<$element, 1>,
            marks: &mut ArrayViewMut<u32, 1>,
            $($capture: $captured,)*
        ) {
            let are_equal = |$a: $element, $b: $element| -> bool { $equal };
            let is_first = idx[0] == 0 || !are_equal(input[idx[0].max(1) - 1], input[idx]);
            marks[idx] = if is_first { 1 } else { 0 };
        }
    };
}

of_numbers! {
    __heads_kernel! {
        heads_of_numbers [T: Element + Number] [] T
        |a, b| { a.is_equal(b) }
    }
}

/// A kernel that finds, for each value, before which of the sorted elements it could stand: the first or the last
/// such place. An expression says whether that is behind an element `x`.
#[doc(hidden)]
#[macro_export]
macro_rules! __bounds_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $less:expr }
        |$x:ident, $value:ident, $upper:ident, $is_less:ident| { $is_behind:expr }
    ) => {
        #[$attribute]
        fn $name<$($generics)*>(
            idx: Index<1>,
            sorted: &ArrayView<$element, 1>,
            values: &ArrayView<$element, 1>,
            out: &mut ArrayViewMut<u32, 1>,
            $upper: bool,
            $($capture: $captured,)*
        ) {
            let $is_less = |$a: $element, $b: $element| -> bool { $less };
            let $value = values[idx];
            let mut low = 0;
            let mut high = sorted.extent()[0];
            while low < high {
                let middle = low + (high - low) / 2;
                let $x = sorted[middle];
                if $is_behind {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            out[idx] = low as u32;
        }
    };
}

of_numbers! {
    __bounds_kernel! {
        bounds_of_numbers [T: Element + Number] [] T
        |a, b| { a.is_less(b) }
        |x, value, upper, is_less| { is_less(x, value) || upper && x.is_equal(value) }
    }
}

// The place of an element that is equal to the value. If that is no number, no element is one.
of_numbers! {
    __reduce_kernel! {
        first_equal [T: Element + Number] [value: &ArrayView<T, 1>]
        |x: T, at| -> u32 {
            if x.is_equal(value[0]) || !value[0].is_equal(value[0]) { at as u32 } else { u32::MAX }
         }
        |a, b| { a.min(b) }
    }
}

/// A number: an integer of 8 to 64 bits, `f32` or `f64`, and with the feature `half` `f16` or `bf16`.
///
/// ```
/// use amp::algorithms::{Numeric, iota};
/// use amp::prelude::*;
///
/// fn third<T: Numeric>(start: T, step: T) -> amp::Result<T> {
///     let mut numbers = ArrayViewMut::uninit(3)?;
///     iota(&mut numbers, start, step)?;
///     Ok(numbers[2])
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!((third(1_u8, 2)?, third(0.5, -1.0)?), (5, -1.5));
/// # Ok(())
/// # }
/// ```
pub trait Numeric: Element + PartialOrd + sealed::Sealed {
    #[doc(hidden)]
    fn iota<'k>(
        x: &'k mut ArrayViewMut<'_, Self, 1>,
        start: Self,
        step: Self,
    ) -> Kernel<'k, Index<1>>;

    #[doc(hidden)]
    fn heads<'k>(
        input: &'k ArrayView<'_, Self, 1>,
        marks: &'k mut ArrayViewMut<'_, u32, 1>,
    ) -> Kernel<'k, Index<1>>;

    #[doc(hidden)]
    fn bounds<'k>(
        sorted: &'k ArrayView<'_, Self, 1>,
        values: &'k ArrayView<'_, Self, 1>,
        out: &'k mut ArrayViewMut<'_, u32, 1>,
        upper: bool,
    ) -> Kernel<'k, Index<1>>;

    #[doc(hidden)]
    fn first_equal<'k>(
        input: &'k ArrayView<'_, Self, 1>,
        out: &'k mut ArrayViewMut<'_, u32, 1>,
        length: usize,
        value: &'k ArrayView<'_, Self, 1>,
    ) -> Kernel<'k, TiledIndex<1, 256>>;
}

macro_rules! numeric {
    ($($number:ident)*) => {$(
        impl sealed::Sealed for $number {}
        impl Numeric for $number {
            #[inline]
            fn iota<'k>(
                x: &'k mut ArrayViewMut<'_, Self, 1>,
                start: Self,
                step: Self,
            ) -> Kernel<'k, Index<1>> {
                iota_numbers::<$number>(x, start, step)
            }

            #[inline]
            fn heads<'k>(
                input: &'k ArrayView<'_, Self, 1>,
                marks: &'k mut ArrayViewMut<'_, u32, 1>,
            ) -> Kernel<'k, Index<1>> {
                heads_of_numbers::<$number>(input, marks)
            }

            #[inline]
            fn bounds<'k>(
                sorted: &'k ArrayView<'_, Self, 1>,
                values: &'k ArrayView<'_, Self, 1>,
                out: &'k mut ArrayViewMut<'_, u32, 1>,
                upper: bool,
            ) -> Kernel<'k, Index<1>> {
                bounds_of_numbers::<$number>(sorted, values, out, upper)
            }

            #[inline]
            fn first_equal<'k>(
                input: &'k ArrayView<'_, Self, 1>,
                out: &'k mut ArrayViewMut<'_, u32, 1>,
                length: usize,
                value: &'k ArrayView<'_, Self, 1>,
            ) -> Kernel<'k, TiledIndex<1, 256>> {
                first_equal::<$number>(input, out, length, value)
            }
        }
    )*};
}
numeric!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
#[cfg(feature = "half")]
numeric!(f16 bf16);
