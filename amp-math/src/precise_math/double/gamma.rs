//! The gamma function and its logarithm: the series of the logarithm around two, Stirling's
//! for large arguments, and what leads from other arguments to these.

use super::{
    angles::sinpi_of,
    exact::scalbn,
    exponentials::exp_of,
    logarithms::log_of,
    pair::{add, divide, multiply, product, quick_sum, scale, sum},
};
use crate::amp_fn;

/// The logarithm of Γ(2 + z), for a `z` from -½ to ½.
#[amp_fn(exact)]
fn log_near_two(z: f64) -> (f64, f64) {
    let tail = 5.731_367_241_678_862e-10
        + z * (-2.759_522_885_124_233_4e-10
            + z * (1.330_476_437_424_449e-10 + z * (-6.422_964_563_838_1e-11)));
    let tail = 1.083_865_921_489_695_5e-8
        + z * (-5.183_475_041_970_047e-9
            + z * (2.483_674_543_802_478_5e-9 + z * (-1.192_140_140_586_091_2e-9 + z * tail)));
    let tail = 2.120_718_480_555_466_5e-7
        + z * (-1.004_322_482_396_809_9e-7
            + z * (4.769_810_169_363_980_4e-8 + z * (-2.271_109_460_894_316_4e-8 + z * tail)));
    let tail = 4.374_866_789_907_488e-6
        + z * (-2.039_215_753_801_366e-6
            + z * (9.551_412_130_407_42e-7 + z * (-4.492_469_198_764_566e-7 + z * tail)));
    let tail = 9.945_751_278_180_853e-5
        + z * (-4.492_623_673_813_314e-5
            + z * (2.050_721_277_567_069e-5 + z * (-9.439_488_275_268_397e-6 + z * tail)));
    let tail = 0.002_890_510_330_741_523_4
        + z * (-0.001_192_753_911_703_261
            + z * (0.000_509_669_524_743_042_5 + z * (-0.000_223_154_758_453_579_39 + z * tail)));
    let tail = 0.322_467_033_424_113_2
        + z * (-0.067_352_301_053_198_1
            + z * (0.020_580_808_427_784_546 + z * (-0.007_385_551_028_673_986 + z * tail)));
    let first = scale((0.422_784_335_098_467_13, 4.942_915_152_430_645e-18), z);
    quick_sum(first.0, first.1 + z * z * tail)
}

/// The logarithm of Γ(x) for an `x` of ten or more, whose own logarithm this is (Stirling).
#[amp_fn(exact)]
fn log_of_large(x: f64, logarithm: (f64, f64)) -> (f64, f64) {
    let inverse = 1.0 / x;
    let z = inverse * inverse;
    let tail =
        0.179_644_372_368_830_57 + z * (-1.392_432_216_905_901_1 + z * 13.402_864_044_168_393);
    let tail = 0.000_841_750_841_750_841_7
        + z * (-0.001_917_526_917_526_917_6
            + z * (0.006_410_256_410_256_41 + z * (-0.029_550_653_594_771_242 + z * tail)));
    let tail = 0.083_333_333_333_333_33
        + z * (-0.002_777_777_777_777_778
            + z * (0.000_793_650_793_650_793_7 + z * (-0.000_595_238_095_238_095_3 + z * tail)));
    let powers = multiply(add(logarithm, (-1.0, 0.0)), sum(x, -0.5));
    add(
        powers,
        add(
            (0.418_938_533_204_672_7, 1.672_820_965_058_541_3e-17),
            (inverse * tail, 0.0),
        ),
    )
}

/// What leads from `x`, which is positive and less than ten and a half, to a number near
/// two: how far from two that is, a factor, and whether Γ(x) has it below the line.
#[amp_fn(exact)]
fn near_two(x: f64) -> (f64, (f64, f64), bool) {
    if x < 0.5 {
        return (x, add((x, 0.0), product(x, x)), true);
    }
    if x < 1.5 {
        return (x - 1.0, (x, 0.0), true);
    }
    let mut rest = x;
    let mut factor = (1.0, 0.0);
    while rest > 2.5 {
        rest -= 1.0;
        factor = scale(factor, rest);
    }
    (rest - 2.0, factor, false)
}

