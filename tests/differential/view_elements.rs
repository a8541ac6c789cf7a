//! Elements of views that may not be there: `get` and `get_mut`, by indices of any kind; and how many there are.

use amp::prelude::*;
use testkit::{assert_same, becomes, everywhere, gives, input, launch};

#[amp_kernel]
fn differences(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let left = a.get(i.wrapping_sub(1)).copied().unwrap_or(-1);
    let right = if let Some(x) = a.get(i + 1) { *x } else { a[0] };
    let own = a.get(idx).map_or(0, |x| x * 10);
    let far = match a.get(3 * i) {
        Some(&x) if x % 2 == 0 => x,
        Some(x) => -*x,
        None => 100,
    };
    out[idx] = own + right - left + far + a.get(2).is_some() as i32;
    let Some(next) = a.get(i + 2) else {
        return;
    };
    out[idx] ^= *next;
}

#[test]
fn read_what_is_there() {
    let a: Vec<i32> = (0..23).map(|i| i * i % 31 - 4).collect();
    let of = |i: usize| {
        let left = i.checked_sub(1).map_or(-1, |i| a[i]);
        let right = a.get(i + 1).copied().unwrap_or(a[0]);
        let far = match a.get(3 * i) {
            Some(x) if x % 2 == 0 => *x,
            Some(x) => -x,
            None => 100,
        };
        let sum = a[i] * 10 + right - left + far + 1;
        a.get(i + 2).map_or(sum, |next| sum ^ next)
    };
    let expected: Vec<i32> = (0..a.len()).map(of).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), differences(&input(&a), out))
    });
}

#[amp_kernel]
fn lengths(idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let row = a.row(idx[0]);
    let part = row.section(0, idx[0]);
    out[idx] = (a.len() * 100 + row.len() * 10 + part.len()) as u32;
    if !part.is_empty() && !a.row(0).is_empty() {
        out[idx] += out.len() as u32 * 10_000;
    }
}

#[test]
fn are_counted() {
    let a = [0; 12];
    gives(&[1240_u32, 31_241, 31_242], |view, out| {
        let a = ArrayView::new([3, 4], &a)?;
        launch(view, 3, lengths(&a, out))
    });
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Cell {
    heat: f32,
    count: u32,
}

testkit::same_by_eq!(Cell);

#[amp_fn]
fn at(grid: &ArrayView<f32, 2>, row: usize, column: usize) -> f32 {
    grid.get([row, column]).copied().unwrap_or(0.5)
}

#[amp_kernel]
fn smooth(idx: Index<2>, grid: &ArrayView<f32, 2>, out: &mut ArrayViewMut<Cell, 2>) {
    let (row, column) = (idx[0], idx[1]);
    let around = at(grid, row.wrapping_sub(1), column)
        + at(grid, row + 1, column)
        + at(grid, row, column.wrapping_sub(1))
        + at(grid, row, column + 1);
    let line = grid.row(row);
    let last = line.get(column + 2).copied();
    if let Some(cell) = out.get_mut([row, column]) {
        cell.heat = around;
        cell.count += last.is_some() as u32;
    }
    if let Some(cell) = out.get_mut([row + 100, column]) {
        cell.count = 7;
    }
}

#[test]
fn are_found_in_two_dimensions_and_written() {
    let (rows, columns) = (5, 7);
    let grid: Vec<f32> = (0..35).map(|i| (i * 5 % 13) as f32).collect();
    let at = |row: Option<usize>, column: Option<usize>| match (row, column) {
        (Some(row), Some(column)) if row < rows && column < columns => grid[row * columns + column],
        _ => 0.5,
    };
    let mut expected = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let heat = at(row.checked_sub(1), Some(column))
                + at(Some(row + 1), Some(column))
                + at(Some(row), column.checked_sub(1))
                + at(Some(row), Some(column + 1));
            let count = 3 + u32::from(column + 2 < columns);
            expected.push(Cell { heat, count });
        }
    }
    let before = [Cell {
        heat: 0.0,
        count: 3,
    }; 35];
    becomes([rows, columns], &before, &expected, |view, out| {
        let grid = ArrayView::new([rows, columns], &grid)?;
        launch(view, out.extent(), smooth(&grid, out))
    });
}

#[amp_struct]
struct Blocks<'a> {
    of: ArrayView<'a, i32, 2>,
    sums: ArrayViewMut<'a, i32, 2>,
    bits: ArrayView<'a, f32, 1>,
}

#[amp_fn]
fn sizes(b: &Blocks) -> usize {
    b.of.len() * 100 + b.bits.len() + b.sums.row(1).len() + b.of.section([0, 0], [1, 2]).len()
}

#[amp_kernel]
fn counts(idx: Index<1>, b: &mut Blocks) {
    if b.bits.is_empty() || b.sums.section([1, 1], [1, 0]).is_empty() {
        let size = sizes(b) + b.sums.len();
        b.sums[[idx[0], 1]] = size as i32;
    }
}

#[test]
fn how_many_fields_have() {
    let of: Vec<i32> = (0..8).collect();
    everywhere(|view| {
        let mut data = vec![0; 6];
        let mut b = Blocks {
            of: ArrayView::new([2, 4], &of).unwrap(),
            sums: ArrayViewMut::new([2, 3], &mut data).unwrap(),
            bits: input(&[1.5, -2.0]),
        };
        launch(view, 2, counts(&mut b)).unwrap();
        drop(b);
        assert_same(&data, &[0, 813, 0, 0, 813, 0], &view.to_string());
    });
}
