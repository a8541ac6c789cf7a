//! Logarithms: of the power of two and of a fraction near one, and powers, which need them
//! more precisely than a float is.

use super::exponentials::{exp2_of, is_beyond, power_of_two, shifted, unshifted};
use crate::amp_fn;

/// Whether a number has no logarithm that is a number: it is not positive, or not finite.
#[amp_fn(exact)]
fn is_odd(x: f32) -> bool {
    x.to_bits() - 1 >= 0x7f7f_ffff
}

/// The logarithm of such a number.
#[amp_fn(exact)]
fn log_of_odd(x: f32) -> f32 {
    if x == 0.0 {
        f32::NEG_INFINITY
    } else if x < 0.0 {
        f32::NAN
    } else {
        x
    }
}

/// The fraction from 2/3 to 4/3 and the power of two that make up a positive number.
#[amp_fn(exact)]
fn fraction(x: f32) -> (f32, i32) {
    let is_denormal = x.to_bits() < 0x0080_0000;
    // A denormal is made normal first.
    let (x, below) = if is_denormal {
        (x * 8_388_608.0, 23)
    } else {
        (x, 0)
    };
    let above = x.to_bits() - 0x3f2a_aaab;
    let bits = x.to_bits() - (above & 0xff80_0000);
    (f32::from_bits(bits), (above as i32 >> 23) - below)
}

/// The logarithm of `1 + f` less `f`, for an `f` of at most a third.
#[amp_fn(exact)]
fn log_rest(f: f32) -> f32 {
    let tail = 0.140_057_44 + f * (-0.121_841_215 + f * (0.139_851_1 + f * -0.128_923_64));
    let tail = 0.200_104_13 + f * (-0.166_804_97 + f * tail);
    let tail = f * f * f * (0.333_332_15 + f * (-0.249_997_97 + f * tail));
    tail - 0.5 * f * f
}

/// `high + f + low`, of which `high` is zero or greater than `f`, and `low` far smaller.
#[amp_fn(exact)]
pub(super) fn total(high: f32, f: f32, low: f32) -> f32 {
    let sum = high + f;
    sum + (((high - sum) + f) + low)
}

/// The natural logarithm.
#[amp_fn(exact)]
#[must_use]
pub fn log(x: f32) -> f32 {
    if is_odd(x) {
        return log_of_odd(x);
    }
    let (m, exponent) = fraction(x);
    let (f, k) = (m - 1.0, exponent as f32);
    total(k * 0.693_145_75, f, log_rest(f) + k * 1.428_606_8e-6)
}

/// The logarithm to base 2.
#[amp_fn(exact)]
#[must_use]
pub fn log2(x: f32) -> f32 {
    if is_odd(x) {
        return log_of_odd(x);
    }
    let (m, exponent) = fraction(x);
    let f = m - 1.0;
    let low = f * 0.442_695_05 + log_rest(f) * 1.442_695;
    total(exponent as f32, f, low)
}

/// The logarithm to base 10.
#[amp_fn(exact)]
#[must_use]
pub fn log10(x: f32) -> f32 {
    if is_odd(x) {
        return log_of_odd(x);
    }
    let (m, exponent) = fraction(x);
    let (f, k) = (m - 1.0, exponent as f32);
    let low = (log_rest(f) * 0.434_294_5 - f * 0.065_705_515) + k * 4.605_039e-6;
    total(k * 0.301_025_4, 0.5 * f, low)
}

/// The logarithm to any base: the quotient of the natural ones.
#[amp_fn(exact)]
#[must_use]
pub fn log_to_base(x: f32, base: f32) -> f32 {
    log(x) / log(base)
}

/// The logarithm of `1 + x`, precise for small `x` too.
#[amp_fn(exact)]
#[must_use]
pub fn log1p(x: f32) -> f32 {
    if !is_beyond(x, 2e-8) {
        return x;
    }
    let u = 1.0 + x;
    if is_odd(u) {
        return log_of_odd(u);
    }
    let (m, exponent) = fraction(u);
    let (f, k) = (m - 1.0, exponent as f32);
    // What the sum has rounded off, beside the fraction.
    let lost = if x < 1.0 {
        x - (u - 1.0)
    } else {
        1.0 - (u - x)
    };
    let lost = lost * power_of_two(-exponent.min(126));
    let low = lost * (1.0 - f + f * f) + log_rest(f);
    total(k * 0.693_145_75, f, low + k * 1.428_606_8e-6)
}

