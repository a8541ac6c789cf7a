//! Traits by the names that amp's have: what a program declares, or imports from itself, is meant; against the
//! same module as plain Rust, and against the host's functions.

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    use std::ops::{Add, Mul};

    pub trait Float: Copy + Add<Output = Self> + Mul<Output = Self> {
        const HALF: Self;
        fn twice(self) -> Self;
        fn to_f32(self) -> u8 {
            7
        }
    }

    impl Float for f32 {
        const HALF: f32 = 0.5;
        fn twice(self) -> f32 {
            self + self
        }
    }

    impl Float for f64 {
        const HALF: f64 = 0.5;
        fn twice(self) -> f64 {
            self + self
        }
    }

    impl Float for u32 {
        const HALF: u32 = 1;
        fn twice(self) -> u32 {
            self * 2
        }
    }

    pub fn mid<F: Float>(a: F, b: F) -> F {
        (a + b).twice() * F::HALF
    }

    pub trait Scalar {
        const ZERO: u32;
        fn from_i32(x: i32) -> Self;
        fn get(&self) -> u32;
    }

    #[derive(Clone, Copy)]
    pub struct P(pub u32);

    impl Scalar for P {
        const ZERO: u32 = 9;
        fn from_i32(x: i32) -> P {
            P(x as u32 + 5)
        }
        fn get(&self) -> u32 {
            self.0
        }
    }

    pub fn sc<S: Scalar>(s: S) -> u32 {
        S::ZERO + s.get() + S::from_i32(4).get()
    }

    pub trait Integer {
        type Kind: Element;
        fn kind(&self) -> Self::Kind;
    }

    pub trait Element {
        fn el(self) -> u32;
    }

    impl Element for u8 {
        fn el(self) -> u32 {
            self as u32 + 1
        }
    }

    impl Integer for P {
        type Kind = u8;
        fn kind(&self) -> u8 {
            self.0 as u8
        }
    }

    pub fn ii<I: Integer>(i: &I) -> u32 {
        i.kind().el()
    }

    pub fn jj<I>(i: &I) -> u32
    where
        I: Integer,
        I::Kind: Element,
    {
        <I::Kind as Element>::el(i.kind()) + <I as Integer>::kind(i).el()
    }

    pub trait Atomic {
        fn at(&self) -> u32;
    }

    pub trait AtomicInteger: Atomic {
        fn ai(&self) -> u32 {
            self.at() + 1
        }
    }

    impl Atomic for P {
        fn at(&self) -> u32 {
            self.0
        }
    }

    impl AtomicInteger for P {}

    pub fn aa<A: AtomicInteger>(a: A) -> u32 {
        a.ai() + a.at()
    }

    pub fn all(x: u32) -> u32 {
        (mid(x as f32, 2.0) as u32)
            + mid(x, 1)
            + (mid(1.0f64, 2.0) as u32)
            + sc(P(x))
            + ii(&P(x))
            + jj(&P(x))
            + aa(P(x))
    }
}

mod other {
    use amp::prelude::*;
    #[amp_fn]
    pub trait Float {
        fn f(&self) -> u32;
    }
    #[amp_fn]
    impl Float for u32 {
        fn f(&self) -> u32 {
            *self + 10
        }
    }
    #[amp_module]
    pub mod inner {
        use super::Float;
        pub fn g<F: Float>(f: F) -> u32 {
            f.f()
        }
    }
}

mod third {
    use super::other::Float;
    use amp::prelude::*;
    #[amp_fn]
    pub fn h<F: Float>(f: F) -> u32 {
        f.f() * 2
    }
    use amp::Scalar;
    #[amp_fn]
    pub fn s_third<F: Scalar>(f: F) -> F {
        f * f + F::ONE
    }
}

mod fourth {
    use amp::precise_math::{self, Float};
    use amp::prelude::*;
    #[amp_fn]
    pub fn s_fourth<F: Float>(f: F) -> F {
        precise_math::sqrt(f) - F::ONE
    }
    #[amp_fn]
    pub fn n<F: precise_math::Float>(f: F) -> F {
        -precise_math::sqrt(f) - F::ONE
    }
}

mod fifth {
    use super::other::*;
    use amp::prelude::*;
    #[amp_fn]
    pub fn s_fifth<F: Float>(f: F) -> u32 {
        f.f()
    }
}

mod sixth {
    use amp::prelude::*;
    #[amp_fn]
    pub fn s_sixth<F: super::other::Float>(f: F) -> u32 {
        f.f()
    }
}

#[amp_fn]
fn everywhere(x: u32) -> u32 {
    device::all(x)
        + other::inner::g(x)
        + third::h(x)
        + third::s_third(x)
        + fourth::s_fourth(x as f32) as u32
        + (fourth::n(x as f64) + 50.0) as u32
        + fifth::s_fifth(x)
        + sixth::s_sixth(x)
}

all_agree!(those_of_a_module: u32, 40);

#[amp_kernel]
fn of_imported_traits(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = everywhere(idx[0] as u32);
}

#[test]
fn those_that_modules_import() {
    let expected: Vec<u32> = (0..40).map(everywhere).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), of_imported_traits(out))
    });
}
