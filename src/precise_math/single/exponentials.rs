//! Exponentials and logarithms: a power of two exactly, and a polynomial of what is left.

use super::exact::{frexp, scalbn};
use crate::amp_fn;

/// `exp(r + low) - 1` for a small `r` and a far smaller `low`.
#[amp_fn]
fn exp_rest(r: f32, low: f32) -> f32 {
    let high = 1.0 / 720.0 + r * (1.0 / 5040.0 + r * (1.0 / 40_320.0 + r * (1.0 / 362_880.0)));
    let tail = 1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * high));
    r + (low + r * r * (0.5 + r * tail))
}

/// `x` as a multiple of the logarithm of two and a rest, which is a sum of two floats.
#[amp_fn]
fn exp_parts(x: f32) -> (f32, f32, f32) {
    let k = (x * 1.442_695).round_ties_even();
    let (high, low) = (x - k * 0.693_359_4, k * 2.121_944_4e-4);
    let r = high + low;
    (k, r, (high - r) + low)
}

/// `exp(x)` times two to the power of `n`.
#[amp_fn]
pub(super) fn exp_scaled(x: f32, n: i32) -> f32 {
    if x.is_nan() {
        return x;
    }
    let (k, r, low) = exp_parts(x.clamp(-110.0, 100.0));
    scalbn(1.0 + exp_rest(r, low), k as i32 + n)
}

/// The exponential function.
#[amp_fn]
#[must_use]
pub fn exp(x: f32) -> f32 {
    exp_scaled(x, 0)
}

/// Two to the power of `x`.
#[amp_fn]
#[must_use]
pub fn exp2(x: f32) -> f32 {
    if x.is_nan() {
        return x;
    }
    let x = x.clamp(-160.0, 140.0);
    let k = x.round_ties_even();
    scalbn(1.0 + exp_rest((x - k) * 0.693_147_2, 0.0), k as i32)
}

/// Ten to the power of `x`.
#[amp_fn]
#[must_use]
pub fn exp10(x: f32) -> f32 {
    if x.is_nan() {
        return x;
    }
    let x = x.clamp(-50.0, 40.0);
    let k = (x * 3.321_928).round_ties_even();
    let r = (x - k * 0.301_025_4) - k * 4.605_039e-6;
    scalbn(1.0 + exp_rest(r * 2.302_585_1, 0.0), k as i32)
}

/// `exp(x) - 1`, precise for small `x` too.
#[amp_fn]
#[must_use]
pub fn expm1(x: f32) -> f32 {
    if x.is_nan() || x.abs() < 1e-8 {
        return x;
    }
    if -0.4 < x && x < 0.6 {
        return exp_rest(x, 0.0);
    }
    let (k, r, low) = exp_parts(x.clamp(-30.0, 100.0));
    let (n, rest) = (k as i32, exp_rest(r, low));
    if n > 20 {
        return scalbn(1.0 + (rest - scalbn(1.0, -n)), n);
    }
    let power = scalbn(1.0, n);
    power * rest + (power - 1.0)
}

/// The logarithm of `1 + f` less `f - f * f / 2`, for a small `f`.
#[amp_fn]
fn log_rest(f: f32) -> f32 {
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = z * (0.666_666_63 + w * 0.284_987_87);
    let even = w * (0.400_009_72 + w * 0.242_790_79);
    s * (0.5 * f * f + odd + even)
}

/// The fraction `1 + f`, near one, and the power of two that make up a positive number.
#[amp_fn]
fn near_one(x: f32) -> (f32, f32) {
    let (fraction, exponent) = frexp(x);
    if fraction < 0.707_106_77 {
        (2.0 * fraction - 1.0, (exponent - 1) as f32)
    } else {
        (fraction - 1.0, exponent as f32)
    }
}

/// The logarithm where it is no number: of zero, of what is negative, infinite or NaN.
#[amp_fn]
fn log_of_odd(x: f32) -> f32 {
    if x == 0.0 {
        f32::NEG_INFINITY
    } else if x < 0.0 {
        f32::NAN
    } else {
        x
    }
}

/// The natural logarithm.
#[amp_fn]
#[must_use]
pub fn log(x: f32) -> f32 {
    let is_positive = x > 0.0 && x.is_finite();
    if !is_positive {
        return log_of_odd(x);
    }
    let (f, k) = near_one(x);
    let half = 0.5 * f * f;
    k * 0.693_138_1 - ((half - (log_rest(f) + k * 9.058_000_6e-6)) - f)
}

/// The logarithm of `1 + f` as a sum of two floats, the first one short.
#[amp_fn]
fn log_parts(f: f32) -> (f32, f32) {
    let half = 0.5 * f * f;
    let high = f32::from_bits((f - half).to_bits() & 0xffff_f000);
    (high, (f - high) - half + log_rest(f))
}

/// The logarithm to base 2.
#[amp_fn]
#[must_use]
pub fn log2(x: f32) -> f32 {
    let is_positive = x > 0.0 && x.is_finite();
    if !is_positive {
        return log_of_odd(x);
    }
    let (f, k) = near_one(x);
    let (high, low) = log_parts(f);
    (low + high) * -1.760_528_5e-4 + low * 1.442_871_1 + high * 1.442_871_1 + k
}

/// The logarithm to base 10.
#[amp_fn]
#[must_use]
pub fn log10(x: f32) -> f32 {
    let is_positive = x > 0.0 && x.is_finite();
    if !is_positive {
        return log_of_odd(x);
    }
    let (f, k) = near_one(x);
    let (high, low) = log_parts(f);
    let small = k * 7.903_415e-7 + (low + high) * -3.168_997e-5 + low * 0.434_326_17;
    small + high * 0.434_326_17 + k * 0.301_029_2
}

/// The logarithm of `1 + x`, precise for small `x` too.
#[amp_fn]
#[must_use]
pub fn log1p(x: f32) -> f32 {
    let u = 1.0 + x;
    let is_positive = u > 0.0 && u.is_finite();
    if !is_positive {
        return log_of_odd(u);
    }
    if x.abs() < 1e-8 {
        return x;
    }
    let (f, k) = near_one(u);
    // What the sum has rounded off.
    let lost = if x < 1.0 {
        x - (u - 1.0)
    } else {
        1.0 - (u - x)
    };
    let half = 0.5 * f * f;
    k * 0.693_138_1 - ((half - (log_rest(f) + (k * 9.058_000_6e-6 + lost / u))) - f)
}
