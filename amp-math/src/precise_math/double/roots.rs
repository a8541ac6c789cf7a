//! Roots and lengths.

use super::{
    exact::{frexp, ilogb, scalbn},
    pair::{add, divide, product, root, scale},
};
use crate::amp_fn;

/// One divided by the square root.
#[amp_fn(exact)]
#[must_use]
pub fn rsqrt(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() {
        // What a small number's root lacks would be lost.
        let is_small = x < 1e-200;
        let a = if is_small {
            x * 4.149_515_568_880_993e180
        } else {
            x
        };
        let inverse = divide((1.0, 0.0), root((a, 0.0))).0;
        if is_small {
            inverse * 2.037_035_976_334_486e90
        } else {
            inverse
        }
    } else {
        1.0 / x.sqrt()
    }
}

/// The cube root of a finite number that is not zero, as a number near one and a power of
/// two.
#[amp_fn(exact)]
fn cbrt_of(x: f64) -> ((f64, f64), i32) {
    let (fraction, exponent) = frexp(x.abs());
    // The exponent is three times `third`, and the rest stays with the fraction.
    let third = exponent.div_euclid(3);
    let a = fraction * [1.0, 2.0, 4.0][exponent.rem_euclid(3) as usize];
    let mut r = 0.5 + 0.5 * a - 0.055 * a * a;
    for _ in 0..5 {
        r = (r + r + a / (r * r)) / 3.0;
    }
    // What the cube misses.
    let cube = scale(product(r, r), r);
    let rest = ((a - cube.0) - cube.1) / (3.0 * (r * r));
    (add((r, 0.0), (rest, 0.0)), third)
}

/// The cube root.
#[amp_fn(exact)]
#[must_use]
pub fn cbrt(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (root, third) = cbrt_of(x);
    scalbn(root.0, third).copysign(x)
}

/// One divided by the cube root.
#[amp_fn(exact)]
#[must_use]
pub fn rcbrt(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return 1.0 / x;
    }
    let (root, third) = cbrt_of(x);
    scalbn(divide((1.0, 0.0), root).0, -third).copysign(x)
}

/// The length of the hypotenuse.
#[amp_fn(exact)]
#[must_use]
pub fn hypot(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (a, b) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if a == 0.0 {
        return 0.0;
    }
    let exponent = ilogb(a);
    let (a, b) = (scalbn(a, -exponent), scalbn(b, -exponent));
    scalbn(root(add(product(a, a), product(b, b))).0, exponent)
}
