//! One's own types that implement `Iterator`: `next`, loops, adapters and ends. Each body as kernel code and as
//! plain Rust.

use amp::prelude::*;
use testkit::twice;

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 20, 33, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Xorshift {
    state: [u32; 4],
}

#[amp_fn]
impl Xorshift {
    fn seeded(seed: u32) -> Self {
        Self {
            state: [seed, 1, 2, 3],
        }
    }

    fn both(&mut self) -> u32 {
        self.take(2).fold(0, |a, b| a ^ b)
    }
}

#[amp_fn]
impl Iterator for Xorshift {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let [x, y, z, w] = self.state;
        let t = x ^ (x << 11);
        let n = w ^ (w >> 19) ^ t ^ (t >> 8);
        self.state = [y, z, w, n];
        Some(n)
    }
}

#[amp_module]
mod counts {
    #[derive(Clone, Copy)]
    pub struct Countdown(pub u32);

    impl Iterator for Countdown {
        type Item = (u32, bool);

        fn next(&mut self) -> Option<Self::Item> {
            self.0 = self.0.checked_sub(1)?;
            Some((self.0, self.0 % 2 == 0))
        }
    }

    pub fn odd(n: u32) -> u32 {
        let mut sum = 0;
        for (x, even) in Countdown(n % 11) {
            if !even {
                sum += x;
            }
        }
        let rest = Countdown(n % 7);
        sum + rest.map(|(x, _)| x * 2).sum::<u32>() + rest.count() as u32
    }
}
use counts::Countdown;

#[amp_fn]
fn drawn(rng: &mut Xorshift) -> u32 {
    let first = rng.take(3).fold(0, |a: u32, b| a.wrapping_add(b));
    first ^ rng.filter(|x| x % 2 == 0).take(2).max().unwrap_or(0)
}

twice! {
    iterators(n: u32, m: u32) -> u32 = all();
    {
        let mut rng = Xorshift::seeded(n);
        let mut sum = rng.next().unwrap();
        let mut count = Countdown(m % 9);
        while let Some((x, even)) = count.next() {
            sum = sum.wrapping_mul(3) ^ x ^ even as u32;
        }
        for (x, _) in Countdown(n % 5) {
            sum = sum.wrapping_add(x);
        }
        sum ^= rng.by_ref().skip(3).take(5).fold(0, |a: u32, b| a.wrapping_add(b));
        for x in rng.by_ref() {
            if x % 7 == 0 {
                break;
            }
            sum ^= x;
        }
        for (i, x) in rng.take(3).enumerate() {
            sum ^= x.wrapping_mul(i as u32);
        }
        let mut count = Countdown(9);
        if count.any(|(x, _)| x == n % 10) {
            sum = sum.wrapping_add(count.next().map_or(7, |(x, _)| x));
        }
        let zipped = rng.zip([1, 2, 3]).map(|(a, b)| a.wrapping_mul(b)).fold(0, |a, b| a ^ b);
        let nth = count.nth(1).map_or(5, |(x, _)| x);
        sum ^ drawn(&mut rng) ^ rng.both() ^ zipped ^ nth ^ counts::odd(n) ^ rng.next().unwrap()
    }
}

#[amp_module]
mod sets {
    /// A set that has methods by the names of those of iterators.
    #[derive(Clone, Copy)]
    pub struct Bits(pub u32);

    impl Bits {
        pub fn len(self) -> u32 {
            self.0.count_ones()
        }

        pub fn last(self) -> Option<u32> {
            self.0.checked_ilog2()
        }

        pub fn skip(self, bits: u32) -> Self {
            Bits(self.0 & !bits)
        }

        pub fn max() -> u32 {
            31
        }
    }

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
}

use sets::Bits;

twice! {
    methods_by_names_of_adapters(n: u32, m: u32) -> u32 = all();
    {
        let bits = Bits(n ^ m << 3);
        let mut sum = bits.len() * 100 + bits.last().unwrap_or(7) + bits.map(|x| x * x).sum::<u32>();
        let mut rest: Bits = bits.skip(5);
        for bit in rest {
            sum = sum * 3 + bit;
        }
        sum += rest.by_ref().take(2).count() as u32 + rest.len() + bits.skip(1).len();
        sum + bits.filter(|x| x % 2 == 0).max().unwrap_or(Bits::max())
    }
}

#[amp_module]
mod ends {
    #[derive(Clone, Copy)]
    pub struct Steps {
        pub low: u32,
        pub high: u32,
    }

    impl Iterator for Steps {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            if self.low < self.high {
                self.high -= 1;
                Some(self.high)
            } else {
                None
            }
        }
    }

    impl DoubleEndedIterator for Steps {
        fn next_back(&mut self) -> Option<u32> {
            if self.low < self.high {
                self.low += 1;
                Some(self.low - 1)
            } else {
                None
            }
        }
    }
}

use ends::Steps;

twice! {
    from_both_ends(n: u32, m: u32) -> u32 = all();
    {
        let mut down = Steps { low: n % 9, high: m };
        let mut sum = down.next_back().unwrap_or(50) * 100 + down.next().unwrap_or(60);
        for x in down.rev().take(4) {
            sum = sum * 3 % 9973 + x;
        }
        sum ^= down.map(|x| x * 2).rev().fold(1, |a, b| a * 5 % 9973 + b);
        let mut it = down.filter(|x| x % 3 != 1);
        sum += it.next_back().unwrap_or(3) + it.next().unwrap_or(4) * 7;
        sum + it.map(|x| x % 10).sum::<u32>()
    }
}
