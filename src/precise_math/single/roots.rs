//! Roots and lengths, of exact operations that are rounded a few times.

use super::exact::{frexp, ilogb, scalbn};
use crate::amp_fn;

/// One divided by the square root.
#[amp_fn]
#[must_use]
pub fn rsqrt(x: f32) -> f32 {
    1.0 / x.sqrt()
}

/// The cube root.
#[amp_fn]
#[must_use]
pub fn cbrt(x: f32) -> f32 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (fraction, exponent) = frexp(x.abs());
    // The exponent is three times `third`, and the rest stays with the fraction.
    let third = exponent.div_euclid(3);
    let a = fraction * [1.0, 2.0, 4.0][exponent.rem_euclid(3) as usize];
    let mut root = 0.5 + 0.5 * a - 0.055 * a * a;
    for _ in 0..4 {
        root = (root + root + a / (root * root)) / 3.0;
    }
    // What the cube misses, twice as precise as a float.
    let square = root * root;
    let square_rest = root.mul_add(root, -square);
    let cube = square * root;
    let cube_rest = square.mul_add(root, -cube) + square_rest * root;
    root += ((a - cube) - cube_rest) / (3.0 * square);
    scalbn(root, third).copysign(x)
}

/// One divided by the cube root.
#[amp_fn]
#[must_use]
pub fn rcbrt(x: f32) -> f32 {
    1.0 / cbrt(x)
}

/// The length of the hypotenuse.
#[amp_fn]
#[must_use]
pub fn hypot(x: f32, y: f32) -> f32 {
    if x.is_infinite() || y.is_infinite() {
        return f32::INFINITY;
    }
    let (a, b) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    if a == 0.0 {
        return 0.0;
    }
    let exponent = ilogb(a);
    let (a, b) = (scalbn(a, -exponent), scalbn(b, -exponent));
    scalbn(a.mul_add(a, b * b).sqrt(), exponent)
}
