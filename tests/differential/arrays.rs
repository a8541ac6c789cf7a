//! `for` over arrays, by value and by reference, of every kind of memory.

use amp::prelude::*;
use testkit::{becomes, gives, launch};

const LENGTH: usize = 5;

#[amp_fn]
fn total(a: &[i32; 4]) -> i32 {
    let mut sum = 0;
    for x in a {
        sum = sum * 2 + *x;
    }
    for &x in a.iter().rev() {
        sum = sum * 2 + x;
    }
    sum
}

#[amp_fn]
fn add(x: &mut i32, y: i32) {
    *x += y;
}

#[amp_fn]
fn double(a: &mut [i32; 4]) {
    for x in a.iter_mut() {
        *x *= 2;
    }
    for x in a {
        add(x, 1);
        if *x > 8 {
            continue;
        }
        *x -= 3;
    }
}

#[amp_fn]
fn local_arrays(i: i32) -> i32 {
    let mut a = [1, i, 3, 4];
    let mut sum = 0;
    // Over a copy: what the body writes is not visited.
    for x in a {
        a[1] += 1;
        sum += x;
        if sum > 9 {
            break;
        }
    }
    // The position is the body's own.
    for (mut i, x) in a.iter_mut().enumerate() {
        i += 1;
        *x += i as i32;
        i *= 2;
        *x ^= i as i32;
    }
    double(&mut a);
    'rows: for row in &[a, [i; 4]] {
        for (k, &x) in row.iter().enumerate().rev() {
            if x == 3 {
                continue 'rows;
            }
            sum = sum * 3 + x * k as i32;
        }
    }
    for (x, [y, z]) in [(1, [2, 3]), (4, [5, 6])] {
        sum += x * y - z;
    }
    for x in a.iter().copied() {
        sum ^= x;
    }
    for _ in &mut a {
        sum += 1;
    }
    for x in (a).into_iter() {
        sum += x;
    }
    sum * 10 + total(&a)
}

#[amp_kernel]
fn over_locals(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = local_arrays(idx[0] as i32);
}

#[test]
fn local_arrays_and_parameters() {
    let expected: Vec<i32> = (0..12).map(local_arrays).collect();
    gives(&expected, |view, out| launch(view, 12, over_locals(out)));
}

#[amp_kernel]
fn of_constant_length(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut a = [idx[0] as u32; LENGTH];
    let mut sum = 0;
    for (i, x) in a.iter_mut().enumerate() {
        *x += i as u32;
    }
    for x in a {
        sum = sum * 3 + x;
    }
    out[idx] = sum;
}

#[test]
fn lengths_that_rustc_computes() {
    let of = |i: u32| (0..LENGTH as u32).fold(0, |sum, k| sum * 3 + i + k);
    let expected: Vec<u32> = (0..6).map(of).collect();
    gives(&expected, |view, out| {
        launch(view, 6, of_constant_length(out))
    });
}

#[amp_kernel]
fn over_tile_memory(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut cells: [[i32; 4]; 2];
    let i = t_idx.local[0];
    cells[0][i] = out[t_idx];
    for x in [0, 1] {
        cells[1][i] = x;
    }
    t_idx.barrier.wait();
    let mut sum = 0;
    for (k, x) in cells[0].iter().enumerate() {
        sum = sum * 4 + *x + k as i32;
    }
    t_idx.barrier.wait();
    if i == 0 {
        for row in &mut cells {
            for x in row {
                *x += 1;
            }
        }
    }
    t_idx.barrier.wait();
    for row in cells {
        for x in row {
            sum += x;
        }
    }
    // A barrier in each round: the element is read when it is named.
    for x in &cells[1] {
        t_idx.barrier.wait();
        if i == 3 {
            out[t_idx] += *x;
        }
        t_idx.barrier.wait();
    }
    out[t_idx] += sum;
}

#[test]
fn tile_memory() {
    let before: Vec<i32> = (0..8).collect();
    let mut expected = Vec::new();
    for tile in before.chunks(4) {
        let polynomial = tile.iter().zip(0..).fold(0, |sum, (x, k)| sum * 4 + x + k);
        let sum = polynomial + tile.iter().sum::<i32>() + 4 + 8;
        expected.extend((0..4).map(|i| tile[i] + sum + if i == 3 { 8 } else { 0 }));
    }
    becomes([8], &before, &expected, |view, out| {
        launch(view, out.extent().tile::<4>(), over_tile_memory(out))
    });
}
