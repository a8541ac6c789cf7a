//! Views made from views in kernels: by name, in place, and handed to helpers, which are here.

mod bounds;
mod elements;
mod parts;

use amp::prelude::*;
use testkit::same_by_eq;

same_by_eq!(Pair);

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Pair {
    a: u32,
    b: f32,
}

#[amp_fn]
fn sum(a: &ArrayView<i32, 1>) -> i32 {
    let mut sum = 0;
    for i in 0..a.extent()[0] {
        sum += a[i] * (i as i32 + 1);
    }
    sum
}

#[amp_fn]
fn sum_2(a: &ArrayView<i32, 2>) -> i32 {
    let mut total = 0;
    for i in 0..a.extent()[0] {
        total = total * 31 + sum(&a.row(i));
    }
    total
}

#[amp_fn]
fn fill(c: &mut ArrayViewMut<i32, 1>, from: i32) {
    for i in 0..c.extent()[0] {
        c[i] = from + i as i32;
    }
}

/// Data whose elements are all different, and tell where they stand.
fn numbered(count: usize) -> Vec<i32> {
    (0..count as i32).map(|i| i * i + 3 * i + 1).collect()
}
