//! Macros of a module that make its items: structs, `impl` blocks, functions and constants; against the same module
//! as plain Rust.

// A count that a macro writes ends with `+ 0`.
#![allow(clippy::identity_op)]

use amp::prelude::*;

device_and_host! {
    use std::ops::{Add, Sub};

    macro_rules! wide {
            ($name:ident { $($field:ident),+ } $t:ty) => {
                #[derive(Clone, Copy, Debug, PartialEq, Default)]
                pub struct $name { $(pub $field: $t),+ }
                impl $name {
                    pub const COUNT: u32 = count!($($field)+);
                    pub fn new($($field: $t),+) -> Self { let x = Self { $($field),+ }; assert!(x == x, "bad {x:?}"); x }
                    pub fn total(&self) -> $t { let mut sum = <$t>::default(); $(sum = sum + self.$field;)+ sum }
                    pub fn map(self, f: impl Fn($t) -> $t) -> Self { Self { $($field: f(self.$field)),+ } }
                }
                binary!($name Add add + $($field)+);
                binary!($name Sub sub - $($field)+);
            };
        }

    macro_rules! count { () => { 0 }; ($a:ident $($b:ident)*) => { 1 + count!($($b)*) }; }

    macro_rules! binary {
            ($name:ident $trait:ident $method:ident $op:tt $($field:ident)+) => {
                impl $trait for $name { type Output = $name; fn $method(self, other: $name) -> $name { $name { $($field: self.$field $op other.$field),+ } } }
            };
        }
    wide!(P { x, y } i32);
    wide!(Q { x, y, z } f32);

    pub trait Named {
        const NAME: u32;
        fn half(&self, n: u32) -> u32;
    }

    macro_rules! named {
            ($($t:ident = $n:expr),* $(,)?) => { $(impl Named for $t { const NAME: u32 = $n; fn half(&self, n: u32) -> u32 { let m = n / 2; m + $n + SHIFT } })* };
        }
    const SHIFT: u32 = 3;
    const fn m() -> u32 {
        100
    }
    named!(P = 5, Q = m() + 1);

    macro_rules! functions { ($($f:ident $op:tt $by:expr;)*) => { $(pub fn $f(x: u32) -> u32 { let by = $by; x $op by })* } }
    functions! { doubled * 2; plus + SHIFT; }
    functions![minus - 1;];

    macro_rules! fixed { ($($n:ident: $v:expr),*) => { $(pub const $n: u32 = $v;)* } }
    fixed!(A1: 3, B1: A1 + 2);

    pub fn all(x: u32) -> u32 {
        let p = P::new(x as i32, 3) + P::new(1, 2) - P { x: 1, y: 1 };
        let q = (Q::new(x as f32, 1.0, 2.0) + Q::default()).map(|v| v * 2.0);
        p.total() as u32
            + q.total() as u32
            + P::COUNT * 10
            + Q::COUNT
            + P::NAME
            + Q::NAME
            + p.half(x)
            + q.half(x) * 3
            + doubled(x)
            + plus(x)
            + minus(x + 1)
            + A1
            + B1
    }
}

all_agree!(items_are_those_that_macros_make: u32, 40);
