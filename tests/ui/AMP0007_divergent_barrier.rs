//! Barriers that not all threads of a tile reach together (C++ AMP §8.1.1).

use amp::prelude::*;

#[amp_kernel]
fn by_local(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<u32, 1>) {
    if t_idx.local[0] % 2 == 0 {
        t_idx.barrier.wait();
    }
    c[t_idx.global] = 1;
}

#[amp_kernel]
fn by_global(t_idx: TiledIndex<1, 16>, n: usize) {
    let i = t_idx.global[0];
    if i < n {
        t_idx.barrier.wait_with_tile_static_memory_fence();
    }
}

#[amp_kernel]
fn by_flat_index(t_idx: TiledIndex<3, 2, 4, 8>) {
    let flat = (t_idx.local[0] * 4 + t_idx.local[1]) * 8 + t_idx.local[2];
    if flat % 2 == 0 {
    } else {
        t_idx.barrier.wait_with_all_memory_fence();
    }
}

#[amp_kernel]
fn by_element(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<u32, 1>) {
    if c[t_idx.global] > 0 {
        t_idx.barrier.wait_with_global_memory_fence();
    }
}

#[amp_kernel]
fn by_loop(t_idx: TiledIndex<1, 16>) {
    for _ in 0..t_idx.local[0] {
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn by_while(t_idx: TiledIndex<1, 16>) {
    let mut i = t_idx.local[0];
    while i > 0 {
        t_idx.barrier.wait();
        i /= 2;
    }
}

#[amp_kernel]
fn after_break(t_idx: TiledIndex<1, 16>, n: usize) {
    for i in 0..n {
        if t_idx.local[0] == i {
            break;
        }
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn after_continue(t_idx: TiledIndex<1, 16>, n: usize) {
    for i in 0..n {
        if t_idx.local[0] == i {
            continue;
        }
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn after_return(t_idx: TiledIndex<1, 16>, n: usize) {
    if t_idx.global[0] >= n {
        return;
    }
    t_idx.barrier.wait();
}

#[amp_kernel]
fn lazy(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<u32, 1>, n: usize) {
    if n > 1 && t_idx.local[0] == 0 {
        c[t_idx.global] = 1;
        t_idx.barrier.wait();
    }
}

#[amp_fn]
fn sum(t_idx: TiledIndex<1, 16>, x: u32) -> u32 {
    #[tile_static]
    let mut shared: [u32; 16];
    shared[t_idx.local[0]] = x;
    t_idx.barrier.wait();
    shared[0]
}

#[amp_kernel]
fn in_helper(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<u32, 1>) {
    if t_idx.local[0] < 8 {
        c[t_idx.global] = sum(t_idx, 1);
    }
}

#[amp_fn]
fn wait_if(t_idx: TiledIndex<1, 16>, condition: bool) {
    if condition {
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn by_argument(t_idx: TiledIndex<1, 16>) {
    wait_if(t_idx, t_idx.local[0] == 3);
}

#[amp_kernel]
fn by_tile_static(t_idx: TiledIndex<1, 16>) {
    #[tile_static]
    let mut count: u32;
    count = t_idx.local[0] as u32;
    if count == 0 {
        t_idx.barrier.wait();
    }
}

#[amp_kernel]
fn after_panic(t_idx: TiledIndex<1, 16>) {
    assert!(t_idx.local[0] < 16);
    if t_idx.local[0] == 3 {
        panic!("three");
    }
    t_idx.barrier.wait();
}

#[amp_kernel]
fn by_match(t_idx: TiledIndex<1, 16>, n: u32) {
    match (n, t_idx.local[0]) {
        (0, _) => t_idx.barrier.wait(),
        (_, 3..=5) => t_idx.barrier.wait(),
        (_, i) if i > 7 => t_idx.barrier.wait(),
        _ => {}
    }
}

#[amp_kernel]
fn after_let_else(t_idx: TiledIndex<1, 16>) {
    let 0..=7 = t_idx.local[0] else { return };
    t_idx.barrier.wait();
}

#[amp_kernel]
fn by_section(t_idx: TiledIndex<1, 16>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
    let part = a.section(0, t_idx.local[0]);
    for _ in 0..part.extent()[0] {
        t_idx.barrier.wait();
    }
    let rest = a.section(t_idx.local[0], 1);
    if rest[0] == 1 {
        t_idx.barrier.wait();
    }
    if c.section(0, 4)[1] == 1 {
        t_idx.barrier.wait();
    }
}

/// A slow thread reads in the condition what a fast one has written in the next round.
#[amp_kernel]
fn convergence_without_a_second_barrier(t_idx: TiledIndex<1, 16>, a: &ArrayView<f32, 1>) {
    #[tile_static]
    let mut errors: [f32; 16];
    let mut value = a[t_idx.global];
    loop {
        errors[t_idx.local[0]] = value;
        t_idx.barrier.wait();
        if errors[0] < 0.5 {
            break;
        }
        value *= 0.5;
    }
}

/// A slow thread reads in the condition what a fast one has written behind the loop.
#[amp_kernel]
fn written_behind_the_loop(t_idx: TiledIndex<1, 16>, n: u32, a: &ArrayView<u32, 1>) {
    #[tile_static]
    let mut x: [u32; 16];
    let l = t_idx.local[0];
    x[l] = a[t_idx.global];
    t_idx.barrier.wait();
    for round in 0..n {
        x[(l + round as usize) % 16] += 1;
        t_idx.barrier.wait();
    }
    if x[0] > 3 {
        t_idx.barrier.wait();
    }
    x[15 - l] = n;
}

/// Not all threads leave the loop in the same round.
#[amp_kernel]
fn left_one_after_the_other(t_idx: TiledIndex<1, 16>, a: &ArrayView<u32, 1>) {
    #[tile_static]
    let mut x: [u32; 16];
    let l = t_idx.local[0];
    x[l] = a[t_idx.global];
    t_idx.barrier.wait();
    while x[l] > 0 {
        x[l] -= 1;
        t_idx.barrier.wait();
    }
}

fn main() {}
