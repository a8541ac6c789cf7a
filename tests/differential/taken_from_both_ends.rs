//! Functions that take iterators whose items come from both ends; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    fn luhn(digits: impl DoubleEndedIterator<Item = u8>) -> u32 {
        digits
            .rev()
            .fold(0u32, |h, d| h.wrapping_mul(3).wrapping_add(d as u32))
    }
    fn ends<'a, I: DoubleEndedIterator<Item = &'a u8> + ExactSizeIterator>(mut items: I) -> u32 {
        let mut h = 0u32;
        while let (Some(a), Some(b)) = (items.next(), items.next_back()) {
            h = h.wrapping_mul(31).wrapping_add(*a as u32 * 3 + *b as u32);
        }
        h
    }
    fn last_of(items: &mut impl DoubleEndedIterator<Item = u32>) -> Option<u32> {
        items.next_back()
    }
    fn sum<I>(items: I) -> u32
    where
        I: ExactSizeIterator<Item = u32>,
    {
        items.fold(1u32, |a, b| a.wrapping_mul(5).wrapping_add(b))
    }
    struct Down(u32, u32);
    impl Iterator for Down {
        type Item = u8;
        fn next(&mut self) -> Option<u8> {
            if self.0 >= self.1 {
                return None;
            }
            self.0 += 1;
            Some(self.0 as u8)
        }
    }
    impl DoubleEndedIterator for Down {
        fn next_back(&mut self) -> Option<u8> {
            if self.0 >= self.1 {
                return None;
            }
            self.1 -= 1;
            Some(self.1 as u8)
        }
    }
    pub fn all(x: u32) -> [u32; 8] {
        let digits = (x * 7919).to_le_bytes();
        let five = [1u8, 2, x as u8, (x * 3) as u8, 9];
        let mut left = 0..x % 7;
        [
            luhn(digits.iter().map(|b| b % 10)),
            ends(five.iter()),
            luhn(digits.into_iter()) / 2 + luhn((0..9).filter(|k| x >> k & 1 == 1)),
            last_of(&mut left).unwrap_or(77) + left.count() as u32 * 100,
            sum(five.iter().map(|x| *x as u32)),
            luhn(Down(x % 4, x % 9)),
            ends(five[1..].iter()),
            luhn(five.iter().rev().copied().skip(1)),
        ]
    }
}

all_agree!(taken_from_both_ends: [u32; 8], 64);
