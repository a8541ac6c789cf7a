//! Angles of their sines, cosines and tangents, all by the angle of a point: less that of a
//! multiple of an eighth, whose angle is known, the series of what is left.

use super::pair::{add, divide, multiply, quick_sum, root, scale, sum};
use crate::amp_fn;

/// The angle of the point `(x, y)` in the first quarter, neither of them far smaller.
#[amp_fn(exact)]
fn angle_of(y: (f64, f64), x: (f64, f64)) -> (f64, f64) {
    let is_steep = y.0 > x.0;
    let (y, x) = if is_steep { (x, y) } else { (y, x) };
    let eighths = (8.0 * (y.0 / x.0)).round_ties_even();
    let slope = 0.125 * eighths;
    let across = scale(x, -slope);
    let t = divide(add(y, across), add(x, scale(y, slope)));
    let z = t.0 * t.0;
    let tail = -0.090_909_090_909_090_91
        + z * (0.076_923_076_923_076_93
            + z * (-0.066_666_666_666_666_67 + z * 0.058_823_529_411_764_705));
    let tail = -0.333_333_333_333_333_3
        + z * (0.2 + z * (-0.142_857_142_857_142_85 + z * (0.111_111_111_111_111_1 + z * tail)));
    let rest = quick_sum(t.0, t.1 + t.0 * (z * tail));
    let highs: [f64; 9] = [
        0.0,
        0.124_354_994_546_761_44,
        0.244_978_663_126_864_14,
        0.358_770_670_270_572_25,
        0.463_647_609_000_806_1,
        0.558_599_315_343_562_4,
        0.643_501_108_793_284_4,
        0.718_829_999_621_624_5,
        0.785_398_163_397_448_3,
    ];
    let lows: [f64; 9] = [
        0.0,
        -3.125_324_142_453_938_3e-18,
        1.069_875_561_873_445_1e-17,
        -2.462_381_558_263_863_5e-17,
        2.269_877_745_296_168_7e-17,
        -5.455_630_548_591_626_4e-18,
        1.583_478_505_144_428_6e-17,
        -2.147_838_844_445_698_3e-17,
        3.061_616_997_868_383e-17,
    ];
    let at = eighths as usize;
    let angle = add((highs[at], lows[at]), rest);
    if is_steep {
        add(
            (1.570_796_326_794_896_6, 6.123_233_995_736_766e-17),
            (-angle.0, -angle.1),
        )
    } else {
        angle
    }
}

/// The angle whose tangent is `x`.
#[amp_fn(exact)]
#[must_use]
pub fn atan(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() || a < 1e-8 {
        return x;
    }
    let angle = if a > 1e20 {
        1.570_796_326_794_896_6
    } else {
        angle_of((a, 0.0), (1.0, 0.0)).0
    };
    angle.copysign(x)
}

/// The angle of the point `(x, y)`, from -π to π.
#[amp_fn(exact)]
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (a, b) = (y.abs(), x.abs());
    let half = (1.570_796_326_794_896_6, 6.123_233_995_736_766e-17);
    let is_behind = x.is_sign_negative();
    // By how many powers of two they are apart.
    let apart = (a.to_bits() >> 52) as i32 - (b.to_bits() >> 52) as i32;
    let angle = if a.is_infinite() && b.is_infinite() {
        (0.5 * half.0, 0.5 * half.1)
    } else if a == 0.0 || b.is_infinite() {
        (0.0, 0.0)
    } else if a.is_infinite() || b == 0.0 || apart > 64 {
        half
    } else if apart < -64 {
        if is_behind { (0.0, 0.0) } else { (a / b, 0.0) }
    } else {
        // Near one, exactly.
        let scaling = if a > 1e150 {
            2.409_919_865_102_884e-181
        } else if a < 1e-150 {
            4.149_515_568_880_993e180
        } else {
            1.0
        };
        let (a, b) = (a * scaling, b * scaling);
        angle_of((a, 0.0), (b, 0.0))
    };
    let angle = if is_behind {
        add((2.0 * half.0, 2.0 * half.1), (-angle.0, -angle.1))
    } else {
        angle
    };
    (angle.0 + angle.1).copysign(y)
}

/// The cosine of the angle whose sine is `x`, which is not farther than one from zero.
#[amp_fn(exact)]
fn other_side(x: f64) -> (f64, f64) {
    let square = multiply(sum(1.0, x), sum(1.0, -x));
    if square.0 == 0.0 {
        (0.0, 0.0)
    } else {
        root(square)
    }
}

/// The angle whose sine is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn asin(x: f64) -> f64 {
    let a = x.abs();
    if a > 1.0 {
        return f64::NAN;
    }
    if x.is_nan() || a < 1e-8 {
        return x;
    }
    angle_of((a, 0.0), other_side(a)).0.copysign(x)
}

/// The angle whose cosine is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn acos(x: f64) -> f64 {
    let a = x.abs();
    if a > 1.0 || x.is_nan() {
        return f64::NAN;
    }
    let angle = if a < 1e-20 {
        (1.570_796_326_794_896_6, 6.123_233_995_736_766e-17)
    } else {
        angle_of(other_side(a), (a, 0.0))
    };
    if x < 0.0 {
        add(
            (3.141_592_653_589_793, 1.224_646_799_147_353_2e-16),
            (-angle.0, -angle.1),
        )
        .0
    } else {
        angle.0
    }
}
