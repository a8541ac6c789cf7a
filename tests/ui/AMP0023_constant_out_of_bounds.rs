//! Indices that are known to be outside.

use amp::prelude::*;

#[amp_struct]
struct Triangle {
    corners: [f32; 3],
}

#[amp_kernel]
fn variables(idx: Index<2>, c: &mut ArrayViewMut<f32, 1>) {
    let mut table = [[1.0, 2.0], [3.0, 4.0]];
    table[2][0] = 5.0;
    table[1][2] += 6.0;
    c[idx[0]] = table[1 + 1][0];
    c[idx[2]] = 1.0;
    let single = [7.0];
    c[0] = single[1];
}

#[amp_kernel]
fn tile_static(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut shared: [f32; 16];
    shared[t_idx.local[0]] = c[t_idx];
    t_idx.barrier.wait();
    c[t_idx] = shared[16];
}

#[amp_kernel]
fn elements(idx: Index<1>, a: &ArrayView<Triangle, 1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = a[idx].corners[3] + a[0].corners[2];
}

fn main() {}
