//! Slices without elements, as arguments and variables, and keys with references in them; against the same module as plain Rust.

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

    pub fn all(i: u32) -> u32 {
        let values = [i, i * 7 % 11, 3];
        let none: &[u32] = &[];
        let read = none.first().copied().unwrap_or(i) + none.iter().max().map_or(9, |x| *x);
        let same = (none == &values[..0]) as u32 + none.is_empty() as u32 * 2 + values.ends_with(&[]) as u32 * 4;
        let counted = count::<u8>(&[]) + raised(&mut [], i) + raised(&mut [i, 2], i);
        let weights = weighted(&[]) + weighted(&[i as f32, 1.5]);
        let all = read + same * 100 + counted as u32 * 1000 + behind(&[], &values).iter().sum::<u32>() + weights as u32 * 10_000;
        all.wrapping_mul(31).wrapping_add(keys(i) as u32)
    }
}

all_agree!(empty_slices_and_keys: u32, 30);
