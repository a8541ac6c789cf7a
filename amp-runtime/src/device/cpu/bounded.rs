//! The operators of types that generic helpers know by the bounds of `std::ops` alone, as in
//! `T: Add<Output = T>`: of integers they wrap, and a division that has no result is a fault, as
//! everywhere in kernels. Of other types they are the types' own.

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::{self, transmute, transmute_copy};
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, RangeBounds, Rem, RemAssign, Shl,
    ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use amp_spirv::artifact::FaultKind;

use super::arithmetic::Arithmetic;
use super::reference::slice::within;
use super::{report, zero};
use crate::types::number::{of_signed, of_unsigned};

/// The id of a type, whatever it borrows.
#[inline(always)]
fn id_of<T>() -> TypeId {
    trait Named {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T> Named for PhantomData<T> {
        #[inline(always)]
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let named: &dyn Named = &PhantomData::<T>;
    // SAFETY: a `PhantomData` has nothing in it that could end, and the function does not depend on
    // lifetimes.
    unsafe { transmute::<&dyn Named, &(dyn Named + 'static)>(named) }.id()
}

/// A value as a number of type `N`, if it is one.
#[inline(always)]
fn number<T, N: Arithmetic + Copy + 'static>(value: &T) -> Option<N> {
    // SAFETY: both are one type, for a number borrows nothing.
    (id_of::<T>() == TypeId::of::<N>()).then(|| unsafe { transmute_copy(value) })
}

/// A number as a value of type `T`, if that is its type.
#[inline(always)]
fn value<T, N: Arithmetic + Copy + 'static>(number: N) -> Option<T> {
    // SAFETY: both are one type, for a number borrows nothing.
    (id_of::<T>() == TypeId::of::<N>()).then(|| unsafe { transmute_copy(&number) })
}

/// Calls a macro for the integers of some types.
macro_rules! of_integers {
    ($each:ident) => {
        of_signed!($each);
        of_unsigned!($each);
        $each!(isize usize);
    };
}

/// An operator of integers.
trait Operator {
    #[track_caller]
    fn of<N: Arithmetic>(a: N, b: N) -> N;
}

/// What an operator makes of two integers of one type.
#[inline(always)]
#[track_caller]
fn of_both<O: Operator, A, B, R>(a: &A, b: &B) -> Option<R> {
    macro_rules! both {
        ($($integer:ident)*) => {$(
            if let (Some(a), Some(b)) = (number::<A, $integer>(a), number::<B, $integer>(b)) {
                return value(O::of(a, b));
            }
        )*};
    }
    of_integers!(both);
    None
}

macro_rules! operators {
    ($($kind:ident $name:ident $assign:ident: $of:ident $of_assign:ident $symbol:tt $assigned:tt $does:ident;)*) => {$(
        struct $kind;

        impl Operator for $kind {
            #[inline(always)]
            #[track_caller]
            fn of<N: Arithmetic>(a: N, b: N) -> N {
                a.$does(b)
            }
        }

        #[doc = concat!("`a ", stringify!($symbol), " b`")]
        #[inline(always)]
        #[track_caller]
        pub fn $name<A: $of<B>, B>(a: A, b: B) -> A::Output {
            match of_both::<$kind, A, B, A::Output>(&a, &b) {
                Some(result) => result,
                None => a $symbol b,
            }
        }

        #[doc = concat!("`a ", stringify!($assigned), " b`")]
        #[inline(always)]
        #[track_caller]
        pub fn $assign<A: $of_assign<B>, B>(a: &mut A, b: B) {
            match of_both::<$kind, A, B, A>(a, &b) {
                Some(result) => *a = result,
                None => *a $assigned b,
            }
        }
    )*};
}
operators! {
    Sum add add_assign: Add AddAssign + += sum;
    Difference sub sub_assign: Sub SubAssign - -= difference;
    Product mul mul_assign: Mul MulAssign * *= product;
    Quotient div div_assign: Div DivAssign / /= quotient;
    Remainder rem rem_assign: Rem RemAssign % %= remainder;
}

/// `-a`
#[inline(always)]
pub fn neg<A: Neg>(a: A) -> A::Output {
    macro_rules! one {
        ($($integer:ident)*) => {$(
            if let Some(result) = number::<A, $integer>(&a).and_then(|a| value(a.opposite())) {
                return result;
            }
        )*};
    }
    of_integers!(one);
    -a
}

/// The bits that a shift by an integer goes, which `as` gives.
#[inline(always)]
fn count<B>(by: &B) -> Option<u32> {
    macro_rules! one {
        ($($integer:ident)*) => {$(
            if let Some(by) = number::<B, $integer>(by) {
                return Some(by as u32);
            }
        )*};
    }
    of_integers!(one);
    None
}

/// What a shift makes of an integer, which takes its count as a release build does.
#[inline(always)]
fn shifted<A, B, R>(a: &A, by: &B, to_left: bool) -> Option<R> {
    let count = count(by)?;
    macro_rules! one {
        ($($integer:ident)*) => {$(
            if let Some(a) = number::<A, $integer>(a) {
                return value(match to_left {
                    true => a.wrapping_shl(count),
                    false => a.wrapping_shr(count),
                });
            }
        )*};
    }
    of_integers!(one);
    None
}

macro_rules! shifts {
    ($($name:ident $assign:ident: $of:ident $of_assign:ident $symbol:tt $assigned:tt $to_left:expr;)*) => {$(
        #[doc = concat!("`a ", stringify!($symbol), " b`")]
        #[inline(always)]
        pub fn $name<A: $of<B>, B>(a: A, b: B) -> A::Output {
            match shifted(&a, &b, $to_left) {
                Some(result) => result,
                None => a $symbol b,
            }
        }

        #[doc = concat!("`a ", stringify!($assigned), " b`")]
        #[inline(always)]
        pub fn $assign<A: $of_assign<B>, B>(a: &mut A, b: B) {
            match shifted(a, &b, $to_left) {
                Some(result) => *a = result,
                None => *a $assigned b,
            }
        }
    )*};
}
shifts! {
    shl shl_assign: Shl ShlAssign << <<= true;
    shr shr_assign: Shr ShrAssign >> >>= false;
}

/// Whether an array of this length has an item there, which is a fault if it has not.
#[inline(always)]
#[track_caller]
pub fn is_index(index: usize, length: usize) -> bool {
    if index >= length {
        report::raise(FaultKind::ArrayOutOfBounds, [index, length]);
    }
    index < length
}

/// `items[index]` to read.
#[inline(always)]
#[track_caller]
pub fn at<T>(items: &[T], index: usize) -> &T {
    if is_index(index, items.len()) {
        return &items[index];
    }
    // SAFETY: it returns within a kernel only, where the macros refuse an index into an array of items of
    // which zeroes are no value. Types of kernels have no interior mutability.
    unsafe { zero::zero_of() }
}

/// The same to write.
#[inline(always)]
#[track_caller]
pub fn at_mut<T>(items: &mut [T], index: usize) -> &mut T {
    if is_index(index, items.len()) {
        return &mut items[index];
    }
    // SAFETY: as in `at`.
    unsafe { zero::scratch_of() }
}

/// What a panic leaves of a type of which nothing tells that zeroes are a value.
#[cold]
pub fn zeroes<T>() -> T {
    // SAFETY: as in `at`, the macros refuse a result of which zeroes are no value.
    unsafe { mem::zeroed() }
}

/// What a function returns by reference that a panic has left, of such a type.
#[cold]
pub fn nowhere<'a, T>() -> &'a T {
    // SAFETY: as in `zeroes`.
    unsafe { zero::zero_of() }
}

/// The same to write.
#[cold]
pub fn nowhere_mut<'a, T>() -> &'a mut T {
    // SAFETY: as in `zeroes`.
    unsafe { zero::scratch_of() }
}

/// What a fault leaves of a type of which zeroes may be no value.
pub trait Fallback {
    /// The value: the first case of each enum, and zeroes.
    fn fallback() -> Self;
}

/// [`at`] of an item that zeroes may not be: it is `zero` instead.
#[inline(always)]
#[track_caller]
pub fn at_or<T: Copy>(items: &[T], index: usize, zero: impl FnOnce() -> T) -> &T {
    if is_index(index, items.len()) {
        return &items[index];
    }
    zero::scratch_with(zero())
}

/// The same to write.
#[inline(always)]
#[track_caller]
pub fn at_mut_or<T: Copy>(items: &mut [T], index: usize, zero: impl FnOnce() -> T) -> &mut T {
    if is_index(index, items.len()) {
        return &mut items[index];
    }
    zero::scratch_with(zero())
}

/// `&items[range]`
#[inline(always)]
#[track_caller]
pub fn part<T>(items: &[T], range: impl RangeBounds<usize>) -> &[T] {
    &items[within(range, items.len())]
}

/// `&mut items[range]`
#[inline(always)]
#[track_caller]
pub fn part_mut<T>(items: &mut [T], range: impl RangeBounds<usize>) -> &mut [T] {
    let range = within(range, items.len());
    &mut items[range]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Own<'a>(&'a i32);

    impl Add<i32> for Own<'_> {
        type Output = i32;

        fn add(self, other: i32) -> i32 {
            self.0 + other
        }
    }

    #[test]
    fn integers_wrap_and_others_have_their_own() {
        assert_eq!(add(i32::MAX, 1), i32::MIN);
        assert_eq!(sub(0_u8, 1), 255);
        assert_eq!(mul(usize::MAX, 2), usize::MAX - 1);
        assert_eq!(neg(i64::MIN), i64::MIN);
        assert_eq!(shl(1_u8, 9_usize), 2);
        assert_eq!(shr(-8_i16, 17_u32), -4);
        assert_eq!(div(7.0, 2.0), 3.5);
        let x = 3;
        assert_eq!(add(Own(&x), 5), 8);
        let mut sum = u32::MAX;
        add_assign(&mut sum, 2);
        shl_assign(&mut sum, 33_i8);
        assert_eq!(sum, 2);
    }
}
