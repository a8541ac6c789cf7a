//! Exponentials: a power of two exactly, and the series of what is left.

use super::{
    exact::scalbn,
    pair::{add, product, quick_sum, scale, sum},
};
use crate::amp_fn;

/// `exp(r) - 1` for an `r` of at most half the logarithm of two.
#[amp_fn(exact)]
fn exp_rest(r: (f64, f64)) -> (f64, f64) {
    let x = r.0;
    let tail = 1.605_904_383_682_161_3e-10
        + x * (1.147_074_559_772_972_5e-11 + x * (7.647_163_731_819_816e-13));
    let tail = 2.480_158_730_158_73e-5
        + x * (2.755_731_922_398_589_3e-6
            + x * (2.755_731_922_398_589e-7
                + x * (2.505_210_838_544_172e-8 + x * (2.087_675_698_786_81e-9 + x * tail))));
    let tail = 0.166_666_666_666_666_66
        + x * (0.041_666_666_666_666_664
            + x * (0.008_333_333_333_333_333
                + x * (0.001_388_888_888_888_889 + x * (0.000_198_412_698_412_698_4 + x * tail))));
    let (square, square_rest) = product(x, x);
    let (high, low) = quick_sum(x, 0.5 * square);
    quick_sum(
        high,
        low + (0.5 * square_rest + (r.1 + x * r.1) + x * square * tail),
    )
}

/// `x` as a multiple of the logarithm of two and a rest.
#[amp_fn(exact)]
fn exp_parts(x: (f64, f64)) -> (f64, (f64, f64)) {
    let k = (x.0 * 1.442_695_040_888_963_4).round_ties_even();
    let first = x.0 - k * 0.693_147_180_369_123_8;
    let (high, low) = sum(first, k * -1.908_214_929_114_120_8e-10);
    (
        k,
        quick_sum(high, low + (x.1 - k * 1.564_670_158_533_888e-20)),
    )
}

/// `exp(x)` as a number near one and a power of two, for an `x` within the exponents.
#[amp_fn(exact)]
pub(super) fn exp_of(x: (f64, f64)) -> ((f64, f64), i32) {
    let (k, r) = exp_parts(x);
    (add((1.0, 0.0), exp_rest(r)), k as i32)
}

/// `exp(x)` times two to the power of `n`.
#[amp_fn(exact)]
pub(super) fn exp_scaled(x: (f64, f64), n: i32) -> f64 {
    let x = if x.0 > 800.0 {
        (800.0, 0.0)
    } else if x.0 < -800.0 {
        (-800.0, 0.0)
    } else {
        x
    };
    let (power, k) = exp_of(x);
    scalbn(power.0, k + n)
}

/// `exp(x) - 1` for an `x` of at most 40.
#[amp_fn(exact)]
pub(super) fn expm1_of(x: f64) -> (f64, f64) {
    let (k, r) = exp_parts((x, 0.0));
    let rest = exp_rest(r);
    if k == 0.0 {
        return rest;
    }
    let power = scalbn(1.0, k as i32);
    add(sum(power, -1.0), (power * rest.0, power * rest.1))
}

/// The exponential function.
#[amp_fn(exact)]
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        x
    } else {
        exp_scaled((x, 0.0), 0)
    }
}

/// Two to the power of `x`.
#[amp_fn(exact)]
#[must_use]
pub fn exp2(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let x = x.clamp(-1200.0, 1100.0);
    let k = x.round_ties_even();
    let rest = exp_rest(scale(
        (0.693_147_180_559_945_3, 2.319_046_813_846_299_6e-17),
        x - k,
    ));
    scalbn(add((1.0, 0.0), rest).0, k as i32)
}

/// Ten to the power of `x`.
#[amp_fn(exact)]
#[must_use]
pub fn exp10(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    exp_scaled(
        scale(
            (2.302_585_092_994_046, -2.170_756_223_382_249_4e-16),
            x.clamp(-400.0, 400.0),
        ),
        0,
    )
}

/// `exp(x) - 1`, precise for small `x` too.
#[amp_fn(exact)]
#[must_use]
pub fn expm1(x: f64) -> f64 {
    if x.is_nan() || x.abs() < 1e-17 {
        x
    } else if x > 40.0 {
        exp(x)
    } else {
        expm1_of(x.max(-40.0)).0
    }
}
