//! The methods of floats that no device computes exactly: those of `f32` and `f64` are the
//! library's, the same bits on every accelerator and on the host; with `fast_math` those of
//! `f32` are the device's own, within what Vulkan's table of precision allows for the
//! instructions that they are made of.

use amp::prelude::*;
use testkit::numbers::{random, random_unit};
use testkit::{becomes, everywhere, gives, input, launch};

/// How far a result may be from the true one.
#[derive(Clone, Copy, Debug)]
enum Bound {
    /// Units in the last place of the true result.
    Ulp(f64),
    /// Absolute.
    Abs(f64),
    /// Relative to the true result, or this absolutely.
    Near(f64, f64),
}

/// A function: its name, the true result, the arguments for which the device's own counts, the
/// library's error in units in the last place, and the bound of the device's own.
type Function = (
    &'static str,
    fn(f64, f64) -> f64,
    fn(f64, f64) -> bool,
    f64,
    Bound,
);

const COUNT: usize = 32;

#[rustfmt::skip]
const FUNCTIONS: [Function; COUNT] = [
    ("sin", |x, _| x.sin(), |x, _| x.abs() <= 3.15, 1.0, Bound::Abs(1.0 / 2048.0)),
    ("cos", |x, _| x.cos(), |x, _| x.abs() <= 3.15, 1.0, Bound::Abs(1.0 / 2048.0)),
    ("tan", |x, _| x.tan(), |x, _| x.abs() <= 1.2, 2.0, Bound::Near(2e-3, 1.0 / 1024.0)),
    ("asin", |x, _| x.asin(), |x, _| x.abs() <= 1.0, 2.0, Bound::Near(5e-4, 5e-4)),
    ("acos", |x, _| x.acos(), |x, _| x.abs() <= 1.0, 2.0, Bound::Near(5e-4, 5e-4)),
    ("atan", |x, _| x.atan(), |_, _| true, 2.0, Bound::Ulp(4096.0)),
    ("atan2", |x, y| x.atan2(y), |_, _| true, 2.0, Bound::Ulp(4096.0)),
    ("sinh", |x, _| x.sinh(), |x, _| x.abs() <= 80.0, 2.0, Bound::Near(3e-5, 1e-6)),
    ("cosh", |x, _| x.cosh(), |x, _| x.abs() <= 80.0, 2.0, Bound::Near(3e-5, 0.0)),
    ("tanh", |x, _| x.tanh(), |_, _| true, 2.0, Bound::Near(1e-5, 1e-6)),
    ("asinh", |x, _| x.asinh(), |_, _| true, 2.0, Bound::Near(1e-5, 1e-6)),
    ("acosh", |x, _| x.acosh(), |x, _| x >= 1.0, 3.0, Bound::Near(1e-5, 5e-4)),
    ("atanh", |x, _| x.atanh(), |x, _| x.abs() <= 0.99, 3.0, Bound::Near(2e-5, 1e-6)),
    ("exp", |x, _| x.exp(), |x, _| x.abs() <= 80.0, 1.0, Bound::Ulp(163.0)),
    ("exp2", |x, _| x.exp2(), |x, _| x.abs() <= 120.0, 2.0, Bound::Ulp(243.0)),
    ("ln", |x, _| x.ln(), |x, _| x > 0.0, 1.0, Bound::Near(4e-7, 4.8e-7)),
    ("log2", |x, _| x.log2(), |x, _| x > 0.0, 2.0, Bound::Near(4e-7, 4.8e-7)),
    ("log10", |x, _| x.log10(), |x, _| x > 0.0, 2.0, Bound::Near(5e-7, 4.8e-7)),
    ("log", |x, y| x.log(y), |x, y| x > 0.0 && y > 1.1, 3.0, Bound::Near(2e-6, 6e-6)),
    ("powf", |x, y| x.powf(y), |x, y| x > 0.0 && (y * x.log2()).abs() < 100.0, 2.0, Bound::Near(1e-4, 0.0)),
    ("powi", |x, _| x.powi(5), |x, _| x.abs() < 1e6, 3.0, Bound::Ulp(8.0)),
    ("hypot", |x, y| x.hypot(y), |_, _| true, 2.0, Bound::Ulp(8.0)),
    ("cbrt", |x, _| x.cbrt(), |_, _| true, 1.0, Bound::Near(1e-5, 0.0)),
    ("to_degrees", |x, _| x.to_degrees(), |_, _| true, 2.0, Bound::Ulp(2.0)),
    ("to_radians", |x, _| x.to_radians(), |_, _| true, 2.0, Bound::Ulp(2.0)),
    ("powi by a value", |x, y| x.powi(y as i32), |x, y| {
        x > 0.01 && y.abs() < 20.0 && (y * x.log2()).abs() < 100.0
    }, 40.0, Bound::Near(1e-4, 0.0)),
    ("powi of a negative base", |x, _| (-x.abs()).powi(3), |x, _| x.abs() < 1e6, 2.0, Bound::Ulp(8.0)),
    ("exp_m1", |x, _| x.exp_m1(), |x, _| x.abs() <= 80.0, 1.0, Bound::Near(1e-5, 1e-6)),
    ("ln_1p", |x, _| x.ln_1p(), |x, _| x > -1.0, 1.0, Bound::Near(1e-5, 1e-6)),
    ("sin_cos", |x, _| x.sin_cos().0, |x, _| x.abs() <= 3.15, 1.0, Bound::Abs(1.0 / 2048.0)),
    ("sin_cos", |x, _| x.sin_cos().1, |x, _| x.abs() <= 3.15, 1.0, Bound::Abs(1.0 / 2048.0)),
    ("powi of an inverse", |x, _| x.powi(-3), |x, _| x.abs() < 1e6 && x.abs() > 1e-6, 3.0, Bound::Ulp(8.0)),
];

