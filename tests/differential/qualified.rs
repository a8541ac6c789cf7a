//! Functions and constants that are named by a type in brackets, and the trait that declares them.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    pub trait Kind {
        const ZERO: u32;

        fn scaled(x: u32) -> u32;
    }

    pub trait Shape {
        type Kind: Kind;

        fn kind(&self, x: u32) -> u32;

        fn made(x: u32) -> Self;

        fn twice(&self) -> u32 {
            self.kind(2)
        }
    }

    pub trait Limits {
        const MAX_ROUNDS: u32;
        const LEAST: u32;
    }

    pub trait Ext {
        fn mixed(self, other: u32) -> u32;
    }

    #[derive(Clone, Copy)]
    pub struct Round {
        pub r: u32,
    }

    #[derive(Clone, Copy)]
    pub struct Square {
        pub side: u32,
    }

    // Not the traits'.
    impl Round {
        pub const ZERO: u32 = 1000;

        pub fn made(x: u32) -> u32 {
            x + 77
        }

        pub fn scaled(x: u32) -> u32 {
            x + 78
        }
    }

    impl Kind for Round {
        const ZERO: u32 = 4;

        fn scaled(x: u32) -> u32 {
            x * 7
        }
    }

    impl Kind for Square {
        const ZERO: u32 = 5;

        fn scaled(x: u32) -> u32 {
            x * 9
        }
    }

    impl Shape for Round {
        type Kind = Square;

        fn kind(&self, x: u32) -> u32 {
            self.r * x
        }

        fn made(x: u32) -> Self {
            Round { r: x + 1 }
        }
    }

    impl Shape for Square {
        type Kind = Round;

        fn kind(&self, x: u32) -> u32 {
            self.side ^ x
        }

        fn made(x: u32) -> Self {
            Square { side: x * 3 }
        }
    }

    impl Limits for Round {
        const MAX_ROUNDS: u32 = 9;
        const LEAST: u32 = 3;
    }

    impl Ext for u32 {
        fn mixed(self, other: u32) -> u32 {
            self * 5 ^ other
        }
    }

    impl Ext for f32 {
        fn mixed(self, other: u32) -> u32 {
            self as u32 + other
        }
    }

    pub fn of_parameter<S: Shape>(x: u32) -> u32 {
        let shape = <S as Shape>::made(x);
        let sum = <S as Shape>::kind(&shape, 3) + <S as Shape>::twice(&shape);
        sum * 31 + <S::Kind>::scaled(x) + <S::Kind>::ZERO
    }

    pub fn of_associated<S: Shape>(shape: &S, x: u32) -> u32
    where
        S::Kind: Kind + Ext2,
    {
        let kind = <S::Kind as Kind>::scaled(x) + <<S as Shape>::Kind as Kind>::ZERO;
        kind * <S::Kind as Ext2>::ZERO + <S::Kind as Ext2>::scaled(x) + shape.kind(1)
    }

    /// Has the names of `Kind`.
    pub trait Ext2 {
        const ZERO: u32;

        fn scaled(x: u32) -> u32;
    }

    impl Ext2 for Round {
        const ZERO: u32 = 2;

        fn scaled(x: u32) -> u32 {
            x * 100
        }
    }

    impl Ext2 for Square {
        const ZERO: u32 = 3;

        fn scaled(x: u32) -> u32 {
            x * 200
        }
    }

    pub fn of_pattern(x: u32) -> u32 {
        match x {
            <Round as Limits>::MAX_ROUNDS => 1,
            0..=<Round as Limits>::LEAST => 2,
            _ => <Round as Limits>::MAX_ROUNDS + x,
        }
    }

    pub fn all(x: u32) -> u32 {
        let round = <Round as Shape>::made(x);
        let mut sum = <Round as Shape>::kind(&round, 3) + <Round as Shape>::twice(&round);
        sum = sum * 3 + Round::made(x) + <Round>::scaled(x) + <Round as Kind>::scaled(x);
        sum = sum * 3 + <u32 as Ext>::mixed(x, 3) + <f32 as Ext>::mixed(2.5, x);
        sum = sum * 3 + of_parameter::<Round>(x) + of_parameter::<Square>(x);
        sum = sum * 3 + of_associated(&round, x) + of_associated(&Square { side: x }, x);
        sum * 3 + of_pattern(x)
    }
}

#[amp_kernel]
fn of_module(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = device::all(a[idx]);
}

#[test]
fn those_of_modules() {
    let values: Vec<u32> = (0..50).collect();
    let expected: Vec<u32> = values.iter().map(|x| host::all(*x)).collect();
    gives(&expected, |view, out| {
        let a = testkit::input(&values);
        launch(view, out.extent(), of_module(&a, out))
    });
}

#[amp_fn]
trait Level {
    const TOP: u32;

    fn level(&self, x: u32) -> u32;
}

#[amp_struct]
struct Tank {
    size: u32,
}

#[amp_fn]
impl Level for Tank {
    const TOP: u32 = 12;

    fn level(&self, x: u32) -> u32 {
        x % self.size
    }
}

#[amp_fn]
fn level_of<L: Level>(of: &L, x: u32) -> u32 {
    match <Tank as Level>::level(&Tank { size: 20 }, x) {
        <Tank as Level>::TOP => 100 + <L as Level>::TOP,
        level => <L as Level>::level(of, x) + level,
    }
}

#[amp_kernel]
fn of_helpers(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = level_of(&Tank { size: 7 }, a[idx]);
}

#[test]
fn those_of_helpers() {
    let values: Vec<u32> = (0..50).collect();
    let expected: Vec<u32> = values
        .iter()
        .map(|x| match x % 20 {
            12 => 112,
            level => x % 7 + level,
        })
        .collect();
    gives(&expected, |view, out| {
        let a = testkit::input(&values);
        launch(view, out.extent(), of_helpers(&a, out))
    });
}
