//! Roots and lengths.

use super::exponentials::is_beyond;
use super::logarithms::upper;
use crate::amp_fn;

/// One divided by the square root.
#[amp_fn(exact)]
#[must_use]
pub fn rsqrt(x: f32) -> f32 {
    1.0 / x.sqrt()
}

/// The cube root.
#[amp_fn(exact)]
#[must_use]
pub fn cbrt(x: f32) -> f32 {
    if x == 0.0 || is_beyond(x, f32::MAX) {
        return x;
    }
    let a = x.abs();
    // Small numbers are raised, for the products below.
    let is_small = a < 1e-18;
    let (a, lowered) = if is_small {
        (a * 1.152_921_5e18, 9.536_743e-7)
    } else {
        (a, 1.0)
    };
    // One divided by the root: a third of the exponent, and steps of the third order.
    let mut inverse = f32::from_bits(0x548c_2b4b - a.to_bits() / 3);
    for _ in 0..2 {
        let missing = 1.0 - (a * inverse) * (inverse * inverse);
        let tail = 0.222_222_22 + missing * 0.172_839_5;
        inverse += inverse * (missing * (0.333_333_34 + missing * tail));
    }
    let root = a * (inverse * inverse);
    // What the cube lacks, twice as precise as a float.
    let (high, low) = (upper(root), root - upper(root));
    let square = high * high;
    let square_rest = (root + high) * low;
    let square_high = upper(square);
    let missing = (a - square_high * high) - (square - square_high) * high;
    let missing = missing - (square * low + square_rest * root);
    let root = root + missing * (inverse * inverse * 0.333_333_34);
    (root * lowered).copysign(x)
}

/// One divided by the cube root.
#[amp_fn(exact)]
#[must_use]
pub fn rcbrt(x: f32) -> f32 {
    1.0 / cbrt(x)
}

/// The length of the hypotenuse.
#[amp_fn(exact)]
#[must_use]
pub fn hypot(x: f32, y: f32) -> f32 {
    if x.is_infinite() || y.is_infinite() {
        return f32::INFINITY;
    }
    let (x, y) = (x.abs(), y.abs());
    // Squares that are too large or too small are kept away.
    let most = x.max(y);
    let (scale, back) = if most > 1e18 {
        (1.262_177_5e-29, 7.922_816_3e28)
    } else if most < 1e-18 {
        (7.922_816_3e28, 1.262_177_5e-29)
    } else {
        (1.0, 1.0)
    };
    let (a, b) = (x * scale, y * scale);
    (a * a + b * b).sqrt() * back
}
