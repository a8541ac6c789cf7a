//! Random numbers: the counter-based generator Philox 4x32-10, for kernels and for the host.
//!
//! A [`Philox`] is a stream of random words, which a seed and the stream's number determine. The number
//! at any place of a stream is known without those before it, so the threads of a kernel need no common
//! state: each draws from a stream of its own.
//!
//! ```
//! use amp::algorithms::random::Philox;
//! use amp::prelude::*;
//!
//! /// Counts how many of some random points lie in the unit circle.
//! #[amp_kernel]
//! fn throw(idx: Index<1>, random: Philox, hits: &mut ArrayViewMut<u32, 1>) {
//!     let mut own = random.stream(idx[0] as u32);
//!     for _ in 0..100 {
//!         let (x, y) = (own.uniform(), own.uniform());
//!         if x * x + y * y < 1.0 {
//!             hits[idx] += 1;
//!         }
//!     }
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let mut hits = ArrayViewMut::uninit(1000)?;
//! parallel_for_each(hits.extent(), throw(Philox::new(42), &mut hits))?;
//! let hits: u32 = hits.to_vec()?.iter().sum();
//! assert!((hits as f32 / 25_000.0 - 3.14).abs() < 0.02);
//! # Ok(())
//! # }
//! ```
//!
//! The functions of this module fill arrays. Their results depend on the generator and the position of
//! an element only: element i of [`fill_uniform`] is number i that the generator draws. All accelerators
//! and the host return the same bits.
//!
//! Devices need 64-bit integers, and `f64` for numbers of that type.

mod fills;
#[cfg(feature = "half")]
mod halves;
mod philox;
mod ranges;

pub use fills::{
    Real, fill_bits, fill_bits_on, fill_normal, fill_normal_on, fill_poisson, fill_poisson_on,
    fill_uniform, fill_uniform_on,
};
pub use philox::generator::{Philox, philox4x32};
pub use ranges::{Whole, fill_range, fill_range_on};
