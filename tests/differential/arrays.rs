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

#[amp_struct]
struct Weighed {
    number: f32,
    weight: u32,
}

#[amp_fn]
fn sums_of_rows(rows: &[[u8; 3]; 2], pairs: &[(f32, u32)], weighed: &[Weighed; 2]) -> f32 {
    let mut sum = 0.0;
    for row in rows {
        for &byte in row {
            sum += f32::from(byte);
        }
    }
    for &byte in &rows[1] {
        sum -= f32::from(byte) * 0.5;
    }
    let last = &rows[1];
    for [one, _, third] in rows {
        for &byte in last {
            sum += f32::from(*one) * f32::from(byte) + f32::from(*third);
        }
    }
    for &(number, weight) in pairs {
        sum += number * weight as f32;
    }
    for (number, weight) in pairs {
        sum -= number / *weight as f32;
    }
    for Weighed { number, weight } in weighed {
        sum += number * *weight as f32;
    }
    sum
}

#[amp_kernel]
fn row_sums(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let i = idx[0] as u8;
    let rows = [[i, 2, i + 1], [7, i, 1]];
    let pairs = [(out[idx], 3), (0.5, 2)];
    let weighed = [
        Weighed {
            number: 0.25,
            weight: 8,
        },
        Weighed {
            number: out[idx],
            weight: 1,
        },
    ];
    out[idx] = sums_of_rows(&rows, &pairs, &weighed);
}

#[test]
fn loops_over_references_have_patterns() {
    let start = [1.5_f32, -2.25, 4.0];
    let expected: Vec<f32> = (start.iter().enumerate())
        .map(|(i, x)| {
            let i = i as u8;
            let (rows, pairs) = ([[i, 2, i + 1], [7, i, 1]], [(*x, 3), (0.5, 2)]);
            let all = rows
                .iter()
                .flatten()
                .fold(0.0, |sum, byte| sum + f32::from(*byte));
            let sum = rows[1]
                .iter()
                .fold(all, |sum, byte| sum - f32::from(*byte) * 0.5);
            let sum = rows.iter().fold(sum, |sum, row| {
                let add = |sum, byte: &u8| {
                    sum + (f32::from(row[0]) * f32::from(*byte) + f32::from(row[2]))
                };
                rows[1].iter().fold(sum, add)
            });
            let sum = pairs.iter().fold(sum, |sum, (x, n)| sum + x * *n as f32);
            let sum = pairs.iter().fold(sum, |sum, (x, n)| sum - x / *n as f32);
            sum + 0.25 * 8.0 + x * 1.0
        })
        .collect();
    becomes([3], &start, &expected, |view, out| {
        launch(view, 3, row_sums(out))
    });
}
