//! What the bodies of host versions call instead of Rust's own operators, where those would
//! panic: inside a launch it is a fault with a stand-in result, on the host the panic.

use std::fmt;
use std::ops::{Div, Mul};

use amp_spirv::artifact::FaultKind;
use bytemuck::Zeroable;

use super::context::Context;
use super::{report, zero};
use crate::device::print::PrintStream;

pub use super::arithmetic::Arithmetic;
pub use super::atomic::{
    atomic_compare_exchange, atomic_exchange, atomic_fetch_add, atomic_fetch_and, atomic_fetch_dec,
    atomic_fetch_inc, atomic_fetch_max, atomic_fetch_min, atomic_fetch_or, atomic_fetch_sub,
    atomic_fetch_xor, atomic_load, atomic_store,
};
pub use super::bounded;
pub use super::division::{
    Integer, Unsigned, div, div_ceil, div_euclid, rem, rem_euclid, wrapping_div, wrapping_rem,
};
pub use super::place::{Elements, Place};
pub use super::reference::kept::{Kept, KeptMethods};
pub use super::reference::slice::{SharedSlice, Slice, SliceMut, part, part_mut, split_off};
pub use super::reference::{Ref, RefMut, each, each_mut};
pub use super::shared::Shared;
pub use super::tile_static::TileStatic;

/// `place[index]` to read.
#[inline(always)]
#[track_caller]
pub fn at<P: Elements + ?Sized>(place: &P, index: usize) -> &P::Item {
    let items = place.items();
    if index < items.len() {
        return &items[index];
    }
    report::raise(FaultKind::ArrayOutOfBounds, [index, items.len()]);
    zero::zero()
}

/// `place[index]` to write.
#[inline(always)]
#[track_caller]
pub fn at_mut<P: Elements + ?Sized>(place: &mut P, index: usize) -> &mut P::Item {
    let items = place.items_mut();
    if index < items.len() {
        return &mut items[index];
    }
    report::raise(FaultKind::ArrayOutOfBounds, [index, items.len()]);
    zero::scratch()
}

/// What a function returns by reference that a panic has left.
#[inline(always)]
pub fn nowhere<'a, T: Copy + Zeroable>() -> &'a T {
    zero::zero()
}

/// The same to write.
#[inline(always)]
pub fn nowhere_mut<'a, T: Copy + Zeroable>() -> &'a mut T {
    zero::scratch()
}

/// The argument of `step_by`. A step of zero is a fault, and the loop runs once.
#[inline(always)]
#[track_caller]
pub fn step(step: usize) -> usize {
    if step == 0 {
        report::raise(FaultKind::ZeroStep, [0, 0]);
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
        report::raise(FaultKind::EmptyClamp, [0, 0]);
        x
    } else if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

/// A value that there may not be: that is a fault, and 0.
#[inline(always)]
#[track_caller]
pub fn some<T: Zeroable>(value: Option<T>, message: &str) -> T {
    match value {
        Some(value) => value,
        None => ends(format_args!("{message}")),
    }
}

/// What a division by `divisor` gives. By zero it is a fault, and 0.
#[inline(always)]
#[track_caller]
pub fn divided<T: Zeroable, D: Default + PartialEq>(divisor: D, divide: impl FnOnce() -> T) -> T {
    if divisor == D::default() {
        report::raise(FaultKind::DivisionByZero, [0, 0]);
        return T::zeroed();
    }
    divide()
}

/// A fault in the user's words: a failed assertion. The thread goes on.
#[cold]
#[track_caller]
pub fn fault(words: fmt::Arguments<'_>) {
    report::raise_with(words);
}

/// `panic!(..)`: a fault, and what the function returns then.
#[cold]
#[track_caller]
pub fn ends<T: Zeroable>(words: fmt::Arguments<'_>) -> T {
    report::raise_with(words);
    T::zeroed()
}

/// `print!(..)`, `println!(..)`
pub fn stdout(words: fmt::Arguments<'_>) {
    report::say(PrintStream::Stdout, words);
}

/// `eprint!(..)`, `eprintln!(..)`
pub fn stderr(words: fmt::Arguments<'_>) {
    report::say(PrintStream::Stderr, words);
}

/// The tile_static variable `key` of the running tile.
///
/// # Panics
///
/// Outside of a launch, where there is no tile.
#[inline]
#[track_caller]
pub fn tile_static<T: Copy + Zeroable + 'static>(key: u32) -> TileStatic<T> {
    of_tile(|context| {
        let pointer = context.memory().variable::<T>(key);
        let is_checked = context
            .checker()
            .is_some_and(|checker| checker.has_variable(pointer));
        TileStatic::new(pointer).checked(is_checked)
    })
}

/// The same in lockstep, where nothing is checked.
///
/// # Panics
///
/// As [`tile_static`].
#[inline(always)]
#[track_caller]
pub fn tile_static_in_lockstep<T: Copy + Zeroable + 'static>(key: u32) -> TileStatic<T> {
    of_tile(|context| TileStatic::new(context.memory().variable::<T>(key)))
}

#[inline(always)]
#[track_caller]
fn of_tile<T>(variable: impl FnOnce(&Context<'_>) -> TileStatic<T>) -> TileStatic<T> {
    match Context::with_current(variable) {
        Some(variable) => variable,
        None => panic!("a tile_static variable outside of a launch"),
    }
}
