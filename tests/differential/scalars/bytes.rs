//! Bytes of numbers, and their order.

use amp::prelude::*;
use testkit::numbers::{DOUBLES, FLOATS};
use testkit::table;

macro_rules! integers {
    ($($name:ident $ty:ident $bytes:literal)*) => {$(
        table! {
            $name(x: $ty, y: $ty) -> $ty = crate::scalars::integers(|word| word as $ty);
            x.to_le() => x.to_le();
            x.to_be() => x.to_be();
            $ty::from_le(x) => $ty::from_le(x);
            $ty::from_be(x) => $ty::from_be(x);
            { let bytes = x.to_le_bytes(); bytes[$bytes - 1] as $ty + bytes[0] as $ty }
                => x.to_le_bytes()[$bytes - 1] as $ty + x.to_le_bytes()[0] as $ty;
            { let bytes: [u8; $bytes] = x.to_be_bytes(); bytes[0] as $ty } => x.to_be_bytes()[0] as $ty;
            x.to_ne_bytes()[0] as $ty => x.to_ne_bytes()[0] as $ty;
            $ty::from_le_bytes(x.to_be_bytes()) => x.swap_bytes();
            $ty::from_be_bytes(x.to_be_bytes()) => x;
            $ty::from_ne_bytes([y as u8; $bytes]) => $ty::from_ne_bytes([y as u8; $bytes]);
        }
    )*};
}

integers! {
    of_i16 i16 2
    of_u16 u16 2
    of_i32 i32 4
    of_u32 u32 4
    of_i64 i64 8
    of_u64 u64 8
}

table! {
    of_bytes(x: u8) -> u8 = ((0..=255).collect(),);
    x.to_be_bytes()[0] => x;
    i8::from_le_bytes([x]) as u8 => x;
    x.is_ascii() as u8 => x.is_ascii() as u8;
    x.is_ascii_alphabetic() as u8 => x.is_ascii_alphabetic() as u8;
    x.is_ascii_alphanumeric() as u8 => x.is_ascii_alphanumeric() as u8;
    x.is_ascii_control() as u8 => x.is_ascii_control() as u8;
    x.is_ascii_digit() as u8 => x.is_ascii_digit() as u8;
    x.is_ascii_graphic() as u8 => x.is_ascii_graphic() as u8;
    x.is_ascii_hexdigit() as u8 => x.is_ascii_hexdigit() as u8;
    x.is_ascii_lowercase() as u8 => x.is_ascii_lowercase() as u8;
    x.is_ascii_punctuation() as u8 => x.is_ascii_punctuation() as u8;
    x.is_ascii_uppercase() as u8 => x.is_ascii_uppercase() as u8;
    x.is_ascii_whitespace() as u8 => x.is_ascii_whitespace() as u8;
    x.to_ascii_lowercase() ^ x.to_ascii_uppercase() => x.to_ascii_lowercase() ^ x.to_ascii_uppercase();
}

table! {
    of_f32(x: f32) -> u32 = (FLOATS.to_vec(),);
    if x.is_nan() { 0 } else { u32::from_le_bytes(x.to_le_bytes()) }
        => if x.is_nan() { 0 } else { x.to_bits() };
    if x.is_nan() { 0 } else { u32::from_le_bytes(x.to_be_bytes()) }
        => if x.is_nan() { 0 } else { x.to_bits().swap_bytes() };
    if x.is_nan() { 0 } else { f32::from_be_bytes(x.to_be_bytes()).to_bits() }
        => if x.is_nan() { 0 } else { x.to_bits() };
}

table! {
    of_f64(x: f64) -> u64 = (DOUBLES.to_vec(),);
    if x.is_nan() { 0 } else { u64::from_ne_bytes(x.to_ne_bytes()) }
        => if x.is_nan() { 0 } else { x.to_bits() };
    if x.is_nan() { 0 } else { f64::from_le_bytes(x.to_le_bytes()).to_bits() }
        => if x.is_nan() { 0 } else { x.to_bits() };
}
