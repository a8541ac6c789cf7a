//! `precise_math`, `fast_math` and `direct3d`: the precise functions give the same bits on
//! every accelerator and on the host, within C++ AMP's bounds; the fast ones are as precise
//! as the device.

use amp::prelude::*;
use testkit::numbers::random;
use testkit::{everywhere, gives, input, launch};

const SPECIAL: [f32; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    1e-45,
    -1e-45,
    f32::MIN_POSITIVE,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    88.722_84,
    -103.97,
    0.999_999_94,
    1.000_000_1,
    std::f32::consts::FRAC_PI_2,
    1e10,
    -123.456,
];

/// Special numbers, all magnitudes, and those near one.
fn numbers(count: usize) -> Vec<f32> {
    let mut numbers = SPECIAL.to_vec();
    for (i, bits) in random(7).take(count).enumerate() {
        let number = f32::from_bits(bits);
        numbers.push(match i % 3 {
            0 => number,
            1 => (bits as i32 as f32) / 2e8,
            _ => (bits as i32 as f32) / 2_147_483_648.0,
        });
    }
    numbers
}

/// How many units in the last place a result is from the true one.
fn error(result: f32, truth: f64) -> f64 {
    let rounded = truth as f32;
    if rounded.is_nan() || rounded.is_infinite() || result.is_infinite() {
        let same = rounded.is_nan() && result.is_nan() || rounded == result;
        let at_the_end = truth.abs() > f64::from(f32::MAX) * (1.0 - 1e-7);
        return match (same, at_the_end) {
            (true, _) => 0.0,
            (false, true) => 1.0,
            _ => f64::INFINITY,
        };
    }
    let exponent = truth.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor() as i32;
    (f64::from(result) - truth).abs() / 2f64.powi(exponent - 23)
}

/// A kernel for each function, and what is true of it.
macro_rules! precise {
    ($($name:ident <= $bound:literal, $truth:expr;)*) => {$(
        mod $name {
            use super::*;

            #[amp_kernel]
            fn computes(idx: Index<1>, x: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>) {
                out[idx] = precise_math::$name(x[idx]);
            }

            #[test]
            fn is_the_same_everywhere() {
                let x = numbers(3000);
                let expected: Vec<f32> = x.iter().map(|&x| precise_math::$name(x)).collect();
                gives(&expected, |view, out| launch(view, x.len(), computes(&input(&x), out)));
            }

            #[test]
            fn is_precise() {
                let truth: fn(f64) -> f64 = $truth;
                for x in numbers(100_000) {
                    let (found, truth) = (precise_math::$name(x), truth(f64::from(x)));
                    let error = error(found, truth);
                    assert!(error <= $bound, "{x:e} gives {found:e}, not {truth:e}: {error} ulp");
                }
            }
        }
    )*};
}

/// `x` half turns within a quarter of a turn, and which function of that the sine is.
fn half_turns(x: f64, quarters: f64) -> f64 {
    let part = (x % 2.0) + 0.5 * quarters;
    let turns = (2.0 * part).round();
    let angle = (part - 0.5 * turns) * std::f64::consts::PI;
    match turns.rem_euclid(4.0) as u32 {
        0 => angle.sin(),
        1 => angle.cos(),
        2 => -angle.sin(),
        _ => -angle.cos(),
    }
}

