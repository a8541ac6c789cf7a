//! What a [`TileBarrier`] does, and the fences: how the threads of a tile wait for each other.

use crate::device::cpu::check::Ordered;
use crate::device::cpu::report;
use crate::device::cpu::tile;
use crate::types::index::TileBarrier;

impl TileBarrier {
    /// Waits for all threads of the tile, and makes the writes of each before the barrier, to
    /// tile_static and to global memory, visible to all after it.
    ///
    /// ```
    /// # use amp_runtime::TileBarrier;
    /// fn meet(barrier: &TileBarrier) {
    ///     barrier.wait();
    /// }
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait(&self) {
        tile::wait(Ordered::All);
    }

    /// The same as [`wait`](Self::wait), with an explicit name.
    ///
    /// ```
    /// # use amp_runtime::TileBarrier;
    /// fn meet(barrier: &TileBarrier) {
    ///     barrier.wait_with_all_memory_fence();
    /// }
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_with_all_memory_fence(&self) {
        tile::wait(Ordered::All);
    }

    /// Waits for all threads of the tile; orders global memory only.
    ///
    /// ```
    /// # use amp_runtime::TileBarrier;
    /// fn meet(barrier: &TileBarrier) {
    ///     barrier.wait_with_global_memory_fence();
    /// }
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_with_global_memory_fence(&self) {
        tile::wait(Ordered::Global);
    }

    /// Waits for all threads of the tile; orders tile_static memory only.
    ///
    /// ```
    /// # use amp_runtime::TileBarrier;
    /// fn meet(barrier: &TileBarrier) {
    ///     barrier.wait_with_tile_static_memory_fence();
    /// }
    /// ```
    #[inline]
    #[track_caller]
    pub fn wait_with_tile_static_memory_fence(&self) {
        tile::wait(Ordered::TileStatic);
    }
}

/// Orders this thread's accesses to tile_static and global memory before the fence
/// and after it, as the threads of the tile see them. It does not wait, so it may
/// be used in divergent code (C++ AMP §4.5, §8.1).
///
/// ```
/// use amp_runtime::{TiledIndex, all_memory_fence};
///
/// fn publish(t_idx: &TiledIndex<1, 64>) {
///     all_memory_fence(&t_idx.barrier);
/// }
/// ```
#[inline]
pub fn all_memory_fence(_barrier: &TileBarrier) {
    // On the CPU a tile's threads share one processor: program order is enough.
    report::fence();
}

/// [`all_memory_fence`] for global memory only.
///
/// ```
/// use amp_runtime::{TiledIndex, global_memory_fence};
///
/// fn publish(t_idx: &TiledIndex<1, 64>) {
///     global_memory_fence(&t_idx.barrier);
/// }
/// ```
#[inline]
pub fn global_memory_fence(_barrier: &TileBarrier) {
    report::fence();
}

/// [`all_memory_fence`] for tile_static memory only.
///
/// ```
/// use amp_runtime::{TiledIndex, tile_static_memory_fence};
///
/// fn publish(t_idx: &TiledIndex<1, 64>) {
///     tile_static_memory_fence(&t_idx.barrier);
/// }
/// ```
#[inline]
pub fn tile_static_memory_fence(_barrier: &TileBarrier) {
    report::fence();
}
