//! Traits that extend all iterators; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    trait Changes: Iterator<Item = bool> + Sized {
        fn changes(mut self) -> usize {
            let Some(mut last) = self.next() else {
                return 0;
            };
            let mut n = 0;
            for x in self {
                n += (x != last) as usize;
                last = x;
            }
            n
        }
        fn longest(self, least: usize) -> usize
        where
            Self: Sized,
        {
            let mut best = least;
            let mut n = 0;
            for x in self {
                n = if x { n + 1 } else { 0 };
                best = best.max(n);
            }
            best
        }
    }
    impl<I: Iterator<Item = bool>> Changes for I {}
    trait Extremes: Iterator<Item = u32> + Sized {
        fn extremes(self) -> Option<(Self::Item, Self::Item)> {
            self.fold(None, |found, x| match found {
                None => Some((x, x)),
                Some((low, high)) => Some((
                    if x < low { x } else { low },
                    if x > high { x } else { high },
                )),
            })
        }
    }
    impl<T> Extremes for T where T: Iterator<Item = u32> {}
    fn bits(x: u32) -> impl Iterator<Item = bool> {
        (0..8).map(move |k| x >> k & 1 == 1)
    }
    pub fn all(x: u32) -> [u32; 5] {
        let mut left = bits(x * 3);
        left.next();
        [
            (0..8).map(|k| x >> k & 1 == 1).changes() as u32,
            bits(x).longest(1) as u32 + bits(x * 5).changes() as u32 * 16,
            left.longest(0) as u32,
            [x, 7, x * 3 % 11]
                .into_iter()
                .extremes()
                .map_or(0, |(low, high)| high - low),
            u32::from((0..x % 3).map(|y| y * x % 9).extremes().is_some()),
        ]
    }
}

all_agree!(extended: [u32; 5], 64);
