//! Variables for slices are assigned parts of the same, and only those to read are.

use amp::prelude::*;

#[amp_fn]
fn of_another_place(a: &[u8], b: &[u8]) -> u32 {
    let mut rest = &a[1..];
    if rest.len() > 2 {
        rest = b;
    }
    rest = &rest[1..];
    u32::from(rest[0])
}

#[amp_fn]
fn chosen(a: &[u8], b: &[u8]) -> u32 {
    let mut rest = a;
    rest = if rest.len() > 2 { &rest[1..] } else { b };
    u32::from(rest[0])
}

#[amp_fn]
fn of_another_type(a: &[u8]) -> u32 {
    let mut rest = a;
    rest = 5;
    u32::from(rest[0])
}

#[amp_fn]
fn to_write(a: &mut [u8]) {
    let mut rest = &mut a[1..];
    rest = &mut rest[1..];
    rest[0] = 2;
}

#[amp_fn]
fn tail(a: &[u8]) -> &[u8] {
    &a[1..]
}

#[amp_fn]
fn of_a_function(a: &[u8]) -> u32 {
    let mut rest = tail(a);
    rest = &rest[1..];
    rest = tail(rest);
    u32::from(rest[0])
}

#[amp_fn]
fn returned(mut a: &[u8]) -> &[u8] {
    while a[0] == b' ' {
        a = &a[1..];
    }
    a
}

fn main() {}
