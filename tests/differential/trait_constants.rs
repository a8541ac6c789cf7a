//! Constants of traits: with values of their own, and those that traits of one type have by the same names;
//! against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    use amp::prelude::*;

    pub trait A {
        const K: u64;
        const L: [u32; 2] = [1, 2];
        fn id() -> u64;
    }

    pub trait B {
        const K: u64;
        const L: [u32; 2] = [3, 4];
        const M: f32 = 0.5;
        fn id() -> u64;
    }

    pub struct Y(u32);

    impl A for Y {
        const K: u64 = 5;
        fn id() -> u64 {
            1
        }
    }

    impl B for Y {
        const K: u64 = 6;
        fn id() -> u64 {
            2
        }
    }

    impl A for u32 {
        const K: u64 = 7;
        fn id() -> u64 {
            4
        }
    }

    impl B for u32 {
        const K: u64 = 8;
        const M: f32 = 1.5;
        fn id() -> u64 {
            6
        }
    }

    pub fn both<T: A + B>(_t: &T) -> u64 {
        <T as A>::K * 10
            + <T as B>::K
            + <T as A>::id()
            + <T as B>::id()
            + <T as A>::L[1] as u64
            + <T as B>::L[1] as u64
            + (T::M * 10.0) as u64
    }

    pub fn one(x: u32) -> u64 {
        <Y as A>::K
            + <Y as B>::K * 3
            + both(&Y(x))
            + both(&x)
            + <Y as B>::L[0] as u64
            + <Y as A>::L[0] as u64
    }

    pub fn sc<T: Scalar>(t: T) -> T {
        t + <T as Scalar>::ONE
    }

    pub trait Sup: A + B {
        const N: u64 = <Self as A>::K * 2;
        fn go(&self) -> u64 {
            <Self as A>::K + <Self as B>::K
        }
    }

    impl Sup for Y {}

    impl Sup for u32 {
        const N: u64 = 1;
    }

    pub fn su<S: Sup>(s: &S) -> u64 {
        s.go() + <S as A>::K * 100 + S::N
    }

    /// Its constants have the names of those of `Scalar`, which numbers have, too.
    pub trait Num: Copy + PartialOrd {
        const ZERO: Self;
        const ONE: Self;
        fn positive(self) -> Self {
            if self < Self::ZERO { Self::ONE } else { self }
        }
    }

    impl Num for f32 {
        const ZERO: f32 = 0.0;
        const ONE: f32 = 1.0;
    }

    impl Num for i32 {
        const ZERO: i32 = 0;
        const ONE: i32 = 1;
    }

    pub fn all(x: u32) -> u64 {
        let positive = (x as f32 - 3.5).positive() * 2.0 + (x as i32 - 9).positive() as f32;
        one(x) + sc(x) as u64 + su(&Y(x)) + su(&x) + positive as u64
    }
}

all_agree!(constants_are_those_of_their_traits: u64, 40);
