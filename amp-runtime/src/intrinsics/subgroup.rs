//! Operations of subgroups: the threads of a tile that a device runs in step, a *warp* or
//! *wave* (beyond C++ AMP, which says nothing of them).
//!
//! The threads of a subgroup exchange values without memory and without a barrier. How many
//! there are ([`size`]) is the device's affair: 32 on NVIDIA's GPUs, 8 on lavapipe, 16 on the
//! CPU accelerator. Which threads of the tile form a subgroup, and in which order, is too;
//! [`index`] says which lane of its subgroup a thread is. If the tile is no multiple of the
//! size a subgroup lacks some lanes.
//!
//! Kernels call these functions by the name of the module, `subgroup::reduce_add(x)`. All
//! threads of the tile have to come to an operation together, as to a barrier; in other
//! control flow, and in kernels without tiles, it does not compile. What an operation gives
//! differs between subgroups, so it decides about no barrier. [`size`] and [`index`] may
//! stand anywhere in a kernel with tiles.
//!
//! A device that lacks an operation refuses the launch with
//! [`UnsupportedFeature`](crate::Error::UnsupportedFeature).
//!
//! ```
//! // In a kernel over `t_idx: TiledIndex<1, 256>`:
//! use amp_runtime::{ArrayViewMut, TiledIndex, subgroup};
//!
//! fn sums(t_idx: TiledIndex<1, 256>, mut data: ArrayViewMut<u32, 1>) {
//!     let sum = subgroup::reduce_add(data[t_idx.global]);
//!     if subgroup::elect() {
//!         data[t_idx.global] = sum;
//!     }
//! }
//! ```

use crate::device::cpu::lanes::SIZE;
use crate::device::cpu::subgroup as lanes;

mod sealed {
    pub trait Sealed: Copy {
        fn to_lane(self) -> u64;
        fn from_lane(lane: u64) -> Self;
        fn zero() -> Self;
        fn plus(self, other: Self) -> Self;
        fn lesser(self, other: Self) -> Self;
        fn greater(self, other: Self) -> Self;
    }
}

/// The types that the lanes of a subgroup can exchange: `i32`, `u32` and `f32`.
///
/// ```
/// use amp_runtime::subgroup::{self, Value};
///
/// // In a function that a kernel calls:
/// fn first_of<T: Value>(value: T) -> T {
///     subgroup::broadcast(value, 0)
/// }
/// ```
pub trait Value: sealed::Sealed {}

macro_rules! values {
    ($($ty:ident: $bits:expr, $from:expr, $plus:expr, $min:expr, $max:expr;)*) => {$(
        impl Value for $ty {}

        impl sealed::Sealed for $ty {
            fn to_lane(self) -> u64 {
                u64::from($bits(self))
            }

            fn from_lane(lane: u64) -> Self {
                $from(lane as u32)
            }

            fn zero() -> Self {
                Self::default()
            }

            fn plus(self, other: Self) -> Self {
                $plus(self, other)
            }

            fn lesser(self, other: Self) -> Self {
                $min(self, other)
            }

            fn greater(self, other: Self) -> Self {
                $max(self, other)
            }
        }
    )*};
}
values! {
    i32: i32::cast_unsigned, u32::cast_signed, i32::wrapping_add, i32::min, i32::max;
    u32: u32::from, u32::from, u32::wrapping_add, u32::min, u32::max;
    f32: f32::to_bits, f32::from_bits, |a, b| a + b, f32::min, f32::max;
}

/// The number of lanes of a subgroup, the same in all threads of the launch.
///
/// ```
/// fn subgroups(threads_of_tile: usize) -> usize {
///     threads_of_tile.div_ceil(amp_runtime::subgroup::size())
/// }
/// ```
#[inline]
pub fn size() -> usize {
    SIZE
}

/// The number of the thread's lane, below [`size`].
///
/// ```
/// fn is_first() -> bool {
///     amp_runtime::subgroup::index() == 0
/// }
/// ```
#[inline]
#[track_caller]
pub fn index() -> usize {
    lanes::lane()
}

/// True in one thread of the subgroup.
///
/// ```
/// fn once_a_subgroup(counter: &mut u32) {
///     if amp_runtime::subgroup::elect() {
///         amp_runtime::atomic_fetch_inc(counter);
///     }
/// }
/// ```
#[inline]
#[track_caller]
pub fn elect() -> bool {
    lanes::together(0, |_| lanes::lane() == 0)
}

/// Waits for all threads of the subgroup, and lets them see what each has written before, to tile
/// memory and to views. It takes much less than a barrier of the tile.
///
/// ```
/// use amp_runtime::{ArrayViewMut, TiledIndex, subgroup};
///
/// fn exchange(t_idx: TiledIndex<1, 64>, shared: &mut [u32; 64], out: &mut ArrayViewMut<u32, 1>) {
///     shared[t_idx.local[0]] = t_idx.local[0] as u32;
///     subgroup::barrier();
///     out[t_idx.global] = shared[t_idx.local[0] ^ 1];
/// }
/// ```
#[inline]
#[track_caller]
pub fn barrier() {
    lanes::barrier();
}

/// Whether `condition` is true in all threads of the subgroup.
///
/// ```
/// fn all_positive(value: i32) -> bool {
///     amp_runtime::subgroup::all(value > 0)
/// }
/// ```
#[inline]
#[track_caller]
pub fn all(condition: bool) -> bool {
    lanes::together(condition.into(), |lanes| {
        lanes.iter().all(|lane| *lane != 0)
    })
}

