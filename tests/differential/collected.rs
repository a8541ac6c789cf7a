//! `collect` into types of one's own, by `impl FromIterator`. Each body as kernel code and as plain Rust.

use amp::prelude::*;
use testkit::twice;

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 20, 33, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_module]
mod sets {
    #[derive(Clone, Copy, PartialEq)]
    pub struct Bits(pub u64);

    impl Iterator for Bits {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            if self.0 == 0 {
                return None;
            }
            let bit = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            Some(bit)
        }
    }

    impl FromIterator<u32> for Bits {
        fn from_iter<I: IntoIterator<Item = u32>>(bits: I) -> Self {
            bits.into_iter()
                .fold(Bits(0), |set, bit| Bits(set.0 | 1 << (bit % 64)))
        }
    }

    impl Bits {
        pub fn thirds(self) -> Self {
            self.filter(|bit| bit % 3 == 0).collect()
        }
    }

    #[derive(Clone, Copy)]
    pub struct Stack<T, const N: usize> {
        pub items: [T; N],
        pub len: usize,
    }

    impl<T: Copy + Default, const N: usize> FromIterator<T> for Stack<T, N> {
        fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
            let mut stack = Stack {
                items: [T::default(); N],
                len: 0,
            };
            for item in items.into_iter().take(N) {
                stack.items[stack.len] = item;
                stack.len += 1;
            }
            stack
        }
    }

    pub fn odd(n: u32) -> Bits {
        (0..n).filter(|x| x % 2 == 1).collect()
    }
}

use sets::{Bits, Stack, odd};

twice! {
    sets_of_bits(n: u32, m: u32) -> u64 = all();
    {
        let bits: Bits = [n, m, 3].into_iter().collect();
        let others = (0..n).map(|x| x * m).collect::<Bits>();
        let first = bits.chain(others.take(3)).map(|x| x + 1).max().unwrap_or(9) as u64;
        bits.0 ^ others.0 >> 3 ^ odd(m).thirds().0 ^ first ^ Bits(n as u64).map(|x| x * 2).collect::<Bits>().0
    }
}

twice! {
    stacks(n: u32, m: u32) -> u32 = all();
    {
        let stack: Stack<u32, 4> = (n..m).map(|x| x ^ 5).collect();
        let small = [n as u8, 3].iter().copied().rev().collect::<Stack<u8, 3>>();
        let sum = stack.items.iter().fold(stack.len as u32, |a, b| a * 7 % 9973 + b);
        sum * 100 + small.items[0] as u32 * 2 + small.len as u32
    }
}
