//! Functions, constants and components that vectors do not have in kernels.

use amp::prelude::*;
use glam::{BVec3, IVec2, Mat3, Mat4, UVec2, Vec2, Vec3, Vec4};

#[amp_kernel]
fn vectors(idx: Index<1>, a: Vec3, b: IVec2, out: &mut ArrayViewMut<Vec4, 1>) {
    let w = a.w;
    let c = a.xyw();
    let d = b.length();
    let e = b.to_vec2();
    let f = a.try_normalize();
    let g = a.map(1.0);
    let h = UVec2::NEG_X;
    let i = Vec3::WHITE;
    let j = Vec3::from_slice(2.0);
    let k: Vec2 = a.into();
    let l = a.angle_between(a);
    let m = IVec2::select(b.cmplt(b), b, b).normalize();
    let n = Vec4::dot_product(out[idx], out[idx]);
}

#[amp_kernel]
fn masks_and_matrices(idx: Index<1>, m: BVec3, a: Mat3, b: Mat4, out: &mut ArrayViewMut<Vec3, 1>) {
    let c = m[0];
    let d = m.test(1);
    let e = m.xy();
    let f = a[0];
    let g = a.w_axis;
    let h = a.mul_mat3(a);
    let i = b.try_inverse();
    let j = Mat4::from_rotation_x(1.0);
    let k = b.transform_point2(Vec2::ONE);
    let l = Mat3::ONE;
    let n = a.inverse_transposed();
    out[idx] = a.x_axis;
}

fn main() {}
