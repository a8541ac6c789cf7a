//! Angles of their sines, cosines and tangents: polynomials of small ones, and identities.

use super::{exponentials::is_beyond, logarithms::total};
use crate::amp_fn;

/// The angle whose tangent is `t`, from 0 to 1.
#[amp_fn(exact)]
fn atan_of(t: f32) -> f32 {
    let z = t * t;
    let w = z * z;
    let tail = -0.075_522_095 + z * (0.043_211_81 + z * (-0.016_367_9 + z * 0.002_920_685));
    let tail = -0.142_110_54 + z * 0.106_660_02 + w * tail;
    t + t * (z * (-0.333_331_53 + z * 0.199_937_73 + w * tail))
}

/// The angle whose tangent is `x`.
#[amp_fn(exact)]
#[must_use]
pub fn atan(x: f32) -> f32 {
    let a = x.abs();
    let angle = if is_beyond(x, 1.0) {
        1.570_796_4 - (atan_of(1.0 / a) + 4.371_139e-8)
    } else {
        atan_of(a)
    };
    angle.copysign(x)
}

/// The angle of the point `(x, y)`, from -π to π.
#[amp_fn(exact)]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    // Magnitudes are in the order of their bits.
    let (a, b) = (x.abs(), y.abs());
    let is_steep = b.to_bits() > a.to_bits();
    let (small, large) = if is_steep { (a, b) } else { (b, a) };
    let ratio = if small.to_bits() == large.to_bits() {
        // Of two zeroes the angle is that of the axis.
        if large.to_bits() == 0 { 0.0 } else { 1.0 }
    } else {
        small / large
    };
    let angle = atan_of(ratio);
    let angle = if is_steep {
        1.570_796_4 - (angle + 4.371_139e-8)
    } else {
        angle
    };
    let angle = if x.is_sign_negative() {
        3.141_592_7 - (angle + 8.742_278e-8)
    } else {
        angle
    };
    angle.copysign(y)
}

/// `(asin(x) - x) / x` for the square `z` of `x`, up to a quarter.
#[amp_fn(exact)]
fn asin_rest(z: f32) -> f32 {
    let tail = 0.045_471_61 + z * (0.024_172_947 + z * 0.042_178_247);
    z * (0.166_667_52 + z * (0.074_952_886 + z * tail))
}

/// Half the angle whose cosine is `a`, from a half up, as the sum of two floats; NaN above one.
#[amp_fn(exact)]
fn half_acos(a: f32) -> (f32, f32) {
    let z = 0.5 - 0.5 * a;
    let s = z.sqrt();
    (s, s * asin_rest(z))
}

/// The angle whose sine is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn asin(x: f32) -> f32 {
    let a = x.abs();
    let angle = if is_beyond(x, 0.5) {
        let (half, rest) = half_acos(a);
        total(1.570_796_4, -2.0 * half, -2.0 * rest - 4.371_139e-8)
    } else {
        a + a * asin_rest(a * a)
    };
    angle.copysign(x)
}

/// The angle whose cosine is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn acos(x: f32) -> f32 {
    if is_beyond(x, 0.5) {
        let (half, rest) = half_acos(x.abs());
        let angle = 2.0 * (half + rest);
        return if x.is_sign_negative() {
            3.141_592_7 - (angle + 8.742_278e-8)
        } else {
            angle
        };
    }
    let angle = x + (x * asin_rest(x * x) + 4.371_139e-8);
    1.570_796_4 - angle
}
