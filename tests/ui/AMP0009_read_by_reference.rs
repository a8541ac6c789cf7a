//! Methods that take their value by reference, and comparisons with what is found, without one.

use amp::prelude::*;

#[amp_fn]
fn digit(x: u8) -> bool {
    u8::is_ascii_digit(x)
}

#[amp_fn]
fn first(x: &[u8]) -> bool {
    x.first() == Some(b'1')
}

#[amp_kernel]
fn kernel(idx: Index<1>, out: &mut ArrayViewMut<u8, 1>) {
    if digit(out[idx]) && first(&[out[idx]]) {
        out[idx] = 0;
    }
}

fn main() {}
