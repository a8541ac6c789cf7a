//! Parallel algorithms on arrays and views: what CUB and Thrust are for CUDA, and what the AMP
//! Algorithms Library was for C++ AMP.
//!
//! An algorithm takes references to an [`ArrayView`](crate::ArrayView),
//! [`ArrayViewMut`](crate::ArrayViewMut) or [`Array`](crate::Array) of rank 1, or parts of these. It
//! runs where the array lives, and without an array on the default accelerator, like
//! `parallel_for_each`. Results are defined by the algorithm: all accelerators return the same bits.

mod fft;
mod fill;
mod launcher;
mod linear;
mod moves;
mod number;
mod operation;
mod queue;
mod radix;
pub mod random;
mod reduce;
mod scan;
mod sort;
mod source;
mod words;

#[doc(inline)]
pub use crate::operation;
pub use fft::{Complex32, Complex64, Fft, FftElement};
pub use fill::fill;
pub use launcher::Launcher;
pub use linear::{
    Gemm, Gemv, MatrixElement, TransposeElement, gemm, gemv, transpose, transpose_on,
};
pub use moves::{gather, gather_on, reverse, rotate, scatter};
pub use operation::{Add, And, Max, Min, Mul, Operation, Or, Xor};
pub use queue::{Queue, Workspace};
pub use reduce::{reduce, reduce_into};
#[doc(hidden)]
pub use scan::Scan;
pub use scan::{exclusive_scan, exclusive_scan_on, inclusive_scan, inclusive_scan_on};
pub use sort::{SortKey, argsort, argsort_on, sort, sort_by_key, sort_by_key_on, sort_on, top_k};
pub use source::{Source, Target};
