//! Traits of the standard library as programs have them beside each other: a product of a generic number with another
//! and with a part of it, and what arrays and tuples are made of; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    use std::ops::{Add, Mul, MulAssign};

    pub trait Num: Copy + PartialOrd + Default + Add<Output = Self> + Mul<Output = Self> {
        const ONE: Self;
    }

    impl Num for f32 {
        const ONE: f32 = 1.0;
    }

    impl Num for i64 {
        const ONE: i64 = 1;
    }

    #[derive(Clone, Copy, PartialEq, Default)]
    pub struct Complex<T> {
        pub re: T,
        pub im: T,
    }

    impl<T: Num> Complex<T> {
        pub fn scale(self, by: T) -> Self {
            Complex {
                re: self.re * by,
                im: self.im * by,
            }
        }

        pub fn power(self, n: u32) -> Self {
            let one = Complex {
                re: T::ONE,
                im: T::default(),
            };
            (0..n).fold(one, |power, _| power * self)
        }
    }

    impl<T: Num> Add for Complex<T> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Complex {
                re: self.re + other.re,
                im: self.im + other.im,
            }
        }
    }

    impl<T: Num> Mul for Complex<T> {
        type Output = Self;

        fn mul(self, other: Self) -> Self {
            Complex {
                re: self.re * other.re + self.im * other.im,
                im: self.re * other.im + self.im * other.re,
            }
        }
    }

    impl<T: Num> Mul<T> for Complex<T> {
        type Output = Self;

        fn mul(self, by: T) -> Self {
            self.scale(by)
        }
    }

    impl<T: Num> MulAssign for Complex<T> {
        fn mul_assign(&mut self, other: Self) {
            *self = *self * other;
        }
    }

    impl From<Complex<f32>> for [f32; 2] {
        fn from(z: Complex<f32>) -> Self {
            [z.re, z.im]
        }
    }

    impl From<[f32; 2]> for Complex<f32> {
        fn from([re, im]: [f32; 2]) -> Self {
            Complex { re, im }
        }
    }

    impl From<Complex<i64>> for (i64, i64) {
        fn from(z: Complex<i64>) -> (i64, i64) {
            (z.re, z.im)
        }
    }

    fn horner<T: Num>(z: Complex<T>, by: T) -> Complex<T> {
        let mut sum = z * by + z;
        sum *= z;
        sum * (by + T::ONE)
    }

    pub fn all(x: u32) -> i64 {
        let z = Complex { re: x as f32, im: 2.0 };
        let w = Complex { re: x as i64, im: 3 };
        let parts: [f32; 2] = (z.power(3) * 0.5).into();
        let other: Complex<f32> = parts.into();
        let (re, im) = horner(w, 5).power(2).into();
        let again = <[f32; 2]>::from(horner(other, 2.0));
        parts[0] as i64 + (other.im * 3.0) as i64 + re - im + again[1] as i64
    }
}

all_agree!(operands_and_conversions_are_told_apart: i64, 20);
