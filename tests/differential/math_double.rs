//! `precise_math` of `f64`, and the methods of `f64` that it computes: the same bits on
//! every accelerator and on the host, and within C++ AMP's bounds of the correctly rounded
//! results in `tests/reference/double.txt`, which MPFR has computed.

use std::collections::HashMap;

use amp::precise_math::{self, Float, double, single};
use amp::prelude::*;
use testkit::numbers::random;
use testkit::{becomes, input, launch};

/// A function, the arguments and the correctly rounded result, as bits.
type Reference = HashMap<&'static str, Vec<Vec<f64>>>;

fn reference() -> Reference {
    let mut reference = Reference::new();
    for line in include_str!("../reference/double.txt").lines() {
        let mut words = line.split(' ');
        let name = words.next().unwrap();
        let numbers = words.map(|word| f64::from_bits(u64::from_str_radix(word, 16).unwrap()));
        reference.entry(name).or_default().push(numbers.collect());
    }
    reference
}

/// How many units in the last place a result is from the rounded true one.
fn error(found: f64, truth: f64) -> f64 {
    if found.is_nan() && truth.is_nan() {
        return 0.0;
    }
    // Numbers in order, as integers.
    let place = |x: f64| {
        let magnitude = (x.to_bits() & !(1 << 63)) as i64;
        if x.is_sign_negative() {
            -magnitude
        } else {
            magnitude
        }
    };
    if found.is_nan() || truth.is_nan() {
        return f64::INFINITY;
    }
    (place(found) - place(truth)).unsigned_abs() as f64
}

/// The functions of one number with their bounds, and kernels of eight of them each.
macro_rules! precise {
    ($($kernel:ident: $($row:literal $name:ident <= $bound:literal),*;)*) => {
        mod kernels {
            use super::*;

            $(
                #[amp_kernel]
                pub fn $kernel(
                    idx: Index<1>,
                    x: &ArrayView<f64, 1>,
                    out: &mut ArrayViewMut<f64, 2>,
                ) {
                    $(out[[$row, idx[0]]] = precise_math::$name(x[idx]);)*
                }
            )*
        }

        #[test]
        fn functions_are_precise() {
            let reference = reference();
            $($({
                for case in &reference[stringify!($name)] {
                    let found = precise_math::$name(case[0]);
                    let error = error(found, case[1]);
                    let name = stringify!($name);
                    assert!(
                        error <= $bound,
                        "{name}({:e}) is {found:e}, not {:e}: {error} ulp", case[0], case[1]
                    );
                }
            })*)*
        }

        $(
            #[test]
            fn $kernel() {
                let reference = reference();
                let mut x = Vec::new();
                $(x.extend(reference[stringify!($name)].iter().map(|case| case[0]));)*
                let mut expected = Vec::new();
                $(expected.extend(x.iter().map(|&x| double::$name(x)));)*
                let before = vec![0.0; expected.len()];
                let rows = expected.len() / x.len();
                becomes([rows, x.len()], &before, &expected, |view, out| {
                    launch(view, x.len(), kernels::$kernel(&input(&x), out))
                });
            }
        )*
    };
}

precise! {
    angles_are_the_same_everywhere:
        0 sin <= 2.0,
        1 cos <= 2.0,
        2 tan <= 2.0,
        3 sinpi <= 2.0,
        4 cospi <= 2.0,
        5 tanpi <= 2.0;
    inverses_are_the_same_everywhere:
        0 asin <= 2.0,
        1 acos <= 2.0,
        2 atan <= 2.0;
    exponentials_are_the_same_everywhere:
        0 exp <= 1.0,
        1 exp2 <= 1.0,
        2 exp10 <= 1.0,
        3 expm1 <= 1.0,
        4 sinh <= 2.0,
        5 cosh <= 2.0,
        6 tanh <= 2.0;
    logarithms_are_the_same_everywhere:
        0 log <= 1.0,
        1 log2 <= 1.0,
        2 log10 <= 1.0,
        3 log1p <= 1.0,
        4 asinh <= 2.0,
        5 acosh <= 2.0,
        6 atanh <= 2.0;
    roots_are_the_same_everywhere:
        0 cbrt <= 1.0,
        1 rcbrt <= 1.0,
        2 rsqrt <= 1.0;
    errors_are_the_same_everywhere:
        0 erf <= 2.0,
        1 erfc <= 5.0,
        2 erfinv <= 8.0,
        3 erfcinv <= 8.0;
    gamma_are_the_same_everywhere:
        0 tgamma <= 8.0;
}

