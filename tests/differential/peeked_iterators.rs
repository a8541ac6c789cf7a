//! Iterators that are `peekable` behind adapters, and of functions, parameters and one's own types; against the same module
//! as plain Rust.

use amp::prelude::*;

device_and_host! {
    fn words(x: u32) -> impl Iterator<Item = u8> {
        (0..4).map(move |k| (x >> (8 * k)) as u8)
    }
    fn slide_row(row: [u8; 4]) -> ([u8; 4], u32) {
        let mut out = [0; 4];
        let mut n = 0;
        let mut score = 0;
        let mut tiles = row.into_iter().filter(|&t| t != 0).peekable();
        while let Some(tile) = tiles.next() {
            out[n] = if tiles.next_if(|&next| next == tile).is_some() {
                score += 1 << (tile % 8 + 1);
                tile + 1
            } else {
                tile
            };
            n += 1;
        }
        (out, score)
    }
    fn runs(text: &[u8]) -> u32 {
        let mut calls = 0;
        let mut h = 0u32;
        {
            let mut it = text
                .iter()
                .filter(|c| {
                    calls += 1;
                    **c % 3 != 0
                })
                .peekable();
            while let Some(&c) = it.next() {
                let mut n = 1;
                while it.next_if(|d| **d == c).is_some() {
                    n += 1;
                }
                h = h.wrapping_mul(7).wrapping_add(c as u32 * n);
                if let Some(&&d) = it.peek() {
                    h ^= d as u32;
                }
                if it.peek().is_some_and(|d| **d > 200) {
                    h = h.wrapping_add(3);
                }
            }
        }
        h.wrapping_mul(31).wrapping_add(calls)
    }
    fn number(x: u32) -> u32 {
        let mut it = words(x).map(|b| b % 12).peekable();
        let mut h = 1;
        if let Some(d) = it.peek() {
            h += *d as u32;
        }
        while let Some(d) = it.next_if(|d| *d < 10) {
            h = h * 11 + d as u32;
        }
        if it.peek().is_none() {
            h += 1000;
        }
        let p = it.peek().copied().unwrap_or(50);
        let rest = it.map(|x| x as u32).sum::<u32>();
        h.wrapping_add(rest * 100_000).wrapping_add(p as u32)
    }
    fn groups(x: u32) -> u32 {
        let mut it = (0..12u32)
            .filter(|k| x >> k & 1 == 1)
            .enumerate()
            .peekable();
        let mut h = 0u32;
        while let Some((i, k)) = it.next() {
            h = h.wrapping_mul(5).wrapping_add(i as u32 * 16 + k);
            match it.peek() {
                Some((j, l)) if *l > k + 1 => h = h.wrapping_add(*j as u32 + l * 3),
                Some(_) => h = h.wrapping_add(1),
                None => h = h.wrapping_sub(1),
            }
        }
        h
    }
    struct Down(u32);
    impl Iterator for Down {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            if self.0 == 0 {
                return None;
            }
            self.0 /= 3;
            Some(self.0)
        }
    }
    fn own(x: u32) -> u32 {
        let mut it = Down(x).peekable();
        let mut h = 0u32;
        while let Some(a) = it.next() {
            if let Some(b) = it.peek() {
                h = h.wrapping_mul(3).wrapping_add(a ^ b);
            }
        }
        h
    }
    fn of_parameter(items: impl Iterator<Item = u32>) -> u32 {
        let mut items = items.peekable();
        let mut h = 0u32;
        while items.peek().is_some() {
            let x = items.next().unwrap();
            h = h.wrapping_mul(3).wrapping_add(x);
            if items.next_if(|y| *y == x + 1).is_some() {
                h = h.wrapping_add(7);
            }
        }
        h
    }
    fn hidden(x: u32) -> u32 {
        let k = 3;
        let mut it = (0..x % 9).map(|x| x * k).filter(|x| x % 2 == 0).peekable();
        let mut hash = 0u32;
        while let Some(x) = it.next() {
            hash = hash * 5 % 1009 + x + it.peek().map_or(7, |y| *y);
        }
        hash + k
    }
    pub fn all(x: u32) -> [u32; 9] {
        let (row, score) = slide_row((x * 77 & 0x03030303).to_le_bytes());
        let mut h = 0u32;
        let mut it = words(x * 12345).peekable();
        while let Some(x) = it.next() {
            h = h * 7 + x as u32;
            if let Some(&y) = it.peek() {
                h ^= y as u32;
            }
        }
        [
            h,
            u32::from_le_bytes(row),
            score,
            runs(&(x * 99).to_le_bytes()) / 2 + runs(&(x * 257).to_le_bytes()) / 2,
            number(x * 1234),
            groups(x * 45),
            own(x * 1001),
            of_parameter((0..9).filter(|k| x * 3 >> k & 1 == 1)),
            hidden(x),
        ]
    }
}

all_agree!(peeked: [u32; 9], 64);
