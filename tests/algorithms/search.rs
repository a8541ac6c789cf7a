use amp::algorithms::{
    histogram, histogram_even, lower_bound, max_element, min_element, upper_bound,
};
use amp::prelude::*;
use half::{bf16, f16};

use crate::data::{FEW_LENGTHS, gives, random};

#[test]
fn extreme_elements() {
    for &n in FEW_LENGTHS {
        let input: Vec<i16> = random(1, n);
        let (min, max) = (input.iter().min().unwrap(), input.iter().max().unwrap());
        let place = |x: &i16| input.iter().position(|y| x == y).unwrap() as i64;
        let expected = [place(min), i64::from(*min), place(max), i64::from(*max)];
        gives(&input, &expected, "extremes", |from, to| {
            let (min, max) = (min_element(from)?, max_element(from)?);
            (to[0], to[1]) = (min.0 as i64, i64::from(min.1));
            (to[2], to[3]) = (max.0 as i64, i64::from(max.1));
            Ok(())
        });
    }
    // An element of the last block, whose place is compared with those of the others.
    let mut input = vec![7_u64; 70_000];
    input[69_999] = 3;
    gives(&input, &[69_999, 3], "the last", |from, to| {
        let (place, value) = min_element(from)?;
        (to[0], to[1]) = (place as u64, value);
        Ok(())
    });
    gives(&[f64::NAN; 5], &[0.0, f64::NAN], "NaN", |from, to| {
        let (place, value) = min_element(from)?;
        (to[0], to[1]) = (place as f64, value);
        Ok(())
    });
}

#[test]
fn bounds() {
    for &n in FEW_LENGTHS {
        let mut sorted: Vec<u8> = random(1, n);
        sorted.sort();
        let values: Vec<u8> = random(2, 500);
        let count = |x: u8, or_equal: bool| {
            sorted
                .iter()
                .filter(|y| **y < x || or_equal && **y == x)
                .count()
        };
        let lower: Vec<u32> = values.iter().map(|x| count(*x, false) as u32).collect();
        let upper: Vec<u32> = values.iter().map(|x| count(*x, true) as u32).collect();
        let view = ArrayView::new(n, &sorted).unwrap();
        gives(&values, &lower, "lower bounds", |from, to| {
            lower_bound(&view, from, to)
        });
        gives(&values, &upper, "upper bounds", |from, to| {
            upper_bound(&view, from, to)
        });
    }
}

/// Counts of integers that are their bins, few of which have one.
macro_rules! of_keys {
    ($n:ident, $bins:ident: $($key:ident)*) => {$(
        let keys: Vec<$key> = random(1, $n);
        let mut expected = vec![0_u32; $bins];
        for key in &keys {
            if let Some(count) = usize::try_from(*key).ok().and_then(|key| expected.get_mut(key)) {
                *count += 1;
            }
        }
        gives(&keys, &expected, stringify!($key), |from, to| histogram(from, to));
    )*};
}

#[test]
fn histograms() {
    for n in [1, 1000, 70_000] {
        for bins in [1, 256, 2048, 5000] {
            of_keys!(n, bins: i8 u8 i16 u16 i32 u32 i64 u64);
            let words: Vec<u32> = random::<u16>(2, n).into_iter().map(u32::from).collect();
            let mut expected = vec![0_u32; bins];
            for word in words.iter().filter(|word| (**word as usize) < bins) {
                expected[*word as usize] += 1;
            }
            gives(&words, &expected, "words", |from, to| histogram(from, to));
        }
    }
}

/// Counts of integers, in bins that are computed exactly.
macro_rules! even_integers {
    ($bins:ident: $($integer:ident)*) => {$(
        let numbers: Vec<$integer> = random(4, 20_000);
        for (low, high) in [($integer::MIN + 5, $integer::MAX - 7), (3, 90), ($integer::MIN, $integer::MAX)] {
            let mut expected = vec![0_u32; $bins];
            for x in numbers.iter().filter(|x| (low..high).contains(*x)) {
                let above = i128::from(*x) - i128::from(low);
                let bin = above * $bins as i128 / (i128::from(high) - i128::from(low));
                expected[bin as usize] += 1;
            }
            gives(&numbers, &expected, stringify!($integer), |from, to| {
                histogram_even(from, low..high, to)
            });
        }
    )*};
}

/// Counts of `f16` or `bf16`, in bins that are computed as `f32`.
macro_rules! even_halves {
    ($($half:ident)*) => {$(
        for bins in [1, 7, 5000] {
            let numbers: Vec<$half> = random(5, 20_000);
            let (low, high) = ($half::from_f32(-0.3), $half::from_f32(0.75));
            let mut expected = vec![0_u32; bins];
            for x in numbers.iter().filter(|x| (low..high).contains(*x)) {
                let (above, all) = (x.to_f32() - low.to_f32(), high.to_f32() - low.to_f32());
                let bin = above / all * bins as f32;
                expected[(bin as usize).min(bins - 1)] += 1;
            }
            gives(&numbers, &expected, stringify!($half), |from, to| {
                histogram_even(from, low..high, to)
            });
        }
    )*};
}

#[test]
fn even_histograms() {
    for bins in [1, 7, 5000] {
        let floats: Vec<f32> = random(3, 20_000);
        let mut expected = vec![0_u32; bins];
        for x in floats.iter().filter(|x| (-0.5..0.75).contains(*x)) {
            let bin = (x - -0.5) / (0.75 - -0.5) * bins as f32;
            expected[(bin as usize).min(bins - 1)] += 1;
        }
        gives(&floats, &expected, "floats", |from, to| {
            histogram_even(from, -0.5..0.75, to)
        });
        even_integers!(bins: i8 u8 i16 u16 i32 u32 i64 u64);
    }
    even_halves!(f16 bf16);
    gives(&[1_u32, 2], &[0, 0], "an empty range", |from, to| {
        histogram_even(from, 2..2, to)
    });
}
