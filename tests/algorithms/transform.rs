use amp::algorithms::{function, iota, reduction, transform, transform_pairs, transform_reduce};
use amp::prelude::*;

use crate::data::{FEW_LENGTHS, gives, random};

#[amp_fn]
fn twisted(x: i32, by: i32) -> i32 {
    x * 31 ^ by
}

#[test]
fn of_one_element() {
    for &n in FEW_LENGTHS {
        let input: Vec<i32> = random(1, n);
        let by = 77;
        let expected: Vec<i64> = input
            .iter()
            .map(|x| i64::from(x.wrapping_mul(31) ^ by))
            .collect();
        gives(&input, &expected, "twisted", |from, to| {
            transform(
                from,
                to,
                function!(|x: i32| [by: i32] -> i64 { twisted(x, by) as i64 }),
            )
        });
    }
}

#[test]
fn of_two_elements() {
    for &n in FEW_LENGTHS {
        let (x, y): (Vec<f32>, Vec<u8>) = (random(1, n), random(2, n));
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x * f32::from(*y)).collect();
        let y = ArrayView::new(n, &y).unwrap();
        gives(&x, &expected, "products", |from, to| {
            transform_pairs(
                from,
                &y,
                to,
                function!(|x: f32, y: u8| -> f32 { x * y as f32 }),
            )
        });
    }
}

#[test]
fn reduced() {
    for &n in FEW_LENGTHS {
        let input: Vec<u8> = random(1, n);
        let expected: u64 = input.iter().map(|x| u64::from(*x).pow(2)).sum();
        gives(&input, &[expected], "squares", |from, to| {
            let squares = reduction!(|x: u8| -> u64 { (x as u64) * (x as u64) }, |a, b| a + b);
            to[0] = transform_reduce(from, squares)?;
            Ok(())
        });
    }
}

#[test]
fn numbers_in_a_row() {
    let expected: Vec<f32> = (0..1000).map(|i| 0.5 + 0.25 * i as f32).collect();
    gives(&[0_u8; 1000], &expected, "iota", |_, to| {
        iota(to, 0.5, 0.25)
    });
    let expected: Vec<u8> = (0..1000).map(|i: u32| 3_u8.wrapping_sub(i as u8)).collect();
    gives(&[0_u8; 1000], &expected, "iota", |_, to| {
        iota(to, 3_u8, 255)
    });
}
