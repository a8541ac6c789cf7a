//! What the benchmarks share.

#![forbid(unsafe_code)]

pub mod kernels;
pub mod random;

use std::time::Duration;

/// The middle of some times.
///
/// # Panics
///
/// If there are none.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
