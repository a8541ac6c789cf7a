//! Logarithms, roots, powers and multiples of integers; neighbours and middles of floats.

use amp::prelude::*;
use testkit::numbers::{DOUBLES, FLOATS, pairs, random, random_wide};
use testkit::table;

macro_rules! common {
    ($($name:ident $ty:ident)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            x.midpoint(y) => x.midpoint(y);
            $ty::midpoint(x, -1_i8 as $ty) => x.midpoint(-1_i8 as $ty);
            if x > 0 { x.ilog2() as $ty } else { 0 } => if x > 0 { x.ilog2() as $ty } else { 0 };
            if x > 0 { x.ilog10() as $ty } else { 0 } => if x > 0 { x.ilog10() as $ty } else { 0 };
            if x > 0 && y > 1 { x.ilog(y) as $ty } else { 0 }
                => if x > 0 && y > 1 { x.ilog(y) as $ty } else { 0 };
            if x > 0 { x.isqrt() } else { 0 } => if x > 0 { x.isqrt() } else { 0 };
        }
    )*};
}

common! {
    of_i8 i8
    of_u8 u8
    of_i16 i16
    of_u16 u16
    of_i32 i32
    of_u32 u32
    of_i64 i64
    of_u64 u64
}

macro_rules! unsigned {
    ($($name:ident $ty:ident)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            x.next_power_of_two() => x.checked_next_power_of_two().unwrap_or(0);
            x.next_multiple_of(y | 1) => x.div_ceil(y | 1).wrapping_mul(y | 1);
            x.is_multiple_of(y & 7) as $ty => x.is_multiple_of(y & 7) as $ty;
        }
    )*};
}

unsigned! {
    unsigned_u8 u8
    unsigned_u16 u16
    unsigned_u32 u32
    unsigned_u64 u64
}

table! {
    of_usize(x: u32, y: u32) -> u32 = crate::scalars::integers(|word| word as u32);
    (x as usize).isqrt() as u32 => x.isqrt();
    (x as usize | 1).ilog2() => (x | 1).ilog2();
    (x as usize | 1).ilog10() => (x | 1).ilog10();
    (x as usize >> 1).next_power_of_two() as u32 => (x >> 1).next_power_of_two();
    (x as usize >> 8).next_multiple_of(256) as u32 => (x >> 8).next_multiple_of(256);
    (x as usize).is_multiple_of(y as usize) as u32 => u32::from(x.is_multiple_of(y));
    (x as usize).midpoint(y as usize) as u32 => x.midpoint(y);
}

fn floats() -> (Vec<f32>, Vec<f32>) {
    let (mut x, mut y) = pairs(&FLOATS);
    x.extend(random(51).take(4000).map(f32::from_bits));
    y.extend(random(52).take(4000).map(f32::from_bits));
    (x, y)
}

fn doubles() -> (Vec<f64>, Vec<f64>) {
    let (mut x, mut y) = pairs(&DOUBLES);
    x.extend(random_wide(53).take(4000).map(f64::from_bits));
    y.extend(random_wide(54).take(4000).map(f64::from_bits));
    (x, y)
}

table! {
    of_f32(x: f32, y: f32) -> f32 = floats();
    x.midpoint(y) => x.midpoint(y);
    x.next_up() => x.next_up();
    f32::next_down(x) => x.next_down();
    x.is_normal() as u32 as f32 => f32::from(x.is_normal());
    x.is_subnormal() as u32 as f32 => f32::from(x.is_subnormal());
}

table! {
    of_f64(x: f64, y: f64) -> f64 = doubles();
    x.midpoint(y) => x.midpoint(y);
    x.next_up() => x.next_up();
    f64::next_down(x) => x.next_down();
    x.is_normal() as u32 as f64 => f64::from(x.is_normal());
    x.is_subnormal() as u32 as f64 => f64::from(x.is_subnormal());
}
