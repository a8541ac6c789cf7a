//! Atomic operations with wrong arguments, each with the code that calls have for it.

use amp::prelude::*;

#[amp_kernel]
fn too_few(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_add(&mut counts[idx]);
}

#[amp_kernel]
fn too_many(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_inc(&mut counts[idx], 1);
}

#[amp_kernel]
fn nothing_to_order(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>) {
    device_memory_fence(idx);
    counts[idx] = 0;
}

#[amp_kernel]
fn read_only(idx: Index<1>, counts: &ArrayView<u32, 1>) {
    atomic_fetch_add(&mut counts[idx], 1);
}

#[amp_kernel]
fn other_type(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_add(&mut counts[0], idx[0]);
}

#[amp_kernel]
fn other_expectation(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>, old: i32) {
    let mut expected = old;
    atomic_compare_exchange(&mut counts[idx], &mut expected, 1);
}

#[amp_kernel]
fn branches_on_what_it_found(t_idx: TiledIndex<1, 4>, counts: &mut ArrayViewMut<u32, 1>) {
    if atomic_fetch_inc(&mut counts[0]) == 3 {
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn beside_plain_access(t_idx: TiledIndex<1, 4>, counts: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut count: u32;
    if t_idx.local[0] == 0 {
        count = 0;
    }
    atomic_fetch_inc(&mut count);
    t_idx.barrier.wait();
    atomic_fetch_add(&mut count, 2);
    counts[t_idx] = count;
}

#[amp_kernel]
fn never_written(t_idx: TiledIndex<1, 4>, counts: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut count: u32;
    counts[t_idx] = atomic_fetch_inc(&mut count);
}

fn main() {}
