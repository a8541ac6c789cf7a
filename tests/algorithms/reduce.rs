use amp::algorithms::{Add, And, Max, Min, Mul, Operation, Or, Workspace, Xor};
use amp::algorithms::{operation, reduce, reduce_into};
use amp::prelude::*;
use half::{bf16, f16};

use crate::data::{FEW_LENGTHS, LENGTHS, Part, Random, gives, places, random};

/// The reduction in the order that its documentation defines.
pub fn in_order<T: Copy>(input: &[T], combine: impl Fn(T, T) -> T + Copy) -> T {
    let length = input.len().div_ceil(4096).next_multiple_of(4096);
    let blocks = input.chunks(length);
    let parts: Vec<T> = blocks.map(|block| in_one_block(block, combine)).collect();
    in_one_block(&parts, combine)
}

/// That of one block.
pub fn in_one_block<T: Copy>(block: &[T], combine: impl Fn(T, T) -> T) -> T {
    let (first, rest) = block.split_at(block.len().min(256));
    let mut lanes = first.to_vec();
    for (i, x) in rest.iter().enumerate() {
        lanes[i % 256] = combine(lanes[i % 256], *x);
    }
    let mut half = 128;
    while half > 0 {
        for i in half..lanes.len().min(2 * half) {
            lanes[i - half] = combine(lanes[i - half], lanes[i]);
        }
        half /= 2;
    }
    lanes[0]
}

fn check<T: Random>(what: &str, operation: impl Operation<T> + Copy, combine: fn(T, T) -> T) {
    for (seed, &n) in FEW_LENGTHS.iter().enumerate() {
        let input = random(seed as u64, n);
        let expected = in_order(&input, combine);
        gives(&input, &[expected], what, |from, to| {
            to[0] = reduce(from, operation)?;
            Ok(())
        });
    }
}

macro_rules! of_all_numbers {
    ($check:ident: $($integer:ident)*; $($float:ident)*) => {
        $(
            $check::<$integer>("sum", Add, $integer::wrapping_add);
            $check::<$integer>("product", Mul, $integer::wrapping_mul);
            $check::<$integer>("min", Min, $integer::min);
            $check::<$integer>("max", Max, $integer::max);
            $check::<$integer>("and", And, |a, b| a & b);
            $check::<$integer>("or", Or, |a, b| a | b);
            $check::<$integer>("xor", Xor, |a, b| a ^ b);
        )*
        $(
            $check::<$float>("sum", Add, |a, b| a + b);
            $check::<$float>("product", Mul, |a, b| a * b);
            $check::<$float>("min", Min, |a, b| if a < b || b.is_nan() { a } else { b });
            $check::<$float>("max", Max, |a, b| if a > b || b.is_nan() { a } else { b });
        )*
    };
}

#[test]
fn ready_made_operations() {
    of_all_numbers!(check: i8 u8 i16 u16 i32 u32 i64 u64; f32 f64 f16 bf16);
}

#[test]
fn lengths() {
    for &n in LENGTHS.iter().chain(&[(1 << 20) + 1]) {
        let input: Vec<f32> = random(7, n);
        let expected = in_order(&input, |a, b| a + b);
        gives(&input, &[expected], "sum", |from, to| {
            to[0] = reduce(from, Add)?;
            Ok(())
        });
    }
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Linear {
    factor: u32,
    summand: u32,
}
testkit::same_by_eq!(Linear);

#[test]
fn own_operations() {
    let modulus = 65_521;
    for &n in FEW_LENGTHS {
        let numbers: Vec<u32> = random(3, 2 * n);
        let pairs = numbers.chunks(2).map(|pair| Linear {
            factor: pair[0] | 1,
            summand: pair[1],
        });
        let input: Vec<Linear> = pairs.collect();
        let after = |f: Linear, g: Linear| Linear {
            factor: f.factor.wrapping_mul(g.factor),
            summand: f.summand.wrapping_mul(g.factor).wrapping_add(g.summand),
        };
        gives(
            &input,
            &[in_order(&input, after)],
            "functions",
            |from, to| {
                let after = operation!(|f: Linear, g: Linear| Linear {
                    factor: f.factor * g.factor,
                    summand: f.summand * g.factor + g.summand,
                });
                to[0] = reduce(from, after)?;
                Ok(())
            },
        );
        let product = |a: u32, b: u32| (a % modulus).wrapping_mul(b % modulus) % modulus;
        gives(
            &numbers,
            &[in_order(&numbers, product)],
            "products",
            |from, to| {
                let product = operation!(|a: u32, b: u32| [modulus: u32] {
                    (a % modulus) * (b % modulus) % modulus
                });
                to[0] = reduce(from, product)?;
                Ok(())
            },
        );
    }
}

#[test]
fn replays() {
    for (accelerator, view) in places() {
        let numbers: Vec<i64> = random(5, 9000);
        let captures = (
            Part::new(&view, &numbers),
            Part::new(&view, &[0]),
            Workspace::default(),
        );
        let graph = view.record_with(captures, |recording, (numbers, sum, workspace)| {
            let mut queue = workspace.within(recording);
            reduce_into(&mut queue, &numbers.view(), &mut sum.view_mut(), Add)?;
            reduce_into(&mut queue, &numbers.view(), &mut sum.view_mut(), Add)
        });
        let mut graph = graph.unwrap();
        for first in 0..3 {
            let mut numbers = numbers.clone();
            numbers[0] = first;
            graph.captures_mut().0.view_mut()[0] = first;
            graph.replay().unwrap();
            let expected = numbers.iter().fold(0, |a: i64, b| a.wrapping_add(*b));
            assert_eq!(graph.captures().1.to_vec(), [expected], "{accelerator}");
        }
    }
}
