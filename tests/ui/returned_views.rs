//! What rustc says about views that helpers return, on the host version.

use amp::prelude::*;

#[amp_fn]
fn part(c: &mut ArrayViewMut<f32, 1>, i: usize) -> ArrayViewMut<'_, f32, 1> {
    c.section(i, 2)
}

#[amp_fn]
fn only_read(c: &mut ArrayViewMut<f32, 1>) -> ArrayView<'_, f32, 1> {
    c.section(0, 2)
}

#[amp_kernel]
fn twice(_idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let mut one = part(c, 0);
    let mut other = part(c, 1);
    one[0] = 1.0;
    other[0] = 1.0;
}

#[amp_kernel]
fn meanwhile(_idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let mut one = part(c, 0);
    c[0] = 1.0;
    one[0] = 1.0;
}

#[amp_kernel]
fn of_a_block(_idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let mut one = {
        let mut whole = c.section(0, 4);
        whole.section(0, 2)
    };
    one[0] = 1.0;
}

fn main() {}
