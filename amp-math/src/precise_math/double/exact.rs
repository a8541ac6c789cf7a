//! Functions whose results are exact, or the nearest there is.

use crate::amp_fn;

/// Functions that Rust has as methods.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident($x:ident $(, $y:ident)*) -> $result:ty = $method:ident;)*) => {$(
        $(#[$doc])*
        #[amp_fn(exact)]
        #[must_use]
        pub fn $name($x: f64 $(, $y: f64)*) -> $result {
            $x.$method($($y),*)
        }
    )*};
}

methods! {
    /// The smallest integer that is not less.
    ceil(x) -> f64 = ceil;
    /// The magnitude of `x` with the sign of `y`.
    copysign(x, y) -> f64 = copysign;
    /// The magnitude.
    fabs(x) -> f64 = abs;
    /// The largest integer that is not greater.
    floor(x) -> f64 = floor;
    /// `x * y + z`, rounded once.
    fma(x, y, z) -> f64 = mul_add;
    /// The greater one; of a NaN and a number, the number.
    fmax(x, y) -> f64 = max;
    /// The smaller one; of a NaN and a number, the number.
    fmin(x, y) -> f64 = min;
    /// Whether it is neither infinite nor NaN.
    isfinite(x) -> bool = is_finite;
    /// Whether it is infinite.
    isinf(x) -> bool = is_infinite;
    /// Whether it is NaN.
    isnan(x) -> bool = is_nan;
    /// The nearest integer, of two the even one.
    nearbyint(x) -> f64 = round_ties_even;
    /// The nearest integer, of two the one farther from zero.
    round(x) -> f64 = round;
    /// Whether the sign is set, as that of -0.0 is.
    signbit(x) -> bool = is_sign_negative;
    /// The square root.
    sqrt(x) -> f64 = sqrt;
    /// The integer next to it on the side of zero.
    trunc(x) -> f64 = trunc;
}

/// `x - y` if that is positive, else zero.
#[amp_fn(exact)]
#[must_use]
pub fn fdim(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x > y {
        x - y
    } else {
        0.0
    }
}

/// The remainder of the division that rounds toward zero, with the sign of `x`.
#[amp_fn(exact)]
#[must_use]
pub fn fmod(x: f64, y: f64) -> f64 {
    x % y
}

/// Whether it is neither zero nor denormal nor infinite nor NaN.
#[amp_fn(exact)]
#[must_use]
pub fn isnormal(x: f64) -> bool {
    let exponent = x.to_bits() >> 52 & 0x7ff;
    exponent != 0 && exponent != 0x7ff
}

/// What kind of number it is: 0 for NaN, 1 for an infinity, 2 for zero, 3 for a denormal, 4
/// for any other.
#[amp_fn(exact)]
#[must_use]
pub fn fpclassify(x: f64) -> i32 {
    if x.is_nan() {
        0
    } else if x.is_infinite() {
        1
    } else if x == 0.0 {
        2
    } else if x.abs() < f64::MIN_POSITIVE {
        3
    } else {
        4
    }
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

/// As [`scalbn`].
#[amp_fn(exact)]
#[must_use]
pub fn ldexp(x: f64, n: i32) -> f64 {
    scalbn(x, n)
}

/// `x` times two to the power of `y`, which is an integer: else NaN.
#[amp_fn(exact)]
#[must_use]
pub fn scalb(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if y.is_infinite() {
        if y > 0.0 { x * y } else { x / -y }
    } else if y == y.trunc() {
        scalbn(x, y.clamp(-5000.0, 5000.0) as i32)
    } else {
        f64::NAN
    }
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

/// The exponent of two; `i32::MIN` for zero and NaN, `i32::MAX` for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn ilogb(x: f64) -> i32 {
    if x == 0.0 || x.is_nan() {
        i32::MIN
    } else if x.is_infinite() {
        i32::MAX
    } else {
        frexp(x).1 - 1
    }
}

/// The exponent of two as a float: -∞ for zero, ∞ for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn logb(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_finite() {
        ilogb(x) as f64
    } else {
        x * x
    }
}

/// The fraction and the whole part, both with the sign of `x`.
#[amp_fn(exact)]
#[must_use]
pub fn modf(x: f64) -> (f64, f64) {
    let whole = x.trunc();
    let fraction = if x.is_infinite() { 0.0 } else { x - whole };
    (fraction.copysign(x), whole)
}

/// The float next to `x` in the direction of `y`.
#[amp_fn(exact)]
#[must_use]
pub fn nextafter(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        y
    } else if x == 0.0 {
        f64::from_bits(1).copysign(y)
    } else if (x < y) == (x > 0.0) {
        f64::from_bits(x.to_bits() + 1)
    } else {
        f64::from_bits(x.to_bits() - 1)
    }
}

/// The remainder of the division that rounds to the nearest integer (IEEE 754), and the
/// lowest three bits of that integer with its sign.
#[amp_fn(exact)]
#[must_use]
pub fn remquo(x: f64, y: f64) -> (f64, i32) {
    if y == 0.0 || !x.is_finite() || y.is_nan() {
        return (f64::NAN, 0);
    }
    let p = y.abs();
    let mut rest = x.abs();
    // Eight times `p` at most: the quotient's bits above that are not asked for.
    if p < 2e307 {
        rest %= 8.0 * p;
    }
    let mut quotient = 0;
    if p < 2e307 && rest >= 4.0 * p {
        rest -= 4.0 * p;
        quotient += 4;
    }
    if p < 8e307 && rest >= 2.0 * p {
        rest -= 2.0 * p;
        quotient += 2;
    }
    if rest >= p {
        rest -= p;
        quotient += 1;
    }
    // Whether the rest is more than half of `p`, or half and the quotient odd; without
    // halves, which a denormal may not have, and without sums that overflow.
    let other = p - rest;
    if rest > other || rest == other && quotient & 1 == 1 {
        rest = -other;
        quotient += 1;
    }
    let rest = if x.is_sign_negative() { -rest } else { rest };
    quotient &= 7;
    let is_negative = x.is_sign_negative() != y.is_sign_negative();
    (rest, if is_negative { -quotient } else { quotient })
}

/// The remainder of the division that rounds to the nearest integer (IEEE 754).
#[amp_fn(exact)]
#[must_use]
pub fn remainder(x: f64, y: f64) -> f64 {
    remquo(x, y).0
}
