//! Divisions of integers: one that has no result is a fault and gives 0.

use amp_spirv::artifact::FaultKind;

use super::report;
use crate::types::number::{of_signed, of_unsigned};

/// The integers of the kernel language.
pub trait Integer: Copy + Default + PartialEq {
    /// `None` where `/` overflows. The divisor is not zero.
    fn checked_div(self, divisor: Self) -> Option<Self>;
    /// `None` where `%` overflows. The divisor is not zero.
    fn checked_rem(self, divisor: Self) -> Option<Self>;
    /// `None` where `div_euclid` overflows. The divisor is not zero.
    fn checked_div_euclid(self, divisor: Self) -> Option<Self>;
    /// `None` where `rem_euclid` overflows. The divisor is not zero.
    fn checked_rem_euclid(self, divisor: Self) -> Option<Self>;
}

/// The integers without a sign.
pub trait Unsigned: Integer {
    /// Rust's `div_ceil`. The divisor is not zero.
    fn ceiling(self, divisor: Self) -> Self;
}

macro_rules! integer {
    ($($ty:ident)*) => {$(
        impl Integer for $ty {
            #[inline(always)]
            fn checked_div(self, divisor: Self) -> Option<Self> {
                $ty::checked_div(self, divisor)
            }

            #[inline(always)]
            fn checked_rem(self, divisor: Self) -> Option<Self> {
                $ty::checked_rem(self, divisor)
            }

            #[inline(always)]
            fn checked_div_euclid(self, divisor: Self) -> Option<Self> {
                $ty::checked_div_euclid(self, divisor)
            }

            #[inline(always)]
            fn checked_rem_euclid(self, divisor: Self) -> Option<Self> {
                $ty::checked_rem_euclid(self, divisor)
            }
        }
    )*};
}
of_signed!(integer);
of_unsigned!(integer);
integer!(isize usize);

macro_rules! unsigned {
    ($($ty:ident)*) => {$(
        impl Unsigned for $ty {
            #[inline(always)]
            fn ceiling(self, divisor: Self) -> Self {
                self.div_ceil(divisor)
            }
        }
    )*};
}
of_unsigned!(unsigned);
unsigned!(usize);

/// `quotient`, the checked result of a division by `divisor`, or a fault and 0.
#[inline(always)]
#[track_caller]
fn divided<T: Integer>(quotient: Option<T>, divisor: T) -> T {
    match quotient {
        Some(quotient) => quotient,
        None => {
            let zero = divisor == T::default();
            let kind = if zero {
                FaultKind::DivisionByZero
            } else {
                FaultKind::DivisionOverflow
            };
            report::raise(kind, [0, 0]);
            T::default()
        }
    }
}

/// `a / b`
#[inline(always)]
#[track_caller]
pub fn div<T: Integer>(a: T, b: T) -> T {
    divided(a.checked_div(b), b)
}

/// `a.wrapping_div(b)`
#[inline(always)]
#[track_caller]
pub fn wrapping_div<T: Integer>(a: T, b: T) -> T {
    match a.checked_div(b) {
        // `MIN / -1`, the one quotient that overflows.
        None if b != T::default() => a,
        quotient => divided(quotient, b),
    }
}

/// `a.wrapping_rem(b)`
#[inline(always)]
#[track_caller]
pub fn wrapping_rem<T: Integer>(a: T, b: T) -> T {
    match a.checked_rem(b) {
        None if b != T::default() => T::default(),
        remainder => divided(remainder, b),
    }
}

/// `a % b`
#[inline(always)]
#[track_caller]
pub fn rem<T: Integer>(a: T, b: T) -> T {
    divided(a.checked_rem(b), b)
}

/// `a.div_euclid(b)`
#[inline(always)]
#[track_caller]
pub fn div_euclid<T: Integer>(a: T, b: T) -> T {
    divided(a.checked_div_euclid(b), b)
}

/// `a.rem_euclid(b)`
#[inline(always)]
#[track_caller]
pub fn rem_euclid<T: Integer>(a: T, b: T) -> T {
    divided(a.checked_rem_euclid(b), b)
}

/// `a.div_ceil(b)`
#[inline(always)]
#[track_caller]
pub fn div_ceil<T: Unsigned>(a: T, b: T) -> T {
    divided((b != T::default()).then(|| a.ceiling(b)), b)
}
