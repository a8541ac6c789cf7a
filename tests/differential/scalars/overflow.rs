//! `overflowing_`, `saturating_` and the like.

use amp::prelude::*;
use testkit::table;

/// A result and whether it overflows, as one number.
macro_rules! both {
    ($pair:expr) => {{
        let (value, overflows) = $pair;
        if overflows { !value } else { value }
    }};
}

macro_rules! common {
    ($($name:ident $ty:ident)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            { let (sum, overflows) = x.overflowing_add(y); if overflows { !sum } else { sum } }
                => both!(x.overflowing_add(y));
            { let (sum, overflows) = x.overflowing_sub(y); if overflows { !sum } else { sum } }
                => both!(x.overflowing_sub(y));
            { let (sum, overflows) = x.overflowing_mul(y); if overflows { !sum } else { sum } }
                => both!(x.overflowing_mul(y));
            { let (sum, overflows) = $ty::overflowing_pow(x, (y & 15) as u32); if overflows { !sum } else { sum } }
                => both!(x.overflowing_pow((y & 15) as u32));
            x.overflowing_neg().0 => x.overflowing_neg().0;
            x.overflowing_neg().1 as $ty => x.overflowing_neg().1 as $ty;
            x.overflowing_shl(y as u32).1 as $ty => x.overflowing_shl(y as u32).1 as $ty;
            x.overflowing_shr(y as u32).0 => x.overflowing_shr(y as u32).0;
            x.unbounded_shl((y & 127) as u32) => x.unbounded_shl((y & 127) as u32);
            x.unbounded_shr((y & 127) as u32) => x.unbounded_shr((y & 127) as u32);
            x.saturating_add(y) => x.saturating_add(y);
            x.saturating_sub(y) => x.saturating_sub(y);
            x.saturating_mul(y) => x.saturating_mul(y);
            $ty::saturating_mul(x, 3).saturating_add(y) => x.saturating_mul(3).saturating_add(y);
            x.saturating_pow((y & 15) as u32) => x.saturating_pow((y & 15) as u32);
            x.saturating_div(y | 1) => x.saturating_div(y | 1);
            x.overflowing_div(y | 1).0 => x.overflowing_div(y | 1).0;
            x.overflowing_rem(y | 1).1 as $ty => x.overflowing_rem(y | 1).1 as $ty;
            x.wrapping_div_euclid(y | 1) => x.wrapping_div_euclid(y | 1);
            x.wrapping_rem_euclid(y | 1) => x.wrapping_rem_euclid(y | 1);
            x.overflowing_div_euclid(y | 1).0 => x.overflowing_div_euclid(y | 1).0;
            x.overflowing_rem_euclid(y | 1).1 as $ty => x.overflowing_rem_euclid(y | 1).1 as $ty;
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

macro_rules! signed {
    ($($name:ident $ty:ident $unsigned:ident)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            x.overflowing_abs().1 as $ty => x.overflowing_abs().1 as $ty;
            x.saturating_neg() => x.saturating_neg();
            x.saturating_abs() => x.saturating_abs();
            x.wrapping_add_unsigned(y as $unsigned) => x.wrapping_add_unsigned(y as $unsigned);
            x.wrapping_sub_unsigned(y as $unsigned) => x.wrapping_sub_unsigned(y as $unsigned);
            x.overflowing_add_unsigned(y as $unsigned).1 as $ty
                => x.overflowing_add_unsigned(y as $unsigned).1 as $ty;
            x.overflowing_sub_unsigned(y as $unsigned).1 as $ty
                => x.overflowing_sub_unsigned(y as $unsigned).1 as $ty;
            x.saturating_add_unsigned(y as $unsigned) => x.saturating_add_unsigned(y as $unsigned);
            x.saturating_sub_unsigned(y as $unsigned) => x.saturating_sub_unsigned(y as $unsigned);
            x.is_positive() as $ty => x.is_positive() as $ty;
            x.is_negative() as $ty => x.is_negative() as $ty;
            x.cast_unsigned().count_ones() as $ty => x.cast_unsigned().count_ones() as $ty;
        }
    )*};
}

signed! {
    signed_i8 i8 u8
    signed_i16 i16 u16
    signed_i32 i32 u32
    signed_i64 i64 u64
}

macro_rules! unsigned {
    ($($name:ident $ty:ident $signed:ident)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            x.wrapping_add_signed(y as $signed) => x.wrapping_add_signed(y as $signed);
            x.wrapping_sub_signed(y as $signed) => x.wrapping_sub_signed(y as $signed);
            x.overflowing_add_signed(y as $signed).1 as $ty
                => x.overflowing_add_signed(y as $signed).1 as $ty;
            x.overflowing_sub_signed(y as $signed).1 as $ty
                => x.overflowing_sub_signed(y as $signed).1 as $ty;
            x.saturating_add_signed(y as $signed) => x.saturating_add_signed(y as $signed);
            x.saturating_sub_signed(y as $signed) => x.saturating_sub_signed(y as $signed);
            x.carrying_add(y, x > y).0 => x.carrying_add(y, x > y).0;
            x.carrying_add(y, x > y).1 as $ty => x.carrying_add(y, x > y).1 as $ty;
            x.borrowing_sub(y, x > y).0 => x.borrowing_sub(y, x > y).0;
            x.borrowing_sub(y, x > y).1 as $ty => x.borrowing_sub(y, x > y).1 as $ty;
            x.carrying_mul(y, x).0 => x.carrying_mul(y, x).0;
            x.carrying_mul(y, x).1 => x.carrying_mul(y, x).1;
            x.carrying_mul_add(y, x, y).1 => x.carrying_mul_add(y, x, y).1;
            x.cast_signed().signum() as $ty => x.cast_signed().signum() as $ty;
        }
    )*};
}

unsigned! {
    unsigned_u8 u8 i8
    unsigned_u16 u16 i16
    unsigned_u32 u32 i32
    unsigned_u64 u64 i64
}

// What overflows 64 bits only is the same in both widths of a `usize`.
table! {
    of_usize(x: u32, y: u32) -> u32 = crate::scalars::integers(|word| word as u32);
    (x as usize).saturating_sub(y as usize) as u32 => x.saturating_sub(y);
    ((x >> 1) as usize).saturating_add((y >> 1) as usize) as u32 => (x >> 1) + (y >> 1);
    usize::overflowing_sub(x as usize, y as usize).1 as u32 => u32::from(x < y);
    (x as isize as usize).saturating_add_signed(-5) as u32 => x.saturating_sub(5);
}

#[amp_fn]
fn distance(a: usize, b: usize) -> usize {
    a.saturating_sub(b) + b.saturating_sub(a)
}

table! {
    in_helpers(x: u32, y: u32) -> u32 = crate::scalars::integers(|word| word as u32);
    distance(x as usize, y as usize) as u32 => x.abs_diff(y);
    [x, y][(x < y) as usize].saturating_sub(x.saturating_sub(1)) => x.max(y).saturating_sub(x.saturating_sub(1));
}
