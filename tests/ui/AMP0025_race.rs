//! Threads of a tile that use the same memory at the same time (C++ AMP §8.1.2). The first
//! two are what Microsoft's articles on tiling show as programs not to write.

use amp::prelude::*;

#[amp_kernel]
fn all_add(
    t_idx: TiledIndex<2, 2, 2>,
    matrix: &ArrayView<i32, 2>,
    averages: &mut ArrayViewMut<i32, 2>,
) {
    #[tile_static]
    let mut total: i32;
    total = 0;
    t_idx.barrier.wait();
    total += matrix[t_idx];
    t_idx.barrier.wait();
    averages[t_idx] = total / 4;
}

#[amp_kernel]
fn sum_before_barrier(
    t_idx: TiledIndex<2, 2, 2>,
    matrix: &ArrayView<i32, 2>,
    averages: &mut ArrayViewMut<i32, 2>,
) {
    #[tile_static]
    let mut nums: [[i32; 2]; 2];
    nums[t_idx.local[0]][t_idx.local[1]] = matrix[t_idx];
    let sum = nums[0][0] + nums[0][1] + nums[1][0] + nums[1][1];
    t_idx.barrier.wait();
    averages[t_idx] = sum / 4;
}

#[amp_kernel]
fn all_write(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut last: u32;
    last = t_idx.local[0] as u32;
    t_idx.barrier.wait();
    c[t_idx] = last;
}

#[amp_kernel]
fn one_sums(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 16];
    shared[t_idx.local[0]] = c[t_idx];
    if t_idx.local[0] == 0 {
        let mut sum = 0;
        for k in 0..16 {
            sum += shared[k];
        }
        c[t_idx] = sum;
    }
}

#[amp_kernel]
fn neighbours<const N: usize>(t_idx: TiledIndex<1, N>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; N];
    let i = t_idx.local[0];
    shared[i] = c[t_idx];
    tile_static_memory_fence(&t_idx.barrier);
    if i < N - 1 {
        c[t_idx] = shared[i + 1];
    }
}

const TS: usize = 16;

#[amp_kernel]
fn product(
    t_idx: TiledIndex<2, TS, TS>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut loc_a: [[f32; TS]; TS];
    #[tile_static]
    let mut loc_b: [[f32; TS]; TS];
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let mut sum = 0.0;
    for i in (0..a.extent()[1]).step_by(TS) {
        loc_a[row][col] = a[[t_idx.global[0], col + i]];
        loc_b[row][col] = b[[row + i, t_idx.global[1]]];
        t_idx.barrier.wait();
        for k in 0..TS {
            sum += loc_a[row][k] * loc_b[k][col];
        }
    }
    c[t_idx] = sum;
}

#[amp_kernel]
fn other_fence(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 16];
    shared[t_idx.local[0]] = c[t_idx];
    t_idx.barrier.wait_with_global_memory_fence();
    c[t_idx] = shared[15 - t_idx.local[0]];
}

fn main() {}
