//! Hyperbolic functions and their inverses, of exponentials and logarithms.

use super::{
    exponentials::{exp_scaled, expm1_of},
    logarithms::{log_of, log_of_ratio},
    pair::{add, divide, product, root, sum},
};
use crate::amp_fn;

/// The hyperbolic sine.
#[amp_fn(exact)]
#[must_use]
pub fn sinh(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() || a < 1e-8 {
        return x;
    }
    let half = if a < 40.0 {
        let t = expm1_of(a);
        0.5 * add(t, divide(t, add(t, (1.0, 0.0)))).0
    } else {
        exp_scaled((a, 0.0), -1)
    };
    half.copysign(x)
}

/// The hyperbolic cosine.
#[amp_fn(exact)]
#[must_use]
pub fn cosh(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() {
        x
    } else if a < 40.0 {
        let t = add(expm1_of(a), (1.0, 0.0));
        0.5 * add(t, divide((1.0, 0.0), t)).0
    } else {
        exp_scaled((a, 0.0), -1)
    }
}

/// The hyperbolic tangent.
#[amp_fn(exact)]
#[must_use]
pub fn tanh(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() || a < 1e-8 {
        return x;
    }
    let t = if a < 20.0 {
        let t = expm1_of(2.0 * a);
        divide(t, add(t, (2.0, 0.0))).0
    } else {
        1.0
    };
    t.copysign(x)
}

/// The number whose hyperbolic sine is `x`.
#[amp_fn(exact)]
#[must_use]
pub fn asinh(x: f64) -> f64 {
    let a = x.abs();
    if !x.is_finite() || a < 1e-8 {
        return x;
    }
    let t = if a > 1e15 {
        add(
            log_of((a, 0.0)),
            (0.693_147_180_559_945_3, 2.319_046_813_846_299_6e-17),
        )
        .0
    } else {
        let square = product(a, a);
        log_of(add(root(add((1.0, 0.0), square)), (a, 0.0))).0
    };
    t.copysign(x)
}

/// The number whose hyperbolic cosine is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn acosh(x: f64) -> f64 {
    if x.is_nan() || x < 1.0 {
        f64::NAN
    } else if x.is_infinite() {
        x
    } else if x == 1.0 {
        0.0
    } else if x > 1e15 {
        add(
            log_of((x, 0.0)),
            (0.693_147_180_559_945_3, 2.319_046_813_846_299_6e-17),
        )
        .0
    } else {
        let square = product(x, x);
        log_of(add(root(add(square, (-1.0, 0.0))), (x, 0.0))).0
    }
}

/// The number whose hyperbolic tangent is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn atanh(x: f64) -> f64 {
    let a = x.abs();
    if a > 1.0 {
        return f64::NAN;
    }
    if x.is_nan() || a < 1e-8 {
        return x;
    }
    if a == 1.0 {
        return f64::INFINITY.copysign(x);
    }
    let twice = if a < 0.17 {
        log_of_ratio((a, 0.0))
    } else {
        log_of(divide(sum(1.0, a), sum(1.0, -a)))
    };
    (0.5 * twice.0).copysign(x)
}
