use amp::algorithms::{Add, Max, Mul, Operation, exclusive_scan, inclusive_scan, operation};

use crate::data::{LENGTHS, Random, gives, random};

/// The scan in the order that its documentation defines.
pub fn in_order<T: Copy>(input: &[T], combine: impl Fn(T, T) -> T + Copy) -> Vec<T> {
    let mut result = input.to_vec();
    let mut totals = Vec::new();
    for block in result.chunks_mut(2048) {
        let mut sums = Vec::new();
        for group in block.chunks_mut(8) {
            for i in 1..group.len() {
                group[i] = combine(group[i - 1], group[i]);
            }
            sums.push(group[group.len() - 1]);
        }
        let mut distance = 1;
        while distance < 256 {
            let before = sums.clone();
            for i in distance..sums.len() {
                sums[i] = combine(before[i - distance], before[i]);
            }
            distance *= 2;
        }
        for (group, before) in block.chunks_mut(8).skip(1).zip(&sums) {
            group.iter_mut().for_each(|x| *x = combine(*before, *x));
        }
        totals.push(sums[sums.len() - 1]);
    }
    if totals.len() > 1 {
        let totals = in_order(&totals, combine);
        for (block, before) in result.chunks_mut(2048).skip(1).zip(totals) {
            block.iter_mut().for_each(|x| *x = combine(before, *x));
        }
    }
    result
}

fn check<T: Random>(what: &str, operation: impl Operation<T> + Copy, combine: fn(T, T) -> T) {
    for (seed, &n) in LENGTHS.iter().enumerate() {
        let input: Vec<T> = random(seed as u64, n);
        let expected = in_order(&input, combine);
        gives(&input, &expected, what, |from, to| {
            inclusive_scan(from, to, operation)
        });
        let initial = input[n / 2];
        let mut exclusive = vec![initial];
        exclusive.extend(expected[..n - 1].iter().map(|x| combine(initial, *x)));
        gives(&input, &exclusive, what, |from, to| {
            exclusive_scan(from, to, initial, operation)
        });
    }
}

#[test]
fn integers() {
    check::<i8>("sums", Add, i8::wrapping_add);
    check::<u16>("products", Mul, u16::wrapping_mul);
    check::<i32>("sums", Add, i32::wrapping_add);
    check::<u32>("maxima", Max, u32::max);
    check::<u64>("sums", Add, u64::wrapping_add);
}

#[test]
fn floats() {
    check::<f32>("sums", Add, |a, b| a + b);
    check::<f32>("products", Mul, |a, b| a * b);
    check::<f64>("sums", Add, |a, b| a + b);
}

#[test]
fn three_levels() {
    let input: Vec<f32> = random(9, (1 << 22) + 5);
    let expected = in_order(&input, |a, b| a + b);
    gives(&input, &expected, "sums", |from, to| {
        inclusive_scan(from, to, Add)
    });
}

#[test]
fn own_operations() {
    for &n in LENGTHS {
        let input: Vec<f32> = random(11, n);
        let expected = in_order(&input, |a, b| a * 0.5 + b);
        gives(&input, &expected, "decays", |from, to| {
            inclusive_scan(from, to, operation!(|a: f32, b: f32| a * 0.5 + b))
        });
    }
}