/// The upper half of a float's digits: the product of two such is exact.
#[amp_fn(exact)]
pub(super) fn upper(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xffff_f000)
}

/// The logarithm to base 2 of a positive number as the sum of two floats.
#[amp_fn(exact)]
fn log2_parts(x: f32) -> (f32, f32) {
    let (m, exponent) = fraction(x);
    // A number near the fraction, with its logarithm and half its inverse.
    let (center, log_high, log_low, half) = if m < 0.866 {
        (0.75, -0.415_039_06, 1.563_221_2e-6, 0.666_666_7)
    } else if m < 1.118 {
        (1.0, 0.0, 0.0, 0.5)
    } else {
        (1.25, 0.322_021_48, -9.338_948_4e-5, 0.4)
    };
    // The quotient of difference and sum, and what it lacks.
    let (n, d) = (m - center, m + center);
    let d_rest = (center - d) + m;
    let s = n / d;
    let (s_high, d_high) = (upper(s), upper(d));
    let (s_low, d_low) = (s - s_high, d - d_high);
    let left = ((n - s_high * d_high) - s_high * d_low) - (s_low * d + s * d_rest);
    let s_rest = left * (half - half * s);
    // Twice its area tangent, in units of the logarithm of 2.
    let z = s * s;
    let tail = z * (0.333_333_34 + z * (0.199_996_67 + z * 0.143_967_06));
    let first = s_high * 2.884_765_6;
    let rest = s_high * 6.244_568e-4 + (s_low + (s_rest + s * tail)) * 2.885_39;
    let whole = exponent as f32 + log_high;
    let high = whole + first;
    (high, ((whole - high) + first) + (rest + log_low))
}

/// A positive number to the power of `y`.
#[amp_fn(exact)]
fn power_of(x: f32, y: f32) -> f32 {
    let (high, low) = log2_parts(x);
    let (upper_log, upper_y) = (upper(high), upper(y));
    let first = upper_log * upper_y;
    let is_far = is_beyond(first, 125.0);
    let rest = (upper_y * (high - upper_log) + (y - upper_y) * high) + y * low;
    // Far away the rest does not matter, and may not be finite.
    let (first, rest) = if is_beyond(first, 160.0) {
        (first.clamp(-160.0, 160.0), 0.0)
    } else {
        (first, rest)
    };
    let exponent = shifted(first + rest);
    let r = (first - unshifted(exponent)) + rest;
    exp2_of(r, exponent, is_far)
}

/// Whether a number is an odd integer.
#[amp_fn(exact)]
fn is_odd_integer(x: f32) -> bool {
    x.abs() < 16_777_216.0 && x == x.trunc() && x as i32 & 1 == 1
}

/// A power where one of the numbers is zero, negative, infinite or NaN; `power` is that of
/// the magnitude.
#[amp_fn(exact)]
fn power_of_odd(x: f32, y: f32, power: f32) -> f32 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let a = x.abs();
    let size = if y.is_infinite() && a == 1.0 {
        1.0
    } else if y.is_infinite() || a == 0.0 || a.is_infinite() {
        if (a > 1.0) == (y > 0.0) {
            f32::INFINITY
        } else {
            0.0
        }
    } else if x < 0.0 && y != y.trunc() {
        f32::NAN
    } else {
        power
    };
    if x.is_sign_negative() && is_odd_integer(y) {
        -size
    } else {
        size
    }
}

/// `x` to the power of `y`, as C has it.
#[amp_fn(exact)]
#[must_use]
pub fn pow(x: f32, y: f32) -> f32 {
    let power = power_of(x.abs(), y);
    if is_odd(x) || is_beyond(y, f32::MAX) {
        power_of_odd(x, y, power)
    } else {
        power
    }
}
