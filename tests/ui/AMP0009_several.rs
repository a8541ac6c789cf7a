//! Everything that is wrong is reported at once: in one kernel, in the helper that it calls
//! and in a type, each where it stands.

use amp::prelude::*;

#[amp_struct]
struct Sample {
    value: f32,
    valid: (),
}

#[amp_fn]
fn weigh(x: f32, weight: u32) -> f32 {
    let scaled = x * weight;
    scaled.frobnicate()
}

#[amp_fn]
fn count(n: u32) -> u32 {
    let text = "none";
    n + 1.0
}

#[amp_kernel]
fn kernel(t_idx: TiledIndex<1, 16>, a: &ArrayView<f32, 1>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut shared: [f32; 16] = [0.0; 16];
    let first: u32 = a[t_idx];
    a[t_idx] = first;
    let weights = [0.25, 0.5, 0.25];
    c[t_idx] = weigh(first, weights[3]);
    c[t_idx] = unknown;
    if count(300) > 2 {
        break;
    }
    c[t_idx] = std::mem::take(c);
}

/// What only the analyses find is found together too.
#[amp_kernel]
fn analysed(t_idx: TiledIndex<1, 16>, a: &ArrayView<f32, 1>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut shared: [f32; 16];
    #[tile_static]
    let mut unwritten: f32;
    shared[t_idx.local[0]] = a[t_idx];
    let weights = [0.25, 0.5];
    c[t_idx] = shared[15 - t_idx.local[0]] * weights[2];
    c[t_idx] += unwritten;
}

/// Where threads wait at different barriers nothing can be said about races.
#[amp_kernel]
fn divergent(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>) {
    if t_idx.local[0] == 0 {
        t_idx.barrier.wait();
    }
    if c[t_idx] > 0.0 {
        t_idx.barrier.wait();
    }
}

fn main() {}
