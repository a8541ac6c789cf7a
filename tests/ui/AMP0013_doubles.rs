//! The one exact method of floats that not every device has for 64 bits.

use amp::prelude::*;

#[amp_kernel]
fn fused(idx: Index<1>, c: &mut ArrayViewMut<f64, 1>) {
    c[idx] = c[idx].mul_add(2.0, 1.0);
}

fn main() {}
