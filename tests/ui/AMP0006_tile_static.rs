//! `#[tile_static]` where it cannot be, or not like this (C++ AMP §2.4.3.5.1).

use amp::prelude::*;

#[amp_struct]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_kernel]
fn declarations(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut with_value: f32 = 1.0;
    #[tile_static]
    let mut without_type;
    #[tile_static]
    let (mut a, mut b): (f32, f32);
    #[tile_static]
    let not_mut: f32;
    #[tile_static]
    let mut unit: ();
    #[tile_static]
    let mut index: TiledIndex<1, 16>;
    #[tile_static]
    let mut reference: &f32;
    #[tile_static]
    let mut pointers: [*const f32; 2];
    #[tile_static]
    let mut vector: Vec<f32>;
    #[tile_static(16)]
    let mut argument: f32;
    #[tile_static]
    let mut value_alone = [0.0; 16];
    value_alone[t_idx.local[0]] = 1.0;
    c[t_idx.global] = value_alone[0];
}

#[amp_kernel]
fn without_tile(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut shared: [f32; 16];
    c[idx] = 1.0;
}

#[amp_fn]
fn helper_without_tile(x: f32) -> f32 {
    #[tile_static]
    let mut shared: f32;
    x
}

#[amp_kernel]
fn on_expressions(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    {
        c[t_idx.global] = 1.0;
    }
    #[tile_static]
    const N: usize = 1;
    #[tile_static]
    for i in 0..N {}
}

fn main() {}
