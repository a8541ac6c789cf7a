//! Functions passed by their names where a closure is wanted, and closures that move.

use amp::prelude::*;
use testkit::{gives, launch, twice};

#[amp_fn]
fn apply(x: f32, f: impl Fn(f32) -> f32) -> f32 {
    f(x) + f(x + 1.0)
}

#[amp_fn]
fn join<F: Fn(u32, u32) -> u32>(x: u32, f: F) -> u32 {
    f(x, 9)
}

#[amp_fn]
fn double(x: f32) -> f32 {
    x * 2.0
}

#[amp_fn]
fn mixed(x: u32, y: u32) -> u32 {
    x * 10 + y
}

#[amp_fn]
fn is_large(x: &u32) -> bool {
    *x > 5
}

#[amp_fn]
fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[amp_enum]
#[derive(PartialEq)]
enum Shape {
    Empty,
    Circle(u32),
}

const LARGEST: u32 = 77;

twice! {
    passed(x: u32) -> u32 = ((0..24).collect(),);
    {
        let some = if x % 3 == 0 { None } else { Some(x) };
        let root = f32::sqrt;
        let mut sum = apply(x as f32, f32::sqrt) as u32 + root(x as f32) as u32;
        sum += apply(x as f32, super::double) as u32;
        sum += join(x, u32::max) + join(x, u32::wrapping_mul) + join(x, super::mixed) + join(x, u32::abs_diff);
        sum += some.and_then(super::half).map_or(LARGEST, u32::count_ones);
        sum += some.filter(super::is_large).map(u32::leading_zeros).unwrap_or(LARGEST);
        sum += some.map(Some).flatten().map_or(1, u32::swap_bytes) + some.ok_or(3u32).map_err(u64::from).is_ok() as u32;
        let shape = some.map(Shape::Circle).unwrap_or(Shape::Empty);
        sum + (shape == Shape::Circle(7)) as u32
    }
}

twice! {
    moved(x: u32) -> u32 = ((0..9).collect(),);
    {
        let k = x + 1;
        let scale = move |y: u32| y * k;
        let add = move || k + 2;
        // Of the variable that changes, the closure's parameter has the name only.
        let mut y = scale(3);
        y += add();
        y
    }
}

/// By names of this module.
#[amp_kernel]
fn of_this_file(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0] as u32;
    let some = Some(i);
    out[idx] = join(i, mixed)
        + some.filter(is_large).and_then(half).unwrap_or(1000)
        + apply(i as f32, double) as u32;
}

#[test]
fn names_of_a_module() {
    let expected: Vec<u32> = (0..16)
        .map(|i: u32| {
            let kept = if i > 5 && i & 1 == 0 { i / 2 } else { 1000 };
            i * 10 + 9 + kept + (i * 2 + i * 2 + 2)
        })
        .collect();
    gives(&expected, |view, out| launch(view, 16, of_this_file(out)));
}

twice! {
    names_with_the_type_of_a_pointer(u: u32) -> f32 = (vec![0, 1, 2, 9, 100],);
    {
        let x = u as f32;
        let root: fn(f32) -> f32 = f32::sqrt;
        let larger: fn(f32, f32) -> f32 = f32::max;
        let add: fn(u32, u32) -> u32 = |a, b| a + b;
        let square: fn(f32) -> f32 = |x: f32| {
            x * x
        };
        root(x) + larger(x, 2.0) + add(u, 3) as f32 + square(x) + [x, 1.0].map(square)[0]
    }
}