#[amp_fn]
fn methods(x: f32, y: f32) -> [f32; COUNT] {
    let (sine, cosine) = x.sin_cos();
    [
        x.sin(),
        x.cos(),
        x.tan(),
        x.asin(),
        x.acos(),
        x.atan(),
        x.atan2(y),
        x.sinh(),
        x.cosh(),
        x.tanh(),
        x.asinh(),
        x.acosh(),
        x.atanh(),
        x.exp(),
        x.exp2(),
        x.ln(),
        x.log2(),
        x.log10(),
        x.log(y),
        x.powf(y),
        x.powi(5),
        x.hypot(y),
        x.cbrt(),
        x.to_degrees(),
        x.to_radians(),
        x.powi(y as i32),
        (-x.abs()).powi(3),
        x.exp_m1(),
        f32::ln_1p(x),
        sine,
        cosine,
        x.powi(-3),
    ]
}

/// Kernels that are the library's and the device's own.
macro_rules! kernels {
    ($($name:ident [$($argument:ident)?])*) => {$(
        #[amp_kernel($($argument)?)]
        fn $name(
            idx: Index<1>,
            x: &ArrayView<f32, 1>,
            y: &ArrayView<f32, 1>,
            out: &mut ArrayViewMut<f32, 2>,
        ) {
            let i = idx[0];
            let results = methods(x[i], y[i]);
            for k in 0..COUNT {
                out[[i, k]] = results[k];
            }
        }
    )*};
}

kernels!(evaluate[] evaluate_fast[fast_math]);

/// Arguments of all sizes, denser where functions have their features.
fn arguments() -> (Vec<f32>, Vec<f32>) {
    let sign = |word: u32| if word & 1 == 0 { 1.0 } else { -1.0 };
    let mut x = vec![
        0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 10.0, 1e-20, 1e20, -1e-20, -1e20, 100.0,
    ];
    let mut y = vec![
        1.0, 2.0, -1.0, 3.0, 0.5, 10.0, 2.0, 1.5, 0.25, 2.0, 3.0, 2.0,
    ];
    let exponent = |unit: f32, span: f32| ((unit - 0.5) * span).exp2();
    for (span, seed) in [(4.0, 20), (16.0, 30), (60.0, 40)] {
        let units = random_unit(seed)
            .zip(random_unit(seed + 1))
            .zip(random(seed + 2));
        for ((a, b), word) in units.take(4000) {
            x.push(exponent(a, span) * sign(word));
            y.push(exponent(b, span.min(8.0)) * sign(word >> 1));
        }
    }
    (x, y)
}

