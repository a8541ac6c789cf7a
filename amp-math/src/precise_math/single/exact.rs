//! Functions whose results are exact, or the nearest there is.

use crate::amp_fn;

/// Functions that Rust has as methods.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident($x:ident $(, $y:ident)*) -> $result:ty = $method:ident;)*) => {$(
        $(#[$doc])*
        #[amp_fn(exact)]
        #[must_use]
        pub fn $name($x: f32 $(, $y: f32)*) -> $result {
            $x.$method($($y),*)
        }
    )*};
}

methods! {
    /// The smallest integer that is not less.
    ceil(x) -> f32 = ceil;
    /// The magnitude of `x` with the sign of `y`.
    copysign(x, y) -> f32 = copysign;
    /// The magnitude.
    fabs(x) -> f32 = abs;
    /// The largest integer that is not greater.
    floor(x) -> f32 = floor;
    /// `x * y + z`, rounded once.
    fma(x, y, z) -> f32 = mul_add;
    /// The greater one; of a NaN and a number, the number.
    fmax(x, y) -> f32 = max;
    /// The smaller one; of a NaN and a number, the number.
    fmin(x, y) -> f32 = min;
    /// Whether it is neither infinite nor NaN.
    isfinite(x) -> bool = is_finite;
    /// Whether it is infinite.
    isinf(x) -> bool = is_infinite;
    /// Whether it is NaN.
    isnan(x) -> bool = is_nan;
    /// The nearest integer, of two the even one.
    nearbyint(x) -> f32 = round_ties_even;
    /// The nearest integer, of two the one farther from zero.
    round(x) -> f32 = round;
    /// Whether the sign is set, as that of -0.0 is.
    signbit(x) -> bool = is_sign_negative;
    /// The square root.
    sqrt(x) -> f32 = sqrt;
    /// The integer next to it on the side of zero.
    trunc(x) -> f32 = trunc;
}

/// `x - y` if that is positive, else zero.
#[amp_fn(exact)]
#[must_use]
pub fn fdim(x: f32, y: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        f32::NAN
    } else if x > y {
        x - y
    } else {
        0.0
    }
}

/// The remainder of the division that rounds toward zero, with the sign of `x`.
#[amp_fn(exact)]
#[must_use]
pub fn fmod(x: f32, y: f32) -> f32 {
    x % y
}

/// Whether it is neither zero nor denormal nor infinite nor NaN.
#[amp_fn(exact)]
#[must_use]
pub fn isnormal(x: f32) -> bool {
    let exponent = x.to_bits() >> 23 & 0xff;
    exponent != 0 && exponent != 0xff
}

/// What kind of number it is: 0 for NaN, 1 for an infinity, 2 for zero, 3 for a denormal, 4
/// for any other.
#[amp_fn(exact)]
#[must_use]
pub fn fpclassify(x: f32) -> i32 {
    if x.is_nan() {
        0
    } else if x.is_infinite() {
        1
    } else if x == 0.0 {
        2
    } else if x.abs() < f32::MIN_POSITIVE {
        3
    } else {
        4
    }
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

/// As [`scalbn`].
#[amp_fn(exact)]
#[must_use]
pub fn ldexp(x: f32, n: i32) -> f32 {
    scalbn(x, n)
}

/// `x` times two to the power of `y`, which is an integer: else NaN.
#[amp_fn(exact)]
#[must_use]
pub fn scalb(x: f32, y: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        f32::NAN
    } else if y.is_infinite() {
        if y > 0.0 { x * y } else { x / -y }
    } else if y == y.trunc() {
        scalbn(x, y.clamp(-5000.0, 5000.0) as i32)
    } else {
        f32::NAN
    }
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

/// The exponent of two; `i32::MIN` for zero and NaN, `i32::MAX` for infinities.
#[amp_fn(exact)]
#[must_use]
pub fn ilogb(x: f32) -> i32 {
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
pub fn logb(x: f32) -> f32 {
    if x == 0.0 {
        f32::NEG_INFINITY
    } else if x.is_finite() {
        ilogb(x) as f32
    } else {
        x * x
    }
}

/// The fraction and the whole part, both with the sign of `x`.
#[amp_fn(exact)]
#[must_use]
pub fn modf(x: f32) -> (f32, f32) {
    let whole = x.trunc();
    let fraction = if x.is_infinite() { 0.0 } else { x - whole };
    (fraction.copysign(x), whole)
}

/// The float next to `x` in the direction of `y`.
#[amp_fn(exact)]
#[must_use]
pub fn nextafter(x: f32, y: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        f32::NAN
    } else if x == y {
        y
    } else if x == 0.0 {
        f32::from_bits(1).copysign(y)
    } else if (x < y) == (x > 0.0) {
        f32::from_bits(x.to_bits() + 1)
    } else {
        f32::from_bits(x.to_bits() - 1)
    }
}

/// The remainder of the division that rounds to the nearest integer (IEEE 754), and the
/// lowest three bits of that integer with its sign.
#[amp_fn(exact)]
#[must_use]
pub fn remquo(x: f32, y: f32) -> (f32, i32) {
    if y == 0.0 || !x.is_finite() || y.is_nan() {
        return (f32::NAN, 0);
    }
    let p = y.abs();
    let mut rest = x.abs();
    // Eight times `p` at most: the quotient's bits above that are not asked for.
    if p < 2e37 {
        rest %= 8.0 * p;
    }
    let mut quotient = 0;
    if p < 2e37 && rest >= 4.0 * p {
        rest -= 4.0 * p;
        quotient += 4;
    }
    if p < 8e37 && rest >= 2.0 * p {
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
pub fn remainder(x: f32, y: f32) -> f32 {
    remquo(x, y).0
}
