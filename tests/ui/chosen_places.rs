//! References to write that a branch chooses, where Rust or kernels refuse them.

use amp::prelude::*;

#[amp_fn]
fn used_while_it_is_borrowed(c: bool) -> u32 {
    let (mut x, mut y) = (1, 2);
    let slot = if c { &mut x } else { &mut y };
    y += 3;
    *slot += 1;
    x + y
}

#[amp_fn]
fn of_two_types(c: bool) -> u32 {
    let (mut x, mut y) = (1_u32, 2_i32);
    let slot = if c { &mut x } else { &mut y };
    *slot += 1;
    x + y as u32
}

#[amp_fn]
fn names_of_a_branch(k: Option<usize>, i: usize) -> u32 {
    let (mut a, mut b) = ([1, 2], 3);
    let slot = match k {
        Some(i) => &mut a[i],
        None => &mut b,
    };
    *slot += i as u32;
    a[0] + b
}

#[amp_fn]
fn assigned_later(c: bool) -> u32 {
    let (mut x, mut y) = (1, 2);
    let mut slot = &mut x;
    if c {
        slot = &mut y;
    }
    *slot += 1;
    x + y
}

fn main() {}