precise! {
    acos <= 2.0, f64::acos;
    acosh <= 3.0, |x| if x < 1.0 { f64::NAN } else { ((x - 1.0) + ((x - 1.0) * (x + 1.0)).sqrt()).ln_1p() };
    asin <= 2.0, f64::asin;
    asinh <= 2.0, |x| {
        let a = x.abs();
        let large = a.ln() + std::f64::consts::LN_2;
        let small = (a + a * a / (1.0 + (a * a + 1.0).sqrt())).ln_1p();
        if a > 1e10 { large.copysign(x) } else { small.copysign(x) }
    };
    atan <= 2.0, f64::atan;
    atanh <= 3.0, |x| (0.5 * (2.0 * x.abs() / (1.0 - x.abs())).ln_1p()).copysign(x);
    cbrt <= 1.0, f64::cbrt;
    cos <= 1.0, f64::cos;
    cosh <= 2.0, f64::cosh;
    cospi <= 1.0, |x| half_turns(x, 1.0);
    erf <= 3.0, precise_math::double::erf;
    erfc <= 6.0, precise_math::double::erfc;
    erfcinv <= 7.0, precise_math::double::erfcinv;
    erfinv <= 3.0, precise_math::double::erfinv;
    exp <= 1.0, f64::exp;
    exp10 <= 2.0, |x| 10f64.powf(x);
    exp2 <= 2.0, f64::exp2;
    expm1 <= 1.0, f64::exp_m1;
    log <= 1.0, f64::ln;
    log10 <= 2.0, f64::log10;
    log1p <= 1.0, f64::ln_1p;
    log2 <= 2.0, f64::log2;
    rcbrt <= 2.0, |x| 1.0 / x.cbrt();
    rsqrt <= 2.0, |x| 1.0 / x.sqrt();
    sin <= 1.0, f64::sin;
    sinh <= 2.0, f64::sinh;
    sinpi <= 2.0, |x| half_turns(x, 0.0);
    tan <= 2.0, f64::tan;
    tanh <= 2.0, f64::tanh;
    tanpi <= 2.0, |x| half_turns(x, 0.0) / half_turns(x, 1.0);
    tgamma <= 11.0, precise_math::double::tgamma;
}

/// Results of all functions of two numbers, and of some of one that give two.
#[amp_fn]
fn pair(a: f32, b: f32) -> [f32; 18] {
    let (fraction, exponent) = precise_math::frexp(a);
    let (below_one, whole) = precise_math::modf(a);
    let (logarithm, sign) = precise_math::lgamma(a);
    let (_, quotient) = precise_math::remquo(a, b);
    [
        precise_math::atan2(a, b),
        precise_math::hypot(a, b),
        precise_math::remainder(a, b),
        precise_math::nextafter(a, b),
        precise_math::fdim(a, b),
        precise_math::fmod(a, b),
        precise_math::scalbn(a, b as i32),
        precise_math::logb(a),
        fraction,
        exponent as f32,
        below_one,
        whole,
        precise_math::ilogb(a) as f32,
        precise_math::isnormal(a) as u32 as f32 + precise_math::fpclassify(b) as f32,
        precise_math::pow(a, b),
        logarithm,
        (sign + quotient) as f32,
        precise_math::scalb(a, b.trunc()),
    ]
}

#[amp_kernel]
fn of_two(
    idx: Index<1>,
    x: &ArrayView<f32, 1>,
    y: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    let results = pair(x[idx], y[idx]);
    for i in 0..18 {
        out[[i, idx[0]]] = results[i];
    }
}

fn pairs(count: usize) -> (Vec<f32>, Vec<f32>) {
    let mut x = numbers(count);
    let mut y = numbers(count);
    y.rotate_left(1);
    for a in SPECIAL {
        for b in SPECIAL {
            x.push(a);
            y.push(b);
        }
    }
    (x, y)
}

#[test]
fn functions_of_two_are_the_same_everywhere() {
    let (x, y) = pairs(3000);
    let columns: Vec<[f32; 18]> = x.iter().zip(&y).map(|(&a, &b)| pair(a, b)).collect();
    let expected: Vec<f32> = (0..18)
        .flat_map(|k| columns.iter().map(move |it| it[k]))
        .collect();
    let before = vec![0.0; expected.len()];
    testkit::becomes([18, x.len()], &before, &expected, |view, out| {
        launch(view, x.len(), of_two(&input(&x), &input(&y), out))
    });
}

