//! The operators of generic helpers in host versions: of integers they wrap, and a division that
//! has no result is a fault.

use super::division;
use crate::types::number::{of_floats, of_signed, of_unsigned};

/// The operators of a type that [`Scalar`](crate::Scalar) may stand for.
pub trait Arithmetic: Sized {
    /// `self + other`
    fn sum(self, other: Self) -> Self;
    /// `self - other`
    fn difference(self, other: Self) -> Self;
    /// `self * other`
    fn product(self, other: Self) -> Self;
    /// `self / other`
    #[track_caller]
    fn quotient(self, other: Self) -> Self;
    /// `self % other`
    #[track_caller]
    fn remainder(self, other: Self) -> Self;
    /// `-self`
    fn opposite(self) -> Self;
}

macro_rules! integer {
    ($($ty:ident)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)]
            fn opposite(self) -> Self {
                self.wrapping_neg()
            }

            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn difference(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            #[track_caller]
            fn quotient(self, other: Self) -> Self {
                division::div(self, other)
            }

            #[inline(always)]
            #[track_caller]
            fn remainder(self, other: Self) -> Self {
                division::rem(self, other)
            }
        }
    )*};
}
of_signed!(integer);
of_unsigned!(integer);
integer!(isize usize);

macro_rules! float {
    ($($ty:ident)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)]
            fn opposite(self) -> Self {
                -self
            }

            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn difference(self, other: Self) -> Self {
                self - other
            }

            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self * other
            }

            #[inline(always)]
            #[track_caller]
            fn quotient(self, other: Self) -> Self {
                self / other
            }

            #[inline(always)]
            #[track_caller]
            fn remainder(self, other: Self) -> Self {
                self % other
            }
        }
    )*};
}
of_floats!(float);