/// Γ(x) of an `x` from 0 to 190, as a number near one and a power of two.
#[amp_fn(exact)]
fn gamma_of(x: f64) -> ((f64, f64), i32) {
    let is_large = x > 10.5;
    let (z, factor, is_below) = near_two(if is_large { 2.0 } else { x });
    let logarithm = if is_large {
        log_of_large(x, log_of((x, 0.0)))
    } else {
        log_near_two(z)
    };
    let (power, exponent) = exp_of(logarithm);
    let gamma = if is_below {
        divide(power, factor)
    } else {
        multiply(power, factor)
    };
    (gamma, exponent)
}

/// The logarithm of Γ(x) of a positive `x`.
#[amp_fn(exact)]
fn log_gamma_of(x: f64) -> (f64, f64) {
    let is_large = x > 10.5;
    let (z, factor, is_below) = near_two(if is_large { 2.0 } else { x });
    let logarithm = log_of(if is_large { (x, 0.0) } else { factor });
    if x > 1e300 {
        // Whose product does overflow, but not on the way.
        (x * (logarithm.0 - 1.0), 0.0)
    } else if is_large {
        log_of_large(x, logarithm)
    } else if is_below {
        add(log_near_two(z), (-logarithm.0, -logarithm.1))
    } else {
        add(log_near_two(z), logarithm)
    }
}

/// Whether a whole number is even.
#[amp_fn(exact)]
fn is_even(x: f64) -> bool {
    0.5 * x == (0.5 * x).trunc()
}

/// The gamma function; NaN for negative integers.
#[amp_fn(exact)]
#[must_use]
pub fn tgamma(x: f64) -> f64 {
    let a = x.abs();
    let whole = a.trunc();
    if a < 1e-20 {
        return 1.0 / x;
    }
    if x.is_nan() || x < 0.0 && a == whole {
        return f64::NAN;
    }
    if a > 190.0 {
        return if x > 0.0 {
            f64::INFINITY
        } else if is_even(whole) {
            -0.0
        } else {
            0.0
        };
    }
    let (gamma, exponent) = gamma_of(a);
    if x > 0.0 {
        return scalbn(gamma.0, exponent);
    }
    // Γ(-a) a Γ(a) sin(π a) = -π
    let below = multiply(scale(gamma, a), sinpi_of(a));
    scalbn(
        divide(
            (-3.141_592_653_589_793, -1.224_646_799_147_353_2e-16),
            below,
        )
        .0,
        -exponent,
    )
}

/// The logarithm of the magnitude of the gamma function, and the sign of that. Next to
/// where the logarithm is zero for a negative `x` only its absolute error is small.
#[amp_fn(exact)]
#[must_use]
pub fn lgamma(x: f64) -> (f64, i32) {
    let a = x.abs();
    let whole = a.trunc();
    let is_negative = x.is_sign_negative();
    if x.is_nan() {
        return (x, 1);
    }
    if a.is_infinite() || a == 0.0 || is_negative && a == whole {
        let sign = if is_negative && a == 0.0 { -1 } else { 1 };
        return (f64::INFINITY, sign);
    }
    // Γ(-a) a Γ(a) sin(π a) = -π
    let gamma = log_gamma_of(a);
    if !is_negative || a < 1e-20 {
        return (gamma.0, if is_negative { -1 } else { 1 });
    }
    let sine = sinpi_of(a);
    let sine = if sine.0 < 0.0 {
        (-sine.0, -sine.1)
    } else {
        sine
    };
    let below = add(gamma, log_of(scale(sine, a)));
    let sign = if is_even(whole) { -1 } else { 1 };
    (
        add(
            (1.144_729_885_849_400_2, 1.026_595_116_270_782_6e-17),
            (-below.0, -below.1),
        )
        .0,
        sign,
    )
}
