//! Atomic operations (C++ AMP §6), and the fence for threads that talk through them.
//!
//! They are functions of kernels. What stands here is what they are on the host, where
//! `&mut` says that nothing else uses the place.

use std::sync::atomic::{Ordering, fence};

use crate::device::cpu::atomic as shared;
use crate::device::cpu::report;
use crate::device::cpu::shared::Shared;

pub use crate::device::cpu::atomic::{Atomic, AtomicInteger};

/// Reads `place` atomically.
///
/// A thread that waits for a value from another tile must read it with this function: a plain
/// read may be executed once, before the loop.
///
/// In a kernel `place` is an element of an `ArrayViewMut`, a tile_static variable, a part of
/// either, or in a helper the target of a `&mut` parameter; this applies to all atomic
/// operations. They do not order other accesses ([`device_memory_fence`] does).
///
/// 64-bit types require a device with `shaderBufferInt64Atomics`, in tile_static memory
/// `shaderSharedInt64Atomics`; on other devices the launch returns
/// [`Error::UnsupportedFeature`](crate::Error::UnsupportedFeature).
///
/// ```
/// use amp_runtime::atomic_load;
///
/// let mut place = 5;
/// assert_eq!(atomic_load(&mut place), 5);
/// ```
#[inline]
pub fn atomic_load<T: Atomic>(place: &mut T) -> T {
    shared::atomic_load(Shared::of(place))
}

/// Writes `value` to `place` atomically.
///
/// ```
/// use amp_runtime::atomic_store;
///
/// let mut place = 5;
/// atomic_store(&mut place, 7);
/// assert_eq!(place, 7);
/// ```
#[inline]
pub fn atomic_store<T: Atomic>(place: &mut T, value: T) {
    shared::atomic_store(Shared::of(place), value);
}

/// Replaces `place` by `value`; returns the previous value (C++ AMP §6).
///
/// ```
/// use amp_runtime::atomic_exchange;
///
/// let mut place = 5;
/// assert_eq!(atomic_exchange(&mut place, 7), 5);
/// assert_eq!(place, 7);
/// ```
#[inline]
pub fn atomic_exchange<T: Atomic>(place: &mut T, value: T) -> T {
    shared::atomic_exchange(Shared::of(place), value)
}

/// Replaces `place` by `value` if it equals `expected`; returns whether it did
/// (C++ AMP §6). `expected`, a variable in kernels, receives the previous value in either
/// case, so that a loop can try again. Floats are compared by their bits: 0.0 differs from -0.0,
/// and a NaN equals itself.
///
/// ```
/// use amp_runtime::atomic_compare_exchange;
///
/// let (mut place, mut expected) = (5, 4);
/// assert!(!atomic_compare_exchange(&mut place, &mut expected, 7));
/// assert_eq!((place, expected), (5, 5));
/// assert!(atomic_compare_exchange(&mut place, &mut expected, 7));
/// assert_eq!(place, 7);
/// ```
#[inline]
pub fn atomic_compare_exchange<T: Atomic>(place: &mut T, expected: &mut T, value: T) -> bool {
    shared::atomic_compare_exchange(Shared::of(place), expected, value)
}

/// Adds `value` to `place`; returns the previous value (C++ AMP §6). Integers wrap
/// around. Additions of several threads to a float are rounded in the order of their execution.
///
/// ```
/// use amp_runtime::atomic_fetch_add;
///
/// let mut place = i32::MAX;
/// assert_eq!(atomic_fetch_add(&mut place, 1), i32::MAX);
/// assert_eq!(place, i32::MIN);
/// ```
#[inline]
pub fn atomic_fetch_add<T: Atomic>(place: &mut T, value: T) -> T {
    shared::atomic_fetch_add(Shared::of(place), value)
}

/// Subtracts `value` from `place`; returns the previous value (C++ AMP §6). As
/// [`atomic_fetch_add`].
///
/// ```
/// use amp_runtime::atomic_fetch_sub;
///
/// let mut place = 5_u32;
/// assert_eq!(atomic_fetch_sub(&mut place, 3), 5_u32);
/// assert_eq!(place, 2);
/// ```
#[inline]
pub fn atomic_fetch_sub<T: Atomic>(place: &mut T, value: T) -> T {
    shared::atomic_fetch_sub(Shared::of(place), value)
}

/// Replaces `place` by the lesser of itself and `value`; returns the previous value
/// (C++ AMP §6).
///
/// ```
/// use amp_runtime::atomic_fetch_min;
///
/// let mut place = 5;
/// assert_eq!(atomic_fetch_min(&mut place, -3), 5);
/// assert_eq!(place, -3);
/// ```
#[inline]
pub fn atomic_fetch_min<T: AtomicInteger>(place: &mut T, value: T) -> T {
    shared::atomic_fetch_min(Shared::of(place), value)
}

