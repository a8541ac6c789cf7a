//! Methods of arrays that kernels do not have, or that do not fit.

use amp::prelude::*;

#[amp_fn]
fn references(x: [u32; 4]) -> u32 {
    x.first().unwrap() + x.last().unwrap()
}

#[amp_fn]
fn misspelt(mut x: [u32; 4]) {
    x.reversed();
}

#[amp_fn]
fn of_another_type(x: [u32; 4]) -> bool {
    x.contains(&1.0)
}

#[amp_fn]
fn unchangeable(x: &[u32; 4]) {
    x.fill(1);
}

#[amp_fn]
fn incomparable(x: [(u32, f32); 4]) -> [u32; 4] {
    x.map(|pair, other| pair.0)
}

#[amp_fn]
fn searches(x: [u32; 4]) {
    let found = x.binary_search(1);
    let found = x.binary_search_by(|x| *x < 1);
    let found = x.partition_point(|x| x + 1);
    let found = x.binary_search_by_key(&1);
}

fn main() {}
