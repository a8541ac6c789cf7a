//! Tables of functions that are used as values.

use amp::prelude::*;

#[amp_module]
mod operations {
    const OPS: [fn(f32) -> f32; 2] = [f32::sqrt, f32::abs];

    fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(f(x))
    }

    pub fn copied(x: f32) -> f32 {
        let ops = OPS;
        ops[0](x)
    }

    pub fn passed(x: f32) -> f32 {
        twice(OPS[0], x)
    }
}

#[amp_kernel]
fn all(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = operations::copied(out[idx]) + operations::passed(out[idx]);
}

fn main() {}
