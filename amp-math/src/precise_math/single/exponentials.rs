//! Exponentials: a power of two, which goes into the exponent's bits, and a polynomial of
//! what is left.

use crate::amp_fn;

/// Added to a number of less than 2²², this rounds it to an integer, which is the lower bits
/// of the sum: half of 2²⁴ and the bits of that.
#[amp_fn(exact)]
pub(super) fn shifted(x: f32) -> f32 {
    x + 12_582_912.0
}

/// The integer to which [`shifted`] has rounded.
#[amp_fn(exact)]
pub(super) fn unshifted(shifted: f32) -> f32 {
    shifted - 12_582_912.0
}

/// The integer itself.
#[amp_fn(exact)]
pub(super) fn integer(shifted: f32) -> i32 {
    shifted.to_bits() as i32 - 0x4b40_0000
}

/// Whether the magnitude of `x` is greater than `limit`, or `x` is no number.
#[amp_fn(exact)]
pub(super) fn is_beyond(x: f32, limit: f32) -> bool {
    x.to_bits() & 0x7fff_ffff > limit.to_bits()
}

/// Two to the power of an integer from -126 to 127.
#[amp_fn(exact)]
pub(super) fn power_of_two(n: i32) -> f32 {
    f32::from_bits(((n + 127) as u32) << 23)
}

/// A number near one times two to the power of a [`shifted`] integer, for a normal result.
#[amp_fn(exact)]
fn raised(x: f32, exponent: f32) -> f32 {
    f32::from_bits(x.to_bits() + (exponent.to_bits() << 23))
}

/// The same, and two to the power of `n` times that, for any result: the second of the
/// products is the one that may be rounded.
#[amp_fn(exact)]
fn raised_far(x: f32, exponent: f32, n: i32) -> f32 {
    let whole = integer(exponent) + n;
    let half = whole >> 1;
    x * power_of_two(half) * power_of_two(whole - half)
}

/// `exp(r) - 1 - r` for an `r` of at most half the logarithm of two.
#[amp_fn(exact)]
fn exp_rest(r: f32) -> f32 {
    let tail = 0.008_333_264 + r * (0.001_394_611_9 + r * 1.991_844_3e-4);
    r * r * (0.5 + r * (0.166_666_67 + r * (0.041_666_27 + r * tail)))
}

/// `x` as a [`shifted`] multiple of the logarithm of two and a rest, which is a sum of two
/// floats.
#[amp_fn(exact)]
pub(super) fn exp_parts(x: f32) -> (f32, f32, f32) {
    let exponent = shifted(x * 1.442_695);
    let k = unshifted(exponent);
    let (high, low) = (x - k * 0.693_359_4, k * 2.121_944_4e-4);
    let r = high + low;
    (exponent, r, (high - r) + low)
}

/// `exp(x)` times two to the power of `n`, for an `x` of any size.
#[amp_fn(exact)]
pub(super) fn exp_far(x: f32, n: i32) -> f32 {
    let (exponent, r, low) = exp_parts(x.clamp(-105.0, 91.0));
    raised_far(1.0 + (r + (low + exp_rest(r))), exponent, n)
}

/// `exp(x)` for an `x` of at most 87.
#[amp_fn(exact)]
pub(super) fn exp_near(x: f32) -> f32 {
    let (exponent, r, low) = exp_parts(x);
    raised(1.0 + (r + (low + exp_rest(r))), exponent)
}

/// The exponential function.
#[amp_fn(exact)]
#[must_use]
pub fn exp(x: f32) -> f32 {
    if is_beyond(x, 87.0) {
        exp_far(x, 0)
    } else {
        exp_near(x)
    }
}

/// Two to the power of a [`shifted`] integer and of an `r` of at most a half; `is_far` if the
/// result may not be normal.
#[amp_fn(exact)]
pub(super) fn exp2_of(r: f32, exponent: f32, is_far: bool) -> f32 {
    let tail = 0.009_618_097 + r * (0.001_340_124 + r * 1.544_538_5e-4);
    let rest = r * (0.693_147_2 + r * (0.240_226_5 + r * (0.055_503_253 + r * tail)));
    if is_far {
        raised_far(1.0 + rest, exponent, 0)
    } else {
        raised(1.0 + rest, exponent)
    }
}

/// Two to the power of `x`.
#[amp_fn(exact)]
#[must_use]
pub fn exp2(x: f32) -> f32 {
    let is_far = is_beyond(x, 125.0);
    let x = if is_far { x.clamp(-152.0, 130.0) } else { x };
    let exponent = shifted(x);
    exp2_of(x - unshifted(exponent), exponent, is_far)
}

/// Ten to the power of `x`.
#[amp_fn(exact)]
#[must_use]
pub fn exp10(x: f32) -> f32 {
    let is_far = is_beyond(x, 37.5);
    let x = if is_far { x.clamp(-46.0, 39.0) } else { x };
    let exponent = shifted(x * 3.321_928);
    let k = unshifted(exponent);
    let r = (x - k * 0.301_025_4) - k * 4.605_039e-6;
    let tail = 1.171_243_2 + r * (0.542_478_4 + r * 0.207_886_37);
    let rest = r * (2.302_585_1 + r * (2.650_949 + r * (2.034_637 + r * tail)));
    if is_far {
        raised_far(1.0 + rest, exponent, 0)
    } else {
        raised(1.0 + rest, exponent)
    }
}

/// `exp(x) - 1`, precise for small `x` too.
#[amp_fn(exact)]
#[must_use]
pub fn expm1(x: f32) -> f32 {
    if is_beyond(x, 16.9) {
        return expm1_far(x);
    }
    if !is_beyond(x, 2e-8) {
        return x;
    }
    let (exponent, r, low) = exp_parts(x);
    let power = raised(1.0, exponent);
    // The whole part and the first term together, and what their sum has rounded off.
    let (whole, first) = (power - 1.0, power * r);
    let sum = whole + first;
    sum + (((whole - sum) + first) + power * (low + exp_rest(r)))
}

/// The same beyond 17, where `exp(x)` has no room for the one.
#[amp_fn(exact)]
fn expm1_far(x: f32) -> f32 {
    if x < 0.0 {
        return -1.0;
    }
    let (exponent, r, low) = exp_parts(x.min(91.0));
    let one = power_of_two(-integer(exponent).min(126));
    let power = raised_far(1.0 + (r + (low + (exp_rest(r) - one))), exponent, 0);
    if x.is_nan() { x } else { power }
}
