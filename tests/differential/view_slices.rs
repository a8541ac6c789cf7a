//! Slices of views: passed to helpers, visited, matched and written.

use amp::prelude::*;
use testkit::{becomes, gives, input, launch, new_views};

#[amp_fn]
fn sum(x: &[i32]) -> i32 {
    x.iter().sum()
}

#[amp_fn]
fn largest(x: &[i32]) -> i32 {
    match x {
        [] => -1,
        [one] => *one,
        [first, rest @ ..] => {
            let mut best = *first;
            for x in rest {
                best = best.max(*x);
            }
            best
        }
    }
}

#[amp_fn]
fn nth(x: &[i32], i: usize) -> i32 {
    x[i] + x.len() as i32
}

#[amp_kernel]
fn windows(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let near = &a[i..(i + 4).min(a.extent()[0])];
    let all = &a[..];
    let two = &all[1..3];
    let mut found = sum(&a[..i]) + largest(near) * 100 + nth(near, 0) + sum(near);
    for x in &a[i..] {
        found ^= *x;
    }
    found += a[1..=i.min(3)].iter().map(|x| x * 2).sum::<i32>();
    if near == two {
        found += 1_000_000;
    }
    out[idx] = found + near.first().copied().unwrap_or(0) + two[1];
}

#[test]
fn are_passed_and_visited() {
    let a: Vec<i32> = (0..19).map(|i| i * 7 % 11 - 3).collect();
    let of = |i: usize| {
        let near = &a[i..(i + 4).min(a.len())];
        let two = &a[1..3];
        let mut found = a[..i].iter().sum::<i32>();
        found += near.iter().max().unwrap() * 100 + near[0] + near.len() as i32;
        found += near.iter().sum::<i32>();
        for x in &a[i..] {
            found ^= *x;
        }
        found += a[1..=i.min(3)].iter().map(|x| x * 2).sum::<i32>();
        if near == two {
            found += 1_000_000;
        }
        found + near[0] + two[1]
    };
    let expected: Vec<i32> = (0..a.len()).map(of).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), windows(&input(&a), out))
    });
}

#[amp_fn]
fn scale(x: &mut [f32], by: f32) {
    for x in x.iter_mut() {
        *x *= by;
    }
    x[0] += 1.0;
}

#[amp_kernel]
fn rows(idx: Index<1>, by: &ArrayView<f32, 1>, data: &mut ArrayViewMut<f32, 2>) {
    let mut row = data.row(idx[0]);
    scale(&mut row[1..4], by[idx]);
    row[0] = row[1] + row[3];
    let tail = &mut row[3..];
    tail.swap(0, 1);
    let last = tail[0] + 0.5;
    tail.fill(last);
}

#[test]
fn are_written() {
    let before: Vec<f32> = (0..60).map(|i| i as f32 * 0.5).collect();
    let by: Vec<f32> = (0..12).map(|i| 1.5 - i as f32).collect();
    let mut expected = before.clone();
    for (row, by) in expected.chunks_mut(5).zip(&by) {
        for x in &mut row[1..4] {
            *x *= by;
        }
        row[1] += 1.0;
        row[0] = row[1] + row[3];
        let last = row[4] + 0.5;
        row[3..].fill(last);
    }
    becomes([12, 5], &before, &expected, |view, data| {
        launch(view, 12, rows(&input(&by), data))
    });
}

#[amp_kernel]
fn outside(idx: Index<1>, from: usize, to: usize, at: usize, data: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let part = &mut data[from + i..to];
    part[at] = 5;
    let length = part.len() as i32;
    data[0] = length;
}

#[test]
fn fault_out_of_bounds() {
    for (from, to, at, expected, text) in [
        (2, 9, 0, [0, 7, 7, 7], "range out of bounds"),
        (3, 2, 0, [0, 7, 7, 7], "range out of bounds"),
        (1, 3, 2, [2, 7, 7, 7], "index out of bounds"),
    ] {
        for view in new_views() {
            let mut data = [7; 4];
            let mut array = Array::builder(4).on(&view).data(&data[..]).build().unwrap();
            launch(&view, 1, outside(from, to, at, &mut array)).unwrap();
            let fault = view.wait().unwrap_err().to_string();
            assert!(fault.contains(text), "{view}: {fault}");
            data.copy_from_slice(&array.to_vec().unwrap());
            assert_eq!(data, expected, "{view}");
        }
    }
}

#[amp_kernel(index = 64)]
fn wide(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let part = &a[idx[0]..];
    out[idx] = sum(part) + nth(part, 0);
}

#[test]
fn have_wide_indices() {
    let a: Vec<i32> = (0..9).map(|i| i * i).collect();
    let of = |i: usize| a[i..].iter().sum::<i32>() + a[i] + (a.len() - i) as i32;
    let expected: Vec<i32> = (0..a.len()).map(of).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), wide(&input(&a), out))
    });
}

#[amp_kernel]
fn neighbours_in_tile(t_idx: TiledIndex<1, 16>, data: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut kept: [u32; 16];
    let first = t_idx.tile_origin[0];
    let own = &data[first..first + 16];
    kept[t_idx.local[0]] = own[15 - t_idx.local[0]] + own[t_idx.local[0]];
    t_idx.barrier.wait();
    data[t_idx.global] = kept[t_idx.local[0]] * 2;
}

#[test]
fn are_read_by_tiles() {
    let before: Vec<u32> = (0..64).map(|i| i * i).collect();
    let expected: Vec<u32> = (0..64)
        .map(|i| 2 * (before[i / 16 * 16 + 15 - i % 16] + before[i]))
        .collect();
    becomes([64], &before, &expected, |view, data| {
        launch(view, data.extent().tile::<16>(), neighbours_in_tile(data))
    });
}
