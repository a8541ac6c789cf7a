//! One mistake is one error: what depends on something that is refused is silent.

use amp::prelude::*;

#[amp_fn]
fn apply(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(x)
}

#[amp_fn]
fn refused(f: impl Fn(f32) -> f32, x: [f32; 3], y: [f32; 3]) -> f32 {
    let mut sum = 0.0;
    for (a, b) in x.iter().zip(y) {
        sum += f(f32::from(a) * b);
    }
    sum
}

#[amp_kernel]
fn closure_for_a_refused_helper(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let sum = refused(|x| x * 2.0, [1.0; 3], [2.0; 3]);
    c[idx] = apply(|x| x + sum, 1.0);
}

#[amp_kernel]
fn conversion_of_a_refused_value(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let x = [1_u8; 8];
    for (a, b) in x.iter().zip(x) {
        c[idx] += f32::from(a) * f32::from(*b);
    }
    let y = x.each_ref();
    c[idx] += f32::from(y[2]) + y.iter().sum::<f32>();
}

#[amp_kernel]
fn patterns_of_a_refused_value(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let found = Some(c[idx].absolute());
    if let Some(x) = found {
        c[idx] = x;
    }
    let Some(y) = found else { return };
    match found {
        Some(0..=2) => c[idx] = y,
        Some(z) => c[idx] = z.pow(2),
        None => {}
    }
}

#[amp_kernel]
fn branches_that_disagree(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let x: f32 = if c[idx] > 1.0 { 1_u32 } else { 2.0 };
    let y: f32 = match idx[0] {
        0 => 1_u32,
        _ => 2.0,
    };
    c[idx] = x + y;
}

/// What calls a function that is refused, by references and by value.
#[amp_module]
mod refused {
    pub fn last(items: &[u32; 3]) -> u32 {
        items.frobnicate()
    }

    pub fn twice(items: &[u32; 3]) -> u32 {
        last(items) + last(&[1, 2, 3])
    }
}

#[amp_kernel]
fn calls_what_is_refused(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = refused::twice(&[4, 5, 6]);
}

fn main() {}
