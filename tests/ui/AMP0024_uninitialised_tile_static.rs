//! Tile_static variables that are read before anything is written to them.

use amp::prelude::*;

#[amp_kernel]
fn never_written(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut shared: [f32; 16];
    c[t_idx] = shared[t_idx.local[0]];
}

#[amp_kernel]
fn written_later(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut shared: [f32; 16];
    let i = t_idx.local[0];
    c[t_idx] = shared[i];
    t_idx.barrier.wait();
    shared[i] = 1.0;
    t_idx.barrier.wait();
    c[t_idx] += shared[15 - i];
}

#[amp_kernel]
fn updated(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut total: f32;
    if t_idx.local[0] == 0 {
        total += c[t_idx];
    }
    t_idx.barrier.wait();
    c[t_idx] = total;
}

fn main() {}
