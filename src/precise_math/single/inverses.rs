//! Angles of their sines, cosines and tangents: polynomials of small ones, and identities.

use crate::amp_fn;

/// The angle whose tangent is `x`.
#[amp_fn]
#[must_use]
pub fn atan(x: f32) -> f32 {
    let a = x.abs();
    if x.is_nan() || a < 1e-5 {
        return x;
    }
    let highs = [0.0, 0.463_647_6, 0.785_398_1, 0.982_793_7, 1.570_796_3];
    let lows = [
        0.0,
        5.012_158_2e-9,
        3.774_894_7e-8,
        3.447_321_7e-8,
        7.549_789_4e-8,
    ];
    let (piece, t) = if a < 0.4375 {
        (0, a)
    } else if a < 0.6875 {
        (1, (2.0 * a - 1.0) / (2.0 + a))
    } else if a < 1.1875 {
        (2, (a - 1.0) / (a + 1.0))
    } else if a < 2.4375 {
        (3, (a - 1.5) / (1.0 + 1.5 * a))
    } else {
        (4, -1.0 / a)
    };
    let z = t * t;
    let w = z * z;
    let odd = z * (0.333_333_28 + w * (0.142_536_36 + w * 0.061_687_607));
    let even = w * (-0.199_991_58 + w * -0.106_480_174);
    let angle = highs[piece] - ((t * (odd + even) - lows[piece]) - t);
    angle.copysign(x)
}

/// The angle of the point `(x, y)`, from -π to π.
#[amp_fn]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let (pi, pi_rest) = (3.141_592_7, -8.742_278e-8);
    let quarter = if y == 0.0 {
        0.0
    } else if x == 0.0 {
        0.5 * pi
    } else if x.is_infinite() && y.is_infinite() {
        0.25 * pi
    } else {
        let ratio = y.abs() / x.abs();
        if ratio > 1e8 { 0.5 * pi } else { atan(ratio) }
    };
    let angle = if x.is_sign_negative() {
        pi - (quarter - pi_rest)
    } else {
        quarter
    };
    angle.copysign(y)
}

/// `(asin(x) - x) / x` for the square `z` of `x`, up to a quarter.
#[amp_fn]
fn asin_rest(z: f32) -> f32 {
    let high = 0.044_599_4 + z * (0.031_100_663 + z * (0.017_149_238 + z * 0.033_690_847));
    z * (0.166_666_66 + z * (0.075_000_945 + z * high))
}

/// The angle whose sine is `x`; NaN if there is none.
#[amp_fn]
#[must_use]
pub fn asin(x: f32) -> f32 {
    let a = x.abs();
    if a > 1.0 {
        return f32::NAN;
    }
    if x.is_nan() || a < 1e-4 {
        return x;
    }
    if a < 0.5 {
        return x + x * asin_rest(x * x);
    }
    let z = 0.5 * (1.0 - a);
    let s = z.sqrt();
    let angle = 1.570_796_4 - (2.0 * (s + s * asin_rest(z)) + 4.371_139e-8);
    angle.copysign(x)
}

/// The angle whose cosine is `x`; NaN if there is none.
#[amp_fn]
#[must_use]
pub fn acos(x: f32) -> f32 {
    let a = x.abs();
    if a > 1.0 || x.is_nan() {
        return f32::NAN;
    }
    let (half, half_rest) = (1.570_796_4, -4.371_139e-8);
    if a < 0.5 {
        return half - (x - (half_rest - x * asin_rest(x * x)));
    }
    let z = 0.5 * (1.0 - a);
    let s = z.sqrt();
    if x < 0.0 {
        return 2.0 * (half - (s + (asin_rest(z) * s - half_rest)));
    }
    // The root as a sum of two floats.
    let high = f32::from_bits(s.to_bits() & 0xffff_f000);
    let low = if z == 0.0 {
        0.0
    } else {
        (z - high * high) / (s + high)
    };
    2.0 * (high + (asin_rest(z) * s + low))
}
