//! Tiles of a size that devices cannot run (C++ AMP §7).

use amp::prelude::*;

const SIDE: usize = 40;

#[amp_kernel]
fn volume(t_idx: TiledIndex<2, 64, 32>) {}

#[amp_kernel]
fn first_dimension(t_idx: TiledIndex<3, 128, 2, 2>) {}

#[amp_kernel]
fn empty(t_idx: TiledIndex<2, 16, 0>) {}

/// Large whatever the constant is.
#[amp_kernel]
fn partly_constant(t_idx: TiledIndex<2, 2048, SIDE>) {}

fn main() {}
