//! The run time of `amp`: accelerators, arrays and views, and the launch of kernels
//! on Vulkan devices and on the CPU.
//!
//! Programs use it through the facade crate `amp`. How a launch travels:
//!
//! ```text
//! Binding ── Kernel ── parallel_for_each ─┬─ residency ── vulkan: shape, pipeline, hazards, batch, submit
//!  arguments           checks, target     └─ cpu: the kernel's Rust twin
//! ```
//!
//! * [`private`] is what the expansion of the macros calls; it has no stability.
//! * `residency` knows which copies of a view's data are current and moves what is
//!   stale.
//! * `vulkan` and `cpu` hold all `unsafe` code of the crate: the first because every
//!   call of Vulkan is one, the second for the memory behind host slices.
//!
//! Six environment variables of its own are read: `AMP_ACCELERATOR` chooses the default
//! accelerator ([`Accelerator::default`]), `AMP_CACHE_DIR` the folder in which compiled kernels
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
mod access;
mod array;
mod binding;
mod block;
mod bundle;
mod completion;
mod copy;
#[allow(unsafe_code)]
#[doc(hidden)]
pub mod cpu;
mod domain;
mod element;
mod error;
mod graph;
mod index;
mod kernel;
mod launch;
mod lengths;
mod marker;
mod memory;
mod message;
#[cfg(feature = "ndarray")]
mod ndarray;
mod part;
mod plan;
mod prepare;
mod print;
pub mod profile;
mod properties;
mod registry;
mod rejected;
mod report;
mod residency;
mod resolved;
mod scalar;
mod shape;
pub mod subgroup;
mod unreported;
#[cfg(feature = "glam")]
#[doc(hidden)]
pub mod vector;
mod view;
#[allow(unsafe_code)]
mod vulkan;

/// The Vulkan behind accelerator views and arrays, for programs that use it themselves
/// (C++ AMP §11): [`AcceleratorView::raw_device`], [`AcceleratorView::with_raw_queue`],
/// [`Array::raw_buffer`], [`Array::from_raw_buffer`]; and views on devices of theirs,
/// [`AcceleratorView::from_raw`]; and memory for others (`Array::export_fd`).
pub mod interop {
    pub use crate::vulkan::existing::{ExistingDevice, RawQueue};
    #[cfg(unix)]
    pub use crate::vulkan::export::ExportedMemory;
    pub use crate::vulkan::raw::{RawBuffer, RawDevice};
    pub use ash;
}

pub mod private;
#[doc(hidden)]
pub mod spec;

pub use accelerator::{Accelerator, AcceleratorView, QueuingMode};
pub use access::AccessType;
pub use array::{Array, ArrayBuilder};
pub use completion::{CompletionFuture, Continuation};
pub use copy::{AnyRank, CopyDestination, CopySource, FitsRank, Rank, copy, copy_async};
pub use domain::Domain;
pub use element::Element;
pub use error::{Error, KernelFault, Result};
pub use graph::{Graph, Recording};
pub use index::{
    Atomic, AtomicInteger, Extent, Index, TileBarrier, TiledExtent, TiledIndex, all_memory_fence,
    atomic_compare_exchange, atomic_exchange, atomic_fetch_add, atomic_fetch_and, atomic_fetch_dec,
    atomic_fetch_inc, atomic_fetch_max, atomic_fetch_min, atomic_fetch_or, atomic_fetch_sub,
    atomic_fetch_xor, atomic_load, atomic_store, device_memory_fence, global_memory_fence,
    tile_static_memory_fence,
};
pub use kernel::Kernel;
pub use launch::parallel_for_each;
pub use memory::{Bytes, HeapReport, MemoryReport};
pub use prepare::{Variant, prepare};
pub use print::{KernelPrint, PrintStream};
pub use properties::{AcceleratorKind, FloatPromises, Properties};
pub use rejected::Rejected;
pub use report::{Remark, RemarkKind, Report, Statistic, Unproven};
pub use scalar::Scalar;
pub use unreported::{reset_unreported_hook, set_unreported_hook};
pub use view::{ArrayView, ArrayViewMut};
