//! Iterators, loops and methods of slices, of arrays wherever these are: behind references, in fields, as
//! elements of others, and as constants. Each function is compiled for kernels and as plain Rust.

use amp::prelude::*;
use testkit::{becomes, launch};

#[amp_struct]
#[derive(Debug, PartialEq)]
pub struct Weights {
    pub w: [f32; 4],
}

pub const TAPS: [f32; 4] = [0.5, -1.0, 4.0, 0.25];

/// Functions for kernels, and the same as plain Rust.
macro_rules! both {
    ($($(#[$attribute:meta])* fn $name:ident($($parameter:ident: $ty:ty),*) -> f32 $body:block)*) => {
        mod device {
            use super::{TAPS, Weights};
            use amp::prelude::*;

            $(#[amp_fn] $(#[$attribute])* pub fn $name($($parameter: $ty),*) -> f32 $body)*
        }

        #[allow(clippy::all, clippy::pedantic)]
        mod host {
            use super::{TAPS, Weights};

            $(pub fn $name($($parameter: $ty),*) -> f32 $body)*
        }
    };
}

both! {
    fn of_fields(weights: &Weights) -> f32 {
        let mut sum = 0.0;
        if let Some(first) = weights.w.first() {
            sum += first;
        }
        sum += weights.w.last().copied().unwrap_or(1.0);
        sum += weights.w.get(2).map_or(0.0, |x| x * 3.0);
        let (left, right) = weights.w.split_at(1);
        sum -= left[0] * right[2];
        if let Some((x, rest)) = weights.w.split_first() {
            sum += x * rest[0];
        }
        sum + weights.w.iter().find(|x| **x > 0.5).copied().unwrap_or(-9.0)
    }

    fn of_elements(rows: &[[f32; 4]; 2], i: usize) -> f32 {
        let mut sum = *rows[i].iter().max_by(|x, y| x.total_cmp(y)).unwrap();
        if let Some(x) = rows[i].iter().find(|&&x| x < 0.0) {
            sum *= x;
        }
        if let Some((at, x)) = rows[1 - i].iter().enumerate().find(|(_, x)| **x > 1.0) {
            sum += x * at as f32;
        }
        sum += rows[i].first().copied().unwrap_or(0.0) - *rows[i].last().unwrap();
        sum + rows[i].iter().nth(2).copied().unwrap_or_default()
    }

    fn of_constants(x: f32) -> f32 {
        let mut sum = x + TAPS.first().copied().unwrap_or(0.0) * TAPS.last().unwrap();
        for &tap in &TAPS {
            sum = sum * 0.5 + tap;
        }
        let (left, right) = TAPS.split_at(2);
        sum + left[1] * right[0] + TAPS.get(9).copied().unwrap_or(7.0)
    }

    fn largest(values: &[f32]) -> f32 {
        let mut best = 0.0_f32;
        best = values.iter().fold(best, |best, &x| best.max(x));
        best
    }

    fn named(values: &[f32; 4], weights: Weights, at: f32) -> f32 {
        let best = values.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
        let (i, nearest) = (values.iter().enumerate())
            .min_by(|a, b| (a.1 - at).abs().total_cmp(&(b.1 - at).abs()))
            .unwrap();
        let first = weights.w.first().unwrap();
        let own: &[f32] = &weights.w;
        let copy = *values;
        let all: &[f32] = &copy;
        best * 2.0 + nearest * i as f32 - first + own[1] + all.iter().sum::<f32>() + all.len() as f32
    }

    fn again(values: &[f32], weights: &Weights) -> f32 {
        let same = &values;
        let mut copy = [0.0; 4];
        copy.copy_from_slice(&values);
        let ordering = weights.w[0].total_cmp(&copy[0]);
        largest(&values) + same[0] + same.iter().sum::<f32>() + copy[3] + of_fields(&weights) + ordering as i32 as f32
    }
}

#[amp_kernel]
fn places(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let x = out[idx];
    let rows = [[x, -x, 2.0, 0.125], [1.0, x * 0.5, -4.0, 3.0]];
    let weights = Weights {
        w: rows[idx[0] % 2],
    };
    out[idx] = device::of_fields(&weights) + device::of_elements(&rows, idx[0] % 2);
    out[idx] += device::of_constants(x) * device::again(&rows[1], &weights);
    out[idx] += device::named(&rows[0], weights, 1.25);
}

#[test]
fn arrays_are_used_where_they_are() {
    let start = [1.5_f32, -2.25, 4.0, 0.0];
    let expected: Vec<f32> = (start.iter().enumerate())
        .map(|(i, &x)| {
            let rows = [[x, -x, 2.0, 0.125], [1.0, x * 0.5, -4.0, 3.0]];
            let weights = Weights { w: rows[i % 2] };
            let sum = host::of_fields(&weights) + host::of_elements(&rows, i % 2);
            let sum = sum + host::of_constants(x) * host::again(&rows[1], &weights);
            sum + host::named(&rows[0], weights, 1.25)
        })
        .collect();
    becomes([4], &start, &expected, |view, out| {
        launch(view, 4, places(out))
    });
}

#[amp_fn]
fn total(values: &ArrayView<f32, 1>) -> f32 {
    let mut sum = 0.0;
    for x in values {
        sum += x;
    }
    for &x in values {
        sum = sum * 0.5 + x;
    }
    sum
}

#[amp_kernel]
fn totals(idx: Index<1>, values: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = total(values) + idx[0] as f32;
    for (i, x) in values.iter().enumerate() {
        out[idx] += x * i as f32;
    }
}

#[test]
fn a_loop_visits_a_view() {
    let values = [1.5_f32, -2.0, 8.0];
    let sum = values.iter().fold(0.0, |sum, x| sum + x);
    let sum = values.iter().fold(sum, |sum, x| sum * 0.5 + x);
    let expected = [0.0, 1.0].map(|i| {
        let start = sum + i;
        (values.iter().enumerate()).fold(start, |sum, (i, x)| sum + x * i as f32)
    });
    testkit::gives(&expected, |view, out| {
        launch(view, 2, totals(&testkit::input(&values), out))
    });
}

#[amp_struct]
struct Lines<'a> {
    values: ArrayView<'a, f32, 1>,
    weights: [f32; 2],
}

#[amp_kernel]
fn elements(idx: Index<1>, lines: &Lines, out: &mut ArrayViewMut<f32, 1>) {
    let there = lines.values.get(idx[0]).copied().unwrap_or(-1.0);
    let weight = lines.weights.get(idx[0]).copied().unwrap_or(0.5);
    out[idx] = there * weight;
    if let Some(x) = lines.values.get(idx[0] + 1) {
        out[idx] += x;
    }
}

#[test]
fn fields_that_are_views_have_elements() {
    let values = [1.5_f32, -2.0, 8.0];
    let expected = [1.5 * 4.0 - 2.0, -2.0 * 3.0 + 8.0, 8.0 * 0.5, -0.5];
    testkit::gives(&expected, |view, out| {
        let values = testkit::input(&values);
        let lines = Lines {
            values,
            weights: [4.0, 3.0],
        };
        launch(view, 4, elements(&lines, out))
    });
}
