//! Atomic operations of kernels: what can be done with a [`Shared`] place.
//!
//! All operations are relaxed, as on a device; `device_memory_fence` orders them.
//!
//! The threads of a tile take turns on one OS thread. So an operation on tile memory is a load and a store,
//! which cost a fraction of an instruction that locks the memory ([`Sharing::Alone`]).
//!
//! A worker that reads one place again and again waits for another worker, which may need
//! the processor: it gives way now and then.

use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering};

use bytemuck::Zeroable;

use super::check::Kind;
use super::shared::{Access, Shared};
use crate::Element;

impl<'a, T: Atomic> Shared<'a, T> {
    /// A place that nothing else uses for now.
    #[inline(always)]
    pub(crate) fn of(place: &'a mut T) -> Self {
        // SAFETY: it may be read and written as long as it is borrowed.
        unsafe { Self::new(NonNull::from(place), Access::PLAIN) }
    }

    /// What `operation` makes of the place, or a fault and zero.
    #[inline(always)]
    #[track_caller]
    fn with<R: Zeroable>(self, kind: Kind, operation: impl FnOnce(&T::Cell, Sharing) -> R) -> R {
        self.note(kind);
        let sharing = match self.access.is_plain() {
            true => Sharing::Alone,
            false => Sharing::Shared,
        };
        match self.pointer {
            // SAFETY: of a place that lives for `'a` and may be read and written.
            Ok(pointer) => operation(unsafe { T::cell(pointer) }, sharing),
            Err(why) => {
                why.raise();
                R::zeroed()
            }
        }
    }

    /// The place's address, if there is one.
    #[inline(always)]
    fn address(&self) -> usize {
        self.pointer.map_or(0, |pointer| pointer.addr().get())
    }
}

/// Whether other OS threads may use a place meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// None does.
    Alone,
    /// Some may.
    Shared,
}

mod sealed {
    pub trait Sealed {}
}

/// What has atomic operations in kernels: `i32`, `u32`, `i64`, `u64`, `f32` and `f64`
/// (C++ AMP §6).
///
/// ```
/// use amp_runtime::{Atomic, atomic_exchange};
///
/// fn take<T: Atomic + Default>(place: &mut T) -> T {
///     atomic_exchange(place, T::default())
/// }
/// assert_eq!(take(&mut 3.5_f32), 3.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic operations in kernels",
    note = "atomic operations work on `i32`, `u32`, `i64`, `u64`, `f32` and `f64`"
)]
pub trait Atomic: Element + sealed::Sealed {
    /// Rust's atomic of this type, or of its bits.
    #[doc(hidden)]
    type Cell;

    /// # Safety
    ///
    /// For `'a` the pointer is that of a value that may be read and written.
    #[doc(hidden)]
    unsafe fn cell<'a>(place: NonNull<Self>) -> &'a Self::Cell;
    #[doc(hidden)]
    fn load(cell: &Self::Cell) -> Self;
    #[doc(hidden)]
    fn store(cell: &Self::Cell, value: Self);
    #[doc(hidden)]
    fn exchange(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self;
    /// What was found, as an error unless it was what was expected.
    #[doc(hidden)]
    fn compare_exchange(
        cell: &Self::Cell,
        expected: Self,
        value: Self,
        sharing: Sharing,
    ) -> Result<Self, Self>;
    /// Whether the bits are the same.
    #[doc(hidden)]
    fn is(self, other: Self) -> bool;
    #[doc(hidden)]
    fn add(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self;
    #[doc(hidden)]
    fn sub(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self;
}

/// What has all atomic operations in kernels: `i32`, `u32`, `i64` and `u64` (C++ AMP §6).
///
/// ```
/// use amp_runtime::{AtomicInteger, atomic_fetch_max};
///
/// fn raise<T: AtomicInteger>(greatest: &mut T, value: T) -> T {
///     atomic_fetch_max(greatest, value)
/// }
/// assert_eq!(raise(&mut 3_u32, 4), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not have this atomic operation in kernels",
    note = "integers have all of them: `i32`, `u32`, `i64` and `u64`"
)]
pub trait AtomicInteger: Atomic {
    #[doc(hidden)]
    const STEP: Self;

