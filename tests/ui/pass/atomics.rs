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
    // What is loaded behind a barrier is uniform, if no thread writes it there.
    if count > 2 {
        t_idx.barrier.wait();
    }
    let (mut expected, value) = (0, counts[1]);
    let _ = atomic_compare_exchange(&mut counts[(0)], &mut (expected), value);
    counts[t_idx] = atomic_load(&mut flags[0]);
}

#[amp_fn]
fn count(place: &mut i64) -> i64 {
    atomic_fetch_inc(&mut *place) + atomic_load(place)
}

#[amp_kernel]
fn of_all_types(t_idx: TiledIndex<1, 4>, counts: &mut ArrayViewMut<i64, 1>) {
    #[tile_static]
    let mut sums: [(f32, f64); 2];
    #[tile_static]
    let mut number: i64;
    atomic_store(&mut sums[0].0, 0.0);
    atomic_fetch_add(&mut sums[1].1, 1.0);
    atomic_store(&mut number, 1);
    counts[t_idx] = count(&mut counts[0]) + count(&mut number);
}

fn main() {}
