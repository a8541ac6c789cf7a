//! Operators that vectors do not have.

use amp::prelude::*;
use glam::{BVec3, IVec3, Mat3, Mat4, UVec3, Vec3, Vec4};

#[amp_kernel]
fn operators(
    idx: Index<1>,
    a: Vec3,
    b: Vec4,
    i: IVec3,
    u: UVec3,
    m: BVec3,
    n: Mat3,
    o: Mat4,
    out: &mut ArrayViewMut<Vec3, 1>,
) {
    let c = a + b;
    let d = a < a;
    let e = a & a;
    let f = a << 1;
    let g = i + u;
    let h = i * 2.0;
    let j = a * 2;
    let k = -u;
    let l = !a;
    let p = -m;
    let q = m + m;
    let r = n * o;
    let s = a * n;
    let t = 1.0 / n;
    let v = !n;
    let w = n + 1.0;
    let x = 1 << i;
    let y = a == b;
    let z = a as IVec3;
    out[idx] = a;
}

#[amp_kernel]
fn assigning(idx: Index<1>, a: Vec3, n: Mat3, out: &mut ArrayViewMut<Vec3, 1>) {
    let mut x = 1.0;
    x += a;
    let mut v = a;
    v *= n;
    v += 1;
    v.xy() += v.yz();
    out[idx] = v;
}

fn main() {}
