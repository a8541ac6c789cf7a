//! Const parameters of types and functions that are integers of any width; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    use std::ops::{Add, Mul};

    const PRIME: u32 = 17;

    #[derive(Clone, Copy, PartialEq)]
    pub struct Mod<const P: u32>(u32);

    impl<const P: u32> Mod<P> {
        pub const ORDER: u32 = P - 1;

        pub fn new(x: u32) -> Self {
            Mod(x % P)
        }

        pub fn power(self, n: u32) -> Self {
            (0..n).fold(Mod::<P>::new(1), |power, _| power * self)
        }
    }

    impl<const P: u32> Mul for Mod<P> {
        type Output = Self;

        fn mul(self, other: Self) -> Self {
            Mod((self.0 as u64 * other.0 as u64 % P as u64) as u32)
        }
    }

    impl<const P: u32> Add for Mod<P> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Mod((self.0 + other.0) % P)
        }
    }

    type Mod7 = Mod<7>;

    #[derive(Clone, Copy)]
    pub struct Fixed<const BITS: u8, const BIAS: i32, const N: usize> {
        parts: [i32; N],
    }

    impl<const BITS: u8, const BIAS: i32, const N: usize> Fixed<BITS, BIAS, N> {
        fn sum(&self) -> i32 {
            self.parts.iter().map(|part| (part >> BITS) + BIAS).sum()
        }
    }

    fn inverse<const P: u32>(x: Mod<P>) -> Mod<P> {
        x.power(P - 2)
    }

    fn wide<const STEP: u64, const LIMIT: i64, const UP: bool>(x: u32) -> u64 {
        let x = x as u64 * STEP;
        if UP && (x as i64) < LIMIT { x + STEP } else { x / 3 }
    }

    pub fn all(x: u32) -> u64 {
        let (m, n) = (Mod::<13>::new(x), Mod::<PRIME>::new(x + 3));
        let s: Mod7 = Mod7::new(3) + Mod::new(x);
        let of_constant = Mod::<{ PRIME + 2 }>::new(30).power(x);
        let is_inverse = (inverse(n) * n == Mod::new(1)) as u32;
        let orders = Mod::<11>::ORDER + Mod7::ORDER;
        let mods = m.power(x).0 + inverse::<PRIME>(n).0 + s.0 + of_constant.0 + is_inverse + orders;
        let fixed = Fixed::<3, -2, 2> { parts: [x as i32 * 100, 77] };
        let other = Fixed::<0, 5, 1> { parts: [-(x as i32)] };
        let wides = wide::<5_000_000_000, 40_000_000_000, true>(x) + wide::<3, -1, false>(x);
        wides + mods as u64 + fixed.sum() as u32 as u64 + other.sum() as u32 as u64
    }
}

all_agree!(numbers_of_any_width_are_parameters: u64, 20);
