//! Slices without elements, as arguments and variables, keys with references in them, letters that are changed in place,
//! elements that a sort finds, types of one's own that are extended, and what functions make of slices and ranges; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    use std::cmp::Reverse;

    fn weighted(x: &[f32]) -> f32 {
        match x {
            [] => 0.5,
            [first, rest @ ..] => first * 2.0 + rest.iter().sum::<f32>(),
        }
    }

    fn count<T: Copy>(x: &[T]) -> usize {
        x.len()
    }

    fn raised(x: &mut [u32], by: u32) -> usize {
        x.fill(by);
        for v in x.iter_mut() {
            *v += 1;
        }
        x.len()
    }

    fn behind<'a>(a: &[u32], b: &'a [u32]) -> &'a [u32] {
        let start = a.len();
        &b[start..]
    }

    fn keys(x: u32) -> usize {
        let bytes = x.wrapping_mul(0x9e37_79b9).to_le_bytes().map(|byte| byte % 5);
        let (first, _) = bytes.iter().enumerate().max_by_key(|&(k, c)| (c, Reverse(k))).unwrap();
        let (last, least) = bytes.iter().enumerate().min_by_key(|&(k, c)| (c, std::cmp::Reverse(k))).unwrap();
        let pairs = [(x % 3, 1), (1, x % 5), (x % 2, 2)];
        let (at, pair) = pairs.iter().enumerate().max_by_key(|&(k, pair)| ((pair, 1), k)).unwrap();
        first + last * 10 + at * 100 + *least as usize * 1000 + pair.1 as usize * 10_000
    }

    pub struct Word {
        text: [u8; 4],
        last: u8,
    }

    fn letters(x: u32) -> u32 {
        let text = x.wrapping_mul(0x0b5b_2a4d).to_le_bytes().map(|byte| 60 + byte % 64);
        let mut word = Word { text, last: 60 + x as u8 };
        for letter in word.text.iter_mut() {
            letter.make_ascii_uppercase();
        }
        word.last.make_ascii_lowercase();
        let same = word.text.eq_ignore_ascii_case(&text) as u32 + text[..2].eq_ignore_ascii_case(&text[2..]) as u32;
        word.text[1..3].make_ascii_lowercase();
        let like = word.last.eq_ignore_ascii_case(&word.text[1]) as u32;
        u32::from_le_bytes(word.text) ^ (word.last as u32 + same * 300 + like * 1000 + word.text.is_ascii() as u32 * 3000)
    }

    fn middle(x: &mut [u32]) -> u32 {
        let mid = x.len() / 2;
        *x.select_nth_unstable(mid).1
    }

    fn selected(x: u32) -> u32 {
        let mut values = [x % 9, 4, x * 5 % 13, 8, x % 2, 11];
        let k = x as usize % 6;
        let (less, at, more) = values.select_nth_unstable_by_key(k, |v| (*v ^ 5, *v));
        let sums = less.iter().sum::<u32>() * 100 + more.iter().sum::<u32>() * 10 + *at;
        values.select_nth_unstable_by(2, |a, b| b.cmp(a));
        let third = values[2];
        let (_, median, _) = values.select_nth_unstable(3);
        sums + third * 1000 + *median * 10_000 + middle(&mut values[..5]) * 100_000
    }

    pub struct Tally<T> {
        count: u32,
        sum: T,
    }

    impl<T: Copy + std::ops::Add<Output = T>> Tally<T> {
        fn push(&mut self, x: T) {
            self.count += 1;
            self.sum = self.sum + x;
        }
    }

    impl<T: Copy + std::ops::Add<Output = T>> Extend<T> for Tally<T> {
        fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
            iter.into_iter().for_each(|x| self.push(x));
        }
    }

    pub struct Word4 {
        bytes: [u8; 4],
        len: usize,
    }

    impl Extend<u8> for Word4 {
        fn extend<I: IntoIterator<Item = u8>>(&mut self, iter: I) {
            for byte in iter {
                if self.len < 4 {
                    self.bytes[self.len] = byte;
                    self.len += 1;
                }
            }
        }
    }

    fn extended(x: u32) -> u32 {
        let mut tally = Tally { count: 1, sum: x };
        tally.extend([x % 3, 7]);
        tally.extend((0..x % 4).map(|k| k * x));
        let mut word = Word4 { bytes: [0; 4], len: 0 };
        word.extend(std::iter::repeat_n(b'a', x as usize % 3));
        word.extend([x as u8, 9]);
        tally.sum * 10 + tally.count + u32::from_le_bytes(word.bytes) % 1009
    }

    fn part<const K: usize>(bytes: &[u8], at: usize) -> [u8; K] {
        bytes[at..][..K].try_into().unwrap()
    }

    fn perhaps<const K: usize>(bytes: &[u8], at: usize) -> Option<[u8; K]> {
        if at + K > bytes.len() {
            return None;
        }
        Some(bytes[at..at + K].try_into().unwrap())
    }

    pub struct Interval {
        low: u32,
        high: u32,
    }

    impl From<std::ops::Range<u32>> for Interval {
        fn from(range: std::ops::Range<u32>) -> Self {
            Interval { low: range.start, high: range.end }
        }
    }

    fn width(of: Interval) -> u32 {
        of.high - of.low
    }

    fn converted(x: u32) -> u32 {
        let bytes = x.wrapping_mul(0x0101_8061).to_le_bytes();
        let word = u16::from_be_bytes(part(&bytes, 1)) as u32;
        let pair = perhaps::<2>(&bytes, x as usize % 5).map_or(7, |pair| pair[0] as u32 * 3 + pair[1] as u32);
        let kept = x..x + 3;
        let one: Interval = kept.into();
        let other: Interval = (x..x * 2 + 1).into();
        word + pair * 100 + width(one) + width(other) * 10 + width((3..7).into())
    }

    pub fn all(i: u32) -> u32 {
        let values = [i, i * 7 % 11, 3];
        let none: &[u32] = &[];
        let read = none.first().copied().unwrap_or(i) + none.iter().max().map_or(9, |x| *x);
        let same = (none == &values[..0]) as u32 + none.is_empty() as u32 * 2 + values.ends_with(&[]) as u32 * 4;
        let counted = count::<u8>(&[]) + raised(&mut [], i) + raised(&mut [i, 2], i);
        let weights = weighted(&[]) + weighted(&[i as f32, 1.5]);
        let all = read + same * 100 + counted as u32 * 1000 + behind(&[], &values).iter().sum::<u32>() + weights as u32 * 10_000;
        all.wrapping_mul(31).wrapping_add(keys(i) as u32 ^ letters(i)).wrapping_add(selected(i) ^ extended(i) ^ converted(i))
    }
}

all_agree!(small_idioms_of_std: u32, 30);
