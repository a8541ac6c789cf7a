//! Operations of subgroups with wrong arguments, and barriers that hang on their results.

use amp::prelude::*;

#[amp_kernel]
fn too_few(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    c[t_idx] = subgroup::shuffle(c[t_idx]);
}

#[amp_kernel]
fn too_many(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    c[t_idx] = subgroup::index(1) as u32;
}

#[amp_kernel]
fn lane_of_other_type(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    c[t_idx] = subgroup::broadcast(c[t_idx], 1_u32);
}

#[amp_kernel]
fn no_condition(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    c[t_idx] = subgroup::all(c[t_idx]) as u32;
}

#[amp_kernel]
fn other_type(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    c[t_idx] = subgroup::reduce_add(t_idx.local[0]) as u32;
}

#[amp_kernel]
fn unknown(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    c[t_idx] = subgroup::reduce_mul(c[t_idx]);
}

#[amp_kernel]
fn decides_about_a_barrier(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    if subgroup::all(c[t_idx] == 0) {
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn barrier_of_a_number(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    subgroup::barrier(1);
    c[t_idx] = subgroup::barrier();
}

fn main() {}
