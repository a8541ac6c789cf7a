//! What is ready made for numbers, and functions of the program's own from one type to another.

use amp::algorithms::{
    And, Bin, EvenBin, Min, Mul, Numeric, Operation, Or, Xor, fill_on, function, histogram_even_on,
    histogram_on, iota_on, lower_bound_on, min_element_into, reduce_into, reduction, transform_on,
    transform_pairs_on, transform_reduce_into, upper_bound_on,
};
use amp::prelude::*;
use half::{bf16, f16};

use super::{data, makes};
use crate::data::Random;
use crate::reduce::in_order;
use crate::sort::Total;

/// How many counts there are.
const BINS: usize = 300;

fn reduced<T: Random>(
    what: &str,
    input: &[T],
    operation: impl Operation<T> + Copy,
    combine: fn(T, T) -> T,
) {
    if let [first, ..] = input {
        let expected = [in_order(input, combine)];
        makes(what, input, &[*first], &expected, |queue, from, _, to| {
            reduce_into(queue, from, to, operation)
        });
    }
}

/// What all numbers have: `min` is the smaller one, and `at` the number of an iota.
fn check<T: Total + Numeric>(input: &[T], min: fn(T, T) -> T, at: fn([T; 2], usize) -> T)
where
    Min: Operation<T>,
{
    let n = input.len();
    let zeroes = vec![T::zeroed(); n];
    if let [first, .., step] = *input {
        makes("fill", input, &zeroes, &vec![step; n], |queue, _, _, to| {
            fill_on(queue, to, step)
        });
        let numbers: Vec<T> = (0..n).map(|i| at([first, step], i)).collect();
        makes("iota", input, &zeroes, &numbers, |queue, _, _, to| {
            iota_on(queue, to, first, step)
        });
        let least = in_order(input, min);
        let place = input.iter().position(|x| *x == least).unwrap_or(0) as u32;
        makes(
            "smallest",
            input,
            &[first],
            &[least],
            |queue, from, scratch, to| min_element_into(queue, from, to, &mut scratch.count),
        );
        makes(
            "its place",
            input,
            &[0],
            &[place],
            |queue, from, scratch, to| min_element_into(queue, from, &mut scratch.copy, to),
        );
    }
    // What is no number has no place among others.
    let mut sorted: Vec<T> = input
        .iter()
        .copied()
        .filter(|x| x.partial_cmp(x).is_some())
        .collect();
    sorted.sort_by(|a, b| a.partial_cmp(b).expect("they are numbers"));
    let place = |is_before: fn(&T, &T) -> bool| -> Vec<u32> {
        let place = |x: &T| sorted.partition_point(|y| is_before(y, x)) as u32;
        input.iter().map(place).collect()
    };
    let (lower, upper) = (place(|y, x| y < x), place(|y, x| y <= x));
    let (sorted, places) = (ArrayView::from(&sorted), vec![0; n]);
    makes(
        "lower bounds",
        input,
        &places,
        &lower,
        |queue, from, _, to| lower_bound_on(queue, &sorted, from, to),
    );
    makes(
        "upper bounds",
        input,
        &places,
        &upper,
        |queue, from, _, to| upper_bound_on(queue, &sorted, from, to),
    );
}

fn counted<T: Random + PartialOrd + EvenBin>(
    input: &[T],
    [low, high]: [T; 2],
    bin: impl Fn(T) -> usize,
) {
    let mut counts = vec![0_u32; BINS];
    for x in input.iter().filter(|x| (low..high).contains(*x)) {
        counts[bin(*x).min(BINS - 1)] += 1;
    }
    makes(
        "even bins",
        input,
        &[1; BINS],
        &counts,
        |queue, from, _, to| histogram_even_on(queue, from, low..high, to),
    );
}

fn counted_by_key<K: Random + Bin + TryInto<usize>>(input: &[K]) {
    let mut counts = vec![0_u32; BINS];
    for key in input.iter().filter_map(|key| (*key).try_into().ok()) {
        if let Some(count) = counts.get_mut(key) {
            *count += 1;
        }
    }
    makes("bins", input, &[1; BINS], &counts, |queue, from, _, to| {
        histogram_on(queue, from, to)
    });
}

