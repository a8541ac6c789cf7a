//! Arguments that the attributes do not know.

use amp::prelude::*;

#[amp_kernel(fastest)]
fn kernel(idx: Index<1>) {}

#[amp_kernel(index = 64, fast_math, index = 32)]
fn two_widths(idx: Index<1>) {}

#[amp_kernel(T = f32 | f64, fast_math, fast_math)]
fn twice(idx: Index<1>) {}

#[amp_kernel(index = 16)]
fn narrow(idx: Index<1>) {}

#[amp_kernel(index)]
fn without_a_value(idx: Index<1>) {}

#[amp_kernel(index = "64")]
fn no_number(idx: Index<1>) {}

#[amp_kernel(index = 64_usize)]
fn with_a_suffix(idx: Index<1>) {}

#[amp_kernel(fastest = "yes", unsafe, index = 64)]
fn many(idx: Index<1>) {}

#[amp_kernel(T = f32 | i32, instances)]
fn without_a_name<T: Scalar>(idx: Index<1>, out: &mut ArrayViewMut<T, 1>) {
    out[idx] = T::ONE;
}

#[amp_kernel(T = f32 | i32, instances = "Ones")]
fn no_name<T: Scalar>(idx: Index<1>, out: &mut ArrayViewMut<T, 1>) {
    out[idx] = T::ONE;
}

#[amp_kernel(T = f32 | i32, instances = ones::Ones)]
fn with_a_path<T: Scalar>(idx: Index<1>, out: &mut ArrayViewMut<T, 1>) {
    out[idx] = T::ONE;
}

#[amp_kernel(T = f32 | i32, instances = Once, instances = Twice)]
fn two_names<T: Scalar>(idx: Index<1>, out: &mut ArrayViewMut<T, 1>) {
    out[idx] = T::ONE;
}

#[amp_kernel(instances = OfNone)]
fn nothing_listed<T: Scalar>(idx: Index<1>, out: &mut ArrayViewMut<T, 1>) {
    out[idx] = T::ONE;
}

#[amp_kernel(instances = OfOne)]
fn nothing_to_list(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = 1.0;
}

#[amp_fn(instances = Helped)]
fn helper_with_a_name<T: Scalar>(x: T) -> T {
    x
}

#[amp_fn(inline)]
fn helper(x: f32) -> f32 {
    x
}

#[amp_fn(index = 64)]
fn only_wide(x: usize) -> u32 {
    x.count_zeros()
}

#[amp_fn]
fn between(x: usize) -> u32 {
    only_wide(x)
}

#[amp_kernel]
fn calls_what_is_wider(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = only_wide(idx[0]);
}

#[amp_struct(index = 64)]
struct Wide {
    a: f32,
}

#[amp_struct(packed)]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_fn(fast_math)]
fn add_to(sum: &mut f32, x: f32) {
    *sum += x;
}

#[derive(Clone, Copy, Debug)]
/// Derived above the attribute.
#[amp_struct]
pub struct Point {
    x: f32,
}

#[derive(PartialEq)]
#[allow(dead_code)]
#[amp_enum]
enum Side {
    Left,
    Right,
}

#[derive(Debug)]
#[amp_struct]
struct Shown {
    x: f32,
}

#[amp_kernel]
fn uses_what_is_derived_above(i: Index<1>, p: Point, out: &mut ArrayViewMut<f32, 1>) {
    let shown = Shown { x: p.x };
    out[i] = shown.x;
}

fn main() {}
