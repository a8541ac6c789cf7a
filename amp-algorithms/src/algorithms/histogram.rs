//! `histogram`, `histogram_even`: how often each key occurs, and how many numbers are in each part of
//! a range.

use std::ops::Range;

use super::fill::fill_on;
use super::launcher::Launcher;
use super::number::of_numbers;
use super::queue::{Queue, Workspace, tiles};
use super::source::{Source, Target};
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;
use crate::{Element, Kernel, Result};

/// Keys of a tile.
const BLOCK: usize = 16384;

/// A kernel that counts keys in the memory of the tile first, if it has room. Keys that have no bin
/// have one above the last.
macro_rules! counting_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($parameter:ident: $type:ty),*]
        |$key:ident: $of:ty, $count:ident| { $bin:expr }
    ) => {
        #[$attribute]
        fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
            keys: &ArrayView<$of, 1>,
            counts: &mut ArrayViewMut<u32, 1>,
            $($parameter: $type,)*
        ) {
            #[tile_static]
            let mut bins: [u32; 2048];
            let lane = t_idx.local[0];
            let $count = counts.extent()[0];
            let bin_of = |$key: $of| -> usize { $bin };
            let start = t_idx.tile[0] * 16384;
            let end = (start + 16384).min(keys.extent()[0]);
            if $count <= 2048 {
                for bin in (lane..2048).step_by(256) {
                    bins[bin] = 0;
                }
                t_idx.barrier.wait();
                for at in (start + lane..end).step_by(256) {
                    let bin = bin_of(keys[at]);
                    if bin < $count {
                        atomic_fetch_inc(&mut bins[bin]);
                    }
                }
                t_idx.barrier.wait();
                for bin in (lane..$count).step_by(256) {
                    if bins[bin] > 0 {
                        atomic_fetch_add(&mut counts[bin], bins[bin]);
                    }
                }
            } else {
                for at in (start + lane..end).step_by(256) {
                    let bin = bin_of(keys[at]);
                    if bin < $count {
                        atomic_fetch_inc(&mut counts[bin]);
                    }
                }
            }
        }
    };
}

counting_kernel! {
    #[amp_kernel(K = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64)]
    count_keys [K: Element + Key] []
    |key: K, count| { key_bin(key) as usize }
}

macro_rules! count_numbers {
    (#[$attribute:meta]) => {
        counting_kernel! {
            #[$attribute]
            count_numbers [T: Element + Even] [low: T, high: T]
            |x: T, count| { even_bin(x, low, high, count as u32) as usize }
        }
    };
}
of_numbers! {
    count_numbers! {}
}

