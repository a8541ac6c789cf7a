//! Sines, cosines and tangents: whole right angles are taken off, whatever the size of the
//! angle, and polynomials do the rest.

use super::{
    exponentials::{is_beyond, shifted, unshifted},
    logarithms::upper,
};
use crate::amp_fn;

/// The upper half of a product.
#[amp_fn(exact)]
fn product_high(a: u32, b: u32) -> u32 {
    let (a_high, a_low) = (a >> 16, a & 0xffff);
    let (b_high, b_low) = (b >> 16, b & 0xffff);
    let middle = a_high * b_low + (a_low * b_low >> 16);
    let other = a_low * b_high + (middle & 0xffff);
    a_high * b_high + (middle >> 16) + (other >> 16)
}

/// The multiple of a right angle next to a finite `x`, of which the lowest two bits count,
/// and what is left, as a sum of two floats.
#[amp_fn(exact)]
fn right_angles(x: f32) -> (u32, f32, f32) {
    if is_beyond(x, 6000.0) {
        many_right_angles(x)
    } else {
        few_right_angles(x)
    }
}

/// The same for an angle of less than 4096 right angles: these in four parts, of which the
/// multiples of three are exact (Cody and Waite).
#[amp_fn(exact)]
fn few_right_angles(x: f32) -> (u32, f32, f32) {
    let turns = shifted(x * 0.636_619_75);
    let k = unshifted(turns);
    let (high, low) = ((x - k * 1.570_312_5) - k * 4.837_513e-4, k * 7.549_533_6e-8);
    let r = high - low;
    (turns.to_bits(), r, ((high - r) - low) - k * 2.563_344e-12)
}

/// The digits of 2 / π from its second bit before the point on, 32 at a time, behind so many
/// zeroes.
#[amp_fn(exact)]
fn digits(at: u32) -> u32 {
    match at {
        0 => 0,
        1 => 0x28be_60db,
        2 => 0x9391_054a,
        3 => 0x7f09_d5f4,
        4 => 0x7d4d_3770,
        5 => 0x36d8_a566,
        6 => 0x4f10_e410,
        _ => 0x7f94_58ea,
    }
}

/// The same for any angle of more than 1: of the quotient only the bits that matter (Payne
/// and Hanek).
#[amp_fn(exact)]
fn many_right_angles(x: f32) -> (u32, f32, f32) {
    let bits = x.to_bits();
    let mantissa = bits << 8 | 0x8000_0000;
    let exponent = (bits >> 23 & 0xff) - 126;
    let (at, shift) = (exponent >> 5, exponent & 31);
    let (mut high, mut middle, mut low) = (digits(at), digits(at + 1), digits(at + 2));
    if shift > 0 {
        high = high << shift | middle >> (32 - shift);
        middle = middle << shift | low >> (32 - shift);
        low = low << shift | digits(at + 3) >> (32 - shift);
    }
    // The product, with 62 bits behind the point.
    let carried = product_high(mantissa, low);
    let mut lower = mantissa.wrapping_mul(middle).wrapping_add(carried);
    let carry = (lower < carried) as u32;
    let upper = product_high(mantissa, middle).wrapping_add(carry);
    let mut upper = upper.wrapping_add(mantissa.wrapping_mul(high));
    let mut turns = upper >> 30;
    upper &= 0x3fff_ffff;
    let is_more_than_half = upper & 0x2000_0000 != 0;
    if is_more_than_half {
        turns += 1;
        lower = lower.wrapping_neg();
        upper = 0x4000_0000 - upper - (lower != 0) as u32;
    }
    let first = (upper >> 6) as f32 * 5.960_464_5e-8;
    let second = ((upper & 63) << 18 | lower >> 14) as f32 * 3.552_713_7e-15;
    let third = (lower & 0x3fff) as f32 * 2.168_404_3e-19;
    let part = first + second;
    let part_rest = (first - part) + second + third;
    let (angle, rest) = scaled(part, 1.570_312_5, 4.838_268e-4);
    let rest = rest + part_rest * 1.570_796_4;
    let sum = angle + rest;
    let sum_rest = (angle - sum) + rest;
    let is_negative = is_more_than_half != (x < 0.0);
    let sign = if is_negative { -1.0 } else { 1.0 };
    if x < 0.0 {
        turns = turns.wrapping_neg();
    }
    (turns, sign * sum, sign * sum_rest)
}

/// `x` times a number of which `high` are the first twelve digits, as a sum of two floats.
#[amp_fn(exact)]
fn scaled(x: f32, high: f32, low: f32) -> (f32, f32) {
    let x_high = upper(x);
    (x_high * high, (x - x_high) * high + x * low)
}

/// The sine of `r + low` for an `r` of at most half a right angle.
#[amp_fn(exact)]
fn sin_of(r: f32, low: f32) -> f32 {
    let z = r * r;
    let tail = -0.166_666_55 + z * (0.008_332_177 + z * -0.000_195_171_7);
    r + (low + r * (z * tail))
}

