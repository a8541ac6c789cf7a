//! Integers of every width.

#![allow(clippy::erasing_op, clippy::identity_op)]

use amp::prelude::*;
use testkit::table;

macro_rules! common {
    ($($name:ident $ty:ident)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            x + y => x.wrapping_add(y);
            x - y => x.wrapping_sub(y);
            x * y => x.wrapping_mul(y);
            x.wrapping_div(y | 1) => x.wrapping_div(y | 1);
            x.wrapping_rem(y | 1) => x.wrapping_rem(y | 1);
            x / 10 => x / 10;
            x % 10 => x % 10;
            if y == 0 || x == $ty::MIN { 1 } else { x / y } => if y == 0 || x == $ty::MIN { 1 } else { x / y };
            if y == 0 || x == $ty::MIN { 1 } else { x % y } => if y == 0 || x == $ty::MIN { 1 } else { x % y };
            if y == 0 || x == $ty::MIN { 1 } else { x.div_euclid(y) }
                => if y == 0 || x == $ty::MIN { 1 } else { x.div_euclid(y) };
            if y == 0 || x == $ty::MIN { 1 } else { x.rem_euclid(y) }
                => if y == 0 || x == $ty::MIN { 1 } else { x.rem_euclid(y) };
            x & y => x & y;
            x | y => x | y;
            x ^ y => x ^ y;
            !x => !x;
            x << y => x.wrapping_shl(y as u32);
            x >> y => x.wrapping_shr(y as u32);
            x << (y as i64) => x.wrapping_shl(y as u32);
            x >> (y as u8) => x.wrapping_shr(y as u8 as u32);
            x.wrapping_shl(y as u32) => x.wrapping_shl(y as u32);
            x.wrapping_shr(y as u32) => x.wrapping_shr(y as u32);
            x.wrapping_neg() => x.wrapping_neg();
            (x == y) as $ty => $ty::from(x == y);
            (x != y) as $ty => $ty::from(x != y);
            (x < y) as $ty => $ty::from(x < y);
            (x <= y) as $ty => $ty::from(x <= y);
            (x > y) as $ty => $ty::from(x > y);
            (x >= y) as $ty => $ty::from(x >= y);
            x.min(y) => x.min(y);
            x.max(y) => x.max(y);
            $ty::max(x, 3).clamp(4, 100) => x.clamp(4, 100);
            if x <= y { (x ^ y).clamp(x, y) } else { 0 } => if x <= y { (x ^ y).clamp(x, y) } else { 0 };
            x.abs_diff(y) as $ty => x.abs_diff(y) as $ty;
            x.count_ones() as $ty => x.count_ones() as $ty;
            x.count_zeros() as $ty => x.count_zeros() as $ty;
            x.leading_zeros() as $ty => x.leading_zeros() as $ty;
            x.trailing_zeros() as $ty => x.trailing_zeros() as $ty;
            x.leading_ones() as $ty => x.leading_ones() as $ty;
            x.trailing_ones() as $ty => x.trailing_ones() as $ty;
            x.reverse_bits() => x.reverse_bits();
            x.swap_bytes() => x.swap_bytes();
            x.rotate_left(y as u32) => x.rotate_left(y as u32);
            x.rotate_right(y as u32) => x.rotate_right(y as u32);
            x.pow(3) => x.wrapping_pow(3);
            x.wrapping_pow((y & 31) as u32) => x.wrapping_pow((y & 31) as u32);
            { let mut z = x; z += y; z *= 3; z -= 7; z ^= x; z |= 4; z &= 119; z }
                => (x.wrapping_add(y).wrapping_mul(3).wrapping_sub(7) ^ x | 4) & 119;
            { let mut z = x; z <<= y; z >>= 3; z /= 3; z %= 5; z }
                => x.wrapping_shl(y as u32).wrapping_shr(3) / 3 % 5;
        }
    )*};
}

common! {
    of_i8 i8
    of_u8 u8
    of_i16 i16
    of_u16 u16
    of_i64 i64
    of_u64 u64
}

macro_rules! signed {
    ($($name:ident $ty:ident)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            -x => x.wrapping_neg();
            -(x + y) * 3 - (x ^ -1) => x.wrapping_add(y).wrapping_neg().wrapping_mul(3).wrapping_sub(!x);
            x.abs() => x.wrapping_abs();
            x.wrapping_abs() => x.wrapping_abs();
            x.unsigned_abs() as $ty => x.unsigned_abs() as $ty;
            x.signum() => x.signum();
            x.wrapping_div(-1) => x.wrapping_div(-1);
            x.wrapping_rem(-1) => x.wrapping_rem(-1);
            x / -10 => x / -10;
            x % -10 => x % -10;
            if y == 0 || y == -1 { 1 } else { x / y } => if y == 0 || y == -1 { 1 } else { x / y };
            if y == 0 || y == -1 { 1 } else { x.rem_euclid(y) }
                => if y == 0 || y == -1 { 1 } else { x.rem_euclid(y) };
            x.clamp(-10, 100) => x.clamp(-10, 100);
            $ty::MIN + (x & 1) => $ty::MIN + (x & 1);
        }
    )*};
}

signed! {
    signed_i8 i8
    signed_i16 i16
    signed_i64 i64
}

macro_rules! unsigned {
    ($($name:ident $ty:ident)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            x.is_power_of_two() as $ty => $ty::from(x.is_power_of_two());
            if y == 0 { 0 } else { x.div_ceil(y) } => if y == 0 { 0 } else { x.div_ceil(y) };
            if y == 0 { 0 } else { x / y } => x.checked_div(y).unwrap_or(0);
            if y == 0 { 0 } else { x % y } => x.checked_rem(y).unwrap_or(0);
            $ty::MAX - x => $ty::MAX - x;
            x.clamp(200, 250) => x.clamp(200, 250);
        }
    )*};
}

unsigned! {
    unsigned_u8 u8
    unsigned_u16 u16
    unsigned_u64 u64
}

// As far as 32 and 64 bits agree.
table! {
    of_isize(x: i32, y: i32) -> i32 = crate::scalars::integers(|word| word as i32);
    (x as isize + y as isize) as i32 => x.wrapping_add(y);
    (x as isize - y as isize) as i32 => x.wrapping_sub(y);
    (x as isize * y as isize) as i32 => x.wrapping_mul(y);
    ((x >> 1) as isize / (y | 1) as isize) as i32 => (x >> 1) / (y | 1);
    ((x >> 1) as isize % (y | 1) as isize) as i32 => (x >> 1) % (y | 1);
    ((x as isize) < y as isize) as i32 => i32::from(x < y);
    (x as isize).min(y as isize).max(-5) as i32 => x.min(y).max(-5);
    ((x >> 1) as isize).abs() as i32 => (x >> 1).abs();
    (x as isize).signum() as i32 => x.signum();
    (x as isize >> 3) as i32 => x >> 3;
    -((x >> 1) as isize) as i32 => -(x >> 1);
    (x as isize as i64 + 1) as i32 => x.wrapping_add(1);
    (x as i64 as isize) as i32 => x;
    (-7_isize * 6) as i32 + x => (-42_i32).wrapping_add(x);
}