#[amp_kernel]
fn of_two(
    idx: Index<1>,
    x: &ArrayView<f64, 1>,
    y: &ArrayView<f64, 1>,
    out: &mut ArrayViewMut<f64, 2>,
) {
    let (i, a, b) = (idx[0], x[idx], y[idx]);
    out[[0, i]] = precise_math::pow(a, b);
    out[[1, i]] = precise_math::atan2(a, b);
    out[[2, i]] = precise_math::hypot(a, b);
    let (rest, quotient) = precise_math::remquo(a, b);
    out[[3, i]] = rest;
    out[[4, i]] = quotient as f64;
}

#[test]
fn functions_of_two_are_the_same_everywhere() {
    let reference = reference();
    let cases: Vec<&Vec<f64>> = ["pow", "atan2", "hypot", "remainder"]
        .iter()
        .flat_map(|name| &reference[name])
        .collect();
    let x: Vec<f64> = cases.iter().map(|case| case[0]).collect();
    let y: Vec<f64> = cases.iter().map(|case| case[1]).collect();
    let row = |function: fn(f64, f64) -> f64| x.iter().zip(&y).map(move |(&x, &y)| function(x, y));
    let expected: Vec<f64> = row(double::pow)
        .chain(row(double::atan2))
        .chain(row(double::hypot))
        .chain(row(double::remainder))
        .chain(row(|x, y| f64::from(double::remquo(x, y).1)))
        .collect();
    let before = vec![0.0; expected.len()];
    becomes([5, x.len()], &before, &expected, |view, out| {
        launch(view, x.len(), of_two(&input(&x), &input(&y), out))
    });
}

#[test]
fn functions_of_two_are_precise() {
    type Function = fn(f64, f64) -> f64;
    let functions: [(&str, Function, f64); 4] = [
        ("pow", double::pow, 2.0),
        ("atan2", double::atan2, 2.0),
        ("hypot", double::hypot, 2.0),
        ("remainder", double::remainder, 0.0),
    ];
    let reference = reference();
    for (name, function, bound) in functions {
        for case in &reference[name] {
            let found = function(case[0], case[1]);
            let error = error(found, case[2]);
            assert!(
                error <= bound,
                "{name}({:e}, {:e}) is {found:e}, not {:e}: {error} ulp",
                case[0],
                case[1],
                case[2]
            );
        }
    }
    for case in &reference["lgamma"] {
        let (found, sign) = double::lgamma(case[0]);
        let error = error(found, case[1]);
        assert!(
            error <= 4.0,
            "lgamma({:e}) is {found:e}: {error} ulp",
            case[0]
        );
        let gamma = double::tgamma(case[0]);
        if gamma.is_finite() && gamma != 0.0 {
            assert_eq!(sign < 0, gamma < 0.0, "the sign of lgamma({:e})", case[0]);
        }
    }
}

#[amp_kernel]
fn exact(
    idx: Index<1>,
    x: &ArrayView<f64, 1>,
    y: &ArrayView<f64, 1>,
    out: &mut ArrayViewMut<f64, 2>,
) {
    let (i, a, b) = (idx[0], x[idx], y[idx]);
    let (fraction, exponent) = precise_math::frexp(a);
    let (part, whole) = precise_math::modf(a);
    out[[0, i]] = precise_math::nextafter(a, b);
    out[[1, i]] = precise_math::fdim(a, b);
    out[[2, i]] = precise_math::scalb(a, b.trunc());
    out[[3, i]] = precise_math::logb(a);
    out[[4, i]] = fraction;
    out[[5, i]] = exponent as f64;
    out[[6, i]] = part;
    out[[7, i]] = whole;
    out[[8, i]] = precise_math::ilogb(a) as f64;
    out[[9, i]] = precise_math::fpclassify(a) as f64 + precise_math::isnormal(a) as u32 as f64;
    out[[10, i]] = precise_math::nan::<f64>(b as i32);
    out[[11, i]] = precise_math::fmin(a, precise_math::copysign(b, a));
}

