//! Components that are known not to be there.

use amp::prelude::*;
use glam::{Mat3, Vec3};

#[amp_kernel]
fn outside(idx: Index<1>, a: Vec3, m: Mat3, out: &mut ArrayViewMut<Vec3, 1>) {
    let mut v = a;
    v[3] = 1.0;
    out[idx] = m.col(4) + v;
    out[idx][1 + 2] = 2.0;
}

fn main() {}
