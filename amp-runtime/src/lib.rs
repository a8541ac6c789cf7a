//! The run time of `amp`: accelerators, arrays and views, and the launch of kernels
//! on Vulkan devices and on the CPU.
//!
//! Programs use it through the facade crate `amp`. How a launch travels:
//!
//! ```text
//! Binding ── Kernel ── parallel_for_each ─┬─ residency ── vulkan: shape, pipeline, hazards, batch, submit
//!  arguments           checks, target     └─ cpu: the kernel's host version
//! ```
//!
//! * [`private`] is what the expansion of the macros calls; it has no stability.
//! * `residency` knows which copies of a view's data are current and moves what is
//!   stale.
//! * `device` holds the `unsafe` code of the crate: in `vulkan` because every call of Vulkan is
//!   one, in `cpu` for the memory behind host slices. The two `unsafe` functions of `interop` pass
//!   their contracts on to it.
//!
//! Seven environment variables of its own are read: `AMP_ACCELERATOR` chooses the default
//! accelerator ([`Accelerator::default`]), `AMP_CHECK=1` has the CPU accelerator look for races
//! ([`Accelerator::cpu`]), `AMP_CACHE_DIR` the folder in which compiled kernels
//! are kept from one run to the next ([`prepare()`]), `AMP_QUEUES` how many queues for kernels a
//! device is opened with, `AMP_VALIDATION=1` turns Khronos' validation layer on, with
//! synchronization validation, if it is installed, `AMP_DEBUG_LABELS=1` gives objects and commands
//! names though no tool is known to show them, and `AMP_SOFT_FLOATS=1` has software compute every
//! float operation that some device gets wrong.
//!
//! Spans and events of [`tracing`] are entered and told while data and streams are locked: a
//! subscriber must not use views and arrays, nor wait for a thread that does.

#![deny(unsafe_code)]

mod accelerator;
mod array;
mod completion;
mod copy;
mod device;
mod graph;
pub mod interop;
mod intrinsics;
mod kernel;
mod launch;
mod marker;
pub mod private;
pub mod profile;
mod residency;
mod types;
mod view;

pub use array::{Array, ArrayBuilder};
pub use completion::{CompletionFuture, Continuation};
pub use copy::{AnyRank, CopyDestination, CopySource, FitsRank, Rank, copy, copy_async};
pub use device::accelerator::Accelerator;
pub use device::accelerator::view::{AcceleratorView, QueuingMode};
#[doc(hidden)]
pub use device::cpu;
pub use device::print::{KernelPrint, PrintStream};
pub use device::unreported::{reset_unreported_hook, set_unreported_hook};
pub use graph::{Graph, Recording};
pub use intrinsics::atomic::{
    Atomic, AtomicInteger, atomic_compare_exchange, atomic_exchange, atomic_fetch_add,
    atomic_fetch_and, atomic_fetch_dec, atomic_fetch_inc, atomic_fetch_max, atomic_fetch_min,
    atomic_fetch_or, atomic_fetch_sub, atomic_fetch_xor, atomic_load, atomic_store,
    device_memory_fence,
};
pub use intrinsics::barrier::{all_memory_fence, global_memory_fence, tile_static_memory_fence};
pub use intrinsics::integer::Integer;
pub use intrinsics::scalar::Scalar;
pub use intrinsics::subgroup;
#[cfg(feature = "glam")]
#[doc(hidden)]
pub use intrinsics::vector;
pub use kernel::Kernel;
#[doc(hidden)]
pub use kernel::spec;
pub use launch::parallel_for_each;
pub use launch::prepare::{Variant, prepare};
pub use types::access::AccessType;
pub use types::domain::Domain;
pub use types::element::Element;
pub use types::error::{Error, KernelFault, Result};
pub use types::index::{Extent, Index, TileBarrier, TiledExtent, TiledIndex};
pub use types::memory::{Bytes, HeapReport, MemoryReport};
pub use types::properties::{AcceleratorKind, FloatPromises, Properties};
pub use types::rejected::Rejected;
pub use types::report::{Remark, RemarkKind, Report, Statistic, Unproven};
pub use view::{ArrayPartMut, ArrayView, ArrayViewMut, Iter, IterMut};