#[test]
fn functions_of_two_are_precise() {
    let (x, y) = pairs(100_000);
    for (&a, &b) in x.iter().zip(&y) {
        let (wide_a, wide_b) = (f64::from(a), f64::from(b));
        let found = pair(a, b);
        assert!(
            error(found[0], wide_a.atan2(wide_b)) <= 2.0,
            "atan2({a:e}, {b:e})"
        );
        assert!(
            error(found[1], wide_a.hypot(wide_b)) <= 2.0,
            "hypot({a:e}, {b:e})"
        );
        let truth = wide_a.powf(wide_b);
        let small = truth.abs() < 1e-300;
        assert!(
            small && found[14] == 0.0 || error(found[14], truth) <= 2.0,
            "pow({a:e}, {b:e})"
        );
        let scaled = wide_a * 2f64.powi((b as i32).clamp(-400, 400));
        assert!(
            found[6] == scaled as f32 || scaled.is_nan() && found[6].is_nan(),
            "scalbn({a:e}, {b:e}) is {:e}",
            found[6]
        );
        if a.is_finite() {
            assert_eq!(
                found[8]
                    * 2f32.powi(found[9] as i32 / 2)
                    * 2f32.powi(found[9] as i32 - found[9] as i32 / 2),
                a
            );
            assert_eq!(found[10] + found[11], a);
        }
        // The multiple of `b` that is left out is the nearest one.
        if a.is_finite() && b.is_finite() && b != 0.0 && (wide_a / wide_b).abs() < 1e15 {
            let turns = (wide_a / wide_b).round_ties_even();
            let rest = wide_a - turns * wide_b;
            if (wide_a / wide_b).abs() < 1e8 {
                assert_eq!(found[2], rest as f32, "remainder({a:e}, {b:e})");
                let quotient = precise_math::remquo(a, b).1;
                assert_eq!(quotient, (turns % 8.0) as i32, "remquo({a:e}, {b:e})");
            }
        }
    }
    assert_eq!(precise_math::nextafter(1.0_f32, 2.0), 1.0 + f32::EPSILON);
    assert_eq!(precise_math::nextafter(0.0_f32, -1.0), -1e-45);
    assert_eq!(precise_math::ilogb(0.15625), -3);
}

#[amp_kernel]
fn fast(idx: Index<1>, x: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 2>) {
    let (i, a) = (idx[0], x[idx]);
    out[[0, i]] = fast_math::sqrt(a);
    out[[1, i]] = fast_math::rsqrt(a);
    out[[2, i]] = fast_math::exp(-a);
    out[[3, i]] = fast_math::pow(a, 0.75);
    let (s, c) = fast_math::sincos(a);
    out[[4, i]] = s - fast_math::sin(a);
    out[[5, i]] = c - fast_math::cos(a);
    out[[6, i]] = fast_math::log2(a);
    out[[7, i]] = fast_math::floor(a) + fast_math::fmod(a, 1.0);
    out[[8, i]] = direct3d::mad(a, 2.0, 1.0);
    out[[9, i]] = direct3d::rcp(a);
}

#[test]
fn fast_functions_are_as_precise_as_the_device() {
    let x: Vec<f32> = (1..=1000).map(|i| i as f32 / 100.0).collect();
    everywhere(|view| {
        let mut data = vec![0.0; 10 * x.len()];
        let mut out = ArrayViewMut::new([10, x.len()], &mut data).unwrap();
        launch(view, x.len(), fast(&input(&x), &mut out)).unwrap();
        drop(out);
        for (i, &a) in x.iter().enumerate() {
            let at = |k: usize| f64::from(data[k * x.len() + i]);
            let a = f64::from(a);
            let near = |found: f64, truth: f64, by: f64| {
                let off = (found - truth).abs();
                assert!(
                    off <= by * truth.abs().max(1e-3),
                    "{view}: {a} gives {found}, not {truth}"
                );
            };
            near(at(0), a.sqrt(), 5e-7);
            near(at(1), 1.0 / a.sqrt(), 8e-7);
            near(at(2), (-a).exp(), 4e-6);
            near(at(3), a.powf(0.75), 4e-6);
            assert_eq!((at(4), at(5)), (0.0, 0.0), "{view}: sincos({a})");
            near(at(6), a.log2(), 1e-3);
            near(at(7), a, 1e-6);
            near(at(8), 2.0 * a + 1.0, 2e-7);
            near(at(9), 1.0 / a, 3e-7);
        }
    });
}

#[amp_kernel]
fn of_direct3d(idx: Index<1>, x: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 2>) {
    let (i, a) = (idx[0], x[idx]);
    let b = 7 - a / 3;
    let bits = a as u32;
    out[[0, i]] = direct3d::abs(a);
    out[[1, i]] = direct3d::iclamp(a, -5, 9);
    out[[2, i]] = direct3d::countbits(bits) as i32;
    out[[3, i]] = direct3d::firstbithigh(a);
    out[[4, i]] = direct3d::firstbitlow(a);
    out[[5, i]] = direct3d::imax(a, b) - direct3d::imin(a, b);
    out[[6, i]] = direct3d::umax(bits, 9) as i32 ^ direct3d::umin(bits, 9) as i32;
    out[[7, i]] = direct3d::imad(a, b, 3);
    out[[8, i]] = direct3d::umad(bits, 5, 1) as i32;
    out[[9, i]] = direct3d::reversebits(bits) as i32;
    out[[10, i]] = direct3d::sign(a);
    let f = a as f32 / 4.0;
    out[[11, i]] = direct3d::saturate(f).to_bits() as i32;
    out[[12, i]] = direct3d::smoothstep(-1.0, 3.0, f).to_bits() as i32;
    out[[13, i]] = direct3d::step(0.25, f).to_bits() as i32;
    out[[14, i]] = direct3d::clamp(f, -0.5, 0.75).to_bits() as i32;
}

