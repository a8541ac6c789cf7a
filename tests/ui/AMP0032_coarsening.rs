//! Threads of a tile that cannot be merged.

use amp::prelude::*;

const SIDE: usize = 12;

#[amp_kernel(coarsen(2))]
fn without_tiles(idx: Index<1>) {}

#[amp_kernel(coarsen(2))]
fn another_rank(t_idx: TiledIndex<2, 16, 16>) {}

#[amp_kernel(coarsen(4, 3))]
fn no_multiple(t_idx: TiledIndex<2, 16, 16>) {}

#[amp_kernel(coarsen(4, 8))]
fn no_multiple_of_a_constant(_t_idx: TiledIndex<2, 16, SIDE>) {}

#[amp_kernel(coarsen(0, 2))]
fn none(t_idx: TiledIndex<2, 16, 16>) {}

#[amp_kernel(coarsen(32, 32))]
fn too_many(t_idx: TiledIndex<2, 64, 64>) {}

#[amp_kernel(coarsen(2, 2))]
fn still_too_large(t_idx: TiledIndex<2, 128, 64>) {}

#[amp_kernel(coarsen(2))]
fn subgroups(t_idx: TiledIndex<1, 64>, out: &mut ArrayViewMut<u32, 1>) {
    out[t_idx.global] = amp::subgroup::reduce_add(t_idx.local[0] as u32);
}

#[amp_fn(fast_math)]
fn wait(t_idx: TiledIndex<1, 64>) {
    t_idx.barrier.wait();
}

#[amp_kernel(coarsen(2))]
fn waits_in_a_helper(t_idx: TiledIndex<1, 64>) {
    wait(t_idx);
}

#[amp_kernel(coarsen)]
fn without_numbers(t_idx: TiledIndex<1, 64>) {}

#[amp_kernel(coarsen())]
fn with_no_numbers(t_idx: TiledIndex<1, 64>) {}

#[amp_kernel(coarsen(SIDE))]
fn with_a_name(t_idx: TiledIndex<1, 12>) {}

#[amp_fn(coarsen(2))]
fn helper(x: f32) -> f32 {
    x
}

fn main() {}
