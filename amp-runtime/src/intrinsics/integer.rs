//! [`Integer`]: what generic kernel code knows about an integer.

use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, ShlAssign, Shr,
    ShrAssign,
};

use super::scalar::Scalar;
use crate::types::number::{of_signed, of_unsigned};

/// A [`Scalar`] that is an integer: `i8` to `i64` and `u8` to `u64`.
///
/// Beyond a `Scalar` it has `& | ^ ! << >>` and their assigning forms, and the methods of Rust's integers
/// below. A count of bits to shift by is a `u32`. In kernels and helpers shifts mask it, as everywhere there.
///
/// ```
/// use amp_runtime::Integer;
///
/// // In kernel code with `#[amp_fn]` before it.
/// fn gray<T: Integer>(x: T) -> T {
///     x ^ x >> 1
/// }
///
/// assert_eq!(gray(6_u32), 5);
/// assert_eq!(gray(6_i64).count_ones(), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer that generic kernel code computes with",
    note = "these are `i8` to `i64` and `u8` to `u64`"
)]
pub trait Integer:
    Scalar
    + Eq
    + Ord
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + ShlAssign<u32>
    + ShrAssign<u32>
{
    /// The number of ones.
    fn count_ones(self) -> u32;
    /// The number of zeros.
    fn count_zeros(self) -> u32;
    /// The number of ones before the first zero, from the highest bit.
    fn leading_ones(self) -> u32;
    /// The number of zeros before the first one, from the highest bit.
    fn leading_zeros(self) -> u32;
    /// The number of ones before the first zero, from the lowest bit.
    fn trailing_ones(self) -> u32;
    /// The number of zeros before the first one, from the lowest bit.
    fn trailing_zeros(self) -> u32;
    /// The bits in reverse order.
    fn reverse_bits(self) -> Self;
    /// The bytes in reverse order.
    fn swap_bytes(self) -> Self;
    /// The bits rotated to the left.
    fn rotate_left(self, bits: u32) -> Self;
    /// The bits rotated to the right.
    fn rotate_right(self, bits: u32) -> Self;
    /// `self + other`, which wraps.
    fn wrapping_add(self, other: Self) -> Self;
    /// `self - other`, which wraps.
    fn wrapping_sub(self, other: Self) -> Self;
    /// `self * other`, which wraps.
    fn wrapping_mul(self, other: Self) -> Self;
    /// `-self`, which wraps.
    fn wrapping_neg(self) -> Self;
    /// `self` to a power, which wraps.
    fn wrapping_pow(self, exponent: u32) -> Self;
    /// `self << bits`, of as many bits as `bits` is in this width.
    fn wrapping_shl(self, bits: u32) -> Self;
    /// `self >> bits`, of as many bits as `bits` is in this width.
    fn wrapping_shr(self, bits: u32) -> Self;
}

macro_rules! methods {
    ($ty:ident: $($name:ident($($argument:ident: $of:ty)?) -> $result:ty;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $argument: $of)?) -> $result {
            $ty::$name(self $(, $argument)?)
        }
    )*};
}

macro_rules! integer {
    ($($ty:ident)*) => {$(
        impl Integer for $ty {
            methods! { $ty:
                count_ones() -> u32;
                count_zeros() -> u32;
                leading_ones() -> u32;
                leading_zeros() -> u32;
                trailing_ones() -> u32;
                trailing_zeros() -> u32;
                reverse_bits() -> Self;
                swap_bytes() -> Self;
                rotate_left(bits: u32) -> Self;
                rotate_right(bits: u32) -> Self;
                wrapping_add(other: Self) -> Self;
                wrapping_sub(other: Self) -> Self;
                wrapping_mul(other: Self) -> Self;
                wrapping_neg() -> Self;
                wrapping_pow(exponent: u32) -> Self;
                wrapping_shl(bits: u32) -> Self;
                wrapping_shr(bits: u32) -> Self;
            }
        }
    )*};
}
of_signed!(integer);
of_unsigned!(integer);