#[test]
fn direct3d_functions() {
    let x = [
        0,
        1,
        -1,
        2,
        7,
        -8,
        40,
        255,
        -256,
        i32::MAX,
        i32::MIN,
        123_456,
        -9,
        3,
        0x00f0_0000,
    ];
    let high = |a: i32| {
        (0..31)
            .rev()
            .find(|&k| (a >> k) & 1 != (a < 0) as i32)
            .unwrap_or(-1)
    };
    let low = |a: i32| (0..32).find(|&k| (a >> k) & 1 == 1).unwrap_or(-1);
    let smooth = |f: f32| {
        let t = ((f + 1.0) / 4.0).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let column = |a: i32| -> [i32; 15] {
        let (b, bits, f) = (7 - a / 3, a as u32, a as f32 / 4.0);
        [
            a.wrapping_abs(),
            a.clamp(-5, 9),
            bits.count_ones() as i32,
            high(a),
            low(a),
            a.max(b).wrapping_sub(a.min(b)),
            (bits.max(9) ^ bits.min(9)) as i32,
            a.wrapping_mul(b).wrapping_add(3),
            bits.wrapping_mul(5).wrapping_add(1) as i32,
            bits.reverse_bits() as i32,
            a.signum(),
            f.clamp(0.0, 1.0).to_bits() as i32,
            smooth(f).to_bits() as i32,
            if f >= 0.25 {
                1.0f32.to_bits() as i32
            } else {
                0
            },
            f.clamp(-0.5, 0.75).to_bits() as i32,
        ]
    };
    let columns: Vec<[i32; 15]> = x.iter().map(|&a| column(a)).collect();
    let expected: Vec<i32> = (0..15)
        .flat_map(|k| columns.iter().map(move |it| it[k]))
        .collect();
    testkit::becomes(
        [15, x.len()],
        &vec![0; expected.len()],
        &expected,
        |view, out| launch(view, x.len(), of_direct3d(&input(&x), out)),
    );
}

#[amp_kernel]
fn sums_of_differences(idx: Index<1>, words: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 2>) {
    let i = idx[0];
    let source = [words[[i, 1]], words[[i, 2]]];
    let sums = direct3d::msad4(words[[i, 0]], source, [words[[i, 3]], 1, 2, 3]);
    for k in 0..4 {
        out[[i, k]] = sums[k];
    }
}

#[test]
fn msad4_sums_differences_of_bytes() {
    // What Direct3D's documentation says, a byte at a time.
    let sums = |words: &[u32]| {
        let window: Vec<u8> = [words[1], words[2]]
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .collect();
        let before = [words[3], 1, 2, 3];
        (0..4)
            .map(move |start| {
                let pairs = words[0]
                    .to_le_bytes()
                    .into_iter()
                    .zip(window[start..].to_vec());
                let counted = pairs.filter(|(wanted, _)| *wanted != 0);
                let differences = counted.map(|(a, b)| u32::from(a.abs_diff(b)));
                differences.fold(before[start], u32::wrapping_add)
            })
            .collect::<Vec<u32>>()
    };
    let mut words: Vec<u32> = random(40).take(400).collect();
    for (i, word) in words.iter_mut().enumerate() {
        // Some bytes that do not count.
        *word &= [u32::MAX, 0xff00_ffff, 0x00ff_00ff][i % 3];
    }
    let expected: Vec<u32> = words.chunks(4).flat_map(sums).collect();
    testkit::becomes([100, 4], &[0; 400], &expected, |view, out| {
        let words = ArrayView::new([100, 4], &words)?;
        launch(view, 100, sums_of_differences(&words, out))
    });
    assert_eq!(direct3d::dmad(0.5, 3.0, 0.25), 1.75);
}
