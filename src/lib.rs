//! GPU kernels as ordinary Rust functions: the C++ AMP programming model on stable Rust.
//!
//! [`#[amp_kernel]`](amp_kernel) checks a function and compiles it to SPIR-V while your crate
//! compiles. [`parallel_for_each`] runs it on any Vulkan 1.2 device, or on the built-in CPU
//! accelerator if there is none. rustc type-checks the same function, and it returns the same
//! results on every accelerator.
//!
//! This page is a ten-minute introduction. The [`guide`] covers one topic per section, and every
//! item of the crate has an example.
//!
//! # A first kernel
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn saxpy(idx: Index<1>, a: f32, x: &ArrayView<f32, 1>, y: &mut ArrayViewMut<f32, 1>) {
//!     y[idx] += a * x[idx];
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let x = [1.0, 2.0, 3.0, 4.0];
//! let mut y = [10.0; 4];
//! {
//!     let x = ArrayView::new(4, &x)?;
//!     let mut y = ArrayViewMut::new(4, &mut y)?;
//!     parallel_for_each(y.extent(), saxpy(2.0, &x, &mut y))?;
//!     y.synchronize()?;
//! }
//! assert_eq!(y, [12.0, 14.0, 16.0, 18.0]);
//! # Ok(())
//! # }
//! ```
//!
//! - The first parameter of a kernel is its index: which thread this is. The others are views, by
//!   reference, and values.
//! - The attribute replaces the function by one that takes the other parameters and returns a
//!   [`Kernel`]. Calling it binds the arguments, like the captures of a closure; it runs nothing.
//! - `parallel_for_each` runs the kernel once for each index of an extent, its *domain*. It returns
//!   as soon as the launch is queued.
//! - `synchronize` waits for the kernel, brings the results back to the slice, and reports what went
//!   wrong.
//!
//! [`kernel!`] is the same in an expression. It names the variables that it captures:
//!
//! ```
//! use amp::prelude::*;
//!
//! # fn main() -> amp::Result<()> {
//! let mut squares = ArrayViewMut::uninit(5)?;
//! let offset = 100;
//! parallel_for_each(
//!     5,
//!     kernel!(|idx: Index<1>| [squares: &mut ArrayViewMut<u32, 1>, offset: u32] {
//!         let i = idx[0] as u32;
//!         squares[idx] = i * i + offset;
//!     }),
//! )?;
//! assert_eq!(squares.to_vec()?, [100, 101, 104, 109, 116]);
//! # Ok(())
//! # }
//! ```
//!
//! # Views and arrays
//!
//! An [`ArrayView`] or [`ArrayViewMut`] gives a slice one or more dimensions and shows it to kernels.
//! It copies nothing when it is created. Data moves when it is used where it is stale: to the device
//! at a launch, back to the host when the host indexes the view or synchronises it. Because a view
//! borrows its slice, rustc rejects an access to the slice behind the view's back.
//!
//! An [`Array`] owns its elements, in the memory of one accelerator. Use it for data that stays
//! there between launches. Kernels take arrays where they take views.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn smooth(idx: Index<2>, from: &ArrayView<f32, 2>, to: &mut ArrayViewMut<f32, 2>) {
//!     let [rows, columns] = from.extent().to_array();
//!     let (i, j) = (idx[0], idx[1]);
//!     let (up, down) = (i.max(1) - 1, (i + 1).min(rows - 1));
//!     let (left, right) = (j.max(1) - 1, (j + 1).min(columns - 1));
//!     to[idx] = (from[[up, j]] + from[[down, j]] + from[[i, left]] + from[[i, right]]) / 4.0;
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let mut now = Array::new([3, 4], &[0.0, 0.0, 0.0, 0.0, 0.0, 16.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
//! let mut next = Array::zeroed([3, 4])?;
//! for _ in 0..2 {
//!     parallel_for_each(now.extent(), smooth(&now, &mut next))?; // Nothing is copied.
//!     std::mem::swap(&mut now, &mut next);
//! }
//! assert_eq!(now.to_vec()?[..4], [2.0, 1.0, 2.0, 0.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Extents and indices are row-major: the last component varies fastest in memory.
//!
//! # Tiles
//!
//! `extent.tile::<16, 16>()` divides a domain into tiles (CUDA: blocks). The kernel takes a
//! [`TiledIndex`], whose fields `global`, `local` and `tile` locate the thread. `#[tile_static]`
//! variables are shared by the threads of a tile, and `barrier.wait()` lets them wait for each other.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn tile_sums(t_idx: TiledIndex<1, 64>, x: &ArrayView<f32, 1>, sums: &mut ArrayViewMut<f32, 1>) {
//!     #[tile_static]
//!     let mut part: [f32; 64];
//!     let i = t_idx.local[0];
//!     part[i] = x[t_idx.global];
//!     t_idx.barrier.wait();
//!     let mut half = 32;
//!     while half > 0 {
//!         if i < half {
//!             part[i] += part[i + half];
//!         }
//!         t_idx.barrier.wait();
//!         half /= 2;
//!     }
//!     if i == 0 {
//!         sums[t_idx.tile] = part[0];
//!     }
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let numbers: Vec<f32> = (0..256).map(|i| i as f32).collect();
//! let x = ArrayView::new(256, &numbers)?;
//! let mut sums = ArrayViewMut::uninit(4)?;
//! parallel_for_each(x.extent().tile::<64>(), tile_sums(&x, &mut sums))?;
//! assert_eq!(sums.to_vec()?.iter().sum::<f32>(), 32640.0);
//! # Ok(())
//! # }
//! ```
//!
//! A tile must divide the domain; [`pad`](TiledExtent::pad) and [`truncate`](TiledExtent::truncate)
//! make it so. A barrier that only some threads of a tile reach does not compile, and neither does a
//! race on tile memory that is certain to happen:
//!
//! ```compile_fail
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn reverse(t_idx: TiledIndex<1, 64>, x: &mut ArrayViewMut<f32, 1>) {
//!     #[tile_static]
//!     let mut part: [f32; 64];
//!     let i = t_idx.local[0];
//!     part[i] = x[t_idx.global];
//!     x[t_idx.global] = part[63 - i]; // error: [AMP0025] race on the tile_static variable `part`
//! }
//! ```
//!
//! # Errors
//!
//! **At compile time** every error of a kernel has a code such as `AMP0025`, a span, and a help that
//! says what to write instead. `docs/errors.md` in the repository explains each code.
//!
//! **At a launch** an [`Error`] states what was wanted, what was found and what to do. A launch that
//! is refused leaves all data as it was.
//!
//! **In a kernel** an out-of-bounds access, a division by zero, a failed `assert!` or a `panic!` is a
//! *fault*. The access does not happen (a read yields zero, a write is dropped), and the next wait,
//! or the next access to data that depends on the kernel, returns [`Error::KernelFault`], which names
//! the kernel, file, line, column and thread:
//!
//! ```
//! use amp::prelude::*;
//! use amp::Error;
//!
//! #[amp_kernel]
//! fn shift(idx: Index<1>, x: &ArrayView<i32, 1>, y: &mut ArrayViewMut<i32, 1>) {
//!     y[idx] = x[idx + 1];
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let x = ArrayView::new(3, &[1, 2, 3])?;
//! let mut y = ArrayViewMut::uninit(3)?;
//! parallel_for_each(3, shift(&x, &mut y))?;
//! match y.to_vec() {
//!     // kernel `shift` faulted at src/main.rs:6:14 in thread [2]: index out of bounds: the extent
//!     // is 3 but the index is 3
//!     Err(Error::KernelFault(fault)) => println!("{fault}"),
//!     other => panic!("expected a fault, found {other:?}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Helpers, types and methods
//!
//! Kernels call functions that are marked [`#[amp_fn]`](amp_fn), use structs marked
//! [`#[amp_struct]`](amp_struct) and enums marked [`#[amp_enum]`](amp_enum), from any module or
//! crate. `#[amp_fn]` before an `impl` block or a trait gives types methods, operators and traits in kernels;
//! an [`#[amp_module]`](amp_module) makes all items of a module available to kernels. Helpers remain ordinary functions, so that the host can call and
//! [test](guide#testing) them.
//!
//! Kernels are written in a subset of Rust: all operators and casts among numbers; tuples, arrays,
//! structs and enums without fields; `if`, `match`, `while`, `loop`, `for` over ranges and arrays;
//! patterns; closures that are called by name; references in helpers; generics and traits with
//! static dispatch; constants and const parameters; the [numeric methods](guide#numeric-methods) of
//! the standard library. Integers wrap, as in a release build. Everything else is rejected with a
//! code, and nothing is ignored. `docs/language.md` in the repository has it all in tables.
//!
//! # Where to read on
//!
//! | | |
//! |---|---|
//! | [`guide`] | subviews, coherence, images, atomics, floats, subgroups, faults, prints, generic kernels, testing |
//! | [`Accelerator`], [`AcceleratorView`] | choosing a device; queues |
//! | [`copy()`], [`copy_async`] | explicit copies, futures |
//! | [`AcceleratorView::record`], [`prepare`] | recorded launches, compilation ahead of time |
//! | [`AcceleratorView::profile`] | where the time goes, as a table or a trace for <https://ui.perfetto.dev> |
//! | [`interop`] | sharing devices, buffers and memory with other Vulkan code |
//!
//! In the repository, `examples/` has programs of one file each, and `docs/` the reference.
//!
//! # C++ AMP names
//!
//! | C++ AMP | here |
//! |---|---|
//! | `restrict(amp)` | [`#[amp_kernel]`](amp_kernel), [`#[amp_fn]`](amp_fn), [`#[amp_struct]`](amp_struct), [`#[amp_enum]`](amp_enum), [`#[amp_const]`](amp_const), [`#[amp_module]`](amp_module) |
//! | `index`, `extent`, `tiled_extent`, `tiled_index` | [`Index`], [`Extent`], [`TiledExtent`], [`TiledIndex`] |
//! | `tile_static` | `#[tile_static] let mut x: T;` in a kernel |
//! | `tile_barrier` and fences | [`TileBarrier`], [`all_memory_fence`], [`global_memory_fence`], [`tile_static_memory_fence`] |
//! | `atomic_fetch_add` and the other atomic functions | [`atomic_fetch_add`] and the others, with the same names |
//! | `array`, `array_view` | [`Array`], [`ArrayView`], [`ArrayViewMut`] |
//! | `access_type`, staging arrays | [`AccessType`], [`ArrayBuilder::associated`] |
//! | `copy`, `copy_async`, `completion_future` | [`copy()`], [`copy_async`], [`CompletionFuture`] |
//! | `accelerator`, `accelerator_view`, `create_marker` | [`Accelerator`], [`AcceleratorView`], [`AcceleratorView::create_marker`] |
//! | `parallel_for_each` | [`parallel_for_each`]; [`AcceleratorView::record`] for launches that are repeated |
//! | `create_accelerator_view`, `get_device`, `make_array`, `get_buffer` | [`interop`], for programs that use Vulkan themselves |
//!
//! # Cargo features
//!
//! | feature | |
//! |---|---|
//! | `algorithms` | reductions, scans, sorts and other algorithms: the module `algorithms` |
//! | `glam` | glam's vectors and matrices in arrays and kernels |
//! | `half` | `half::f16` and `half::bf16` in arrays and kernels |
//! | `image` | images as matrices of pixels, and conversions |
//! | `ndarray` | views of ndarray's arrays, and conversions |
//!
//! # Environment
//!
//! | variable | |
//! |---|---|
//! | `AMP_ACCELERATOR` | the default accelerator: `cpu`, `cpu-checked`, or a part of a description, path or driver |
//! | `AMP_CHECK=1` | the CPU accelerator looks for races, and is the default ([`Accelerator::cpu`]) |
//! | `AMP_CACHE_DIR` | the folder that keeps compiled kernels between runs ([`prepare`]) |
//! | `AMP_QUEUES` | how many queues for kernels a device is opened with (1): kernels of two views run at the same time only on different ones |
//! | `AMP_VALIDATION=1` | enables Vulkan's validation layer, if it is installed |
//! | `AMP_DEBUG_LABELS=1` | names objects and commands for tools that do not report themselves |
//! | `AMP_SOFT_FLOATS=1` | computes every float operation that some device gets wrong in software, to test amp itself |

#![forbid(unsafe_code)]

// What the macros write names this crate as users do.
extern crate self as amp;

#[cfg(feature = "algorithms")]
#[doc(inline)]
pub use amp_algorithms::algorithms;

mod attributes;
mod companions;
pub mod direct3d;
pub mod fast_math;
#[cfg(any(doc, doctest))]
#[doc = include_str!("guide.md")]
#[doc = include_str!("../docs/methods.md")]
pub mod guide {}
mod repeated;

pub use amp_math::precise_math;
pub use attributes::{amp_const, amp_enum, amp_fn, amp_kernel, amp_module, amp_struct, kernel};
#[cfg(feature = "glam")]
pub use companions::glam;
#[cfg(feature = "image")]
pub use companions::image;
#[cfg(feature = "ndarray")]
pub use companions::ndarray;
pub use repeated::{Graph, Recording, Variant, prepare};

pub use amp_runtime::{
    Accelerator, AcceleratorView, AccessType, AnyRank, Array, ArrayBuilder, ArrayPartMut,
    ArrayView, ArrayViewMut, Atomic, AtomicInteger, Bytes, CompletionFuture, Continuation,
    CopyDestination, CopySource, Domain, Element, Error, Extent, FitsRank, HeapReport, Index,
    Integer, Iter, IterMut, Kernel, KernelFault, KernelPrint, MemoryReport, PrintStream,
    QueuingMode, Rank, Rejected, Remark, RemarkKind, Report, Result, Scalar, TileBarrier,
    TiledExtent, TiledIndex, Unproven, all_memory_fence, atomic_compare_exchange, atomic_exchange,
    atomic_fetch_add, atomic_fetch_and, atomic_fetch_dec, atomic_fetch_inc, atomic_fetch_max,
    atomic_fetch_min, atomic_fetch_or, atomic_fetch_sub, atomic_fetch_xor, atomic_load,
    atomic_store, copy, copy_async, device_memory_fence, global_memory_fence, parallel_for_each,
    reset_unreported_hook, set_unreported_hook, subgroup, tile_static_memory_fence,
};

pub use amp_runtime::{AcceleratorKind, FloatPromises, Properties, profile};

pub use amp_runtime::interop;

#[doc(hidden)]
pub mod __private {
    pub use amp_macros::{compile_together, gather, resume};
    pub use amp_runtime::private::*;

    /// The functions of glam's types, as host versions call them.
    #[cfg(feature = "glam")]
    #[allow(dead_code, missing_docs, unused_imports)]
    pub mod vector {
        use amp_runtime::private::glam::swizzles::*;
        pub use amp_runtime::private::vector::*;

        amp_macros::glam_functions!();
    }
}

/// Everything that a program with kernels names: `use amp::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Accelerator, AcceleratorView, AccessType, Array, ArrayPartMut, ArrayView, ArrayViewMut,
        CompletionFuture, Extent, Index, Integer, Kernel, QueuingMode, Scalar, TileBarrier,
        TiledExtent, TiledIndex, all_memory_fence, amp_const, amp_enum, amp_fn, amp_kernel,
        amp_module, amp_struct, atomic_compare_exchange, atomic_exchange, atomic_fetch_add,
        atomic_fetch_and, atomic_fetch_dec, atomic_fetch_inc, atomic_fetch_max, atomic_fetch_min,
        atomic_fetch_or, atomic_fetch_sub, atomic_fetch_xor, atomic_load, atomic_store, copy,
        copy_async, device_memory_fence, direct3d, fast_math, global_memory_fence, kernel,
        parallel_for_each, precise_math, subgroup, tile_static_memory_fence,
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
