//! `copy_within` and `swap_with_slice` of arrays and slices, and copies between halves.

use amp::prelude::*;
use testkit::{gives_and_faults, launch, twice};

fn seeds() -> Vec<u32> {
    (0..120_u32)
        .map(|seed| seed.wrapping_mul(0x9e37_79b9))
        .collect()
}

#[amp_fn]
fn hash(values: &[u32]) -> u32 {
    values
        .iter()
        .fold(7, |hash: u32, x| hash.wrapping_mul(31) ^ x)
}

#[amp_fn]
fn exchange(a: &mut [u32], b: &mut [u32], from: usize) {
    a[from..from + 2].swap_with_slice(&mut b[1..3]);
}

twice! {
    within(x: u32) -> u32 = (seeds(),);
    {
        let mut values: [u32; 9] = std::array::from_fn(|i| x >> i);
        let (start, dest) = (x as usize % 5, (x >> 9) as usize % 5);
        values.copy_within(start..start + 4, dest);
        let first = hash(&values);
        values[2..].copy_within(0..3, 4);
        values.copy_within(5..5, 9);
        let range = 1..dest + 2;
        values.copy_within(range, 3);
        first ^ hash(&values).rotate_left(7)
    }
}

twice! {
    exchanged(x: u32) -> u32 = (seeds(),);
    {
        let mut values: [u32; 8] = std::array::from_fn(|i| x >> i);
        let mut others = [x ^ 3, x ^ 5, x ^ 7];
        values[..3].swap_with_slice(&mut others);
        exchange(&mut values, &mut others, x as usize % 7);
        let (left, right) = values.split_at_mut(4);
        left.swap_with_slice(right);
        left[..2].copy_from_slice(&right[1..3]);
        hash(&values) ^ hash(&others).rotate_left(9)
    }
}

#[amp_kernel]
fn out_of_bounds(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut values = [1, 2, 3, 4];
    let mut others = [5, 6, 7];
    let i = idx[0];
    match i % 4 {
        0 => values.copy_within(i..5, 0),
        1 => values.copy_within(1..3, 3),
        2 => values[i - 1..].swap_with_slice(&mut others[1..]),
        _ => values.copy_within(0..2, 2),
    }
    out[idx] = hash(&values) ^ others[0];
}

#[test]
fn faults_change_nothing() {
    let untouched = hash(&[1, 2, 3, 4]) ^ 5;
    let copied = hash(&[1, 2, 1, 2]) ^ 5;
    gives_and_faults(&[untouched, untouched, untouched, copied], |view, out| {
        launch(view, out.extent(), out_of_bounds(out))
    });
}
