//! Logarithms, and what is made of them: a power of two exactly, and the series of what is
//! left.

use super::{
    exact::scalbn,
    exponentials::exp_scaled,
    pair::{add, divide, multiply, scale, sum},
};
use crate::amp_fn;

/// The logarithm of `(1 + s) / (1 - s)` for a small `s`.
#[amp_fn(exact)]
pub(super) fn log_of_ratio(s: (f64, f64)) -> (f64, f64) {
    let square = multiply(s, s);
    let z = square.0;
    let tail = 0.043_478_260_869_565_216
        + z * (0.04 + z * (0.037_037_037_037_037_035 + z * 0.034_482_758_620_689_655));
    let tail = 0.066_666_666_666_666_67
        + z * (0.058_823_529_411_764_705
            + z * (0.052_631_578_947_368_42 + z * (0.047_619_047_619_047_616 + z * tail)));
    let tail = 0.142_857_142_857_142_85
        + z * (0.111_111_111_111_111_1
            + z * (0.090_909_090_909_090_91 + z * (0.076_923_076_923_076_93 + z * tail)));
    let fifth = multiply(
        square,
        add((0.2, -1.110_223_024_625_156_6e-17), (z * tail, 0.0)),
    );
    let third = multiply(
        square,
        add((0.333_333_333_333_333_3, 1.850_371_707_708_594e-17), fifth),
    );
    add(
        (2.0 * s.0, 2.0 * s.1),
        multiply((2.0 * s.0, 2.0 * s.1), third),
    )
}

/// `x`, which is positive, as a power of two and one and a small number.
#[amp_fn(exact)]
fn near_one(x: (f64, f64)) -> (f64, (f64, f64)) {
    // A denormal is made normal first.
    let is_small = x.0 < f64::MIN_POSITIVE;
    let high = if is_small {
        x.0 * 1.801_439_850_948_198_4e16
    } else {
        x.0
    };
    // The fraction from √½ up to √2.
    let exponent =
        (high.to_bits() - 0x3fe6_a09e_667f_3bcd).wrapping_add(0x3ff0_0000_0000_0000) >> 52;
    let k = exponent as i32 - 1023;
    let fraction = f64::from_bits(high.to_bits() - ((k as i64) << 52) as u64);
    let low = scalbn(x.1, -k);
    let k = if is_small { k - 54 } else { k };
    let (f, rest) = sum(fraction - 1.0, low);
    (k as f64, (f, rest))
}

/// The logarithm of one and a small number.
#[amp_fn(exact)]
fn log_near_one(f: (f64, f64)) -> (f64, f64) {
    log_of_ratio(divide(f, add((2.0, 0.0), f)))
}

/// The logarithm of a positive number.
#[amp_fn(exact)]
pub(super) fn log_of(x: (f64, f64)) -> (f64, f64) {
    let (k, f) = near_one(x);
    add(
        (k * 0.693_147_180_559_890_3, k * 5.497_923_018_708_371e-14),
        log_near_one(f),
    )
}

/// The logarithm where it is no number: of zero, of what is negative, infinite or NaN.
#[amp_fn(exact)]
fn log_of_odd(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x < 0.0 {
        f64::NAN
    } else {
        x
    }
}

/// The natural logarithm.
#[amp_fn(exact)]
#[must_use]
pub fn log(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() {
        log_of((x, 0.0)).0
    } else {
        log_of_odd(x)
    }
}

/// The logarithm to base 2.
#[amp_fn(exact)]
#[must_use]
pub fn log2(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() {
        let (k, f) = near_one((x, 0.0));
        add(
            (k, 0.0),
            multiply(
                log_near_one(f),
                (1.442_695_040_888_963_4, 2.035_527_374_093_103_3e-17),
            ),
        )
        .0
    } else {
        log_of_odd(x)
    }
}

/// The logarithm to base 10.
#[amp_fn(exact)]
#[must_use]
pub fn log10(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() {
        multiply(
            log_of((x, 0.0)),
            (0.434_294_481_903_251_8, 1.098_319_650_216_765e-17),
        )
        .0
    } else {
        log_of_odd(x)
    }
}

/// The logarithm to any base: the quotient of the natural ones.
#[amp_fn(exact)]
#[must_use]
pub fn log_to_base(x: f64, base: f64) -> f64 {
    log(x) / log(base)
}

/// The logarithm of `1 + x`, precise for small `x` too.
#[amp_fn(exact)]
#[must_use]
pub fn log1p(x: f64) -> f64 {
    if x.is_nan() || x.abs() < 1e-17 {
        x
    } else if x > -1.0 && x.is_finite() {
        log_of(sum(1.0, x)).0
    } else {
        log_of_odd(1.0 + x)
    }
}

/// `x` to the power of `y`, as C has it.
#[amp_fn(exact)]
#[must_use]
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let a = x.abs();
    let is_whole = y == y.trunc();
    // Whole numbers from 2^53 on are even.
    let is_odd = is_whole && y.abs() < 9_007_199_254_740_992.0 && (y as i64) & 1 != 0;
    let sign = if x.is_sign_negative() && is_odd {
        -1.0
    } else {
        1.0
    };
    if a == 0.0 || a.is_infinite() {
        let grows = (a == 0.0) == (y < 0.0);
        return if grows {
            sign * f64::INFINITY
        } else {
            sign * 0.0
        };
    }
    if y.is_infinite() {
        return if a == 1.0 {
            1.0
        } else if (a > 1.0) == (y > 0.0) {
            f64::INFINITY
        } else {
            0.0
        };
    }
    if x < 0.0 && !is_whole {
        return f64::NAN;
    }
    let logarithm = log_of((a, 0.0));
    let whole = logarithm.0 * y;
    let power = if whole.abs() > 800.0 {
        (whole, 0.0)
    } else {
        scale(logarithm, y)
    };
    sign * exp_scaled(power, 0)
}
