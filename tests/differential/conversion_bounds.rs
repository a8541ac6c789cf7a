//! `From` as a bound, and as what a bound implies: `T::from(1)`, `1.into()`; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    use std::ops::{Add, Mul};

    pub trait Uns: Copy + Add<Output = Self> + From<u8> {}

    impl Uns for u32 {}

    impl Uns for u64 {}

    pub trait Sub2: Uns + Mul<Output = Self> {}

    impl Sub2 for u64 {}

    #[derive(Clone, Copy)]
    pub struct P(pub u32);

    impl From<u8> for P {
        fn from(x: u8) -> P {
            P(x as u32 * 3)
        }
    }

    impl Add for P {
        type Output = P;
        fn add(self, o: P) -> P {
            P(self.0 + o.0 * 2)
        }
    }

    impl Uns for P {}

    pub fn inc<T: Uns>(a: T) -> T {
        a + T::from(1)
    }

    pub fn inc2<T: Copy + Add<Output = T> + From<u8>>(a: T) -> T {
        a + T::from(1)
    }

    pub fn inc3<T>(a: T) -> T
    where
        T: Copy + Add<Output = T> + From<u8>,
    {
        a + 1.into()
    }

    pub fn inc4<T: Uns>(a: T) -> T {
        let x: T = 7.into();
        a + 1.into() + x
    }

    pub fn inc5<T: Sub2>(a: T) -> T {
        let x: T = 7u8.into();
        a + x * 3.into() + T::from(2)
    }

    pub fn inc6<T: From<f32> + Add<Output = T>>(a: T) -> T {
        a + 1.5.into()
    }

    pub fn all(x: u32) -> u32 {
        inc(x)
            + inc2(x)
            + inc3(x)
            + inc4(x)
            + inc5(x as u64) as u32
            + inc(P(x)).0
            + inc2(P(x)).0
            + inc3(P(x)).0
            + inc4(P(x)).0
            + inc6(x as f64) as u32
            + inc6(x as f32) as u32
    }
}

all_agree!(numbers_become_what_bounds_say: u32, 40);