/// The module, with an implementation for each type. What has no bin has `u32::MAX`.
macro_rules! bins_of_numbers {
    (
        narrow: $($narrow:ident)*; wide: $($wide:ident)*;
        floats: $($float:ident)*; halves: $($half:ident)*
    ) => {
        #[crate::amp_module]
        #[allow(missing_docs)]
        pub mod bins {
            #[cfg(feature = "half")]
            use crate::__private::half::{bf16, f16};

            /// A number that is its bin.
            pub trait Key: Copy {
                fn own_bin(self) -> u32;
            }

            /// A number that counts in one of some bins of the same size.
            pub trait Even: Copy {
                fn bin(self, low: Self, high: Self, count: u32) -> u32;
            }

            $(impl Key for $narrow {
                fn own_bin(self) -> u32 {
                    if self >= 0 as $narrow { self as u32 } else { u32::MAX }
                }
            }

            impl Even for $narrow {
                fn bin(self, low: Self, high: Self, count: u32) -> u32 {
                    if self >= low && self < high {
                        let (above, all) = (self as i64 - low as i64, high as i64 - low as i64);
                        (above as u64 * count as u64 / all as u64) as u32
                    } else {
                        u32::MAX
                    }
                }
            })*

            $(impl Key for $wide {
                fn own_bin(self) -> u32 {
                    (self as u64).min(u32::MAX as u64) as u32
                }
            }

            impl Even for $wide {
                fn bin(self, low: Self, high: Self, count: u32) -> u32 {
                    if self >= low && self < high {
                        share((self as u64).wrapping_sub(low as u64), count, (high as u64).wrapping_sub(low as u64))
                    } else {
                        u32::MAX
                    }
                }
            })*

            /// `above * count / all`, where `above` is less than `all`: also where the product has more than 64 bits.
            fn share(above: u64, count: u32, all: u64) -> u32 {
                if all <= 1 << 32 {
                    return (above * count as u64 / all) as u32;
                }
                // From the highest bit of `count` on, what it makes of `above` is doubled, and `above` added.
                let (mut bin, mut rest) = (0_u32, 0_u64);
                for k in 0..32 {
                    bin *= 2;
                    let doubled = if count >> (31 - k) & 1 == 1 { [rest, above] } else { [rest, 0] };
                    for more in 0..2 {
                        let room = all - rest;
                        if doubled[more] >= room {
                            bin += 1;
                            rest = doubled[more] - room;
                        } else {
                            rest += doubled[more];
                        }
                    }
                }
                bin
            }

            $(impl Even for $float {
                fn bin(self, low: Self, high: Self, count: u32) -> u32 {
                    if self >= low && self < high {
                        let bin = (self - low) / (high - low) * count as $float;
                        (bin as u32).min(count - 1)
                    } else {
                        u32::MAX
                    }
                }
            })*

            $(impl Even for $half {
                fn bin(self, low: Self, high: Self, count: u32) -> u32 {
                    self.to_f32().bin(low.to_f32(), high.to_f32(), count)
                }
            })*

            pub fn key_bin<K: Key>(key: K) -> u32 {
                key.own_bin()
            }

            pub fn even_bin<T: Even>(x: T, low: T, high: T, count: u32) -> u32 {
                x.bin(low, high, count)
            }
        }
    };
}
#[cfg(not(feature = "half"))]
bins_of_numbers!(narrow: i8 u8 i16 u16 i32 u32; wide: i64 u64; floats: f32 f64; halves:);
#[cfg(feature = "half")]
bins_of_numbers!(narrow: i8 u8 i16 u16 i32 u32; wide: i64 u64; floats: f32 f64; halves: f16 bf16);

use bins::{Even, Key, even_bin, key_bin};

mod sealed {
    pub trait Sealed {}
}

/// A key of a [`histogram`]: an integer of 8 to 64 bits.
///
/// ```
/// use amp::algorithms::{Bin, histogram};
/// use amp::prelude::*;
///
/// fn zeroes_of<K: Bin>(keys: &[K]) -> amp::Result<u32> {
///     let mut counts = ArrayViewMut::uninit(1)?;
///     histogram(&ArrayView::from(keys), &mut counts)?;
///     Ok(counts[0])
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!((zeroes_of(&[0_u8, 1, 0])?, zeroes_of(&[7_u32, 0])?), (2, 1));
/// # Ok(())
/// # }
/// ```
pub trait Bin: Element + sealed::Sealed {
    #[doc(hidden)]
    fn count<'k>(
        keys: &'k ArrayView<'_, Self, 1>,
        counts: &'k mut ArrayViewMut<'_, u32, 1>,
    ) -> Kernel<'k, TiledIndex<1, 256>>;
}

macro_rules! bins {
    ($($key:ident)*) => {$(
        impl Bin for $key {
            #[inline]
            fn count<'k>(
                keys: &'k ArrayView<'_, Self, 1>,
                counts: &'k mut ArrayViewMut<'_, u32, 1>,
            ) -> Kernel<'k, TiledIndex<1, 256>> {
                count_keys::<$key>(keys, counts)
            }
        }
    )*};
}
bins!(i8 u8 i16 u16 i32 u32 i64 u64);

/// A number that a [`histogram_even`] counts: an integer of 8 to 64 bits, `f32` or `f64`, and with the feature `half`
/// `f16` or `bf16`.
///
/// ```
/// use std::ops::Range;
///
/// use amp::algorithms::{EvenBin, histogram_even};
/// use amp::prelude::*;
///
/// fn halves<T: EvenBin>(numbers: &[T], bounds: Range<T>) -> amp::Result<Vec<u32>> {
///     let mut counts = ArrayViewMut::uninit(2)?;
///     histogram_even(&ArrayView::from(numbers), bounds, &mut counts)?;
///     counts.to_vec()
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(halves(&[-3, 0, 4, 9], -10..10)?, [1, 3]);
/// # Ok(())
/// # }
/// ```
pub trait EvenBin: Element + sealed::Sealed {
    #[doc(hidden)]
    fn count_even<'k>(
        numbers: &'k ArrayView<'_, Self, 1>,
        counts: &'k mut ArrayViewMut<'_, u32, 1>,
        bounds: Range<Self>,
    ) -> Kernel<'k, TiledIndex<1, 256>>;
}

