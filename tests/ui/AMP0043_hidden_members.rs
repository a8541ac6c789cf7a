//! Fields, constants and functions of types that Rust finds elsewhere.

mod items {
    #[amp::amp_module]
    mod kernels {
        pub struct Inner {
            pub x: u32,
        }

        pub struct Outer {
            x: u32,
        }

        pub trait At {
            const AT: Inner;
            const BOTH: (u32, Inner);
        }

        impl At for Inner {
            const AT: Inner = Inner { x: 1 };
            const BOTH: (u32, Inner) = (1, Inner { x: 2 });
        }

        pub struct Pair<T> {
            pub one: T,
        }

        impl<T: amp::Scalar> Pair<T> {
            pub const ONE: Pair<T> = Pair { one: T::ONE };
            const TWO: Pair<T> = Pair { one: T::ONE };
        }

        pub trait Two {
            const TWO: Self;
        }

        impl<T: amp::Scalar> Two for Pair<T> {
            const TWO: Pair<T> = Pair { one: T::ZERO };
        }

        pub trait Zero {
            const ZERO: Self;
        }

        impl<T: amp::Scalar> Zero for Pair<T> {
            const ZERO: Pair<T> = Pair { one: T::ONE };
        }

        pub fn outer() -> Outer {
            Outer { x: 1 }
        }
    }

    pub use kernels::*;

    static INNER: Inner = Inner { x: 2 };

    impl std::ops::Deref for Outer {
        type Target = Inner;

        fn deref(&self) -> &Inner {
            &INNER
        }
    }

    // Where no macro reads it.
    macro_rules! constants {
        () => {
            impl Inner {
                pub const AT: Inner = Inner { x: 3 };
                pub const BOTH: (u32, Inner) = (1, Inner { x: 3 });
            }
        };
    }
    constants!();
}

mod f32 {
    pub fn sqrt(x: core::primitive::f32) -> core::primitive::f32 {
        x
    }

    pub fn from(_: u8) -> core::primitive::f32 {
        0.0
    }
}

use amp::prelude::*;
use items::{At, Inner, Pair, Two, Zero, outer};

#[amp_fn]
fn field() -> u32 {
    let outer = outer();
    outer.x
}

#[amp_fn]
fn constants() -> u32 {
    let (at, both): (Inner, (u32, Inner)) = (Inner::AT, Inner::BOTH);
    at.x + both.0
}

#[amp_fn]
fn of_a_generic_type() -> u32 {
    let zero: Pair<u32> = Pair::<u32>::ZERO;
    zero.one
}

#[amp_fn]
fn private_of_a_generic_type() -> u32 {
    let two: Pair<u32> = Pair::<u32>::TWO;
    two.one
}

#[amp_fn]
fn functions(x: f32, y: u8) -> f32 {
    f32::sqrt(x) + f32::from(y) + f32::max(x, 1.0)
}

fn main() {}
