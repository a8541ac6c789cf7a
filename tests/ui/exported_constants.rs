//! Constants that cannot be exported, and constants of other crates that are not.

use amp::prelude::*;

#[amp_const]
fn no_constant() -> f32 {
    1.0
}

#[amp_const]
static GLOBAL: f32 = 1.0;

#[amp_const(f32)]
const WITH_AN_ARGUMENT: f32 = 1.0;

#[amp_const]
#[amp_const]
const TWICE: f32 = 1.0;

#[amp_const]
const TEXT: &str = "text";

#[amp_const]
const WIDE: i128 = 1;

#[amp_const]
const HEAP: Vec<f32> = Vec::new();

struct Plain {
    x: f32,
}

#[amp_const]
const NOT_MARKED: Plain = Plain { x: 1.0 };

#[amp_const]
const OF_FIVE: [f32; size_of::<[u8; 5]>()] = [1.0; 5];

const fn some() -> &'static [f32] {
    &[1.0]
}

#[amp_const]
const SOME: &[f32] = some();

#[amp_const]
const LARGE: [f32; 300] = [1.0; 300];

#[amp_const]
const ALLOWED: [f32; 2] = [1.0, 2.0];

struct Filter;

impl Filter {
    #[amp_const]
    const GAIN: f32 = 1.0;
}

#[amp_kernel]
fn not_exported(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let direction = amp_test_helpers::DIRECTION.up;
    out[idx] = direction as f32;
}

/// What is wrong here is no constant's fault.
#[amp_kernel]
fn exported(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = amp_test_helpers::tables::WEIGHTS[idx[0]];
}

#[amp_kernel]
fn no_element(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = amp_test_helpers::tables::WEIGHTS[7];
}

/// The number of a constant that is not exported is not known.
#[amp_kernel]
fn of_unknown_length(
    idx: Index<1>,
    x: [f32; amp_test_helpers::plain::LENGTH],
    out: &mut ArrayViewMut<f32, 1>,
) {
    out[idx] = x[0];
}

fn main() {}
