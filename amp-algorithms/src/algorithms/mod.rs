//! Parallel algorithms on arrays and views: what CUB and Thrust are for CUDA, and what the AMP
//! Algorithms Library was for C++ AMP.
//!
//! An algorithm takes references to an [`ArrayView`](crate::ArrayView),
//! [`ArrayViewMut`](crate::ArrayViewMut) or [`Array`](crate::Array) of rank 1, or parts of these. It
//! runs where the array lives, and without an array on the default accelerator, like
//! `parallel_for_each`. Results are defined by the algorithm: all accelerators return the same bits.

mod fill;
mod launcher;
pub mod random;
mod source;
mod words;

pub use fill::fill;
pub use launcher::Launcher;
pub use source::{Source, Target};
