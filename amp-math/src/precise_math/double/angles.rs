//! Sines, cosines and tangents: whole right angles are taken off, whatever the size of the
//! angle, and the series of what is left.

use super::pair::{divide, multiply, product, quick_sum, scale, sum};
use crate::amp_fn;

/// The upper half of a product.
#[amp_fn(exact)]
fn product_high(a: u64, b: u64) -> u64 {
    let (a_high, a_low) = (a >> 32, a & 0xffff_ffff);
    let (b_high, b_low) = (b >> 32, b & 0xffff_ffff);
    let middle = a_high * b_low + (a_low * b_low >> 32);
    let other = a_low * b_high + (middle & 0xffff_ffff);
    a_high * b_high + (middle >> 32) + (other >> 32)
}

/// The multiple of a right angle next to a finite `x`, modulo 4, and what is left.
#[amp_fn(exact)]
fn right_angles(x: f64) -> (u32, (f64, f64)) {
    if x.abs() < 0.785_398_163_397_448_3 {
        (0, (x, 0.0))
    } else if x.abs() < 1e6 {
        few_right_angles(x)
    } else {
        many_right_angles(x)
    }
}

/// The same for an angle of less than a million: right angles in four parts, whose multiples
/// are exact (Cody and Waite).
#[amp_fn(exact)]
fn few_right_angles(x: f64) -> (u32, (f64, f64)) {
    let turns = (x * 0.636_619_772_367_581_4).round_ties_even();
    let first = x - turns * 1.570_796_326_734_125_6;
    let (high, low) = sum(first, turns * -6.077_100_506_303_966e-11);
    let (high, rest) = sum(high, turns * -2.022_266_248_711_166_5e-21);
    let low = (low + rest) + turns * -8.478_427_660_368_9e-32;
    (turns as i32 as u32 & 3, quick_sum(high, low))
}

/// The same for any angle: of the quotient only the bits that matter (Payne and Hanek).
#[amp_fn(exact)]
fn many_right_angles(x: f64) -> (u32, (f64, f64)) {
    // 2 / π, from its second bit before the point on.
    let quotient: [u64; 20] = [
        0x28be_60db_9391_054a,
        0x7f09_d5f4_7d4d_3770,
        0x36d8_a566_4f10_e410,
        0x7f94_58ea_f7ae_f158,
        0x6dc9_1b8e_9093_74b8,
        0x0192_4bba_8274_6487,
        0x3f87_7ac7_2c4a_69cf,
        0xba20_8d7d_4bae_d121,
        0x3a67_1c09_ad17_df90,
        0x4e64_758e_60d4_ce7d,
        0x2721_17e2_ef7e_4a0e,
        0xc7fe_25ff_f781_6603,
        0xfbcb_c462_d682_9b47,
        0xdb4d_9fb3_c9f2_c26d,
        0xd3d1_8fd9_a797_fa8b,
        0x5d49_eeb1_faf9_7c5e,
        0xcf41_ce7d_e294_a4ba,
        0x9afe_d7ec_47e3_5742,
        0x1580_cc11_bf1e_daea,
        0xfc33_ef08_26bd_0d87,
    ];
    let bits = x.to_bits();
    let mantissa = bits << 11 | 0x8000_0000_0000_0000;
    let exponent = (bits >> 52 & 0x7ff) as u32 - 1022;
    let (at, shift) = ((exponent >> 6) as usize, exponent & 63);
    let mut high = if at > 0 { quotient[at - 1] } else { 0 };
    let mut middle = quotient[at];
    let mut low = quotient[at + 1];
    if shift > 0 {
        high = high << shift | middle >> (64 - shift);
        middle = middle << shift | low >> (64 - shift);
        low = low << shift | quotient[at + 2] >> (64 - shift);
    }
    // The product, with 126 bits behind the point.
    let carried = product_high(mantissa, low);
    let mut lower = mantissa.wrapping_mul(middle).wrapping_add(carried);
    let carry = (lower < carried) as u64;
    let upper = product_high(mantissa, middle).wrapping_add(carry);
    let mut upper = upper.wrapping_add(mantissa.wrapping_mul(high));
    let mut turns = (upper >> 62) as u32;
    upper &= 0x3fff_ffff_ffff_ffff;
    let is_more_than_half = upper & 0x2000_0000_0000_0000 != 0;
    if is_more_than_half {
        turns += 1;
        lower = lower.wrapping_neg();
        upper = 0x4000_0000_0000_0000 - upper - (lower != 0) as u64;
    }
    let first = (upper >> 9) as f64 * 1.110_223_024_625_156_5e-16;
    let second = ((upper & 0x1ff) << 44 | lower >> 20) as f64 * 1.232_595_164_407_831e-32;
    let third = (lower & 0xf_ffff) as f64 * 1.175_494_350_822_287_5e-38;
    let (part, rest) = quick_sum(first, second);
    let part = quick_sum(part, rest + third);
    let angle = multiply(part, (1.570_796_326_794_896_6, 6.123_233_995_736_766e-17));
    let is_negative = is_more_than_half != (x < 0.0);
    let sign = if is_negative { -1.0 } else { 1.0 };
    if x < 0.0 {
        turns = turns.wrapping_neg();
    }
    (turns & 3, (sign * angle.0, sign * angle.1))
}