fn is_within(found: f32, wanted: f64, bound: Bound) -> bool {
    let error = (f64::from(found) - wanted).abs();
    let ulp = |value: f64| {
        let value = value.abs().max(f64::from(f32::MIN_POSITIVE));
        (value.log2().floor() - 23.0).exp2()
    };
    match bound {
        Bound::Ulp(units) => error <= units * ulp(wanted),
        Bound::Abs(most) => error <= most,
        Bound::Near(relative, absolute) => error <= (relative * wanted.abs()).max(absolute),
    }
}

/// What is wrong with results of the functions for which it matters.
fn report(
    x: &[f32],
    y: &[f32],
    found: &[f32],
    bound: fn(&Function) -> Bound,
    counts: fn(&Function, f64, f64) -> bool,
) -> String {
    let mut report = String::new();
    for (k, function) in FUNCTIONS.iter().enumerate() {
        let (name, truth, bound) = (function.0, function.1, bound(function));
        let mut wrong = Vec::new();
        for (i, (&x, &y)) in x.iter().zip(y).enumerate() {
            let (wide_x, wide_y) = (f64::from(x), f64::from(y));
            let wanted = truth(wide_x, wide_y);
            let representable =
                wanted.abs() < f64::from(f32::MAX) && wanted.abs() > 1e-37 || wanted == 0.0;
            let found = found[i * COUNT + k];
            let counts = counts(function, wide_x, wide_y);
            if counts && representable && !is_within(found, wanted, bound) {
                wrong.push(format!(
                    "\n    of {x:e}, {y:e}: found {found:e}, true is {wanted:e}"
                ));
            }
        }
        if !wrong.is_empty() {
            let few = wrong[..wrong.len().min(5)].concat();
            report += &format!("\n  {name} exceeds {bound:?} {} times:{few}", wrong.len());
        }
    }
    report
}

#[test]
fn methods_are_the_same_everywhere() {
    let (x, y) = arguments();
    let expected: Vec<f32> = x
        .iter()
        .zip(&y)
        .flat_map(|(&x, &y)| methods(x, y))
        .collect();
    becomes(
        [x.len(), COUNT],
        &vec![0.0; expected.len()],
        &expected,
        |view, out| launch(view, x.len(), evaluate(&input(&x), &input(&y), out)),
    );
}

#[test]
fn methods_are_within_their_bounds() {
    let (x, y) = arguments();
    let found: Vec<f32> = x
        .iter()
        .zip(&y)
        .flat_map(|(&x, &y)| methods(x, y))
        .collect();
    // The powers by squaring and the quotient of logarithms add up what they round off.
    let report = report(
        &x,
        &y,
        &found,
        |it| Bound::Ulp(it.3),
        |it, x, y| !matches!(it.0, "log" | "powi by a value") || it.2(x, y),
    );
    assert!(report.is_empty(), "{report}");
}

#[test]
fn the_devices_own_are_within_their_bounds() {
    let (x, y) = arguments();
    everywhere(|view| {
        let mut found = vec![0.0; x.len() * COUNT];
        {
            let mut out = ArrayViewMut::new([x.len(), COUNT], &mut found).unwrap();
            launch(
                view,
                x.len(),
                evaluate_fast(&input(&x), &input(&y), &mut out),
            )
            .unwrap();
            out.synchronize().unwrap();
        }
        let report = report(&x, &y, &found, |it| it.4, |it, x, y| it.2(x, y));
        assert!(report.is_empty(), "{view}: {report}");
    });
}

/// One of the methods as a kernel, with the host's results for arguments where it was not
/// the same on every device.
macro_rules! faults {
    ($($test:ident($x:ident in $arguments:expr) $method:expr;)*) => {$(
        mod $test {
            use super::*;

            #[amp_fn]
            fn method($x: f32) -> f32 {
                $method
            }

            #[amp_kernel]
            fn evaluate(idx: Index<1>, x: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>) {
                out[idx] = method(x[idx]);
            }

            #[test]
            fn is_so() {
                let x: Vec<f32> = $arguments.collect();
                let expected: Vec<f32> = x.iter().map(|&x| method(x)).collect();
                gives(&expected, |view, out| launch(view, x.len(), evaluate(&input(&x), out)));
            }
        }
    )*};
}

