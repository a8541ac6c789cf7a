//! Sines, cosines and tangents: whole right angles are taken off, whatever the size of the
//! angle, and polynomials do the rest.

use crate::amp_fn;

/// The upper half of a product.
#[amp_fn]
fn product_high(a: u32, b: u32) -> u32 {
    let (a_high, a_low) = (a >> 16, a & 0xffff);
    let (b_high, b_low) = (b >> 16, b & 0xffff);
    let middle = a_high * b_low + (a_low * b_low >> 16);
    let other = a_low * b_high + (middle & 0xffff);
    a_high * b_high + (middle >> 16) + (other >> 16)
}

/// The multiple of a right angle next to a finite `x`, modulo 4, and what is left, as a sum
/// of two floats (Payne and Hanek: of the quotient only the bits that matter).
#[amp_fn]
fn right_angles(x: f32) -> (u32, f32, f32) {
    if x.abs() < 0.785_398 {
        return (0, x, 0.0);
    }
    // 2 / π, from its second bit before the point on.
    let quotient: [u32; 7] = [
        0x28be_60db,
        0x9391_054a,
        0x7f09_d5f4,
        0x7d4d_3770,
        0x36d8_a566,
        0x4f10_e410,
        0x7f94_58ea,
    ];
    let bits = x.to_bits();
    let mantissa = bits << 8 | 0x8000_0000;
    let exponent = (bits >> 23 & 0xff) - 126;
    let (at, shift) = ((exponent >> 5) as usize, exponent & 31);
    let mut high = if at > 0 { quotient[at - 1] } else { 0 };
    let mut middle = quotient[at];
    let mut low = quotient[at + 1];
    if shift > 0 {
        high = high << shift | middle >> (32 - shift);
        middle = middle << shift | low >> (32 - shift);
        low = low << shift | quotient[at + 2] >> (32 - shift);
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
    let first = (upper >> 6) as f32 / 16_777_216.0;
    let second = ((upper & 63) << 18 | lower >> 14) as f32 / 281_474_980_000_000.0;
    let third = (lower & 0x3fff) as f32 / 4.611_686e18;
    let part = first + second;
    let part_rest = (first - part) + second + third;
    let (right, right_rest) = (1.570_796_4, -4.371_139e-8);
    let angle = part * right;
    let rest = part.mul_add(right, -angle) + (part * right_rest + part_rest * right);
    let sum = angle + rest;
    let sum_rest = (angle - sum) + rest;
    let is_negative = is_more_than_half != (x < 0.0);
    let sign = if is_negative { -1.0 } else { 1.0 };
    if x < 0.0 {
        turns = turns.wrapping_neg();
    }
    (turns & 3, sign * sum, sign * sum_rest)
}

/// The sine of `r + low` for an `r` of at most half a right angle, and what it lacks.
#[amp_fn]
fn sin_parts(r: f32, low: f32) -> (f32, f32) {
    let z = r * r;
    let tail = -0.166_666_55 + z * (0.008_332_161 + z * -0.000_195_152_96);
    let rest = low + r * (z * tail);
    let sine = r + rest;
    (sine, (r - sine) + rest)
}

/// The cosine of `r + low` for an `r` of at most half a right angle, and what it lacks.
#[amp_fn]
fn cos_parts(r: f32, low: f32) -> (f32, f32) {
    let z = r * r;
    let tail = 0.041_666_646 + z * (-0.001_388_731_6 + z * 2.443_315_7e-5);
    let half = 0.5 * z;
    let high = 1.0 - half;
    let rest = ((1.0 - high) - half) + (z * (z * tail) - r * low);
    let cosine = high + rest;
    (cosine, (high - cosine) + rest)
}

/// Sine and cosine of an angle and so many right angles.
#[amp_fn]
fn sincos_of(turns: u32, r: f32, low: f32) -> (f32, f32) {
    let (s, c) = (sin_parts(r, low).0, cos_parts(r, low).0);
    match turns {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// The tangent of an angle and so many right angles.
#[amp_fn]
fn tan_of(turns: u32, r: f32, low: f32) -> f32 {
    let (s, s_rest) = sin_parts(r, low);
    let (c, c_rest) = cos_parts(r, low);
    if turns & 1 == 0 {
        quotient(s, s_rest, c, c_rest)
    } else if s == 0.0 {
        // The way to an odd number of right angles is from below.
        if turns == 1 {
            f32::INFINITY
        } else {
            f32::NEG_INFINITY
        }
    } else {
        quotient(-c, -c_rest, s, s_rest)
    }
}

/// `(n + n_rest) / (d + d_rest)`, corrected by what the division of `n` and `d` leaves.
#[amp_fn]
fn quotient(n: f32, n_rest: f32, d: f32, d_rest: f32) -> f32 {
    let q = n / d;
    if d == 0.0 {
        return q;
    }
    q + (q.mul_add(-d, n) + (n_rest - q * d_rest)) / d
}

/// The sine and the cosine; NaN for infinities.
#[amp_fn]
#[must_use]
pub fn sincos(x: f32) -> (f32, f32) {
    if !x.is_finite() {
        return (f32::NAN, f32::NAN);
    }
    let (turns, r, low) = right_angles(x);
    sincos_of(turns, r, low)
}

/// The sine.
#[amp_fn]
#[must_use]
pub fn sin(x: f32) -> f32 {
    if x == 0.0 { x } else { sincos(x).0 }
}

/// The cosine.
#[amp_fn]
#[must_use]
pub fn cos(x: f32) -> f32 {
    sincos(x).1
}

/// The tangent.
#[amp_fn]
#[must_use]
pub fn tan(x: f32) -> f32 {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { x } else { f32::NAN };
    }
    let (turns, r, low) = right_angles(x);
    tan_of(turns, r, low)
}

/// A finite `x` half turns as right angles and what is left, as a sum of two floats.
#[amp_fn]
fn half_turns(x: f32) -> (u32, f32, f32) {
    // Whole turns are taken off first, exactly.
    let part = x % 2.0;
    let turns = (2.0 * part).round_ties_even();
    let r = part - 0.5 * turns;
    let (pi, pi_rest) = (3.141_592_7, -8.742_278e-8);
    let angle = r * pi;
    let low = r.mul_add(pi, -angle) + r * pi_rest;
    (turns as i32 as u32 & 3, angle, low)
}

/// The sine of `x` half turns; NaN for infinities.
#[amp_fn]
#[must_use]
pub fn sinpi(x: f32) -> f32 {
    if x == x.trunc() || x.is_nan() {
        return 0.0 * x;
    }
    let (turns, r, low) = half_turns(x);
    sincos_of(turns, r, low).0
}

/// The cosine of `x` half turns; NaN for infinities.
#[amp_fn]
#[must_use]
pub fn cospi(x: f32) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    let (turns, r, low) = half_turns(x);
    sincos_of(turns, r, low).1
}

/// The tangent of `x` half turns; NaN for infinities.
#[amp_fn]
#[must_use]
pub fn tanpi(x: f32) -> f32 {
    if x == x.trunc() || x.is_nan() {
        return 0.0 * x;
    }
    let (turns, r, low) = half_turns(x);
    tan_of(turns, r, low)
}
