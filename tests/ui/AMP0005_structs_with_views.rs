use amp::prelude::*;

#[amp_struct]
struct Bodies<'a> {
    velocity: ArrayViewMut<'a, f32, 1>,
}

#[amp_kernel]
fn shared(idx: Index<1>, b: &Bodies) {}

#[amp_kernel]
fn taken(idx: Index<1>, b: Bodies) {}

#[amp_kernel]
fn named<'b>(idx: Index<1>, b: Bodies<'b>) {}

#[amp_kernel]
fn first(b: &mut Bodies) {}

fn main() {}
