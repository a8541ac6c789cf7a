//! C++ AMP for Rust: GPU computing with ordinary Rust functions.
//!
//! A function marked [`#[amp_kernel]`](amp_kernel) is checked and compiled to SPIR-V
//! while the crate compiles; the result is part of the binary. [`parallel_for_each`] runs
//! it over a domain on any Vulkan 1.2 device, or on the built-in CPU accelerator where
//! there is none. The same function type-checks under rustc, and gives the same results
//! on the CPU and on a device.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn add(
//!     idx: Index<1>,
//!     a: &ArrayView<i32, 1>,
//!     b: &ArrayView<i32, 1>,
//!     sum: &mut ArrayViewMut<i32, 1>,
//! ) {
//!     sum[idx] = a[idx] + b[idx];
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let (a, b) = ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]);
//! let mut result = [0; 5];
//! {
//!     let a = ArrayView::new(5, &a)?;
//!     let b = ArrayView::new(5, &b)?;
//!     let mut sum = ArrayViewMut::new(5, &mut result)?;
//!     sum.discard_data();
//!     parallel_for_each(sum.extent(), add(&a, &b, &mut sum))?;
//!     sum.synchronize()?;
//! }
//! assert_eq!(result, [7, 9, 11, 13, 15]);
//! # Ok(())
//! # }
//! ```
//!
//! # The model
//!
//! | C++ AMP | here |
//! |---|---|
//! | `restrict(amp)` | [`#[amp_kernel]`](amp_kernel), [`#[amp_fn]`](amp_fn), [`#[amp_struct]`](amp_struct), [`#[amp_enum]`](amp_enum), [`#[amp_module]`](amp_module) |
//! | `index`, `extent`, `tiled_extent`, `tiled_index` | [`Index`], [`Extent`], [`TiledExtent`], [`TiledIndex`] |
//! | `tile_static` | `#[tile_static] let mut x: T;` in a kernel |
//! | `tile_barrier` and fences | [`TileBarrier`], [`all_memory_fence`], [`global_memory_fence`], [`tile_static_memory_fence`] |
//! | `atomic_fetch_add` and its kin | [`atomic_fetch_add`] and its kin |
//! | `array`, `array_view` | [`Array`], [`ArrayView`], [`ArrayViewMut`] |
//! | `access_type`, staging arrays | [`AccessType`], [`ArrayBuilder::associated`] |
//! | `copy`, `copy_async`, `completion_future` | [`copy()`], [`copy_async`], [`CompletionFuture`] |
//! | `accelerator`, `accelerator_view`, `create_marker` | [`Accelerator`], [`AcceleratorView`], [`AcceleratorView::create_marker`] |
//! | `parallel_for_each` | [`parallel_for_each`]; [`AcceleratorView::record`] for launches that come again and again |
//! | `create_accelerator_view`, `get_device`, `make_array`, `get_buffer` | [`interop`], for programs that use Vulkan themselves |
//!
//! # What kernels can be written in
//!
//! `bool`, the integers `i8` to `u64`, `usize`, `isize`, `f32`, `f64`, with the feature `half`
//! its `f16` and `bf16`, with the feature `glam` its vectors and matrices, tuples, arrays of
//! fixed length, [`#[amp_struct]`](amp_struct)s and [`#[amp_enum]`](amp_enum)s; all operators
//! and casts among these with Rust's results, whatever the profile (integers wrap); `if`,
//! `match` with ranges, `|`, `@` and guards, `if let`, `let else`, `matches!`, `while`, `loop`,
//! `for` over ranges and arrays, labels, `break` with a value, blocks as values; the numeric
//! methods of these types; methods, operators and traits of the user's types, in an
//! [`#[amp_module]`](amp_module); helpers, of other modules and crates too, which take values,
//! views and references; closures that are called by their names; generic helpers, over numbers
//! ([`Scalar`]), lengths and closures; `const` items and const parameters, which may size tiles
//! and arrays. Everything else is refused with a code and a hint; in the repository
//! `docs/language.md` has it all in tables, and `docs/errors.md` explains each code.
//!
#![doc = include_str!("guide.md")]
//!
//! # Profiles
//!
//! [`AcceleratorView::profile`] tells what took how long on a view: each launch and transfer by
//! the device's clock, and what threads of the host waited for. A [`Profile`](profile::Profile)
//! is printed as a table, and written as a trace for <https://ui.perfetto.dev>.
//!
//! # Environment
//!
//! `AMP_ACCELERATOR` (`cpu`, or part of an accelerator's description or path) overrides the
//! default accelerator. `AMP_CACHE_DIR` says in which folder compiled kernels are kept from one
//! run to the next ([`prepare`]). `AMP_VALIDATION=1` turns on Vulkan's validation layer, if it is
//! installed. `AMP_DEBUG_LABELS=1` names objects and commands for tools that do not report
//! themselves. `AMP_SOFT_FLOATS=1` has software compute every float operation that some device
//! gets wrong, to test amp itself.

