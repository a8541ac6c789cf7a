//! Parallel algorithms on arrays and views: what CUB and Thrust are for CUDA, and what the AMP
//! Algorithms Library was for C++ AMP.
//!
//! An algorithm takes references to an [`ArrayView`](crate::ArrayView),
//! [`ArrayViewMut`](crate::ArrayViewMut) or [`Array`](crate::Array) of rank 1, or parts of these. It
//! runs where the array lives, and without an array on the default accelerator, like
//! `parallel_for_each`. Results are defined by the algorithm: all accelerators return the same bits.
//!
//! | | |
//! |---|---|
//! | One result | `reduce`, `transform_reduce`, `min_element`, `max_element`, `count_if`, `any`, `all` |
//! | Rows and columns of matrices | `reduce_rows`, `inclusive_scan_rows`, `exclusive_scan_rows`, and the same with `columns`, `sort_rows`, `sort_rows_by`, `transpose` |
//! | Results of all elements | `fill`, `iota`, `transform`, `transform_pairs`, `inclusive_scan`, `exclusive_scan` |
//! | Segments | `segmented_reduce`, `segmented_inclusive_scan`, `segmented_exclusive_scan` |
//! | Places | `gather`, `scatter`, `reverse`, `rotate`, `select`, `partition` |
//! | Runs of equal elements | `unique`, `unique_by`, `run_length`, `run_length_by` |
//! | Order | `sort`, `sort_by_key`, `argsort`, `sort_by`, `sort_by_key_by`, `argsort_by`, `top_k`, `lower_bound`, `lower_bound_by`, `upper_bound`, `upper_bound_by` |
//! | Counts | `histogram`, `histogram_even` |
//!
//! What an algorithm does with elements is ready made (`Add`, `Min` and others), or the user's own,
//! in the kernel language: `operation!`, `function!`, `reduction!`, `predicate!`, `comparison!` and `equality!`
//! turn a closure into the kernels that the algorithm needs. `SourceAlgorithms` and
//! `TargetAlgorithms` have methods of arrays and views.
//!
//! Numbers are integers of 8 to 64 bits, `f32` and `f64`, and with the feature `half` `f16` and `bf16`, each of whose
//! operations is rounded to the type. Algorithms that only move elements, or do with them what the program says,
//! take elements of any type.
//!
//! Functions whose names end in `_on` or `_into` leave their results on the accelerator, and take
//! part in graphs: see `Workspace`.

mod fft;
mod fill;
mod histogram;
mod host;
mod host_lines;
mod launcher;
mod linear;
mod lines;
mod merge;
mod methods;
mod moves;
mod number;
mod numeric;
mod operation;
mod order;
mod place;
mod predicate;
mod queue;
mod radix;
pub mod random;
mod reduce;
mod runs;
mod scan;
mod scan_lines;
mod scan_whole_blocks;
mod scan_whole_lines;
mod search;
mod segments;
mod select;
mod sort;
mod source;
mod transform;
mod words;

#[doc(inline)]
pub use crate::{comparison, equality, function, operation, predicate, reduction};
pub use fft::{Complex32, Complex64, Fft, FftElement};
pub use fill::{fill, fill_on};
pub use histogram::{Bin, EvenBin, histogram, histogram_even, histogram_even_on, histogram_on};
#[doc(hidden)]
pub use host::HostOperation;
pub use launcher::Launcher;
pub use linear::{Gemm, Gemv, MatrixElement, gemm, gemv, transpose, transpose_on};
pub use lines::{reduce_columns, reduce_columns_on, reduce_rows, reduce_rows_on};
pub use merge::{
    Comparison, sort_by, sort_by_on, sort_rows, sort_rows_by, sort_rows_by_on, sort_rows_on,
};
pub use methods::{SourceAlgorithms, TargetAlgorithms};
pub use moves::{gather, gather_on, reverse, reverse_on, rotate, rotate_on, scatter, scatter_on};
pub use numeric::Numeric;
pub use operation::{Add, And, Max, Min, Mul, Operation, Or, Xor};
pub use order::{argsort_by, argsort_by_on, sort_by_key_by, sort_by_key_by_on};
#[doc(hidden)]
pub use place::{Place, PlaceKernel};
pub use predicate::Predicate;
pub use queue::{Queue, Workspace};
pub use reduce::{reduce, reduce_into};
pub use runs::{
    Equality, run_length, run_length_by, run_length_by_on, run_length_on, unique, unique_by,
    unique_by_on, unique_on,
};
#[doc(hidden)]
pub use scan::Scan;
pub use scan::{exclusive_scan, exclusive_scan_on, inclusive_scan, inclusive_scan_on};
pub use scan_lines::{
    exclusive_scan_columns, exclusive_scan_columns_on, exclusive_scan_rows, exclusive_scan_rows_on,
    inclusive_scan_columns, inclusive_scan_columns_on, inclusive_scan_rows, inclusive_scan_rows_on,
};
pub use search::{
    lower_bound, lower_bound_by, lower_bound_by_on, lower_bound_on, max_element, max_element_into,
    min_element, min_element_into, upper_bound, upper_bound_by, upper_bound_by_on, upper_bound_on,
};
pub use segments::{
    segmented_exclusive_scan, segmented_exclusive_scan_on, segmented_inclusive_scan,
    segmented_inclusive_scan_on, segmented_reduce, segmented_reduce_on,
};
pub use select::{
    all, all_into, any, any_into, count_if, count_if_into, partition, partition_on, select,
    select_on,
};
pub use sort::{
    SortKey, argsort, argsort_on, sort, sort_by_key, sort_by_key_on, sort_on, top_k, top_k_on,
};
pub use source::{Source, Target};
pub use transform::{
    Function, PairFunction, Reduction, iota, iota_on, transform, transform_on, transform_pairs,
    transform_pairs_on, transform_reduce, transform_reduce_into,
};
