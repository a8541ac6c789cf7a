//! The float functions that no device computes exactly, within what Vulkan's table of
//! precision allows for the instructions that they are made of.

use amp::prelude::*;
use amp_tests::numbers::{random, random_unit};
use amp_tests::{everywhere, input, launch};

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

/// A function: its name, the true result, the arguments that count, and the bound.
type Function = (
    &'static str,
    fn(f64, f64) -> f64,
    fn(f64, f64) -> bool,
    Bound,
);

const COUNT: usize = 27;

#[rustfmt::skip]
const FUNCTIONS: [Function; COUNT] = [
    ("sin", |x, _| x.sin(), |x, _| x.abs() <= 3.15, Bound::Abs(1.0 / 2048.0)),
    ("cos", |x, _| x.cos(), |x, _| x.abs() <= 3.15, Bound::Abs(1.0 / 2048.0)),
    ("tan", |x, _| x.tan(), |x, _| x.abs() <= 1.2, Bound::Near(2e-3, 1.0 / 1024.0)),
    ("asin", |x, _| x.asin(), |x, _| x.abs() <= 1.0, Bound::Near(5e-4, 5e-4)),
    ("acos", |x, _| x.acos(), |x, _| x.abs() <= 1.0, Bound::Near(5e-4, 5e-4)),
    ("atan", |x, _| x.atan(), |_, _| true, Bound::Ulp(4096.0)),
    ("atan2", |x, y| x.atan2(y), |_, _| true, Bound::Ulp(4096.0)),
    ("sinh", |x, _| x.sinh(), |x, _| x.abs() <= 80.0, Bound::Near(3e-5, 1e-6)),
    ("cosh", |x, _| x.cosh(), |x, _| x.abs() <= 80.0, Bound::Near(3e-5, 0.0)),
    ("tanh", |x, _| x.tanh(), |_, _| true, Bound::Near(1e-5, 1e-6)),
    ("asinh", |x, _| x.asinh(), |_, _| true, Bound::Near(1e-5, 1e-6)),
    ("acosh", |x, _| x.acosh(), |x, _| x >= 1.0, Bound::Near(1e-5, 5e-4)),
    ("atanh", |x, _| x.atanh(), |x, _| x.abs() <= 0.99, Bound::Near(2e-5, 1e-6)),
    ("exp", |x, _| x.exp(), |x, _| x.abs() <= 80.0, Bound::Ulp(163.0)),
    ("exp2", |x, _| x.exp2(), |x, _| x.abs() <= 120.0, Bound::Ulp(243.0)),
    ("ln", |x, _| x.ln(), |x, _| x > 0.0, Bound::Near(4e-7, 4.8e-7)),
    ("log2", |x, _| x.log2(), |x, _| x > 0.0, Bound::Near(4e-7, 4.8e-7)),
    ("log10", |x, _| x.log10(), |x, _| x > 0.0, Bound::Near(5e-7, 4.8e-7)),
    ("log", |x, y| x.log(y), |x, y| x > 0.0 && y > 1.1, Bound::Near(2e-6, 6e-6)),
    ("powf", |x, y| x.powf(y), |x, y| x > 0.0 && (y * x.log2()).abs() < 100.0, Bound::Near(1e-4, 0.0)),
    ("powi", |x, _| x.powi(5), |x, _| x.abs() < 1e6, Bound::Ulp(8.0)),
    ("hypot", |x, y| x.hypot(y), |_, _| true, Bound::Ulp(8.0)),
    ("cbrt", |x, _| x.cbrt(), |_, _| true, Bound::Near(1e-5, 0.0)),
    ("to_degrees", |x, _| x.to_degrees(), |_, _| true, Bound::Ulp(2.0)),
    ("to_radians", |x, _| x.to_radians(), |_, _| true, Bound::Ulp(2.0)),
    ("powi by a value", |x, y| x.powi(y as i32), |x, y| {
        x > 0.01 && y.abs() < 20.0 && (y * x.log2()).abs() < 100.0
    }, Bound::Near(1e-4, 0.0)),
    ("powi of a negative base", |x, _| (-x.abs()).powi(3), |x, _| x.abs() < 1e6, Bound::Ulp(8.0)),
];

#[amp_kernel]
fn evaluate(
    idx: Index<1>,
    x: &ArrayView<f32, 1>,
    y: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    let i = idx[0];
    let (x, y) = (x[i], y[i]);
    out[[i, 0]] = x.sin();
    out[[i, 1]] = x.cos();
    out[[i, 2]] = x.tan();
    out[[i, 3]] = x.asin();
    out[[i, 4]] = x.acos();
    out[[i, 5]] = x.atan();
    out[[i, 6]] = x.atan2(y);
    out[[i, 7]] = x.sinh();
    out[[i, 8]] = x.cosh();
    out[[i, 9]] = x.tanh();
    out[[i, 10]] = x.asinh();
    out[[i, 11]] = x.acosh();
    out[[i, 12]] = x.atanh();
    out[[i, 13]] = x.exp();
    out[[i, 14]] = x.exp2();
    out[[i, 15]] = x.ln();
    out[[i, 16]] = x.log2();
    out[[i, 17]] = x.log10();
    out[[i, 18]] = x.log(y);
    out[[i, 19]] = x.powf(y);
    out[[i, 20]] = x.powi(5);
    out[[i, 21]] = x.hypot(y);
    out[[i, 22]] = x.cbrt();
    out[[i, 23]] = x.to_degrees();
    out[[i, 24]] = x.to_radians();
    out[[i, 25]] = x.powi(y as i32);
    out[[i, 26]] = (-x.abs()).powi(3);
}

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

#[test]
fn results_are_within_their_bounds() {
    let (x, y) = arguments();
    everywhere(|view| {
        let mut found = vec![0.0; x.len() * COUNT];
        {
            let mut out = ArrayViewMut::new([x.len(), COUNT], &mut found).unwrap();
            launch(view, x.len(), evaluate(&input(&x), &input(&y), &mut out)).unwrap();
            out.synchronize().unwrap();
        }
        let mut report = String::new();
        for (k, (name, truth, counts, bound)) in FUNCTIONS.into_iter().enumerate() {
            let mut wrong = Vec::new();
            for (i, (&x, &y)) in x.iter().zip(&y).enumerate() {
                let (wide_x, wide_y) = (f64::from(x), f64::from(y));
                let wanted = truth(wide_x, wide_y);
                let representable =
                    wanted.abs() < f64::from(f32::MAX) && wanted.abs() > 1e-37 || wanted == 0.0;
                let found = found[i * COUNT + k];
                if counts(wide_x, wide_y) && representable && !is_within(found, wanted, bound) {
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
        assert!(report.is_empty(), "{view}: {report}");
    });
}

amp_tests::table! {
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
