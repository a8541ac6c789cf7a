//! Operands behind references: arithmetic looks there, as Rust's does.

use amp::prelude::*;
use testkit::numbers::pairs;
use testkit::{gives, input, launch, twice};

const NUMBERS: [i32; 7] = [-1_000_000, -7, -1, 0, 1, 30, 1_000_000];

#[amp_fn]
fn combined(a: &i32, b: &i32, c: &u32, yes: &bool) -> i32 {
    let sum = a + b - 3 * a;
    let bits = (a & b) | (a ^ 5) | (b << c) | (-a >> c) | !b;
    sum ^ bits ^ (b % 7) ^ i32::from(yes & !yes | yes)
}

#[amp_fn]
fn accumulated(a: &i32, b: &f32) -> f32 {
    let (mut sum, mut product) = (0.5, 3);
    sum += b;
    sum *= b;
    product <<= a & 3;
    product -= a;
    sum - b + product as f32 / (b + 1.5)
}

twice! {
    parameters(a: i32, b: i32) -> i32 = pairs(&NUMBERS);
    {
        combined(&a, &b, &(a as u32 & 7), &(a < b)) ^ accumulated(&a, &(b as f32)).to_bits() as i32
    }
}

twice! {
    elements_of_loops(a: i32, b: i32) -> i32 = pairs(&NUMBERS);
    {
        let mut sum = 0;
        for x in &[a, b, 3] {
            sum = sum * 2 + x;
        }
        for (i, x) in [a, b].iter().enumerate() {
            sum += (x * 5) ^ i as i32;
        }
        for x in [1, 2, 4].iter().rev() {
            sum -= x;
        }
        sum
    }
}

#[amp_struct]
struct Three {
    all: [i32; 3],
}

#[amp_kernel]
fn of_views(idx: Index<1>, a: &ArrayView<Three, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut sum = 0;
    for x in &a[idx].all {
        sum += x;
    }
    out[idx] = combined(&sum, &a[idx].all[0], &2, &true);
}

#[test]
fn elements_of_views_are_operands() {
    let data = [[1, 2, 3], [-5, 0, 9]].map(|all| Three { all });
    let expected = data.map(|Three { all: [a, b, c] }| combined(&(a + b + c), &a, &2, &true));
    gives(&expected, |view, out| {
        launch(view, 2, of_views(&input(&data), out))
    });
}
