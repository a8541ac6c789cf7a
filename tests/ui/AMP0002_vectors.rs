//! Types of glam that kernels do not have, and places where a mask cannot be.

use amp::prelude::*;
use glam::{BVec3, Mat3A, Quat, Vec3, Vec3A};

#[amp_kernel]
fn parameters(idx: Index<1>, a: Vec3A, b: Mat3A, c: Quat, out: &mut ArrayViewMut<Vec3, 1>) {
    out[idx] = Vec3::ZERO;
}

#[amp_kernel]
fn elements(idx: Index<1>, a: &ArrayView<BVec3, 1>, out: &mut ArrayViewMut<Vec3A, 1>) {
    out[idx] = a[idx];
}

#[amp_kernel]
fn arrays_of_masks(idx: Index<1>, a: &ArrayView<Vec3, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let masks = [a[0].cmplt(a[1]), a[1].cmplt(a[2])];
    out[idx] = masks[idx[0] % 2].bitmask();
}

#[amp_fn]
fn positive(v: Vec3) -> BVec3 {
    if v == Vec3::ZERO {
        panic!("it is zero");
    }
    v.cmpgt(Vec3::ZERO)
}

#[amp_kernel]
fn tiles(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut mask: BVec3;
    mask = BVec3::TRUE;
    t_idx.barrier.wait();
    out[t_idx] = mask.bitmask();
}

#[amp_kernel]
fn literals(idx: Index<1>, out: &mut ArrayViewMut<Vec3, 1>) {
    out[idx] = Vec3 { x: 1.0, y: 2.0, z: 3.0 };
}

fn main() {}
