//! Helpers that work with a whole tile.

use amp::prelude::*;

/// Threads of the tiles that these helpers work with.
pub const THREADS: usize = 16;

/// The sum of a value over the threads of a tile, in every thread.
#[amp_fn]
pub fn tile_sum(t_idx: TiledIndex<1, THREADS>, value: i32) -> i32 {
    #[tile_static]
    let mut partial: [i32; THREADS];
    let i = t_idx.local[0];
    partial[i] = value;
    t_idx.barrier.wait();
    let mut stride = THREADS / 2;
    while stride > 0 {
        if i < stride {
            partial[i] += partial[i + stride];
        }
        t_idx.barrier.wait_with_tile_static_memory_fence();
        stride /= 2;
    }
    let sum = partial[0];
    t_idx.barrier.wait();
    sum
}

/// Waits, by the barrier alone.
#[amp_fn]
pub fn meet(barrier: &TileBarrier) {
    barrier.wait();
}
