//! The program's own types and functions that are called like glam's, and glam's under
//! all their paths.

use amp::prelude::*;

mod own {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Vec3 {
        pub length: f32,
        pub x: u32,
    }

    #[amp_fn]
    pub fn vec2(x: f32) -> Vec3 {
        Vec3 { length: x, x: 2 }
    }

    #[amp_kernel]
    pub fn measure(idx: Index<1>, a: &ArrayView<Vec3, 1>, out: &mut ArrayViewMut<Vec3, 1>) {
        let v: Vec3 = a[idx];
        out[idx] = vec2(v.length);
        out[idx].x += v.x;
    }
}

use own::{Vec3, vec2};

#[amp_kernel]
fn imported(idx: Index<1>, a: Vec3, by: glam::Vec3, out: &mut ArrayViewMut<Vec3, 1>) {
    let b = vec2(a.length * by.x);
    let c = glam::vec2(1.0, by.y) * amp::glam::Vec2::new(0.5, by.length());
    out[idx] = Vec3 { length: c.x + b.length, x: b.x };
}

#[amp_kernel]
fn scoped(idx: Index<1>, out: &mut ArrayViewMut<amp::glam::UVec4, 1>) {
    let rows = ::glam::UVec4::splat(idx[0] as u32);
    out[idx] = rows;
}

fn main() {}
