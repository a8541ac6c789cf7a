//! `f64`.

// Negated comparisons differ from opposite ones where there is NaN: they are the point.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

use amp::prelude::*;
use testkit::numbers::{DOUBLES, pairs, random_wide};
use testkit::table;

/// Pairs of edges, random patterns, and operands of like size.
fn doubles() -> (Vec<f64>, Vec<f64>) {
    let (mut x, mut y) = pairs(&DOUBLES);
    x.extend(random_wide(41).take(2000).map(f64::from_bits));
    y.extend(random_wide(42).take(2000).map(f64::from_bits));
    let like = |seed| {
        random_wide(seed)
            .take(2000)
            .map(|word| word.cast_signed() as f64 / 1e15)
    };
    x.extend(like(43));
    y.extend(like(44));
    (x, y)
}

table! {
    operators(x: f64, y: f64) -> f64 = doubles();
    x + y => x + y;
    x - y => x - y;
    x * y => x * y;
    x / y => x / y;
    -x => -x;
    { let mut z = x; z += y; z *= 1.5; z -= y; z /= 3.0; z } => ((x + y) * 1.5 - y) / 3.0;
    // Nothing may be contracted to one rounding, nor reassociated.
    x * y + x => x * y + x;
    (x + y) - x => (x + y) - x;
    x - x => x - x;
    x + 0.0 => x + 0.0;
    x * -0.0 => x * -0.0;
    0.0 - x => 0.0 - x;
}

table! {
    remainders(x: f64, y: f64) -> f64 = doubles();
    x % y => x % y;
    { let mut z = x; z %= 0.75; z } => x % 0.75;
}

table! {
    comparisons(x: f64, y: f64) -> u32 = doubles();
    (x == y) as u32 => u32::from(x == y);
    (x != y) as u32 => u32::from(x != y);
    (x < y) as u32 => u32::from(x < y);
    (x <= y) as u32 => u32::from(x <= y);
    (x > y) as u32 => u32::from(x > y);
    (x >= y) as u32 => u32::from(x >= y);
    (!(x < y)) as u32 => u32::from(!(x < y));
    (!(x >= y)) as u32 => u32::from(!(x >= y));
    x.is_nan() as u32 => u32::from(x.is_nan());
    x.is_infinite() as u32 => u32::from(x.is_infinite());
    x.is_finite() as u32 => u32::from(x.is_finite());
    x.is_sign_negative() as u32 => u32::from(x.is_sign_negative());
    x.is_sign_positive() as u32 => u32::from(x.is_sign_positive());
    (x < f64::INFINITY && x > f64::NEG_INFINITY) as u32 => u32::from(x.is_finite());
}

/// What a kernel's `min` gives for zeroes of two signs, where Rust leaves a choice: the
/// second.
fn min(x: f64, y: f64) -> f64 {
    if x < y || y.is_nan() { x } else { y }
}

fn max(x: f64, y: f64) -> f64 {
    if x > y || y.is_nan() { x } else { y }
}

table! {
    methods(x: f64, y: f64) -> f64 = doubles();
    x.min(y) => min(x, y);
    x.max(y) => max(x, y);
    f64::max(x, -1.0).min(1.0) => min(max(x, -1.0), 1.0);
    x.clamp(-2.0, 7.5) => x.clamp(-2.0, 7.5);
    if x <= y { (x + y).clamp(x, y) } else { 0.0 } => if x <= y { (x + y).clamp(x, y) } else { 0.0 };
    x.abs() => x.abs();
    x.signum() => x.signum();
    x.copysign(y) => x.copysign(y);
    x.floor() => x.floor();
    x.ceil() => x.ceil();
    x.trunc() => x.trunc();
    x.round() => x.round();
    x.round_ties_even() => x.round_ties_even();
    x.fract() => x.fract();
    x.sqrt() => x.sqrt();
    x.recip() => x.recip();
    x.powi(3) => x.powi(3);
    x.to_degrees() => x.to_degrees();
    x.to_radians() => x.to_radians();
    f64::from_bits(x.to_bits() ^ 0x8000_0000_0000_0000) => -x;
}

// Literals and constants without a suffix are `f64`, as in Rust.
table! {
    literals(x: f32) -> f64 = (vec![0.0, 1.5, -3.25, f32::MAX],);
    { let y = 0.1; y } => 0.1;
    x as f64 + 0.1 => f64::from(x) + 0.1;
    { let y = 1.0 / 3.0; y * x as f64 } => 1.0 / 3.0 * f64::from(x);
    -2.5e-300 * x as f64 => -2.5e-300 * f64::from(x);
    (x * 0.1) as f64 => f64::from(x * 0.1);
    1e300 => 1e300;
    std::f64::consts::PI + x as f64 => std::f64::consts::PI + f64::from(x);
    f64::EPSILON => f64::EPSILON;
}
