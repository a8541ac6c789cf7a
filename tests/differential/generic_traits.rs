//! Traits with parameters of generic types: their blocks, associated types, supertraits and closures; against the same
//! module as plain Rust.

use amp::prelude::*;

device_and_host! {
    use std::ops::{Add, Mul};
    // trait with param and associated type
    pub trait Op<Rhs> {
        type Out;
        fn op(self, r: Rhs) -> Self::Out;
    }

    impl Op<u32> for u32 {
        type Out = u64;
        fn op(self, r: u32) -> u64 {
            self as u64 * r as u64
        }
    }

    impl Op<f32> for u32 {
        type Out = f32;
        fn op(self, r: f32) -> f32 {
            self as f32 * r
        }
    }

    pub fn a(x: u32) -> u64 {
        x.op(3u32) + x.op(1.5f32) as u64
    }
    // bound with projection, unique impl
    pub trait Wrap<T> {
        type W;
        fn wrap(t: T) -> Self::W;
    }

    pub struct Id;

    impl Wrap<u32> for Id {
        type W = (u32, u32);
        fn wrap(t: u32) -> (u32, u32) {
            (t, t + 1)
        }
    }

    pub fn b(x: u32) -> u64 {
        let (p, q) = Id::wrap(x);
        (p + q) as u64
    }

    pub fn generic<T: Copy, F: Wrap<T>>(t: T) -> F::W {
        F::wrap(t)
    }

    pub fn c(x: u32) -> u64 {
        let (p, q) = generic::<u32, Id>(x);
        (p * q) as u64
    }
    // generic struct implementing generic trait
    #[derive(Clone, Copy)]
    pub struct V<T>(pub T, pub T);

    pub trait Dot<Rhs = Self> {
        type Output;
        fn dot(self, r: Rhs) -> Self::Output;
    }

    impl<T: Copy + Mul<Output = T> + Add<Output = T>> Dot for V<T> {
        type Output = T;
        fn dot(self, r: V<T>) -> T {
            self.0 * r.0 + self.1 * r.1
        }
    }

    impl<T: Copy + Mul<Output = T>> Dot<T> for V<T> {
        type Output = V<T>;
        fn dot(self, r: T) -> V<T> {
            V(self.0 * r, self.1 * r)
        }
    }

    pub fn d(x: u32) -> u64 {
        let v = V(x, 2);
        let w = v.dot(3u32);
        w.dot(v) as u64
    }

    pub fn dd<D: Dot<D, Output = u32> + Copy>(x: D) -> u32 {
        x.dot(x)
    }

    pub fn e(x: u32) -> u64 {
        dd(V(x, 1)) as u64
    }
    // supertrait generic
    pub trait Base<T> {
        fn base(&self) -> T;
    }

    pub trait Derived<T>: Base<T> {
        fn twice(&self) -> (T, T) {
            (self.base(), self.base())
        }
    }

    impl Base<f32> for V<f32> {
        fn base(&self) -> f32 {
            self.0
        }
    }

    impl Derived<f32> for V<f32> {}

    pub fn ff<D: Derived<f32>>(d: &D) -> f32 {
        let (a, b) = d.twice();
        a + b * 2.0 + d.base()
    }

    pub fn f(x: u32) -> u64 {
        ff(&V(x as f32, 0.0)) as u64
    }
    // closures in trait methods
    pub trait Visit<T> {
        fn visit(&self, f: impl Fn(T) -> T) -> T;
    }

    impl Visit<u32> for V<u32> {
        fn visit(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(self.0) + f(self.1)
        }
    }

    pub fn gg<T, X: Visit<T>>(x: &X, f: impl Fn(T) -> T) -> T {
        x.visit(f)
    }

    pub fn g(x: u32) -> u64 {
        gg(&V(x, 2), |v| v * 3) as u64 + V(x, 3).visit(|v| v + 1) as u64
    }
    // static dispatch by marker
    pub struct Meters;

    pub struct Feet;

    pub trait Unit {
        const SCALE: f32;
    }

    impl Unit for Meters {
        const SCALE: f32 = 1.0;
    }

    impl Unit for Feet {
        const SCALE: f32 = 0.25;
    }

    pub trait Convert<U: Unit> {
        fn convert(self) -> f32;
    }

    impl<U: Unit> Convert<U> for f32 {
        fn convert(self) -> f32 {
            self * U::SCALE
        }
    }

    pub fn h(x: u32) -> u64 {
        (<f32 as Convert<Feet>>::convert(x as f32) + <f32 as Convert<Meters>>::convert(8.0)) as u64
    }

    pub fn hh<U: Unit>(x: f32) -> f32
    where
        f32: Convert<U>,
    {
        <f32 as Convert<U>>::convert(x)
    }

    pub fn i(x: u32) -> u64 {
        hh::<Feet>(x as f32 * 8.0) as u64
    }

    pub fn all(x: u32) -> u64 {
        a(x) + b(x) + c(x) + d(x) + e(x) + f(x) + g(x) + h(x) + i(x)
    }
}

all_agree!(blocks_of_generic_types_are_chosen: u64, 40);
