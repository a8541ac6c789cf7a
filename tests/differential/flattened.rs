//! `flatten` and `flat_map` of `Option`s and of slices, and what is found in nested arrays.

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    pub fn options(x: &[u32; 6]) -> u32 {
        let mut options = [None; 6];
        for (i, &y) in x.iter().enumerate() {
            if y % 3 != 0 {
                options[i] = Some(y);
            }
        }
        let mut sum = options.iter().flatten().sum::<u32>();
        sum += options.into_iter().flatten().max().unwrap_or(77) * 3;
        for y in options.iter().flatten() {
            sum = sum.wrapping_mul(5) + y;
            if *y == 7 {
                break;
            }
        }
        for y in options.iter_mut().flatten() {
            *y += 1;
        }
        sum ^= x.iter().flat_map(|y| y.checked_sub(4)).map(|y| y * y).sum::<u32>() << 4;
        sum ^= x.iter().map(|y| y.checked_sub(9)).flatten().count() as u32;
        sum ^= options.iter().flatten().copied().filter(|y| y % 2 == 0).min().unwrap_or(5) << 9;
        let pairs = [Some((1, x[0])), None, Some((2, x[1]))];
        sum ^= pairs.iter().flatten().map(|(a, b)| a * b).sum::<u32>() << 2;
        sum ^= pairs.iter().flatten().map(|pair| pair.0 + pair.1).max().unwrap() << 3;
        if let Some(y) = options.iter().flatten().find(|y| **y > 10) {
            sum ^= y;
        }
        for y in options.chunks_mut(3).flatten() {
            *y = y.map(|y| y + 2);
        }
        sum ^ options.chunks(2).flatten().flatten().fold(0, |a, b| a * 3 + b)
    }

    pub fn grids(x: &[u32; 6]) -> u32 {
        let mut grid = [[x[0], x[1]], [x[2], x[3]], [x[4], x[5]]];
        let mut sum = x.chunks(4).flatten().fold(0, |a, b| a * 3 + b);
        if let Some(y) = grid.iter().flatten().find(|y| **y > 10) {
            sum += y * 3;
        }
        if let Some(y) = grid.iter_mut().flatten().find(|y| **y > 10) {
            *y += 3;
        }
        *grid.iter_mut().flatten().max().unwrap() += 9;
        sum ^ grid[0][1] ^ grid[1][0] << 3 ^ grid[2][1] << 7 ^ *grid.iter().flatten().min().unwrap()
    }
}

#[amp_kernel]
fn both(idx: Index<1>, x: &ArrayView<[u32; 6], 1>, out: &mut ArrayViewMut<[u32; 2], 1>) {
    let x = x[idx];
    out[idx] = [device::options(&x), device::grids(&x)];
}

#[test]
fn what_has_values_in_it_is_visited() {
    let x: Vec<[u32; 6]> = (0..300_u32)
        .map(|i| {
            std::array::from_fn(|k| {
                (i.wrapping_mul(0x9E37_79B1).rotate_left(k as u32 * 5) >> 7) % 23
            })
        })
        .collect();
    let expected: Vec<[u32; 2]> = x
        .iter()
        .map(|x| [host::options(x), host::grids(x)])
        .collect();
    let x = ArrayView::new(x.len(), &x).unwrap();
    gives(&expected, |view, out| {
        launch(view, out.extent(), both(&x, out))
    });
}