/// Whether `condition` is true in any thread of the subgroup.
///
/// ```
/// fn any_positive(value: i32) -> bool {
///     amp_runtime::subgroup::any(value > 0)
/// }
/// ```
#[inline]
#[track_caller]
pub fn any(condition: bool) -> bool {
    lanes::together(condition.into(), |lanes| {
        lanes.iter().any(|lane| *lane != 0)
    })
}

/// In which threads `condition` is true: bit `lane % 32` of word `lane / 32`.
///
/// ```
/// fn positive_before_me(value: i32) -> u32 {
///     let positive = amp_runtime::subgroup::ballot(value > 0);
///     // For subgroups of up to 32 lanes.
///     (positive[0] & ((1 << amp_runtime::subgroup::index()) - 1)).count_ones()
/// }
/// ```
#[inline]
#[track_caller]
pub fn ballot(condition: bool) -> [u32; 4] {
    lanes::together(condition.into(), |lanes| {
        let mut words = [0; 4];
        for (lane, value) in lanes.iter().enumerate() {
            words[lane / 32] |= (*value as u32) << (lane % 32);
        }
        words
    })
}

/// The `value` of lane `lane`, which is the same for the whole subgroup; zero if no thread
/// has that lane.
///
/// ```
/// fn of_the_first(value: f32) -> f32 {
///     amp_runtime::subgroup::broadcast(value, 0)
/// }
/// ```
#[inline]
#[track_caller]
pub fn broadcast<T: Value>(value: T, lane: usize) -> T {
    shuffle(value, lane)
}

/// The `value` of lane `lane`, which may differ between threads; zero if no thread has that
/// lane.
///
/// ```
/// use amp_runtime::subgroup;
///
/// fn reversed(value: u32) -> u32 {
///     subgroup::shuffle(value, subgroup::size() - 1 - subgroup::index())
/// }
/// ```
#[inline]
#[track_caller]
pub fn shuffle<T: Value>(value: T, lane: usize) -> T {
    lanes::together(value.to_lane(), |lanes| {
        lanes
            .get(lane)
            .map_or(T::zero(), |found| T::from_lane(*found))
    })
}

/// The `value` of the lane whose number is the thread's own, exclusive-or `mask`; zero if no
/// thread has that lane.
///
/// ```
/// fn of_the_neighbour(value: u32) -> u32 {
///     amp_runtime::subgroup::shuffle_xor(value, 1)
/// }
/// ```
#[inline]
#[track_caller]
pub fn shuffle_xor<T: Value>(value: T, mask: usize) -> T {
    shuffle(value, lanes::lane() ^ mask)
}

/// The lanes' values, combined from the first to the last.
#[track_caller]
fn reduce<T: Value>(value: T, combine: impl Fn(T, T) -> T) -> T {
    lanes::together(value.to_lane(), |lanes| {
        let values = lanes.iter().map(|lane| T::from_lane(*lane));
        values.reduce(combine).unwrap_or(value)
    })
}

/// The sum of `value` in all threads of the subgroup; integers wrap around. Floats are added in
/// an order that is the device's affair, so the last bits of the sum are too.
///
/// ```
/// fn sum(value: u32) -> u32 {
///     amp_runtime::subgroup::reduce_add(value)
/// }
/// ```
#[inline]
#[track_caller]
pub fn reduce_add<T: Value>(value: T) -> T {
    reduce(value, T::plus)
}

/// The least `value` of all threads of the subgroup. Among floats a NaN may or may not count.
///
/// ```
/// fn least(value: i32) -> i32 {
///     amp_runtime::subgroup::reduce_min(value)
/// }
/// ```
#[inline]
#[track_caller]
pub fn reduce_min<T: Value>(value: T) -> T {
    reduce(value, T::lesser)
}

/// The greatest `value` of all threads of the subgroup. Among floats a NaN may or may not count.
///
/// ```
/// fn greatest(value: i32) -> i32 {
///     amp_runtime::subgroup::reduce_max(value)
/// }
/// ```
#[inline]
#[track_caller]
pub fn reduce_max<T: Value>(value: T) -> T {
    reduce(value, T::greater)
}

/// The sum of `value` in this lane and those before it, as [`reduce_add`] adds.
///
/// ```
/// fn up_to_me(value: u32) -> u32 {
///     amp_runtime::subgroup::inclusive_add(value)
/// }
/// ```
#[inline]
#[track_caller]
pub fn inclusive_add<T: Value>(value: T) -> T {
    before(value, 1)
}

/// The sum of `value` in the lanes before this one, as [`reduce_add`] adds; zero in the first.
///
/// ```
/// fn before_me(value: u32) -> u32 {
///     amp_runtime::subgroup::exclusive_add(value)
/// }
/// ```
#[inline]
#[track_caller]
pub fn exclusive_add<T: Value>(value: T) -> T {
    before(value, 0)
}

/// The sum of the lanes before this one and `own` more.
#[track_caller]
fn before<T: Value>(value: T, own: usize) -> T {
    lanes::together(value.to_lane(), |lanes| {
        let values = lanes[..lanes::lane() + own].iter();
        let values = values.map(|lane| T::from_lane(*lane));
        values.reduce(T::plus).unwrap_or(T::zero())
    })
}