/// Replaces `place` by the greater of itself and `value`; returns the previous value
/// (C++ AMP §6).
///
/// ```
/// use amp_runtime::atomic_fetch_max;
///
/// let mut place = 5;
/// assert_eq!(atomic_fetch_max(&mut place, 9), 5);
/// assert_eq!(place, 9);
/// ```
#[inline]
pub fn atomic_fetch_max<T: AtomicInteger>(place: &mut T, value: T) -> T {
    shared::atomic_fetch_max(Shared::of(place), value)
}

/// Clears the bits of `place` that are not set in `value`; returns the previous value
/// (C++ AMP §6).
///
/// ```
/// use amp_runtime::atomic_fetch_and;
///
/// let mut place = 0b1100_u32;
/// assert_eq!(atomic_fetch_and(&mut place, 0b1010), 0b1100_u32);
/// assert_eq!(place, 0b1000);
/// ```
#[inline]
pub fn atomic_fetch_and<T: AtomicInteger>(place: &mut T, value: T) -> T {
    shared::atomic_fetch_and(Shared::of(place), value)
}

/// Sets the bits of `place` that are set in `value`; returns the previous value
/// (C++ AMP §6).
///
/// ```
/// use amp_runtime::atomic_fetch_or;
///
/// let mut place = 0b1100_u32;
/// assert_eq!(atomic_fetch_or(&mut place, 0b1010), 0b1100_u32);
/// assert_eq!(place, 0b1110);
/// ```
#[inline]
pub fn atomic_fetch_or<T: AtomicInteger>(place: &mut T, value: T) -> T {
    shared::atomic_fetch_or(Shared::of(place), value)
}

/// Flips the bits of `place` that are set in `value`; returns the previous value
/// (C++ AMP §6).
///
/// ```
/// use amp_runtime::atomic_fetch_xor;
///
/// let mut place = 0b1100_u32;
/// assert_eq!(atomic_fetch_xor(&mut place, 0b1010), 0b1100_u32);
/// assert_eq!(place, 0b0110);
/// ```
#[inline]
pub fn atomic_fetch_xor<T: AtomicInteger>(place: &mut T, value: T) -> T {
    shared::atomic_fetch_xor(Shared::of(place), value)
}

/// Adds 1 to `place`, wrapping around; returns the previous value (C++ AMP §6).
///
/// ```
/// use amp_runtime::atomic_fetch_inc;
///
/// let mut place = 7;
/// assert_eq!(atomic_fetch_inc(&mut place), 7);
/// assert_eq!(place, 8);
/// ```
#[inline]
pub fn atomic_fetch_inc<T: AtomicInteger>(place: &mut T) -> T {
    shared::atomic_fetch_inc(Shared::of(place))
}

/// Subtracts 1 from `place`, wrapping around; returns the previous value (C++ AMP §6).
///
/// ```
/// use amp_runtime::atomic_fetch_dec;
///
/// let mut place = 0_u32;
/// assert_eq!(atomic_fetch_dec(&mut place), 0_u32);
/// assert_eq!(place, u32::MAX);
/// ```
#[inline]
pub fn atomic_fetch_dec<T: AtomicInteger>(place: &mut T) -> T {
    shared::atomic_fetch_dec(Shared::of(place))
}

/// Orders this thread's accesses to global memory before the fence and after it, as the
/// threads of all tiles see them. C++ AMP has no such fence: its tiles cannot communicate.
///
/// A thread that sends data to another tile writes the data, fences, and then stores a flag
/// atomically. The receiver loads the flag atomically until it is set, fences, and then reads.
///
/// A thread may wait only for a tile that is running already, such as one that took an earlier
/// number from a counter, because tiles start in any order and not all at once. For threads of
/// its own tile, a thread waits at the barrier.
///
/// ```
/// use amp_runtime::{atomic_store, device_memory_fence};
///
/// fn publish(result: &mut u32, flag: &mut u32, value: u32) {
///     *result = value;
///     device_memory_fence();
///     atomic_store(flag, 1);
/// }
/// # let (mut result, mut flag) = (0, 0);
/// # publish(&mut result, &mut flag, 7);
/// # assert_eq!((result, flag), (7, 1));
/// ```
#[inline]
pub fn device_memory_fence() {
    fence(Ordering::AcqRel);
    report::device_fence();
}
