//! Operations of subgroups that the threads of a tile do not come to together.

use amp::prelude::*;

#[amp_kernel]
fn without_tiles(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    c[idx] = subgroup::reduce_add(c[idx]);
}

#[amp_kernel]
fn by_some(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    if t_idx.local[0] < 32 {
        c[t_idx] = subgroup::inclusive_add(c[t_idx]);
    }
}

#[amp_kernel]
fn after_a_return(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>, n: usize) {
    if t_idx.global[0] >= n {
        return;
    }
    c[t_idx] = subgroup::shuffle_xor(c[t_idx], 1);
}

#[amp_fn]
fn sum(value: i32) -> i32 {
    subgroup::reduce_add(value)
}

#[amp_kernel]
fn in_a_helper(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<i32, 1>) {
    let lanes = subgroup::size();
    let mut rest = c[t_idx];
    while subgroup::any(rest > 0) {
        rest -= sum(1);
    }
    c[t_idx] = rest + lanes as i32;
}

#[amp_kernel]
fn barrier_of_some(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>) {
    if t_idx.local[0] < 32 {
        subgroup::barrier();
    }
    c[t_idx] = 1;
}

fn main() {}
