//! Expressions that are no kernels.

use amp::prelude::*;

fn main() -> amp::Result<()> {
    let mut x = Array::<f32, 1>::zeroed(4)?;
    let pair = (1.0_f32, 2.0_f32);
    let s = 2.0_f32;
    parallel_for_each(4, kernel!(|idx| [] {}))?;
    parallel_for_each(4, kernel!(|idx: Index<1>| { x[idx] = 1.0; }))?;
    parallel_for_each(4, kernel!(|idx: Index<1>| [x] { x[idx] = 1.0; }))?;
    parallel_for_each(4, kernel!(|idx: Index<1>| [x: &mut ArrayViewMut<f32, 1>] x[idx] = 1.0))?;
    parallel_for_each(4, kernel!(|idx: Index<1>| [(a, b): (f32, f32)] {}))?;
    parallel_for_each(4, kernel!(|idx: Index<1>| [x: &mut ArrayViewMut<f32, 1>] { x[idx] = s; }))?;
    parallel_for_each(4, kernel!(|idx: f32| [x: &mut ArrayViewMut<f32, 1>] { x[0] = 1.0; }))?;
    parallel_for_each(4, kernel!(|idx: Index<1>| [s: &f32] {}))?;
    parallel_for_each(4, kernel!(|idx: Index<1>| [x: &mut ArrayViewMut<u32, 1>] { x[idx] = 1; }))?;
    let _ = pair;
    Ok(())
}
