//! Types that are called like glam's and are others.

use amp::prelude::*;

mod shapes {
    /// Not seen: it has no attribute.
    #[derive(Clone, Copy)]
    pub struct Plain(pub f32);
    pub use Plain as Vec2;

    pub fn vec2(x: f32, y: f32) -> glam::Vec2 {
        glam::Vec2::new(y, x)
    }
}

// Where no macro reads it.
macro_rules! alias {
    ($name:ident = $ty:ty) => {
        type $name = $ty;
    };
}
alias!(Vec3 = [f32; 3]);

#[amp_kernel]
fn alias(idx: Index<1>, a: Vec3, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = a.x;
}

#[amp_kernel]
fn function(idx: Index<1>, out: &mut ArrayViewMut<glam::Vec2, 1>) {
    out[idx] = shapes::vec2(1.0, 2.0);
}

fn main() {}
