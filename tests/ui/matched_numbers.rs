//! Numbers that a `match` takes by reference.

use amp::prelude::*;

#[amp_fn]
fn another_type(x: &u8) -> u32 {
    match x {
        1.5 => 1,
        _ => 2,
    }
}

#[amp_fn]
fn a_boolean(x: &u8) -> u32 {
    match x {
        true => 1,
        _ => 2,
    }
}

#[amp_fn]
fn writes(x: &u8) {
    match x {
        1 => {}
        other => *other = 3,
    }
}

#[amp_fn]
fn is_no_value(x: &u8) -> u8 {
    match x {
        1 => 1,
        other => other,
    }
}

#[amp_fn]
fn leaves_some_out(x: &u8) -> u8 {
    match x {
        0..=7 => 1,
        &9 => 2,
    }
}

fn main() {}
