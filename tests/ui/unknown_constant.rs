//! Constants that rustc does not find or cannot use: its own errors, at the user's tokens.

use amp::prelude::*;

const RATIO: f32 = 0.5;

#[amp_kernel]
fn absent(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = NO_SUCH_CONSTANT;
}

#[amp_kernel]
fn close(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = RATOI;
}

#[amp_kernel]
fn other_type(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    c[idx] = RATIO;
}

#[amp_kernel]
fn length(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let local = [1_u32; RATIO];
    c[idx] = local[0];
}

#[amp_kernel]
fn tile(t_idx: TiledIndex<1, RATIO>, c: &mut ArrayViewMut<u32, 1>) {
    c[t_idx.global] = 1;
}

fn main() {}
