//! Elements of elements that may not be there, `grid.get(y).and_then(|row| row.get(x))`. Each body as kernel code and
//! as plain Rust.

use amp::prelude::*;
use testkit::twice;

#[amp_struct]
#[derive(Clone, Copy, Default)]
struct Row {
    cells: [u32; 4],
    count: u32,
}

fn all() -> (Vec<u32>, Vec<u32>) {
    let numbers: Vec<u32> = (0..64).collect();
    (
        numbers.iter().map(|x| x % 7).collect(),
        numbers.iter().map(|x| x / 7 + 1).collect(),
    )
}

#[amp_fn]
fn cell(grid: &[[u32; 3]; 5], y: usize, x: usize) -> Option<u32> {
    grid.get(y).and_then(|row| row.get(x)).copied()
}

#[amp_fn]
fn is_wall(grid: &[[u32; 3]], y: usize, x: usize) -> bool {
    grid.get(y)
        .and_then(|row| row.get(x))
        .is_some_and(|cell| *cell % 3 == 0)
}

twice! {
    read(n: u32, m: u32) -> u32 = all();
    {
        let grid = [[n, 1, 2], [m, 4, n + m], [6, n * m, 8], [9, 10, 11], [12, m, m]];
        let rows = [Row { cells: [n, m, 3, 4], count: 3 }, Row::default()];
        let (y, x) = (n as usize, m as usize);
        let mut sum = cell(&grid, y, x).unwrap_or(77) + cell(&grid, x, y).map_or(5, |c| c * 2);
        sum = sum * 2 + is_wall(&grid, y, 1) as u32 + is_wall(&grid[1..], 2, x) as u32;
        sum += grid.get(y).and_then(|row| row.get(x).copied()).unwrap_or(1000);
        if let Some(&c) = rows.get(y).and_then(|row| row.cells.get(x)) {
            sum ^= c * 31;
        }
        let Some(last) = grid.last().and_then(|row| row.get(x)) else {
            return sum;
        };
        let is_three = rows.get(x).and_then(|row| row.cells.first()) == Some(&3);
        sum + *last * 3 + *grid.get(y).and_then(|row| row.last()).unwrap_or(&9) + is_three as u32
    }
}

twice! {
    written(n: u32, m: u32) -> u32 = all();
    {
        let mut grid = [[n, 1, 2], [m, 4, n + m], [6, n * m, 8]];
        for (dy, dx) in [(0, 1), (1, 0), (2, 2)] {
            if let Some(cell) = grid.get_mut(n as usize + dy).and_then(|row| row.get_mut(m as usize % 4 + dx)) {
                *cell += 10;
            }
        }
        grid.iter().flatten().fold(0, |sum, x| sum * 5 % 9973 + x)
    }
}