macro_rules! integers {
    ($($integer:ident: $seed:literal;)*) => {$(
        #[test]
        fn $integer() {
            for input in data::<$integer>($seed) {
                check(&input, $integer::min, |[first, step], i| {
                    first.wrapping_add(step.wrapping_mul(i as $integer))
                });
                reduced("product", &input, Mul, $integer::wrapping_mul);
                reduced("and", &input, And, |a, b| a & b);
                reduced("or", &input, Or, |a, b| a | b);
                reduced("xor", &input, Xor, |a, b| a ^ b);
                counted_by_key(&input);
                for [low, high] in [[$integer::MIN, $integer::MAX], [$integer::MAX / 5, $integer::MAX / 2]] {
                    let width = i128::from(high) - i128::from(low);
                    counted(&input, [low, high], |x| {
                        ((i128::from(x) - i128::from(low)) * BINS as i128 / width) as usize
                    });
                }
            }
        }
    )*};
}
integers! {
    i8: 21;
    u8: 22;
    i16: 23;
    u16: 24;
    i32: 25;
    u32: 26;
    i64: 27;
    u64: 28;
}

macro_rules! floats {
    ($($float:ident as $wide:ident: $seed:literal, |$x:ident| $widened:expr, |$y:ident| $narrowed:expr;)*) => {$(
        #[test]
        fn $float() {
            let min = |a: $float, b: $float| if a < b || b.is_nan() { a } else { b };
            let wide = |$x: $float| -> $wide { $widened };
            let narrow = |$y: f32| -> $float { $narrowed };
            for input in data::<$float>($seed) {
                check(&input, min, |[first, step], $y| first + step * { let $y = $y as f32; $narrowed });
                reduced("product", &input, Mul, |a, b| a * b);
                let bounds = [-0.5, 0.75].map(narrow);
                let [low, high] = bounds.map(wide);
                counted(&input, bounds, |x| {
                    ((wide(x) - low) / (high - low) * BINS as $wide) as usize
                });
            }
        }
    )*};
}
floats! {
    f32 as f32: 29, |x| x, |x| x;
    f64 as f64: 30, |x| x, |x| f64::from(x);
    f16 as f32: 31, |x| x.to_f32(), |x| f16::from_f32(x);
    bf16 as f32: 32, |x| x.to_f32(), |x| bf16::from_f32(x);
}

/// Functions of the program's own.
macro_rules! functions {
    ($($number:ident: $test:ident $seed:literal, |$x:ident, $y:ident| $pair:expr;)*) => {$(
        #[test]
        fn $test() {
            for input in data::<$number>($seed) {
                let n = input.len();
                let pairs: Vec<$number> = input.iter().map(|x| { let ($x, $y) = (*x, *x); $pair }).collect();
                makes("pairs", &input, &input, &pairs, |queue, from, scratch, to| {
                    let pair = function!(|x: $number, y: $number| -> $number { { let ($x, $y) = (x, y); $pair } });
                    transform_pairs_on(queue, from, &scratch.copy, to, pair)
                });
                let are_numbers: Vec<u32> = input.iter().map(|x| u32::from(x == x)).collect();
                makes("numbers", &input, &vec![7; n], &are_numbers, |queue, from, _, to| {
                    let is = function!(|x: $number| -> u32 { if x == x { 1 } else { 0 } });
                    transform_on(queue, from, to, is)
                });
                if n > 0 {
                    let count = are_numbers.iter().sum();
                    makes("count of numbers", &input, &[0], &[count], |queue, from, _, to| {
                        let count = reduction!(
                            |x: $number| -> u32 { if x == x { 1 } else { 0 } },
                            |a, b| a + b
                        );
                        transform_reduce_into(queue, from, to, count)
                    });
                }
            }
        }
    )*};
}
functions! {
    u8: of_u8 33, |x, y| x / 2 + y / 3;
    i64: of_i64 34, |x, y| x / 2 - y / 3;
    f32: of_f32 35, |x, y| x * 0.5 + y;
    f64: of_f64 36, |x, y| x * 0.5 + y;
    f16: of_f16 37, |x, y| x + y;
    bf16: of_bf16 38, |x, y| x * y;
}
