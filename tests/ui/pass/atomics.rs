//! What must not be refused beside atomic operations.

use amp::prelude::*;

#[amp_kernel]
fn together(t_idx: TiledIndex<1, 4>, counts: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut count: u32;
    #[tile_static]
    let mut flags: [u32; 4];
    atomic_store(&mut count, 0);
    atomic_store(&mut flags[t_idx.local[0]], 1);
    if atomic_load(&mut count) == 0 {
        atomic_fetch_inc(&mut count);
    }
    t_idx.barrier.wait();
    // What is loaded behind a barrier is uniform, if nobody writes it there.
    if count > 2 {
        t_idx.barrier.wait();
    }
    let (mut expected, value) = (0, counts[1]);
    let _ = atomic_compare_exchange(&mut counts[(0)], &mut (expected), value);
    counts[t_idx] = atomic_load(&mut flags[0]);
}

fn main() {}
