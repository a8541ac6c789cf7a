//! Host versions that are compiled a second time, for an extended instruction set.
//!
//! A program is compiled for every processor of its architecture: on x86-64 with vectors of 16 bytes and without
//! fused multiplication. An optimised build has most kernels once more with the features that nearly all
//! processors since 2013 have ([`extended`](crate::extended)), and runs that version where the processor has them. Results
//! are the same: an operation of floats rounds as before, and nothing is fused that the kernel does not fuse.
//!
//! Leaves out: kernels whose threads are coroutines, and helpers that are not inlined.

use super::execute::{Launch, execute, execute_pointwise};
use super::{OwnViews, Points, Threads, Views};
use crate::types::error::Result;
use crate::types::index::KernelIndex;

/// A function that is compiled for the extended instruction set, and statements that use it; nothing if there is no
/// such set, or the whole program is compiled for it.
#[doc(hidden)]
#[macro_export]
macro_rules! extended {
    ([$($function:tt)*] $($statements:tt)*) => {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        {
            #[allow(unused, clippy::all)]
            #[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
            $($function)*
            $($statements)*
        }
    };
}

/// Whether the processor has all features that functions in [`extended`](crate::extended) are compiled for.
fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
            && is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// A function in [`extended`](crate::extended), which nothing but its features makes unsafe: it runs a kernel for threads of
/// a launch, whose arguments are in slots.
pub type Extended<I, S> = unsafe fn(Views<'_>, Threads<'_, I>, S);

/// The same of a pointwise kernel.
pub type ExtendedPointwise<const N: usize, S> = unsafe fn(OwnViews<'_>, Points<'_, N>, S);

/// What runs launches by such a function, as [`execute`] does, if the processor has the features.
pub(crate) fn extended<I: KernelIndex, S: Copy + Sync>(
    host_version: Extended<I, S>,
    slots: S,
) -> Option<impl Fn(&Launch<'_>) -> Result<()>> {
    is_available().then_some(move |launch: &Launch<'_>| {
        // SAFETY: the processor has the features.
        let body = |views: Views<'_>, threads: Threads<'_, I>| unsafe {
            host_version(views, threads, slots);
        };
        execute(&body, launch)
    })
}

/// The same of a pointwise kernel.
pub(crate) fn extended_pointwise<const N: usize, S: Copy + Sync>(
    host_version: ExtendedPointwise<N, S>,
    slots: S,
) -> Option<impl Fn(&Launch<'_>) -> Result<()>> {
    is_available().then_some(move |launch: &Launch<'_>| {
        // SAFETY: the processor has the features.
        let body = |views: OwnViews<'_>, points: Points<'_, N>| unsafe {
            host_version(views, points, slots);
        };
        execute_pointwise(&body, launch)
    })
}
