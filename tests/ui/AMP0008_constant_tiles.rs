//! Tiles whose dimensions rustc computes: an assertion in the expansion.

use amp::prelude::*;

const SIDE: usize = 40;
const NOTHING: usize = 0;

#[amp_kernel]
fn constant(t_idx: TiledIndex<2, SIDE, SIDE>, c: &mut ArrayViewMut<u32, 2>) {
    c[t_idx.global] = 1;
}

#[amp_kernel]
fn empty(t_idx: TiledIndex<1, NOTHING>, c: &mut ArrayViewMut<u32, 1>) {
    c[t_idx.global] = 1;
}

fn main() {}
