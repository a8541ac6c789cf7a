//! [`Scalar`]: what generic kernel code knows about a number.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Rem, RemAssign, Sub, SubAssign};

use crate::device::cpu::arithmetic::Arithmetic;
use crate::types::element::{DeviceValue, Element};
use crate::types::number::{of_floats, of_signed, of_unsigned};

/// A number that arrays hold and kernels compute with: `i8` to `i64`, `u8` to `u64`, `f32`
/// and `f64`.
///
/// The bound of generic kernel code: `fn lerp<T: Scalar>(..)`. A `Scalar` has `+ - * / %`
/// and their assigning forms, comparisons, [`ZERO`](Scalar::ZERO) and
/// [`ONE`](Scalar::ONE), and the conversions of `as`. In kernels and helpers integers wrap
/// and divide as everywhere there.
///
/// ```
/// use amp_runtime::Scalar;
///
/// // In kernel code with `#[amp_fn]` before it.
/// fn weighted<T: Scalar, const N: usize>(values: [T; N]) -> T {
///     let mut sum = T::ZERO;
///     for (i, x) in values.iter().enumerate() {
///         sum += *x * T::from_usize(i + 1);
///     }
///     sum
/// }
///
/// assert_eq!(weighted([1_u32, 2, 3]), 14);
/// assert_eq!(weighted([0.5, 2.0]), 4.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that generic kernel code computes with",
    note = "these are `i8` to `i64`, `u8` to `u64`, `f32` and `f64`"
)]
pub trait Scalar:
    Element
    + DeviceValue
    + Arithmetic
    + Default
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;

    /// `value as Self`
    fn from_f32(value: f32) -> Self;
    /// `value as Self`
    fn from_f64(value: f64) -> Self;
    /// `value as Self`
    fn from_i32(value: i32) -> Self;
    /// `value as Self`
    fn from_u32(value: u32) -> Self;
    /// `value as Self`
    fn from_usize(value: usize) -> Self;
    /// `self as f32`
    fn to_f32(self) -> f32;
    /// `self as f64`
    fn to_f64(self) -> f64;
    /// `self as i32`
    fn to_i32(self) -> i32;
    /// `self as u32`
    fn to_u32(self) -> u32;
    /// `self as usize`
    fn to_usize(self) -> usize;
}

macro_rules! scalar {
    ($($ty:ident)*) => {$(
        #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
        impl Scalar for $ty {
            const ZERO: Self = 0 as $ty;
            const ONE: Self = 1 as $ty;

            #[inline(always)]
            fn from_f32(value: f32) -> Self {
                value as $ty
            }

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $ty
            }

            #[inline(always)]
            fn from_i32(value: i32) -> Self {
                value as $ty
            }

            #[inline(always)]
            fn from_u32(value: u32) -> Self {
                value as $ty
            }

            #[inline(always)]
            fn from_usize(value: usize) -> Self {
                value as $ty
            }

            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn to_i32(self) -> i32 {
                self as i32
            }

            #[inline(always)]
            fn to_u32(self) -> u32 {
                self as u32
            }

            #[inline(always)]
            fn to_usize(self) -> usize {
                self as usize
            }
        }
    )*};
}
of_signed!(scalar);
of_unsigned!(scalar);
of_floats!(scalar);
