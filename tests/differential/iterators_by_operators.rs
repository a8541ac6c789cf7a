//! Types of one's own that are iterators, where operators make them; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    use std::ops::{Add, BitAnd, BitOr, Not, Shl, Sub};
    #[derive(Clone, Copy, PartialEq)]
    struct Bits(u64);
    impl Iterator for Bits {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            if self.0 == 0 {
                return None;
            }
            let s = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            Some(s)
        }
    }
    impl Not for Bits {
        type Output = Self;
        fn not(self) -> Self {
            Bits(!self.0)
        }
    }
    impl BitAnd for Bits {
        type Output = Self;
        fn bitand(self, rhs: Self) -> Self {
            Bits(self.0 & rhs.0)
        }
    }
    impl BitOr for Bits {
        type Output = Bits;
        fn bitor(self, rhs: Self) -> Bits {
            Bits(self.0 | rhs.0)
        }
    }
    impl Shl<u32> for Bits {
        type Output = Bits;
        fn shl(self, rhs: u32) -> Bits {
            Bits(self.0 << rhs)
        }
    }
    impl Sub for Bits {
        type Output = u64;
        fn sub(self, rhs: Bits) -> u64 {
            self.0.wrapping_sub(rhs.0)
        }
    }
    #[derive(Clone, Copy)]
    struct Plain(u32);
    impl Not for Plain {
        type Output = u32;
        fn not(self) -> u32 {
            !self.0
        }
    }
    impl Plain {
        fn count(self) -> u32 {
            self.0 + 1
        }
    }
    impl Add for Plain {
        type Output = Plain;
        fn add(self, o: Plain) -> Plain {
            Plain(self.0.wrapping_add(o.0))
        }
    }
    pub fn all(x: u32) -> [u32; 6] {
        let (p, q) = (
            Bits(u64::from(x * 977)),
            Bits(u64::from(x) | u64::from(x * 33) << 32),
        );
        let both = p & q;
        let mut rest = !p & !Bits(7) & Bits(0xffff_ffff);
        let first = rest.next();
        let mut sum = 0;
        for x in (p | q) << 2 {
            sum = sum * 3 % 1000 + x;
        }
        let n = !Plain(x) % 1000;
        [
            both.count() as u32,
            first.map_or(77, |x| x) + rest.count() as u32 * 100,
            sum,
            (p & q)
                .map(|x| x * 3)
                .zip(!q)
                .map(|(x, y)| x ^ y)
                .sum::<u32>()
                + n,
            (p - q) as u32 / 3 + (!p).max().unwrap_or(3),
            (Plain(x) + Plain(9)).count(),
        ]
    }
}

all_agree!(of_operators: [u32; 6], 64);
