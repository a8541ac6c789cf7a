//! Chains of iterators that cannot be written as loops, and misuse of those that can.

use amp::prelude::*;

#[amp_kernel]
fn adapters(idx: Index<1>, a: &ArrayView<f32, 2>, n: usize, c: &mut ArrayViewMut<f32, 1>) {
    let x = [1.0_f32, 2.0, 3.0];
    let flags = [true, false, true];
    c[idx] = x.iter().take_while(|v| **v > 0.0).rev().sum();
    c[idx] = (0..).rev().map(|i| x[i]).sum();
    c[idx] = (..n).map(|i| x[i]).sum();
    c[idx] = x.iter().zip(flags.iter().filter(|f| **f)).map(|(v, _)| v).sum();
    c[idx] = x.iter().copied().copied().sum();
    c[idx] = x.iter().map(|v, w| v * w).sum();
    c[idx] = x.iter().map(if n > 0 { square } else { square }).sum();
    c[idx] = x.iter().zip(x.iter()).map(|pair| product(pair)).sum();
    c[idx] = x.iter().enumerate().map(|(i, v, w)| v * w).sum();
    c[idx] = x.iter().fold(0.0);
    c[idx] = *x.iter().max().unwrap();
    c[idx] = a.iter().sum();
    c[idx] = n.iter().sum();
    c[idx] = x.iter().map(|v: f32| v).sum();
    c[idx] = flags.iter().sum();
    c[idx] = x.iter().cycle().rev().take(3).sum();
    c[idx] = x.iter().filter(|v| **v > 1.0).cycle().take(3).sum();
    c[idx] = (0..4_u32).filter(|v| *v > 9).cycle().take(3).count() as f32;
    c[idx] = x.array_windows().map(|w| w[0]).sum();
    c[idx] = x.iter().cycle().len() as f32;
    c[idx] = x.iter().lt(x.iter().filter(|v| **v > 1.0)) as u32 as f32;
}

#[amp_kernel]
fn found(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let x = [1, 2, idx[0] as i32];
    let largest = x.iter().max().unwrap();
    let maybe = x.iter().find(|v| **v > 3);
    c[idx] = x.iter().filter(|v| { let v = 3; **v > 1 }).count() as i32;
    c[idx] = match x.iter().max() {
        Some(v) if *v > 3 => *v,
        Option::Some(v) => *v,
        _ => 0,
    };
    c[idx] = x.iter().collect::<Vec<_>>().len() as i32;
    c[idx] = x.iter().reduce(|a, b| if a > b { a } else { b }).copied().unwrap();
}

#[amp_fn]
fn square(x: f32) -> f32 {
    x * x
}

#[amp_fn]
fn product(pair: (f32, f32)) -> f32 {
    pair.0 * pair.1
}

/// The body of a method goes on behind a loop that is refused.
#[amp_module]
mod weights {
    pub struct Weights {
        pub of: [f32; 4],
    }

    impl Weights {
        pub fn sum(&self, x: &[f32]) -> f32 {
            let mut sum = 0.0;
            for pair in self.of.iter().zip(x) {
                sum += part(pair);
            }
            sum + x[0]
        }
    }
}

/// References into what a closure names, where the chain has ended.
#[amp_kernel]
fn within_rows(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut rows = [[1, 2], [3, 4]];
    let least = *rows.iter().flat_map(|row| row.iter()).min().unwrap();
    if let Some(x) = rows.iter_mut().flat_map(|row| row.iter_mut()).find(|x| **x > least) {
        *x = 3;
    }
    out[idx] = rows[0][0];
}

#[amp_fn]
fn nothing_within(x: [u32; 4]) -> u32 {
    x.iter().flatten().sum()
}

#[amp_kernel]
fn nothings(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = nothing_within([1; 4]);
}

#[amp_kernel]
fn separated(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let v = [1, 2, 3];
    let mut sum = v.split(|a, b| *a == *b).count();
    sum += v.split_inclusive().count();
    sum += v.chunk_by(|a| *a == 1).count();
    sum += v.strip_prefix().map_or(0, |rest| rest.len());
    out[idx] = sum as u32;
}

fn main() {}
