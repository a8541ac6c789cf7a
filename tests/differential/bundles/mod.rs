//! Structs with views, in kernels and on the host.

mod fields;
mod methods;
mod passing;

use amp::prelude::*;
use testkit::input;

/// Read only, so it may be copied.
#[amp_struct]
struct Table<'a> {
    values: ArrayView<'a, i32, 1>,
    stride: usize,
    is_negated: bool,
}

/// A view that is written, beside a struct of others.
#[amp_struct]
struct Work<'a> {
    table: Table<'a>,
    out: ArrayViewMut<'a, i32, 1>,
    from: Index<1>,
}

fn table(values: &[i32]) -> Table<'_> {
    Table {
        values: input(values),
        stride: 2,
        is_negated: true,
    }
}

fn numbers(count: i32) -> Vec<i32> {
    (0..count).map(|i| i * i - 7 * i + 3).collect()
}

#[amp_fn]
fn look_up(t: &Table, i: usize) -> i32 {
    let value = t.values[i * t.stride];
    if t.is_negated { -value } else { value }
}

#[amp_fn]
fn store(w: &mut Work, i: usize, value: i32) {
    w.out[w.from + i] = value + look_up(&w.table, i);
}
