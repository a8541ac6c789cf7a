//! What the bodies of twins call instead of Rust's own operators, where those would
//! panic: inside a launch it is a fault with a stand-in result, on the host the panic.

use std::fmt;
use std::ops::{Div, Mul};

use amp_spirv::artifact::FaultKind;
use bytemuck::Zeroable;

use super::context::Context;
use super::{fault, print, zero};
use crate::device::print::PrintStream;
use crate::types::index::{Extent, Index};

pub use super::arithmetic::Arithmetic;
pub use super::atomic::{
    atomic_compare_exchange, atomic_exchange, atomic_fetch_add, atomic_fetch_and, atomic_fetch_dec,
    atomic_fetch_inc, atomic_fetch_max, atomic_fetch_min, atomic_fetch_or, atomic_fetch_sub,
    atomic_fetch_xor, atomic_load, atomic_store,
};
pub use super::reference::{Ref, RefMut, each, each_mut};
pub use super::shared::Shared;
pub use super::tile_static::TileStatic;

/// A place with elements that are not a view's: an array, an index, an extent. They lie one
/// behind the other from its start on.
pub trait Place {
    /// Type of an element.
    type Item: Copy + Zeroable;
    /// How many elements there are.
    const LENGTH: usize;

    /// All elements.
    fn items(&self) -> &[Self::Item];

    /// All elements, to write.
    fn items_mut(&mut self) -> &mut [Self::Item];
}

impl<T: Copy + Zeroable, const M: usize> Place for [T; M] {
    type Item = T;
    const LENGTH: usize = M;

    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [T] {
        self
    }
}

macro_rules! components {
    ($($ty:ident)*) => {$(
        impl<const N: usize> Place for $ty<N> {
            type Item = usize;
            const LENGTH: usize = N;

            #[inline(always)]
            fn items(&self) -> &[usize] {
                self.as_ref()
            }

            #[inline(always)]
            fn items_mut(&mut self) -> &mut [usize] {
                self.as_mut()
            }
        }
    )*};
}
components!(Index Extent);

impl<P: Place> Place for TileStatic<P> {
    type Item = P::Item;
    const LENGTH: usize = P::LENGTH;

    #[inline(always)]
    fn items(&self) -> &[P::Item] {
        (**self).items()
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [P::Item] {
        (**self).items_mut()
    }
}

impl<P: Place + ?Sized> Place for &mut P {
    type Item = P::Item;
    const LENGTH: usize = P::LENGTH;

    #[inline(always)]
    fn items(&self) -> &[P::Item] {
        (**self).items()
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [P::Item] {
        (**self).items_mut()
    }
}

/// `place[index]` to read.
#[inline(always)]
#[track_caller]
pub fn at<P: Place + ?Sized>(place: &P, index: usize) -> &P::Item {
    let items = place.items();
    if index < items.len() {
        return &items[index];
    }
    fault::raise(FaultKind::ArrayOutOfBounds, [index, items.len()]);
    zero::zero()
}

/// `place[index]` to write.
#[inline(always)]
#[track_caller]
pub fn at_mut<P: Place + ?Sized>(place: &mut P, index: usize) -> &mut P::Item {
    let items = place.items_mut();
    if index < items.len() {
        return &mut items[index];
    }
    fault::raise(FaultKind::ArrayOutOfBounds, [index, items.len()]);
    zero::scratch()
}

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
integer!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);

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
unsigned!(u8 u16 u32 u64 usize);

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
            fault::raise(kind, [0, 0]);
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

/// The argument of `step_by`. A step of zero is a fault, and the loop runs once.
#[inline(always)]
#[track_caller]
pub fn step(step: usize) -> usize {
    if step == 0 {
        fault::raise(FaultKind::ZeroStep, [0, 0]);
        return usize::MAX;
    }
    step
}

/// Whether a float is NaN.
#[inline(always)]
fn is_nan<T: PartialOrd>(x: &T) -> bool {
    x.partial_cmp(x).is_none()
}

/// `a.min(b)` of floats, with the zero and the NaN that a device gives too.
#[inline(always)]
pub fn min_float<T: PartialOrd>(a: T, b: T) -> T {
    if a < b || is_nan(&b) { a } else { b }
}

/// `a.max(b)` of floats, with the zero and the NaN that a device gives too.
#[inline(always)]
pub fn max_float<T: PartialOrd>(a: T, b: T) -> T {
    if a > b || is_nan(&b) { a } else { b }
}

/// `x.powi(n)` by the products that a device computes, whose order Rust leaves open.
#[inline]
pub fn powi<T>(x: T, n: i32) -> T
where
    T: Copy + From<u8> + Mul<Output = T> + Div<Output = T>,
{
    let one = T::from(1);
    let (mut product, mut square, mut rest) = (one, x, n.unsigned_abs());
    loop {
        if rest & 1 == 1 {
            product = product * square;
        }
        rest >>= 1;
        if rest == 0 {
            break;
        }
        square = square * square;
    }
    if n < 0 { one / product } else { product }
}

/// `x.clamp(min, max)`. Bounds that contain nothing are a fault, and `x` stays.
#[inline(always)]
#[track_caller]
pub fn clamp<T: PartialOrd + Copy>(x: T, min: T, max: T) -> T {
    // Not `min > max`: a NaN bound contains nothing either.
    let contains_something = min <= max;
    if !contains_something {
        fault::raise(FaultKind::EmptyClamp, [0, 0]);
        x
    } else if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

/// A fault in the user's words: a failed assertion. The thread goes on.
#[cold]
#[track_caller]
pub fn fault(words: fmt::Arguments<'_>) {
    fault::raise_with(words);
}

/// `panic!(..)`: a fault, and what the function returns then.
#[cold]
#[track_caller]
pub fn ends<T: Zeroable>(words: fmt::Arguments<'_>) -> T {
    fault::raise_with(words);
    T::zeroed()
}

/// `print!(..)`, `println!(..)`
pub fn stdout(words: fmt::Arguments<'_>) {
    print::say(PrintStream::Stdout, words);
}

/// `eprint!(..)`, `eprintln!(..)`
pub fn stderr(words: fmt::Arguments<'_>) {
    print::say(PrintStream::Stderr, words);
}

/// The tile_static variable `key` of the running tile.
///
/// # Panics
///
/// Outside of a launch, where there is no tile.
#[inline]
#[track_caller]
pub fn tile_static<T: Copy + Zeroable + 'static>(key: u32) -> TileStatic<T> {
    let variable = Context::with_current(|context| context.memory().variable::<T>(key));
    match variable {
        Some(pointer) => TileStatic::new(pointer),
        None => panic!("a tile_static variable outside of a launch"),
    }
}
