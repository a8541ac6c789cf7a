//! Functions that would hide a macro of the standard library, and types that kernels would take for amp's.

use amp::prelude::*;

#[amp_fn]
fn line(x: f32) -> f32 {
    2.0 * x + 1.0
}

#[amp_kernel]
fn vec(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = line(c[idx]);
}

#[amp_struct]
struct Array {
    size: u32,
}

#[amp_enum]
enum TileBarrier {
    First,
    Second,
}

#[amp_module]
mod shapes {
    pub struct Extent {
        pub width: u32,
    }

    pub fn width(x: u32) -> u32 {
        let extent = Extent { width: x };
        extent.width
    }
}

fn main() {}
