//! Wrong numbers and types of arguments where vectors are made and used.

use amp::prelude::*;
use glam::{IVec3, Mat3, Vec2, Vec3, Vec4, vec3};

#[amp_kernel]
fn arguments(idx: Index<1>, a: Vec3, i: IVec3, n: Mat3, out: &mut ArrayViewMut<Vec3, 1>) {
    let b = Vec3::new(1.0, 2.0);
    let c = vec3(1.0, 2.0, 3.0, 4.0);
    let d = Vec3::new(1.0, 2.0, 3);
    let e = Vec4::from((a, a));
    let f = Vec3::from([1.0, 2.0]);
    let g = Vec2::from(a);
    let h = a.dot(i);
    let j = a.lerp(a);
    let k = a.extend(1);
    let l = Mat3::from_cols(a, a);
    let m = n * Vec2::ONE.extend(0.0).extend(1.0);
    let o = Vec3::from(1.0, 2.0, 3.0);
    let o = Mat3::from(n);
    let p = a[1.5];
    let q = Vec3::select(a, a, a);
    out[idx] = a;
}

fn main() {}
