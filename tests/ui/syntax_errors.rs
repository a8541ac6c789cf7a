//! A kernel that cannot be read is there all the same: its launches are right.

use amp::prelude::*;

#[amp_kernel]
fn no_operand(idx: Index<1>, a: &ArrayView<f32, 1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = a[idx] + ;
}

#[amp_fn]
fn no_value(x: f32) -> f32 {
    x * }

#[amp_kernel]
fn calls_it(idx: Index<1>, a: &ArrayView<f32, 1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = no_value(a[idx]);
}

fn main() -> amp::Result<()> {
    let a = Array::<f32, 1>::zeroed(4)?;
    let mut c = Array::<f32, 1>::zeroed(4)?;
    parallel_for_each(4, no_operand(&a, &mut c))?;
    parallel_for_each(4, calls_it(&a, &mut c))?;
    println!("{}", no_value(1.0));
    Ok(())
}
