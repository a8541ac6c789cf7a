//! Numbers twice as precise as `f64`: the sum of two, of which the second is what the first
//! lacks. No operation here needs an fma, which not every device has for `f64`.

use crate::amp_fn;

/// `a + b`, for an `a` that is not smaller than `b`.
#[amp_fn(exact)]
pub(super) fn quick_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// `a + b`
#[amp_fn(exact)]
pub(super) fn sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let second = sum - a;
    (sum, (a - (sum - second)) + (b - second))
}

/// A number in two halves whose products are exact.
#[amp_fn(exact)]
fn halves(a: f64) -> (f64, f64) {
    let high = f64::from_bits(a.to_bits() & 0xffff_ffff_f800_0000);
    (high, a - high)
}

/// `a * b`
#[amp_fn(exact)]
pub(super) fn product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = halves(a);
    let (b_high, b_low) = halves(b);
    let rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, rest)
}

/// `a + b`
#[amp_fn(exact)]
pub(super) fn add(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (high, low) = sum(a.0, b.0);
    quick_sum(high, low + (a.1 + b.1))
}

/// `a * b`
#[amp_fn(exact)]
pub(super) fn multiply(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (high, low) = product(a.0, b.0);
    quick_sum(high, low + (a.0 * b.1 + a.1 * b.0))
}

/// `a * b`
#[amp_fn(exact)]
pub(super) fn scale(a: (f64, f64), b: f64) -> (f64, f64) {
    let (high, low) = product(a.0, b);
    quick_sum(high, low + a.1 * b)
}

/// `a / b`
#[amp_fn(exact)]
pub(super) fn divide(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let quotient = a.0 / b.0;
    let (high, low) = product(quotient, b.0);
    let rest = ((a.0 - high) - low) + (a.1 - quotient * b.1);
    quick_sum(quotient, rest / b.0)
}

/// The square root of a number that is positive.
#[amp_fn(exact)]
pub(super) fn root(a: (f64, f64)) -> (f64, f64) {
    let root = a.0.sqrt();
    let (high, low) = product(root, root);
    quick_sum(root, (((a.0 - high) - low) + a.1) / (2.0 * root))
}
