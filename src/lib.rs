//! C++ AMP for Rust.

#![forbid(unsafe_code)]

pub use amp_macros::{amp_fn, amp_kernel, amp_struct};
pub use amp_runtime::{
    AccessType, Accelerator, AcceleratorView, Array, ArrayBuilder, ArrayView, ArrayViewMut, Domain,
    Element, Error, Extent, Index, Kernel, KernelFault, QueuingMode, Result, TileBarrier,
    TiledExtent, TiledIndex, all_memory_fence, global_memory_fence, parallel_for_each,
    tile_static_memory_fence,
};

#[doc(hidden)]
pub mod __private {
    pub use amp_macros::resume;
    pub use amp_runtime::private::*;
}

/// Everything that a program with kernels names.
pub mod prelude {
    pub use crate::{
        Accelerator, AcceleratorView, Array, ArrayView, ArrayViewMut, Extent, Index, TileBarrier,
        TiledExtent, TiledIndex, all_memory_fence, amp_fn, amp_kernel, amp_struct,
        global_memory_fence, parallel_for_each, tile_static_memory_fence,
    };
}
