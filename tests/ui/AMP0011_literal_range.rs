//! Literals that their type cannot hold.

use amp::prelude::*;

#[amp_kernel]
fn literals(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let a: i32 = 2147483648;
    let b: i32 = -2147483649;
    let d = 3_000_000_000;
    let e: u32 = 4294967296;
    let f = 0x1_0000_0000_u32;
    let g: usize = 4294967296;
    let h: f32 = 3.5e38;
    let i = 340282366920938463463374607431768211456;
    let j = 1.0e40_f32;
    c[idx] = (idx[0] % 4_294_967_296) as u32;
}

#[amp_kernel]
fn other_widths(idx: Index<1>, c: &mut ArrayViewMut<u8, 1>) {
    let a: i8 = 128;
    let b: i8 = -129;
    let d = 256_u8;
    let e: i16 = -32769;
    let f = 0x1_0000_u16;
    let g: i64 = 9223372036854775808;
    let h = 18446744073709551616_u64;
    let i: isize = 2147483648;
    let j: f64 = 1.8e308;
    c[idx] = 1000;
}

#[amp_kernel(index = 64)]
fn wide_indices(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let g: usize = 18446744073709551616;
    let h: isize = 9223372036854775808;
    c[idx] = 0;
}

#[amp_kernel]
fn patterns(idx: Index<1>, n: u32, m: i32, k: usize, b: i8) {
    match b {
        -129 => {}
        _ => {}
    }
    match (n, m, k) {
        (4294967296, _, _) => {}
        (_, -2147483649..=-2147483648, _) => {}
        (_, _, ..4294967296) => {}
        _ => {}
    }
}

fn main() {}