#![forbid(unsafe_code)]

// What the macros write names this crate as users do.
extern crate self as amp;

mod attributes;
mod companions;
pub mod direct3d;
pub mod fast_math;
pub mod precise_math;
mod repeated;

pub use attributes::{amp_enum, amp_fn, amp_kernel, amp_module, amp_struct, kernel};
#[cfg(feature = "glam")]
pub use companions::glam;
#[cfg(feature = "ndarray")]
pub use companions::ndarray;
pub use repeated::{Graph, Recording, Variant, prepare};

pub use amp_runtime::{
    Accelerator, AcceleratorView, AccessType, AnyRank, Array, ArrayBuilder, ArrayView,
    ArrayViewMut, Atomic, AtomicInteger, Bytes, CompletionFuture, Continuation, CopyDestination,
    CopySource, Domain, Element, Error, Extent, FitsRank, HeapReport, Index, Kernel, KernelFault,
    KernelPrint, MemoryReport, PrintStream, QueuingMode, Rank, Rejected, Report, Result, Scalar,
    TileBarrier, TiledExtent, TiledIndex, all_memory_fence, atomic_compare_exchange,
    atomic_exchange, atomic_fetch_add, atomic_fetch_and, atomic_fetch_dec, atomic_fetch_inc,
    atomic_fetch_max, atomic_fetch_min, atomic_fetch_or, atomic_fetch_sub, atomic_fetch_xor,
    atomic_load, atomic_store, copy, copy_async, device_memory_fence, global_memory_fence,
    parallel_for_each, subgroup, tile_static_memory_fence,
};

pub use amp_runtime::{AcceleratorKind, FloatPromises, Properties, profile};

pub use amp_runtime::interop;

#[doc(hidden)]
pub mod __private {
    pub use amp_macros::resume;
    pub use amp_runtime::private::*;
}

/// Everything that a program with kernels names: `use amp::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Accelerator, AcceleratorView, AccessType, Array, ArrayView, ArrayViewMut, CompletionFuture,
        Extent, Index, Kernel, QueuingMode, Scalar, TileBarrier, TiledExtent, TiledIndex,
        all_memory_fence, amp_enum, amp_fn, amp_kernel, amp_module, amp_struct,
        atomic_compare_exchange, atomic_exchange, atomic_fetch_add, atomic_fetch_and,
        atomic_fetch_dec, atomic_fetch_inc, atomic_fetch_max, atomic_fetch_min, atomic_fetch_or,
        atomic_fetch_sub, atomic_fetch_xor, atomic_load, atomic_store, copy, copy_async,
        device_memory_fence, direct3d, fast_math, global_memory_fence, kernel, parallel_for_each,
        precise_math, subgroup, tile_static_memory_fence,
    };
}

/// The programs of the documents are tests too.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/errors.md")]
    struct Errors;
    #[doc = include_str!("../docs/language.md")]
    struct Language;
    #[doc = include_str!("../docs/profiling.md")]
    struct Profiling;
}
