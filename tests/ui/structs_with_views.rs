//! What rustc says about structs with views, on the host version and on the binding.

use amp::prelude::*;

#[amp_struct]
struct Bodies<'a> {
    velocity: ArrayViewMut<'a, f32, 1>,
}

#[amp_kernel]
fn not_mut(idx: Index<1>, b: Bodies<'_>) {
    b.velocity[idx] = 1.0;
}

#[amp_kernel]
fn moved(idx: Index<1>, mut b: Bodies<'_>) {
    gone(b);
    b.velocity[idx] = 1.0;
}

#[amp_fn]
fn gone(mut b: Bodies<'_>) {
    b.velocity[0] = 1.0;
}

#[amp_fn]
fn both(a: &mut ArrayViewMut<f32, 1>, b: &Bodies) {
    a[0] = b.velocity[0];
}

#[amp_kernel]
fn aliased(idx: Index<1>, b: &mut Bodies) {
    both(&mut b.velocity, b);
}

fn main() -> amp::Result<()> {
    let mut data = [0.0; 4];
    let mut b = Bodies {
        velocity: ArrayViewMut::new(4, &mut data)?,
    };
    let one = aliased(&mut b);
    let other = aliased(&mut b);
    parallel_for_each(Extent::new([4]), one)?;
    parallel_for_each(Extent::new([4]), moved(b))?;
    b.velocity.synchronize()
}
