//! Types of one's own with `IntoIterator`: `for x in &grid`, `for x in grid`.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::needless_lifetimes)]

use amp::prelude::*;
use testkit::twice;

fn seeds() -> Vec<u32> {
    (0..150_u32)
        .map(|seed| seed.wrapping_mul(0x9e37_79b9))
        .collect()
}

device_and_host! {
    #[derive(Clone, Copy)]
    pub struct Grid {
        pub cells: [u32; 6],
        pub used: usize,
    }

    #[derive(Clone, Copy)]
    pub struct Cells {
        cells: [u32; 6],
        at: usize,
        end: usize,
    }

    impl Iterator for Cells {
        type Item = (usize, u32);

        fn next(&mut self) -> Option<(usize, u32)> {
            if self.at == self.end {
                return None;
            }
            let at = self.at;
            self.at += 1;
            Some((at, self.cells[at]))
        }
    }

    impl<'a> IntoIterator for &'a Grid {
        type Item = (usize, u32);
        type IntoIter = Cells;

        fn into_iter(self) -> Self::IntoIter {
            Cells { cells: self.cells, at: 0, end: self.used }
        }
    }

    /// By value, without the first.
    impl IntoIterator for Grid {
        type Item = (usize, u32);
        type IntoIter = Cells;

        fn into_iter(self) -> Cells {
            Cells { cells: self.cells, at: self.used.min(1), end: self.used }
        }
    }

    #[derive(Clone, Copy)]
    pub struct Bits(pub u32);

    #[derive(Clone, Copy)]
    pub struct Places(u32);

    impl Iterator for Places {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            if self.0 == 0 {
                return None;
            }
            let bit = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            Some(bit)
        }
    }

    impl IntoIterator for Bits {
        type Item = u32;
        type IntoIter = Places;

        fn into_iter(self) -> Places {
            Places(self.0)
        }
    }

    impl Grid {
        pub fn new(seed: u32) -> Grid {
            Grid { cells: [seed, seed >> 3, seed >> 5, 7, seed >> 9, 11], used: seed as usize % 7 }
        }
    }

    pub fn total(grid: &Grid) -> u32 {
        let mut total = 0_u32;
        for item in grid {
            let (at, cell) = item;
            if at == 4 {
                break;
            }
            total = total.wrapping_mul(31) ^ cell;
        }
        for item in grid {
            let (at, cell) = item;
            total = total.wrapping_add(at as u32) ^ cell;
        }
        total
    }

    pub fn all(seed: u32) -> u32 {
        let grid = Grid::new(seed);
        let mut sum = total(&grid);
        for item in &grid {
            let (at, cell) = item;
            sum = sum.wrapping_mul(7) ^ cell.rotate_left(at as u32);
        }
        for (_, cell) in grid {
            sum = sum.wrapping_mul(5) ^ cell;
        }
        let reference = &grid;
        'outer: for item in reference {
            let (_, cell) = item;
            for bit in Bits(cell) {
                if bit > 20 {
                    continue 'outer;
                }
                sum ^= bit;
            }
        }
        for bit in Bits(seed) {
            sum = sum.wrapping_mul(3) ^ bit;
        }
        sum
    }
}

twice! {
    visited(x: u32) -> u32 = (seeds(),);
    {
        device::all(x)
    }
}

#[test]
fn as_on_the_host() {
    for seed in seeds() {
        assert_eq!(device::all(seed), host::all(seed));
    }
}
