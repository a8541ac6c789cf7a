//! Generic arguments that a call of a method writes.

use amp::prelude::*;

#[amp_struct]
struct Curve {
    x: f32,
}

#[amp_fn]
impl Curve {
    fn plain(&self) -> f32 {
        self.x
    }

    fn same<T: Copy>(&self, value: T) -> T {
        value
    }
}

#[amp_fn]
fn has_none(curve: &Curve) -> f32 {
    curve.plain::<f32>()
}

#[amp_fn]
fn too_many(curve: &Curve) -> f32 {
    curve.same::<f32, 3>(1.0)
}

#[amp_fn]
fn another_type(curve: &Curve) -> u32 {
    curve.same::<u32>(1.5)
}

#[amp_fn]
fn of_a_number(curve: &Curve) -> f32 {
    curve.x.max::<f32>(1.0)
}

fn main() {}
