//! Functions whose results are exact, or the nearest there is.

use super::super::exact::functions;
use crate::amp_fn;

functions!(f64, 2e307, 8e307);

/// Whether it is neither zero nor denormal nor infinite nor NaN.
#[amp_fn(exact)]
#[must_use]
pub fn isnormal(x: f64) -> bool {
    let exponent = x.to_bits() >> 52 & 0x7ff;
    exponent != 0 && exponent != 0x7ff
}

/// A quiet NaN with the lowest 51 bits of its payload from `tag`.
#[amp_fn(exact)]
#[must_use]
pub fn nan(tag: i32) -> f64 {
    f64::from_bits(0x7ff8_0000_0000_0000 | tag as u32 as u64)
}

/// `x` times two to the power of `n`, rounded once.
#[amp_fn(exact)]
#[must_use]
pub fn scalbn(x: f64, n: i32) -> f64 {
    // In steps, of which only the last one can round.
    let large = f64::from_bits(0x7fe0_0000_0000_0000);
    let small = f64::from_bits(0x0360_0000_0000_0000);
    let mut x = x;
    let mut n = n.clamp(-2300, 2300);
    while n > 1023 {
        x *= large;
        n -= 1023;
    }
    while n < -1022 {
        x *= small;
        n += 969;
    }
    x * f64::from_bits(((n + 1023) as u64) << 52)
}

/// A fraction from 0.5 up to 1 with the sign of `x`, and the power of two that makes `x` of
/// it. Zero, infinities and NaN are their own fractions, with 0.
#[amp_fn(exact)]
#[must_use]
pub fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // A denormal is made normal first.
    let is_small = x.abs() < f64::MIN_POSITIVE;
    let scaled = if is_small {
        x * 1.801_439_850_948_198_4e16
    } else {
        x
    };
    let bits = scaled.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1022 - if is_small { 54 } else { 0 };
    let fraction = f64::from_bits(bits & 0x800f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000);
    (fraction, exponent)
}
