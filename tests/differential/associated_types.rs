//! Associated types of type parameters: what `impl` blocks, operators and bounds say that they are, in
//! parameters, results, variables, closures and bounds of generic functions.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use std::ops::{Add, Mul};

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    use std::ops::{Add, Mul, Neg, Sub};

    pub trait Small {
        fn small(self) -> bool;
    }

    impl Small for f32 {
        fn small(self) -> bool {
            self < 1.5
        }
    }

    impl Small for u32 {
        fn small(self) -> bool {
            self < 15
        }
    }

    pub trait Named {
        type Name: Copy + PartialEq;

        fn name(&self) -> Self::Name;
    }

    pub trait Shape: Named {
        type Size: Small + Add<Output = Self::Size> + Copy;
        type Part;

        fn size(&self) -> Self::Size;

        fn part(&self, at: usize) -> Self::Part;

        fn twice(&self) -> Self::Size {
            self.size() + self.size()
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Round {
        pub r: f32,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Box2<T> {
        pub w: T,
        pub h: T,
    }

    impl Named for Round {
        type Name = u32;

        fn name(&self) -> u32 {
            1
        }
    }

    impl Shape for Round {
        type Size = f32;
        type Part = (f32, bool);

        fn size(&self) -> Self::Size {
            self.r * self.r
        }

        fn part(&self, at: usize) -> (f32, bool) {
            (self.r * at as f32, at > 1)
        }
    }

    impl<T: Copy + PartialEq> Named for Box2<T> {
        type Name = T;

        fn name(&self) -> T {
            self.w
        }
    }

    impl<T: Small + Copy + PartialEq + Add<Output = T>> Shape for Box2<T> {
        type Size = T;
        type Part = [T; 2];

        fn size(&self) -> T {
            self.w + self.h
        }

        fn part(&self, at: usize) -> [T; 2] {
            if at > 1 { [self.h, self.h + self.w] } else { [self.w, self.h] }
        }
    }

    impl<T: Add> Add for Box2<T> {
        type Output = Box2<T::Output>;

        fn add(self, other: Self) -> Box2<T::Output> {
            Box2 { w: self.w + other.w, h: self.h + other.h }
        }
    }

    impl Mul<Round> for Box2<f32> {
        type Output = f32;

        fn mul(self, by: Round) -> f32 {
            self.w * self.h * by.r
        }
    }

    /// A family of types, without functions.
    pub trait Wide {
        type Type;
    }

    impl Wide for f32 {
        type Type = (f32, u32);
    }

    impl Wide for u32 {
        type Type = u32;
    }

    pub struct Cache<S> {
        pub shape: S,
        pub uses: u32,
    }

    impl<S: Shape> Cache<S> {
        pub fn size(&mut self) -> S::Size {
            self.uses += 1;
            self.shape.twice()
        }
    }

    pub fn size_of_all<S: Shape>(all: &[S], first: S::Size) -> S::Size {
        let mut sum: S::Size = first;
        for s in all {
            if s.size().small() {
                sum = sum + s.size();
            }
        }
        sum + first
    }

    pub fn same<S>(one: &S, other: &S) -> bool
    where
        S: Shape,
        S::Part: PartialEq,
    {
        one.name() == other.name() && one.part(1) == Shape::part(other, 1)
    }

    pub fn parts<S: Shape>(s: &S) -> (S::Part, <S as Named>::Name) {
        let last = s.part(2);
        (last, s.name())
    }

    pub fn with<S: Shape, R>(s: &S, f: impl Fn(S::Size, S::Name) -> R) -> R {
        f(s.size(), s.name())
    }

    pub fn of_floats<S: Shape<Size = f32>>(s: &S, by: f32) -> f32 {
        s.size() * by - s.twice()
    }

    pub fn product<A: Mul<B>, B>(a: A, b: B) -> A::Output {
        a * b
    }

    pub fn fused<A, B, C>(a: A, b: B, c: C) -> <<A as Mul<B>>::Output as Add<C>>::Output
    where
        A: Mul<B>,
        A::Output: Add<C>,
    {
        let product: <A as Mul<B>>::Output = a * b;
        product + c
    }

    pub fn opposite<T: Neg>(x: T) -> T::Output {
        -x
    }

    pub fn double<T: Add<Output = T> + Copy>(x: T) -> T::Output {
        let sum: T::Output = x + x;
        sum
    }

    pub fn distance<T>(a: T, b: T) -> <T as Sub>::Output
    where
        T: Sub + PartialOrd,
    {
        if a < b { b - a } else { a - b }
    }

    pub fn wide<T: Wide>(x: T::Type) -> T::Type {
        x
    }

    pub fn all(x: f32, y: f32) -> f32 {
        let (round, other) = (Round { r: x }, Round { r: y });
        let (square, small) = (Box2 { w: x, h: y }, Box2 { w: x as u32, h: 7 });
        let mut sum = size_of_all(&[round, other, round], 2.0) + size_of_all(&[square], y);
        sum += size_of_all(&[small, small], 4) as f32;
        let ((part, flag), name) = parts(&round);
        let ([a, b], c) = parts(&small);
        sum += part + name as f32 + if flag { a as f32 } else { 0.0 } - (b + c) as f32;
        sum += if same(&round, &other) { 1.0 } else { 2.0 };
        sum += if same(&square, &Box2 { w: x, h: x }) { 3.0 } else { 5.0 };
        sum += with(&round, |size, name| size + name as f32);
        sum += with(&small, |size, name| size * name) as f32;
        sum += of_floats(&round, 3.0) - of_floats(&square, y);
        let mut cache = Cache { shape: small, uses: 0 };
        sum += (cache.size() + cache.size() + cache.uses) as f32;
        sum += product(x, 2.0) + product(square, round) + fused(y, 0.5, x) + fused(square, other, 1.0_f32);
        sum += opposite(x) + double(y) + distance(x, y) + distance(3, x as i32) as f32;
        let (pair, count) = wide::<f32>((x, 4));
        sum += pair + (count + wide::<u32>(9)) as f32;
        sum + double((square + square).w) + product(3_i32, x as i32) as f32
    }
}

#[amp_kernel]
fn of_module(
    idx: Index<1>,
    a: &ArrayView<f32, 1>,
    b: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    out[idx] = device::all(a[idx], b[idx]);
}

#[test]
fn those_of_modules() {
    let values = [0.0, -0.0, 1.5, -2.25, 300.0, -3e-20, 7.0];
    let a: Vec<f32> = values.iter().flat_map(|x| [*x; 7]).collect();
    let b: Vec<f32> = values.iter().cycle().take(a.len()).copied().collect();
    let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| host::all(*a, *b)).collect();
    gives(&expected, |view, out| {
        let (a, b) = (testkit::input(&a), testkit::input(&b));
        launch(view, out.extent(), of_module(&a, &b, out))
    });
}

#[amp_fn]
trait Sensor {
    type Value;
    const RANGE: Self::Value;

    fn read(&self, raw: u32) -> Self::Value;
}

#[amp_struct]
struct Counter {
    scale: u32,
}

#[amp_struct]
struct Gauge {
    scale: f32,
}

#[amp_fn]
impl Sensor for Counter {
    type Value = u32;
    const RANGE: u32 = 100;

    fn read(&self, raw: u32) -> u32 {
        raw * self.scale
    }
}

#[amp_fn]
impl Sensor for Gauge {
    type Value = f32;
    const RANGE: f32 = 2.5;

    fn read(&self, raw: u32) -> Self::Value {
        raw as f32 * self.scale
    }
}

#[amp_fn]
fn clamped<S: Sensor>(sensor: &S, raw: u32) -> S::Value
where
    S::Value: PartialOrd + Copy,
{
    let value = sensor.read(raw);
    if value > S::RANGE { S::RANGE } else { value }
}

#[amp_fn]
fn area<A, B>(a: A, b: B) -> A::Output
where
    A: Mul<B>,
    A::Output: Add<Output = A::Output> + Copy,
{
    let area = a * b;
    area + area
}

#[amp_fn]
fn next<T: Add<T>>(x: T, step: T) -> <T as Add>::Output {
    x + step
}

#[amp_kernel]
fn of_helpers(idx: Index<1>, raw: &ArrayView<u32, 1>, out: &mut ArrayViewMut<f32, 1>) {
    let x = raw[idx];
    let counted = clamped(&Counter { scale: 3 }, x);
    let measured = clamped(&Gauge { scale: 0.25 }, x);
    out[idx] = counted as f32 + measured + area(measured, 2.0) + next(area(x, 3), 1) as f32;
}

#[test]
fn those_of_helpers() {
    let raw: Vec<u32> = (0..50).collect();
    let expected: Vec<f32> = raw
        .iter()
        .map(|&x| {
            let counted = clamped(&Counter { scale: 3 }, x);
            let measured = (x as f32 * 0.25).min(2.5);
            assert_eq!(counted, (x * 3).min(100));
            let twice = measured * 2.0 + measured * 2.0;
            counted as f32 + measured + twice + (6 * x + 1) as f32
        })
        .collect();
    gives(&expected, |view, out| {
        let raw = testkit::input(&raw);
        launch(view, out.extent(), of_helpers(&raw, out))
    });
}
