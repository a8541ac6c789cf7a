//! `use` in the bodies of kernels, and values that are written shorter: strings of bytes, characters as
//! numbers, and the rest of a struct by default.

use amp::prelude::*;
use testkit::twice;

#[amp_enum]
#[derive(PartialEq)]
#[repr(u32)]
enum Kind {
    Even,
    Odd,
}

#[amp_struct]
#[derive(Clone, Copy, Default)]
struct Reading {
    value: u32,
    count: u32,
    bytes: [u8; 4],
}

mod inner {
    use amp::prelude::*;

    pub const FACTOR: u32 = 7;

    #[amp_fn]
    pub fn scaled(x: u32) -> u32 {
        x.wrapping_mul(FACTOR)
    }
}

#[amp_fn]
fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(*byte)).sum()
}

twice! {
    imports(x: u32) -> u32 = ((0..64).collect(),);
    {
        use std::cmp::{max, min as smaller};
        use std::f32::consts::PI as HALF_TURN;
        use inner::{scaled, FACTOR};
        use inner as own;
        let kind = {
            use Kind::{Even, Odd};
            if x % 2 == 0 { Even } else { Odd }
        };
        let mut pair = (x, FACTOR);
        {
            use std::mem;
            mem::swap(&mut pair.0, &mut pair.1);
            use std::mem::replace;
            pair.1 = replace(&mut pair.0, 3);
        }
        let angle = (x as f32 * HALF_TURN) as u32;
        let five = matches!({ let r = 5..9; let mut n = 0; for i in r.clone() { n += i - r.start; } n + max(x, 3) }, 9..=12);
        let both = u32::from(five) ^ scaled(max(x, 5)) ^ own::scaled(smaller(x, 9));
        both ^ pair.0 ^ pair.1.rotate_left(7) ^ angle ^ u32::from(kind == Kind::Odd)
    }
}

twice! {
    strings_of_bytes(x: u32) -> u32 = ((0..256).collect(),);
    {
        let digits = b"0123456789abcdef";
        let word = *b"amp";
        let byte = x as u8;
        let found = b"aeiou\n\x07".iter().position(|vowel| *vowel == byte).unwrap_or(9) as u32;
        let letter = (byte >= 'a' as u8 && byte <= 'z' as u8) as u32 + 'é' as u32;
        let sum = sum(b"sum") + sum(&digits[..(x % 16) as usize]);
        found + letter * 16 + sum + u32::from(b"xy"[(x % 2) as usize] ^ word[(x % 3) as usize])
    }
}

twice! {
    the_rest_by_default(x: u32) -> u32 = ((0..64).collect(),);
    {
        let one = Reading { value: x, ..Default::default() };
        let other = Reading { bytes: [1, 2, 3, x as u8], ..std::default::Default::default() };
        one.value ^ one.count ^ u32::from(other.bytes[3]) << 8 ^ other.value
    }
}

twice! {
    reduced(x: u32) -> u32 = ((0..64).collect(),);
    {
        let a = [x, 7, x ^ 21, 40];
        let largest = a.iter().copied().reduce(|p, q| p.max(q)).unwrap_or(0);
        let scaled = (1..=x % 5).map(|i| i as f32 * 0.5).reduce(|p, q| if p.abs() > q { p } else { q * 2.0 });
        largest ^ scaled.unwrap_or_default().to_bits()
    }
}
