//! Hyperbolic functions and their inverses, of exponentials and logarithms.

use super::exponentials::{exp_far, exp_near, exp_parts, integer, is_beyond, power_of_two};
use super::logarithms::{log, log1p, total};
use crate::amp_fn;

/// What the hyperbolic sine and cosine of a number are made of: with `r` its rest beside a
/// multiple of the logarithm of two, the powers of two of that and of its negative, halved,
/// `sinh(r) - r`, and `cosh(r) - 1`.
#[amp_fn(exact)]
fn parts(a: f32) -> (f32, f32, f32, f32, f32) {
    let (exponent, r, low) = exp_parts(a);
    let k = integer(exponent);
    let (m, n) = (power_of_two(k - 1), power_of_two(-1 - k.min(100)));
    let z = r * r;
    let s = 0.166_666_67 + z * (0.008_333_289 + z * 1.990_501_2e-4);
    let c = 0.041_666_46 + z * 0.001_393_544_1;
    (m, n, r, low + r * (z * s), z * (0.5 + z * c) + r * low)
}

/// The hyperbolic sine.
#[amp_fn(exact)]
#[must_use]
pub fn sinh(x: f32) -> f32 {
    if !is_beyond(x, 2e-4) {
        return x;
    }
    let a = x.abs();
    let size = if is_beyond(x, 88.0) {
        exp_far(a, -1)
    } else {
        let (m, n, r, s, c) = parts(a);
        total(m - n, m * r, n * r + ((m - n) * c + (m + n) * s))
    };
    size.copysign(x)
}

/// The hyperbolic cosine.
#[amp_fn(exact)]
#[must_use]
pub fn cosh(x: f32) -> f32 {
    let a = x.abs();
    if is_beyond(x, 88.0) {
        return exp_far(a, -1);
    }
    let (m, n, r, s, c) = parts(a);
    total(m + n, m * r, ((m + n) * c + (m - n) * s) - n * r)
}

/// The hyperbolic tangent.
#[amp_fn(exact)]
#[must_use]
pub fn tanh(x: f32) -> f32 {
    let a = x.abs();
    let size = if !is_beyond(x, 0.55) {
        let z = a * a;
        let tail = -0.053_852_31 + z * (0.021_071_68 + z * -0.006_274_239_6);
        a + a * (z * (-0.333_333_16 + z * (0.133_325_86 + z * tail)))
    } else if !is_beyond(x, 10.0) {
        1.0 - 2.0 / (exp_near(2.0 * a) + 1.0)
    } else if x.is_nan() {
        x
    } else {
        1.0
    };
    size.copysign(x)
}

/// The number whose hyperbolic sine is `x`.
#[amp_fn(exact)]
#[must_use]
pub fn asinh(x: f32) -> f32 {
    let a = x.abs();
    let size = if is_beyond(x, 1e4) {
        log(a) + 0.693_147_2
    } else {
        let square = a * a;
        log1p(a + square / (1.0 + (square + 1.0).sqrt()))
    };
    size.copysign(x)
}

/// The number whose hyperbolic cosine is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn acosh(x: f32) -> f32 {
    if x < 1.0 {
        f32::NAN
    } else if is_beyond(x, 1e4) {
        log(x) + 0.693_147_2
    } else {
        let t = x - 1.0;
        log1p(t + (2.0 * t + t * t).sqrt())
    }
}

/// The number whose hyperbolic tangent is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn atanh(x: f32) -> f32 {
    if !is_beyond(x, 1e-4) {
        return x;
    }
    if is_beyond(x, 1.0) {
        return f32::NAN;
    }
    let a = x.abs();
    let size = 0.5 * log1p(2.0 * a / (1.0 - a));
    size.copysign(x)
}
