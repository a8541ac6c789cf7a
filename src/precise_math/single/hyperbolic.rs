//! Hyperbolic functions and their inverses, of exponentials and logarithms.

use super::exponentials::{exp, exp_scaled, expm1, log, log1p};
use crate::amp_fn;

/// The hyperbolic sine.
#[amp_fn]
#[must_use]
pub fn sinh(x: f32) -> f32 {
    let a = x.abs();
    let half = if a < 20.0 {
        let t = expm1(a);
        0.5 * (t + t / (t + 1.0))
    } else {
        exp_scaled(a, -1)
    };
    half.copysign(x)
}

/// The hyperbolic cosine.
#[amp_fn]
#[must_use]
pub fn cosh(x: f32) -> f32 {
    let a = x.abs();
    if a < 20.0 {
        let t = exp(a);
        0.5 * t + 0.5 / t
    } else {
        exp_scaled(a, -1)
    }
}

/// The hyperbolic tangent.
#[amp_fn]
#[must_use]
pub fn tanh(x: f32) -> f32 {
    let a = x.abs();
    if a < 0.55 {
        let z = x * x;
        let high = 0.021_814_976 + z * (-0.008_511_813 + z * 0.002_505_385_5);
        let tail = -0.333_333_34 + z * (0.133_333_24 + z * (-0.053_964_366 + z * high));
        return x + x * (z * tail);
    }
    let t = if a > 10.0 {
        1.0
    } else {
        1.0 - 2.0 / (expm1(2.0 * a) + 2.0)
    };
    if x.is_nan() { x } else { t.copysign(x) }
}

/// The number whose hyperbolic sine is `x`.
#[amp_fn]
#[must_use]
pub fn asinh(x: f32) -> f32 {
    let a = x.abs();
    let t = if a > 1e4 {
        log(a) + 0.693_147_2
    } else {
        let square = a * a;
        log1p(a + square / (1.0 + (square + 1.0).sqrt()))
    };
    if x.is_nan() { x } else { t.copysign(x) }
}

/// The number whose hyperbolic cosine is `x`; NaN if there is none.
#[amp_fn]
#[must_use]
pub fn acosh(x: f32) -> f32 {
    if x < 1.0 {
        f32::NAN
    } else if x > 1e4 {
        log(x) + 0.693_147_2
    } else {
        let t = x - 1.0;
        log1p(t + (2.0 * t + t * t).sqrt())
    }
}

/// The number whose hyperbolic tangent is `x`; NaN if there is none.
#[amp_fn]
#[must_use]
pub fn atanh(x: f32) -> f32 {
    let a = x.abs();
    if a > 1.0 {
        return f32::NAN;
    }
    if x.is_nan() || a < 1e-4 {
        return x;
    }
    let t = 0.5 * log1p(2.0 * a / (1.0 - a));
    t.copysign(x)
}
