//! Items that are taken one by one behind `take_while`; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    fn words(text: &[u8]) -> impl Iterator<Item = u8> {
        text.iter().copied().take_while(|c| c % 4 != 0)
    }
    pub fn all(x: u32) -> [u32; 6] {
        let bytes = [
            x as u8,
            (x * 3) as u8,
            (x / 2) as u8,
            7,
            (x * 5) as u8,
            9,
            4,
            3,
        ];
        let mut it = bytes.iter().take_while(|x| **x % 4 != 0);
        let mut hash = 0u32;
        while let Some(x) = it.next() {
            hash = hash * 7 % 1009 + u32::from(*x);
        }
        // It has ended, whatever follows.
        let more = u32::from(it.next().is_none()) + it.count() as u32 * 2;
        let mut calls = 0;
        let mut numbers = (0..x % 30)
            .take_while(|x| {
                calls += 1;
                x % 7 != 6
            })
            .map(|x| x * 2);
        let some = numbers.next().unwrap_or(5) + numbers.by_ref().take(3).sum::<u32>();
        let rest = numbers.sum::<u32>();
        let mut letters = words(&bytes);
        let first = letters.next().map_or(9, u32::from);
        let tail = letters.fold(0, |hash, c| hash * 3 % 1009 + u32::from(c));
        let mut pairs = bytes
            .iter()
            .copied()
            .take_while(|c| *c != 7)
            .enumerate()
            .peekable();
        let mut looked = 0u32;
        while let Some((i, c)) = pairs.next() {
            let ahead = pairs.peek().map_or(1, |(j, e)| *j as u32 ^ u32::from(*e));
            looked = looked * 5 % 1009 + i as u32 * u32::from(c) + ahead;
        }
        let partners = bytes.iter().copied().skip(1).take_while(|c| c % 5 != 0);
        let products = bytes
            .iter()
            .zip(partners)
            .map(|(x, y)| u32::from(*x) * u32::from(y))
            .sum::<u32>();
        let mut left = bytes.iter().copied();
        let head = left
            .by_ref()
            .take_while(|x| x % 3 != 0)
            .map(u32::from)
            .sum::<u32>();
        [
            hash,
            more,
            some + rest * 64 + calls * 4096,
            first + tail * 256,
            looked,
            products * 3 + head + left.count() as u32,
        ]
    }
}

all_agree!(stepped_to_an_end: [u32; 6], 64);
