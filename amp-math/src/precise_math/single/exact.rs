//! Functions whose results are exact, or the nearest there is.

use super::super::exact::functions;
use crate::amp_fn;

functions!(f32, 2e37, 8e37);

/// Whether it is neither zero nor denormal nor infinite nor NaN.
#[amp_fn(exact)]
#[must_use]
pub fn isnormal(x: f32) -> bool {
    let exponent = x.to_bits() >> 23 & 0xff;
    exponent != 0 && exponent != 0xff
}

/// A quiet NaN whose payload is the lowest 22 bits of `tag`.
#[amp_fn(exact)]
#[must_use]
pub fn nan(tag: i32) -> f32 {
    f32::from_bits(0x7fc0_0000 | tag as u32 & 0x3f_ffff)
}

/// `x` times two to the power of `n`, rounded once.
#[amp_fn(exact)]
#[must_use]
pub fn scalbn(x: f32, n: i32) -> f32 {
    // In steps, of which only the last one can round.
    let large = f32::from_bits(0x7f00_0000);
    let small = f32::from_bits(0x0c80_0000);
    let mut x = x;
    let mut n = n.clamp(-330, 330);
    while n > 127 {
        x *= large;
        n -= 127;
    }
    while n < -126 {
        x *= small;
        n += 102;
    }
    x * f32::from_bits(((n + 127) as u32) << 23)
}

/// A fraction from 0.5 up to 1 with the sign of `x`, and the power of two that makes `x` of
/// it. Zero, infinities and NaN are their own fractions, with 0.
#[amp_fn(exact)]
#[must_use]
pub fn frexp(x: f32) -> (f32, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // A denormal is made normal first.
    let is_small = x.abs() < f32::MIN_POSITIVE;
    let scaled = if is_small { x * 16_777_216.0 } else { x };
    let bits = scaled.to_bits();
    let exponent = (bits >> 23 & 0xff) as i32 - 126 - if is_small { 24 } else { 0 };
    (f32::from_bits(bits & 0x807f_ffff | 0x3f00_0000), exponent)
}
