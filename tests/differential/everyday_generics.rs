//! Generic functions as programs have them: parts of slices that are written, arguments of functions that return
//! iterators, references to what need not be `Copy`, and own methods by the names of std's; against plain Rust.

use amp::prelude::*;

device_and_host! {
    use std::cmp::Ordering;
    use std::ops::{Add, Sub};

    fn butterfly<R: Copy + Add<Output = R> + Sub<Output = R>>(data: &mut [R]) {
        for block in data.chunks_mut(4) {
            let (lo, hi) = block.split_at_mut(2);
            for (x, y) in lo.iter_mut().zip(hi) {
                (*x, *y) = (*x + *y, *x - *y);
            }
        }
    }

    fn stir<T: Copy>(xs: &mut [T], x: T) -> usize {
        if let Some(last) = xs.last_mut() {
            *last = x;
        }
        if let [first, .., last] = xs {
            std::mem::swap(first, last);
        }
        if let Some((first, rest)) = xs.split_first_mut() {
            *first = rest[1];
            rest[0] = x;
        }
        xs[1..].rotate_left(1);
        xs.len()
    }

    fn above<const V: usize>(xs: &[u32]) -> impl Iterator<Item = u32> {
        xs.iter().filter(|x| **x as usize > V).copied()
    }

    fn big<T: Copy + PartialOrd + Default>(xs: &[T]) -> impl Iterator<Item = T> {
        xs.iter().copied().filter(|x| *x > T::default())
    }

    fn choose<T>(items: &[T], k: usize) -> Option<&T> {
        if items.is_empty() { None } else { items.get(k % items.len()) }
    }

    fn top<T: PartialOrd>(items: &[T]) -> Option<&T> {
        let mut best = items.first()?;
        for x in items {
            if x > best {
                best = x;
            }
        }
        Some(best)
    }

    trait Float: Copy {
        fn total_cmp(&self, other: &Self) -> Ordering;
        fn abs(self) -> Self;
    }

    impl Float for f32 {
        fn total_cmp(&self, other: &Self) -> Ordering {
            <f32>::total_cmp(self, other).reverse()
        }

        fn abs(self) -> Self {
            f32::abs(self)
        }
    }

    fn bigger<T: Float>(x: T, y: T) -> bool {
        x.abs().total_cmp(&y.abs()).is_gt()
    }

    struct Image<const W: usize, const H: usize> {
        pixels: [[u32; W]; H],
    }

    impl<const W: usize, const H: usize> Image<W, H> {
        fn hash(&self) -> u32 {
            self.pixels.as_flattened().iter().fold(17, |hash, &pixel| hash * 31 % 65_537 ^ pixel)
        }

        fn brighten(&mut self, by: u32) {
            for (k, pixel) in self.pixels.as_flattened_mut().iter_mut().enumerate() {
                *pixel += k as u32 * by;
            }
        }
    }

    pub fn all(i: u32) -> [i64; 4] {
        let mut data = [i as i64, 7, 1, 2, 3, 4, 5, 6];
        butterfly(&mut data);
        let mut words = [i, 9, 3, 4, 5];
        let length = stir(&mut words, 77);
        let found = choose(&words, i as usize).copied().unwrap_or(0) + *top(&words).unwrap();
        let sums = above::<4>(&words).sum::<u32>() + big::<u32>(&words).map(|x| x % 5).sum::<u32>();
        let mut image = Image { pixels: [[i, 2, 3], [4, 5, 6]] };
        image.brighten(3);
        [
            data.iter().fold(0, |hash, x| hash * 31 % 65_537 + x),
            i64::from(words.iter().fold(0, |hash, x| hash * 31 % 65_537 + x)) * 8 + length as i64,
            i64::from(found) * 1000 + i64::from(sums),
            i64::from(image.hash()) * 2 + i64::from(bigger(i as f32, -3.0)),
        ]
    }
}

all_agree!(parts_arguments_and_references: [i64; 4], 24);