macro_rules! even_bins {
    ($($number:ident)*) => {$(
        impl sealed::Sealed for $number {}

        impl EvenBin for $number {
            #[inline]
            fn count_even<'k>(
                numbers: &'k ArrayView<'_, Self, 1>,
                counts: &'k mut ArrayViewMut<'_, u32, 1>,
                bounds: Range<Self>,
            ) -> Kernel<'k, TiledIndex<1, 256>> {
                count_numbers::<$number>(numbers, counts, bounds.start, bounds.end)
            }
        }
    )*};
}
even_bins!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
#[cfg(feature = "half")]
even_bins!(f16 bf16);

/// Counts how often each key occurs: `counts[k]` becomes the number of keys that are `k`. Keys that
/// have no count, as negative ones, are left out.
///
/// ```
/// use amp::algorithms::histogram;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let keys = Array::new(6, &[1_u8, 3, 1, 0, 1, 200])?;
/// let mut counts = Array::zeroed(4)?;
/// histogram(&keys, &mut counts)?;
/// assert_eq!(counts.to_vec()?, [1, 3, 0, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn histogram<K: Bin>(keys: &impl Source<K>, counts: &mut impl Target<u32>) -> Result<()> {
    let mut workspace = Workspace::default();
    histogram_on(&mut workspace.at(keys)?, keys, counts)
}

/// [`histogram`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (keys, mut counts) = (Array::new(3, &[1_u32, 0, 1])?, Array::zeroed(2)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&keys.accelerator_view());
/// histogram_on(queue, &keys, &mut counts)?;
/// assert_eq!(counts.to_vec()?, [1, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn histogram_on<K: Bin>(
    queue: &mut Queue<'_>,
    keys: &impl Source<K>,
    counts: &mut impl Target<u32>,
) -> Result<()> {
    let (keys, mut counts) = (keys.elements(), counts.elements_mut());
    fill_on(queue, &mut counts, 0)?;
    let blocks = keys.extent()[0].div_ceil(BLOCK);
    queue.launch(tiles(blocks), K::count(&keys, &mut counts))
}

/// Divides a range into as many parts of equal width as there are counts, and counts the numbers in each.
/// Numbers that are not in the range are left out.
///
/// A number counts at ⌊(x - low) / (high - low) * counts⌋, as computed with floats of its type (`f16` and
/// `bf16` as `f32`), but not behind the end, and for integers at ⌊(x - low) * counts / (high - low)⌋, computed exactly. For
/// integers, a device needs those of 64 bits.
///
/// ```
/// use amp::algorithms::histogram_even;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(6, &[0.0, 0.1, 0.9, 0.5, 1.0, f32::NAN])?;
/// let mut counts = Array::zeroed(4)?;
/// histogram_even(&numbers, 0.0..1.0, &mut counts)?;
/// assert_eq!(counts.to_vec()?, [2, 0, 1, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn histogram_even<T: EvenBin>(
    numbers: &impl Source<T>,
    bounds: Range<T>,
    counts: &mut impl Target<u32>,
) -> Result<()> {
    let mut workspace = Workspace::default();
    histogram_even_on(&mut workspace.at(numbers)?, numbers, bounds, counts)
}

/// [`histogram_even`] on a queue: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (x, mut counts) = (Array::new(3, &[0.1, 0.7, 0.9])?, Array::zeroed(2)?);
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// histogram_even_on(queue, &x, 0.0..1.0, &mut counts)?;
/// assert_eq!(counts.to_vec()?, [1, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn histogram_even_on<T: EvenBin>(
    queue: &mut Queue<'_>,
    numbers: &impl Source<T>,
    bounds: Range<T>,
    counts: &mut impl Target<u32>,
) -> Result<()> {
    let (numbers, mut counts) = (numbers.elements(), counts.elements_mut());
    fill_on(queue, &mut counts, 0)?;
    let blocks = numbers.extent()[0].div_ceil(BLOCK);
    queue.launch(tiles(blocks), T::count_even(&numbers, &mut counts, bounds))
}