/// The sine of at most half a right angle.
#[amp_fn(exact)]
fn sin_of(r: (f64, f64)) -> (f64, f64) {
    let x = r.0;
    let z = x * x;
    let tail = 1.605_904_383_682_161_3e-10
        + z * (-7.647_163_731_819_816e-13
            + z * (2.811_457_254_345_520_6e-15 + z * (-8.220_635_246_624_33e-18)));
    let tail = -0.166_666_666_666_666_66
        + z * (0.008_333_333_333_333_333
            + z * (-0.000_198_412_698_412_698_4
                + z * (2.755_731_922_398_589_3e-6 + z * (-2.505_210_838_544_172e-8 + z * tail))));
    quick_sum(x, x * z * tail + r.1 * (1.0 - 0.5 * z))
}

/// The cosine of at most half a right angle.
#[amp_fn(exact)]
fn cos_of(r: (f64, f64)) -> (f64, f64) {
    let (z, z_rest) = product(r.0, r.0);
    let tail = -1.147_074_559_772_972_5e-11
        + z * (4.779_477_332_387_385e-14
            + z * (-1.561_920_696_858_622_5e-16 + z * (4.110_317_623_312_165e-19)));
    let tail = 0.041_666_666_666_666_664
        + z * (-0.001_388_888_888_888_889
            + z * (2.480_158_730_158_73e-5
                + z * (-2.755_731_922_398_589e-7 + z * (2.087_675_698_786_81e-9 + z * tail))));
    let (high, low) = quick_sum(1.0, -0.5 * z);
    quick_sum(high, low + (z * z * tail - (0.5 * z_rest + r.0 * r.1)))
}

/// Sine and cosine of an angle and so many right angles.
#[amp_fn(exact)]
fn sincos_of(turns: u32, r: (f64, f64)) -> (f64, f64) {
    let (s, c) = (sin_of(r).0, cos_of(r).0);
    match turns {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// The tangent of an angle and so many right angles.
#[amp_fn(exact)]
fn tan_of(turns: u32, r: (f64, f64)) -> f64 {
    let (s, c) = (sin_of(r), cos_of(r));
    if turns & 1 == 0 {
        divide(s, c).0
    } else if s.0 == 0.0 {
        // The way to an odd number of right angles is from below.
        if turns == 1 {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        }
    } else {
        divide((-c.0, -c.1), s).0
    }
}

/// The sine and the cosine; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn sincos(x: f64) -> (f64, f64) {
    if !x.is_finite() {
        return (f64::NAN, f64::NAN);
    }
    let (turns, r) = right_angles(x);
    sincos_of(turns, r)
}

/// The sine; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn sin(x: f64) -> f64 {
    if x == 0.0 { x } else { sincos(x).0 }
}

/// The cosine; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn cos(x: f64) -> f64 {
    sincos(x).1
}

/// The tangent; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn tan(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { x } else { f64::NAN };
    }
    let (turns, r) = right_angles(x);
    tan_of(turns, r)
}

/// A finite `x` half turns as right angles and what is left.
#[amp_fn(exact)]
fn half_turns(x: f64) -> (u32, (f64, f64)) {
    // Whole turns are taken off first, exactly.
    let part = x - 2.0 * (0.5 * x).trunc();
    let turns = (2.0 * part).round_ties_even();
    let angle = scale(
        (3.141_592_653_589_793, 1.224_646_799_147_353_2e-16),
        part - 0.5 * turns,
    );
    (turns as i32 as u32 & 3, angle)
}

/// The sine of a finite `x` half turns, more precisely.
#[amp_fn(exact)]
pub(super) fn sinpi_of(x: f64) -> (f64, f64) {
    let (turns, r) = half_turns(x);
    let sine = if turns & 1 == 0 { sin_of(r) } else { cos_of(r) };
    if turns < 2 { sine } else { (-sine.0, -sine.1) }
}

/// The sine of `x` half turns; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn sinpi(x: f64) -> f64 {
    if x == x.trunc() || x.is_nan() {
        return 0.0 * x;
    }
    sinpi_of(x).0
}

/// The cosine of `x` half turns; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn cospi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (turns, r) = half_turns(x);
    sincos_of(turns, r).1
}

/// The tangent of `x` half turns; NaN for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn tanpi(x: f64) -> f64 {
    if x == x.trunc() || x.is_nan() {
        return 0.0 * x;
    }
    let (turns, r) = half_turns(x);
    tan_of(turns, r)
}
