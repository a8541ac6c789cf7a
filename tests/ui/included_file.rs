//! Errors in a file that is included: each place in it has its file's name.

use amp::prelude::*;

#[amp_fn]
fn beside(x: i32) -> i32 {
    x + 1
}

include!("included/kernels.in");

fn main() {}