/// Numbers from one to another.
fn between(from: f32, to: f32) -> impl Iterator<Item = f32> {
    random_unit(61)
        .take(4000)
        .map(move |part| from + part * (to - from))
}

/// Numbers with a sign and any exponent, infinities and NaN.
fn of_any_bits() -> impl Iterator<Item = f32> {
    random(62).take(8000).map(f32::from_bits)
}

faults! {
    ln_near_one_is_the_same_everywhere(x in between(0.999, 1.001)) x.ln();
    atan_is_the_same_everywhere(x in between(-8.0, 8.0)) x.atan();
    exp_is_the_same_everywhere(x in between(-100.0, 90.0)) x.exp();
    powf_is_the_same_everywhere(x in between(0.0, 40.0)) x.powf(2.4) + x.powf(-0.7);
    tanh_is_the_same_everywhere(x in between(-10.0, 10.0)) x.tanh();
    sin_and_exp_are_the_same_everywhere(x in between(-20.0, 20.0)) x.sin() + x.exp();
    sine_of_a_large_angle_is_the_same_everywhere(x in of_any_bits()) x.sin() - x.cos();
    inverse_of_an_integer_power_is_the_same_everywhere(x in of_any_bits()) x.powi(-5);
    logarithms_of_any_number_are_the_same_everywhere(x in of_any_bits()) x.log2() + x.log10();
    roots_of_any_number_are_the_same_everywhere(x in of_any_bits()) x.cbrt();
    lengths_of_any_numbers_are_the_same_everywhere(x in of_any_bits()) x.hypot(1e-20 / x);
    exponentials_of_any_number_are_the_same_everywhere(x in of_any_bits()) x.exp2() - x.sinh();
}

#[test]
fn fast_functions_of_the_host_are_those_of_std() {
    for x in between(-3.0, 3.0) {
        assert_eq!(fast_math::sin(x).to_bits(), x.sin().to_bits());
        assert_eq!(fast_math::exp(x).to_bits(), x.exp().to_bits());
        assert_eq!(
            fast_math::pow(x.abs(), x).to_bits(),
            x.abs().powf(x).to_bits()
        );
    }
}

testkit::table! {
    special_cases(x: f32) -> f32 = (vec![f32::INFINITY],);
    x.exp() => f32::INFINITY;
    (-x).exp() => 0.0;
    x.exp2() => f32::INFINITY;
    (-x).exp2() => 0.0;
    x.ln() => f32::INFINITY;
    (x - x).ln() => f32::NAN;
    (1.0 / x).ln() => f32::NEG_INFINITY;
    (1.0 / x).log2() => f32::NEG_INFINITY;
    (-x).ln() => f32::NAN;
    (-1.0 - 1.0 / x).log2() => f32::NAN;
    (1.0 / x).exp() => 1.0;
    (1.0 / x).sin() => 0.0;
    (1.0 / x).cos() => 1.0;
    (1.0 / x).powf(1.0 / x) => 1.0;
    (1.0 / x).powi(0) => 1.0;
    (1.0 / x).powi(2) => 0.0;
    (1.0 / x).powf(2.0) => 0.0;
    (2.0 + 1.0 / x).powi(3) => 8.0;
    (-2.0 - 1.0 / x).powi(3) => -8.0;
    (2.0 + 1.0 / x).powi(-2) => 0.25;
    (-2.0 - 1.0 / x).powf(0.5) => f32::NAN;
    (1.0 / x).cbrt() => 0.0;
    x.cbrt() => f32::INFINITY;
    x.hypot(f32::NAN) => f32::INFINITY;
    (1.0 / x).hypot(-x) => f32::INFINITY;
    x.tanh() => 1.0;
    (-x).tanh() => -1.0;
    x.sinh() => f32::INFINITY;
    x.cosh() => f32::INFINITY;
    (-x).asinh() => f32::NEG_INFINITY;
    (1.0 / x).acosh() => f32::NAN;
    (2.0 + 1.0 / x).asin() => f32::NAN;
    (1.0 / x).atan2(1.0) => 0.0;
    (2.0 + 1.0 / x).atanh() => f32::NAN;
}
