//! The error function, its complement, and the inverses of both.

use super::{
    exact::scalbn,
    exponentials::{exp, exp_of},
    logarithms::log,
    pair::{add, divide, multiply, product, quick_sum, scale, sum},
};
use crate::amp_fn;

/// The error function of an `x` of at most one.
#[amp_fn(exact)]
fn erf_of_small(x: f64) -> (f64, f64) {
    let z = x * x;
    let tail = -6.258_144_659_394_871_5e-12 + z * (2.895_998_335_856_476_6e-13);
    let tail = -1.636_580_067_062_689_3e-7
        + z * (1.480_642_530_759_606_8e-8
            + z * (-1.228_112_399_030_167_3e-9 + z * (9.342_544_765_021_712e-11 + z * tail)));
    let tail = -0.000_854_832_702_343_877_2
        + z * (0.000_120_553_329_808_203_26
            + z * (-1.492_565_030_797_088_3e-5 + z * (1.646_211_258_253_14e-6 + z * tail)));
    let tail = -0.376_126_389_031_837_54
        + z * (0.112_837_916_709_551_26
            + z * (-0.026_866_170_645_131_25 + z * (0.005_223_977_625_442_098 + z * tail)));
    let first = scale((1.128_379_167_095_512_6, 1.533_545_961_316_588e-17), x);
    quick_sum(first.0, first.1 + x * (z * tail))
}

/// `exp(x * x) * erfc(x)` of an `x` from 0.45 on.
#[amp_fn(exact)]
fn erfc_unscaled(x: f64) -> (f64, f64) {
    let t = divide((1.0, 0.0), sum(x, 3.0));
    if x < 3.5 {
        let u = t.0 - 0.221_850_613_154_961;
        let tail = 57_486.004_707_729_23
            + u * (-167_680.924_738_389_73
                + u * (-132_165.096_226_988_36 + u * 947_795.780_600_206_2));
        let tail = 3680.260_341_265_292
            + u * (-3698.743_177_978_852
                + u * (-15_315.003_063_258_036 + u * (23_919.604_352_987_422 + u * tail)));
        let tail = 130.811_948_693_322_36
            + u * (-414.535_095_930_471_24
                + u * (-864.272_315_476_098_8 + u * (928.983_702_235_833_1 + u * tail)));
        let tail = 8.371_594_834_560_668
            + u * (35.513_718_757_260_75
                + u * (107.122_804_627_895_8 + u * (204.501_231_438_153_64 + u * tail)));
        multiply(t, sum(1.444_018_503_788_798_5, u * tail))
    } else {
        let u = t.0 - 0.093_052_109_181_141_44;
        let tail = -79_244.500_103_877_97
            + u * (-158_038.474_128_013_86
                + u * (393_387.648_830_938_4 + u * 1_439_001.799_513_497_9));
        let tail = -1746.476_790_008_420_7
            + u * (2138.989_465_790_715_7
                + u * (13_735.507_972_515_25 + u * (8499.018_488_386_193 + u * tail)));
        let tail = 163.867_591_907_879_13
            + u * (192.832_374_187_516_25
                + u * (-109.206_219_611_277_53 + u * (-1060.622_718_587_728 + u * tail)));
        let tail = 3.045_575_337_843_928_8
            + u * (10.651_460_465_054_349
                + u * (32.468_694_303_423_6 + u * (82.974_758_800_191_21 + u * tail)));
        multiply(t, sum(0.776_314_952_494_481_5, u * tail))
    }
}

/// The complement of the error function of an `x` from 0.45 to 28.
#[amp_fn(exact)]
fn erfc_of_large(x: f64) -> f64 {
    let square = product(x, x);
    let (power, exponent) = exp_of((-square.0, -square.1));
    scalbn(multiply(power, erfc_unscaled(x)).0, exponent)
}

/// The error function.
#[amp_fn(exact)]
#[must_use]
pub fn erf(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() || x == 0.0 {
        return x;
    }
    if a < 1e-300 {
        // Without denormals on the way.
        return scalbn(erf_of_small(scalbn(x, 200)).0, -200);
    }
    let area = if a < 1.0 {
        erf_of_small(a).0
    } else if a < 7.0 {
        1.0 - erfc_of_large(a)
    } else {
        1.0
    };
    area.copysign(x)
}

/// One less the error function, precise for large `x` too.
#[amp_fn(exact)]
#[must_use]
pub fn erfc(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() {
        return x;
    }
    if a < 0.5 {
        let area = erf_of_small(x);
        return add((1.0, 0.0), (-area.0, -area.1)).0;
    }
    let rest = if a < 28.0 { erfc_of_large(a) } else { 0.0 };
    if x < 0.0 { 2.0 - rest } else { rest }
}

/// The number whose error function is `x`, of at most a half.
#[amp_fn(exact)]
fn erfinv_of_small(x: f64) -> f64 {
    let z = x * x;
    let mut y = x
        * (0.886_226_925_452_758
            + z * (0.232_013_666_534_654_5 + z * (0.127_556_175_305_597_96 + z * 0.09)));
    for _ in 0..2 {
        let slope = 1.128_379_167_095_512_6 * exp(-y * y);
        let area = erf_of_small(y);
        let step = ((area.0 - x) + area.1) / slope;
        y -= step / (1.0 + y * step);
    }
    y
}

/// The number whose complement of the error function is `x`, of at most a half: by the
/// logarithm of that, which is nearly a parabola.
#[amp_fn(exact)]
fn erfcinv_of_small(x: f64) -> f64 {
    let logarithm = log(x);
    let s = (-logarithm).sqrt();
    let t = 1.0 / (s + 1.0);
    let mut y = (s + 1.0)
        * (0.999_733_111_475_658_6
            + t * (-1.020_070_852_138_270_4
                + t * (-1.439_465_192_297_582_3 + t * 1.510_607_745_366_848_3)));
    for _ in 0..3 {
        let scaled = erfc_unscaled(y).0;
        let miss = (log(scaled) - logarithm) - y * y;
        y += miss * scaled * 0.886_226_925_452_758;
    }
    y
}

/// The number whose error function is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn erfinv(x: f64) -> f64 {
    let a = x.abs();
    if a > 1.0 {
        return f64::NAN;
    }
    if x == 0.0 || x.is_nan() {
        return x;
    }
    let y = if a <= 0.5 {
        erfinv_of_small(a)
    } else if a < 1.0 {
        erfcinv_of_small(1.0 - a)
    } else {
        f64::INFINITY
    };
    y.copysign(x)
}

/// The number whose complement of the error function is `x`; NaN if there is none.
#[amp_fn(exact)]
#[must_use]
pub fn erfcinv(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 || x > 2.0 {
        f64::NAN
    } else if x == 0.0 {
        f64::INFINITY
    } else if x == 2.0 {
        f64::NEG_INFINITY
    } else if x < 0.5 {
        erfcinv_of_small(x)
    } else if x > 1.5 {
        -erfcinv_of_small(2.0 - x)
    } else {
        erfinv(1.0 - x)
    }
}