/// The cosine of `r + low` for an `r` of at most half a right angle.
#[amp_fn(exact)]
fn cos_of(r: f32, low: f32) -> f32 {
    let z = r * r;
    let tail = 0.041_666_653 + z * (-0.001_388_765_3 + z * 2.446_370_3e-5);
    let half = 0.5 * z;
    let high = 1.0 - half;
    high + (((1.0 - high) - half) + (z * (z * tail) - r * low))
}

/// The tangent of `r + low` for an `r` of at most half a right angle.
#[amp_fn(exact)]
fn tan_of(r: f32, low: f32) -> f32 {
    let z = r * r;
    let tail = 0.010_839_139 + z * (8.520_359e-5 + z * 0.004_378_466_4);
    let tail = 0.133_326_62 + z * (0.054_060_15 + z * (0.021_280_94 + z * tail));
    r + ((low + low * z) + r * (z * (0.333_333_5 + z * tail)))
}

/// The sine of an angle and so many right angles.
#[amp_fn(exact)]
fn turned_sin(turns: u32, r: f32, low: f32) -> f32 {
    let part = if turns & 1 == 0 {
        sin_of(r, low)
    } else {
        cos_of(r, low)
    };
    // The second bit becomes the sign.
    f32::from_bits(part.to_bits() ^ (turns & 2) << 30)
}

/// Sine and cosine of an angle and so many right angles.
#[amp_fn(exact)]
fn turned_sincos(turns: u32, r: f32, low: f32) -> (f32, f32) {
    let (s, c) = (sin_of(r, low), cos_of(r, low));
    let (s, c) = if turns & 1 == 0 { (s, c) } else { (c, -s) };
    if turns & 2 == 0 { (s, c) } else { (-s, -c) }
}

/// The sine and the cosine; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn sincos(x: f32) -> (f32, f32) {
    if is_odd(x) {
        let sine = sin_of_odd(x);
        return (sine, 1.0 + 0.0 * sine);
    }
    let (turns, r, low) = right_angles(x);
    turned_sincos(turns, r, low)
}

/// Whether an angle is infinite or NaN, or so small that it is its own sine and tangent.
#[amp_fn(exact)]
fn is_odd(x: f32) -> bool {
    (x.to_bits() & 0x7fff_ffff) - 0x3900_0000 >= 0x4680_0000
}

/// The sine and the tangent of such an angle.
#[amp_fn(exact)]
fn sin_of_odd(x: f32) -> f32 {
    if is_beyond(x, 1.0) { f32::NAN } else { x }
}

/// The sine.
#[amp_fn(exact)]
#[must_use]
pub fn sin(x: f32) -> f32 {
    if is_odd(x) {
        return sin_of_odd(x);
    }
    let (turns, r, low) = right_angles(x);
    turned_sin(turns, r, low)
}

/// The cosine.
#[amp_fn(exact)]
#[must_use]
pub fn cos(x: f32) -> f32 {
    if is_beyond(x, f32::MAX) {
        return f32::NAN;
    }
    let (turns, r, low) = right_angles(x);
    turned_sin(turns + 1, r, low)
}

/// The tangent.
#[amp_fn(exact)]
#[must_use]
pub fn tan(x: f32) -> f32 {
    if is_odd(x) {
        return sin_of_odd(x);
    }
    let (turns, r, low) = right_angles(x);
    let tangent = tan_of(r, low);
    if turns & 1 == 0 {
        tangent
    } else {
        -1.0 / tangent
    }
}

/// A finite `x` half turns as right angles and what is left, as a sum of two floats.
#[amp_fn(exact)]
fn half_turns(x: f32) -> (u32, f32, f32) {
    // Whole turns are taken off first, exactly.
    let part = x % 2.0;
    let turns = shifted(2.0 * part);
    let r = part - 0.5 * unshifted(turns);
    let (angle, rest) = scaled(r, 3.140_625, 9.676_536e-4);
    let sum = angle + rest;
    (turns.to_bits(), sum, (angle - sum) + rest)
}

/// The sine of `x` half turns; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn sinpi(x: f32) -> f32 {
    if x == x.trunc() || x.is_nan() {
        return 0.0 * x;
    }
    let (turns, r, low) = half_turns(x);
    turned_sin(turns, r, low)
}

/// The cosine of `x` half turns; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn cospi(x: f32) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    let (turns, r, low) = half_turns(x);
    turned_sin(turns + 1, r, low)
}

/// The tangent of `x` half turns; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn tanpi(x: f32) -> f32 {
    if x == x.trunc() || x.is_nan() {
        return 0.0 * x;
    }
    let (turns, r, low) = half_turns(x);
    let tangent = tan_of(r, low);
    if turns & 1 == 0 {
        tangent
    } else if r == 0.0 {
        // The way to an odd number of right angles is from below.
        f32::INFINITY * (1.0 - (turns & 2) as f32)
    } else {
        -1.0 / tangent
    }
}