    #[doc(hidden)]
    fn min(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self;
    #[doc(hidden)]
    fn max(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self;
    #[doc(hidden)]
    fn and(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self;
    #[doc(hidden)]
    fn or(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self;
    #[doc(hidden)]
    fn xor(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self;
}

/// Floats are the integers of their bits.
macro_rules! floats {
    ($($ty:ident $bits:ident)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Atomic for $ty {
            type Cell = <$bits as Atomic>::Cell;

            #[inline(always)]
            unsafe fn cell<'a>(place: NonNull<Self>) -> &'a Self::Cell {
                // SAFETY: the caller's, for the bits of the float.
                unsafe { $bits::cell(place.cast()) }
            }

            #[inline(always)]
            fn load(cell: &Self::Cell) -> Self {
                Self::from_bits($bits::load(cell))
            }

            #[inline(always)]
            fn store(cell: &Self::Cell, value: Self) {
                $bits::store(cell, value.to_bits());
            }

            #[inline(always)]
            fn exchange(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self {
                Self::from_bits($bits::exchange(cell, value.to_bits(), sharing))
            }

            #[inline(always)]
            fn compare_exchange(
                cell: &Self::Cell,
                expected: Self,
                value: Self,
                sharing: Sharing,
            ) -> Result<Self, Self> {
                $bits::compare_exchange(cell, expected.to_bits(), value.to_bits(), sharing)
                    .map(Self::from_bits)
                    .map_err(Self::from_bits)
            }

            #[inline(always)]
            fn is(self, other: Self) -> bool {
                self.to_bits() == other.to_bits()
            }

            #[inline]
            fn add(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self {
                let mut old = $bits::load(cell);
                loop {
                    let new = Self::from_bits(old) + value;
                    match $bits::compare_exchange(cell, old, new.to_bits(), sharing) {
                        Ok(_) => return Self::from_bits(old),
                        Err(found) => old = found,
                    }
                }
            }

            #[inline(always)]
            fn sub(cell: &Self::Cell, value: Self, sharing: Sharing) -> Self {
                Self::add(cell, -value, sharing)
            }
        }
    )*};
}
floats!(f32 u32 f64 u64);

/// Operations of integers: the atomic's method, and what a place new_values that is used alone.
macro_rules! operations {
    ($cell:ident: $($name:ident $method:ident $alone:expr;)*) => {$(
        #[inline(always)]
        fn $name(cell: &$cell, value: Self, sharing: Sharing) -> Self {
            if sharing == Sharing::Shared {
                return cell.$method(value, Ordering::Relaxed);
            }
            let new_value: fn(Self, Self) -> Self = $alone;
            let old = cell.load(Ordering::Relaxed);
            cell.store(new_value(old, value), Ordering::Relaxed);
            old
        }
    )*};
}

macro_rules! integers {
    ($($ty:ident $cell:ident)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Atomic for $ty {
            type Cell = $cell;

            #[inline(always)]
            unsafe fn cell<'a>(place: NonNull<Self>) -> &'a $cell {
                const { assert!(align_of::<$ty>() == align_of::<$cell>()) };
                // SAFETY: the caller's; an integer is as aligned as its atomic.
                unsafe { $cell::from_ptr(place.as_ptr()) }
            }

            #[inline(always)]
            fn load(cell: &$cell) -> Self {
                cell.load(Ordering::Relaxed)
            }

            #[inline(always)]
            fn store(cell: &$cell, value: Self) {
                cell.store(value, Ordering::Relaxed);
            }

            #[inline(always)]
            fn compare_exchange(
                cell: &$cell,
                expected: Self,
                value: Self,
                sharing: Sharing,
            ) -> Result<Self, Self> {
                if sharing == Sharing::Shared {
                    return cell.compare_exchange(
                        expected,
                        value,
                        Ordering::Relaxed,
                        Ordering::Relaxed,
                    );
                }
                match cell.load(Ordering::Relaxed) {
                    found if found == expected => {
                        cell.store(value, Ordering::Relaxed);
                        Ok(found)
                    }
                    found => Err(found),
                }
            }

            #[inline(always)]
            fn is(self, other: Self) -> bool {
                self == other
            }

            operations! {
                $cell: exchange swap |_, value| value;
                add fetch_add $ty::wrapping_add;
                sub fetch_sub $ty::wrapping_sub;
            }
        }

        impl AtomicInteger for $ty {
            const STEP: Self = 1;

            operations! {
                $cell: min fetch_min Ord::min;
                max fetch_max Ord::max;
                and fetch_and |old, value| old & value;
                or fetch_or |old, value| old | value;
                xor fetch_xor |old, value| old ^ value;
            }
        }
    )*};
}
integers!(i32 AtomicI32 u32 AtomicU32 i64 AtomicI64 u64 AtomicU64);

/// `atomic_load(&mut place)`
#[inline(always)]
#[track_caller]
pub fn atomic_load<T: Atomic>(place: Shared<'_, T>) -> T {
    give_way(place.address());
    place.with(Kind::AtomicRead, |cell, _| T::load(cell))
}

/// `atomic_store(&mut place, value)`
#[inline(always)]
#[track_caller]
pub fn atomic_store<T: Atomic>(place: Shared<'_, T>, value: T) {
    place.with(Kind::AtomicWrite, |cell, _| T::store(cell, value));
}

/// `atomic_exchange(&mut place, value)`
#[inline(always)]
#[track_caller]
pub fn atomic_exchange<T: Atomic>(place: Shared<'_, T>, value: T) -> T {
    give_way(place.address());
    place.with(Kind::AtomicWrite, |cell, sharing| {
        T::exchange(cell, value, sharing)
    })
}

/// `atomic_compare_exchange(&mut place, &mut expected, value)`
#[inline(always)]
#[track_caller]
pub fn atomic_compare_exchange<T: Atomic>(
    place: Shared<'_, T>,
    expected: &mut T,
    value: T,
) -> bool {
    give_way(place.address());
    let wanted = *expected;
    *expected = place.with(
        Kind::AtomicUpdate,
        |cell, sharing| match T::compare_exchange(cell, wanted, value, sharing) {
            Ok(found) | Err(found) => found,
        },
    );
    // A place that is out of bounds holds zero.
    expected.is(wanted)
}

macro_rules! functions {
    ($kind:ident: $($name:ident $method:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "(&mut place, value)`")]
        #[inline(always)]
        #[track_caller]
        pub fn $name<T: $kind>(place: Shared<'_, T>, value: T) -> T {
            place.with(Kind::AtomicUpdate, |cell, sharing| {
                T::$method(cell, value, sharing)
            })
        }
    )*};
}
functions! {
    Atomic: atomic_fetch_add add
    atomic_fetch_sub sub
}
functions! {
    AtomicInteger: atomic_fetch_min min
    atomic_fetch_max max
    atomic_fetch_and and
    atomic_fetch_or or
    atomic_fetch_xor xor
}

/// `atomic_fetch_inc(&mut place)`
#[inline(always)]
#[track_caller]
pub fn atomic_fetch_inc<T: AtomicInteger>(place: Shared<'_, T>) -> T {
    atomic_fetch_add(place, T::STEP)
}

/// `atomic_fetch_dec(&mut place)`
#[inline(always)]
#[track_caller]
pub fn atomic_fetch_dec<T: AtomicInteger>(place: Shared<'_, T>) -> T {
    atomic_fetch_sub(place, T::STEP)
}

/// How often a worker looks at one place before it gives way to others.
const PATIENCE: u32 = 64;

/// Gives way to other threads of the system, if this one does nothing but look at `place`
/// again and again: it waits for what another has to do.
#[inline]
fn give_way(place: usize) {
    thread_local! {
        static LOOKS: Cell<(usize, u32)> = const { Cell::new((0, 0)) };
    }
    let (last, looks) = LOOKS.get();
    let looks = if last == place { looks + 1 } else { 0 };
    if looks < PATIENCE {
        LOOKS.set((place, looks));
        return;
    }
    LOOKS.set((place, 0));
    std::thread::yield_now();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Pair {
        first: [i32; 3],
        second: u32,
    }

    // SAFETY: integers, of which all zeroes are values.
    unsafe impl Zeroable for Pair {}

    fn shared(pair: &mut Pair) -> Shared<'_, Pair> {
        // SAFETY: borrowed exclusively.
        unsafe { Shared::new(NonNull::from(pair), Access::PLAIN) }
    }

    #[test]
    fn parts_are_parts() {
        let mut pair = Pair {
            first: [1, 2, 3],
            second: 4,
        };
        let second = shared(&mut pair).field(|pair| &mut pair.second);
        assert_eq!(atomic_fetch_max(second, 9), 4);
        let element = shared(&mut pair).field(|pair| &mut pair.first).at(2);
        assert_eq!(atomic_fetch_sub(element, 5), 3);
        assert_eq!((pair.first, pair.second), ([1, 2, -2], 9));
    }

    #[test]
    #[should_panic = "out of bounds"]
    fn outside_a_launch_an_index_out_of_bounds_is_a_panic() {
        let mut pair = Pair::zeroed();
        let element = shared(&mut pair).field(|pair| &mut pair.first).at(3);
        atomic_fetch_inc(element);
    }

    #[test]
    fn an_exchange_tells_what_it_found() {
        let (mut place, mut expected) = (5, 4);
        let place = &mut place;
        assert!(!atomic_compare_exchange(
            Shared::of(place),
            &mut expected,
            6
        ));
        assert_eq!((*place, expected), (5, 5));
        assert!(atomic_compare_exchange(Shared::of(place), &mut expected, 6));
        assert_eq!((*place, expected), (6, 5));
    }

    #[test]
    fn threads_do_not_lose_each_others_work() {
        let mut count = 0_u32;
        let place = NonNull::from(&mut count);
        // SAFETY: it lives until the scope ends, and all use it atomically.
        let cell = unsafe { u32::cell(place) };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        u32::add(cell, 1, Sharing::Shared);
                    }
                });
            }
        });
        assert_eq!(count, 4000);
    }
}
