//! Functions passed by their names where a closure is wanted, and closures that move.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::redundant_closure)]

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

/// What functions make of the closures and functions that they are given.
#[amp_module]
mod composed {
    use std::ops::*;

    pub fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
        move |x| g(f(x))
    }

    pub fn repeated<A, F: Fn(A) -> A>(f: F) -> impl Fn(A) -> A {
        move |x| f(f(x))
    }

    pub fn constant<A: Copy>(a: A) -> impl Fn(A) -> A {
        move |_| a
    }

    pub fn after(n: u32, f: fn(u32) -> u32) -> impl Fn(u32) -> u32 {
        move |x| f(x) + n
    }

    pub fn each(n: u32, f: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
        (0..n).map(move |i| f(i))
    }

    pub fn with<A: Copy>(a: A, n: u32) -> impl Iterator<Item = (A, u32)> {
        (0..n).map(move |i| (a, i))
    }

    pub fn next(x: u32) -> u32 {
        x + 1
    }

    pub fn half(x: u32) -> f32 {
        x as f32 / 2.0
    }

    pub fn all(i: u32) -> [f32; 6] {
        let f = compose(|x: u32| x * 3, |y: u32| y as f32 + 0.5);
        let g = compose(next, half);
        let square = repeated(|x: u32| x * x);
        let still = constant(2.5_f32);
        let [a, b, _] = [i as f32, 2.0, 3.0].map(Neg::neg);
        let sum: u32 = each(i, |k| k * 2).sum();
        let pairs: u32 = with(i, 3).map(|(a, b)| a * b).sum();
        [
            f(i) + g(i),
            square(i) as f32,
            still(a) + b,
            (sum + pairs) as f32,
            after(3, next)(i) as f32,
            Add::add(a, 1.0),
        ]
    }
}

#[amp_kernel]
fn compose_all(idx: Index<1>, out: &mut ArrayViewMut<[f32; 6], 1>) {
    out[idx] = composed::all(idx[0] as u32);
}

#[test]
fn closures_of_given_closures_are_returned() {
    let plain = |i: u32| {
        let x = i as f32;
        let sums = (0..i).map(|k| k * 2).sum::<u32>() + i * 3;
        let composed = (i * 3) as f32 + 0.5 + (i + 1) as f32 / 2.0;
        let fourth = (i * i * i * i) as f32;
        [composed, fourth, 0.5, sums as f32, (i + 4) as f32, 1.0 - x]
    };
    let expected: Vec<[f32; 6]> = (0..12).map(plain).collect();
    let on_the_host: Vec<[f32; 6]> = (0..12).map(composed::all).collect();
    assert_eq!(on_the_host, expected);
    gives(&expected, |view, out| launch(view, 12, compose_all(out)));
}