#[test]
fn exact_functions_are_the_same_everywhere() {
    let mut x: Vec<f64> = reference()["sin"].iter().map(|case| case[0]).collect();
    let mut y = x.clone();
    y.rotate_left(1);
    for bits in random(3).take(200) {
        x.push(f64::from_bits(u64::from(bits) << 32 | u64::from(bits)));
        y.push(f64::from(bits as i32) / 1e6);
    }
    let column = |a: f64, b: f64| -> [f64; 12] {
        [
            double::nextafter(a, b),
            double::fdim(a, b),
            double::scalb(a, b.trunc()),
            double::logb(a),
            double::frexp(a).0,
            f64::from(double::frexp(a).1),
            double::modf(a).0,
            double::modf(a).1,
            f64::from(double::ilogb(a)),
            f64::from(double::fpclassify(a)) + f64::from(u8::from(a.is_normal())),
            double::nan(b as i32),
            double::fmin(a, b.copysign(a)),
        ]
    };
    let columns: Vec<[f64; 12]> = x.iter().zip(&y).map(|(&a, &b)| column(a, b)).collect();
    let expected: Vec<f64> = (0..12)
        .flat_map(|k| columns.iter().map(move |it| it[k]))
        .collect();
    let before = vec![0.0; expected.len()];
    becomes([12, x.len()], &before, &expected, |view, out| {
        launch(view, x.len(), exact(&input(&x), &input(&y), out))
    });
    for (&a, &b) in x.iter().zip(&y) {
        let (fraction, exponent) = double::frexp(a);
        let again = double::ldexp(fraction, exponent);
        assert!(again == a || a.is_nan(), "frexp({a:e})");
        let next = double::nextafter(a, b);
        let expected = match a.partial_cmp(&b) {
            None => f64::NAN,
            Some(std::cmp::Ordering::Less) => a.next_up(),
            Some(std::cmp::Ordering::Greater) => a.next_down(),
            Some(std::cmp::Ordering::Equal) => b,
        };
        assert!(next == expected || next.is_nan() && expected.is_nan());
    }
}

/// What is generic over the type, and the methods of both floats.
#[amp_fn]
fn logistic<T: Float>(x: T) -> T {
    T::ONE / (T::ONE + precise_math::exp(T::ZERO - x))
}

#[amp_kernel]
fn methods(
    idx: Index<1>,
    x: &ArrayView<f64, 1>,
    out: &mut ArrayViewMut<f64, 2>,
    singles: &mut ArrayViewMut<f32, 2>,
) {
    let (i, a) = (idx[0], x[idx]);
    let (s, c) = a.sin_cos();
    out[[0, i]] = s + 3.0 * c;
    out[[1, i]] = f64::atan2(a, -2.0) + a.tanh();
    out[[2, i]] = a.exp_m1() + a.abs().ln_1p();
    out[[3, i]] = a.abs().log(2.5) + a.cbrt();
    out[[4, i]] = logistic(a) + a.to_radians().recip();
    let b = a as f32;
    singles[[0, i]] = b.exp_m1();
    singles[[1, i]] = b.abs().ln_1p();
    singles[[2, i]] = logistic(b);
    singles[[3, i]] = precise_math::pow(b.abs(), 0.75);
    let (sine, cosine) = b.sin_cos();
    singles[[4, i]] = (sine * sine + cosine * cosine - 1.0)
        .abs()
        .min(1e-2)
        .floor();
}

#[test]
fn methods_are_the_functions() {
    let x: Vec<f64> = random(5)
        .take(100)
        .map(|bits| f64::from(bits as i32) / 4e8)
        .collect();
    let mut doubles = Vec::new();
    let mut singles = Vec::new();
    for row in 0..5 {
        for &a in &x {
            let (s, c) = double::sincos(a);
            let b = a as f32;
            doubles.push(match row {
                0 => s + 3.0 * c,
                1 => double::atan2(a, -2.0) + double::tanh(a),
                2 => double::expm1(a) + double::log1p(a.abs()),
                3 => double::log_to_base(a.abs(), 2.5) + double::cbrt(a),
                _ => 1.0 / (1.0 + double::exp(-a)) + a.to_radians().recip(),
            });
            singles.push(match row {
                0 => single::expm1(b),
                1 => single::log1p(b.abs()),
                2 => 1.0 / (1.0 + single::exp(0.0 - b)),
                3 => single::pow(b.abs(), 0.75),
                _ => 0.0,
            });
        }
    }
    let before = vec![0.0; doubles.len()];
    becomes([5, x.len()], &before, &doubles, |view, out| {
        let mut found = vec![0.0; singles.len()];
        let mut narrow = ArrayViewMut::new([5, x.len()], &mut found)?;
        launch(view, x.len(), methods(&input(&x), out, &mut narrow))?;
        drop(narrow);
        testkit::assert_same(&found, &singles, &format!("{view}"));
        Ok(())
    });
}
