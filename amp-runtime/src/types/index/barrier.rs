//! [`TileBarrier`]: where the threads of a tile wait for each other.

use std::marker::PhantomData;

/// Where the threads of one tile wait for each other (C++ AMP §4.5, `tile_barrier`).
/// It comes with the [`TiledIndex`](super::TiledIndex) of a thread; there is no other
/// way to get one.
///
/// All threads of the tile must reach the same wait. The compiler refuses a kernel
/// where it cannot see that they do.
///
/// The four waits differ in which memory they order; on the CPU accelerator, where
/// the threads of a tile take turns on one processor, they are the same.
///
/// ```
/// use amp_runtime::TiledIndex;
///
/// // In a function that a kernel calls:
/// fn meet(t_idx: &TiledIndex<1, 64>) {
///     t_idx.barrier.wait();
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TileBarrier {
    // A barrier belongs to the thread that got it.
    not_send: PhantomData<*const ()>,
}

impl TileBarrier {
    #[inline]
    pub(super) const fn new() -> Self {
        Self {
            not_send: PhantomData,
        }
    }
}
