//! Functions and types without their attribute in modules that have files of their own.

use amp::prelude::*;

mod hosts;
use hosts::halve as half;

#[amp_kernel]
fn by_path(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = hosts::halve(c[idx]);
}

#[amp_kernel]
fn imported(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = half(c[idx]);
}

#[amp_kernel]
fn misspelt(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = hosts::duoble(c[idx]);
}

#[amp_kernel]
fn of_type(idx: Index<1>, pair: hosts::Pair, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = pair.a;
}

fn main() {}
