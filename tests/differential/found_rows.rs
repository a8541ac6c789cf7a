//! Elements of arrays in arrays, of which only what stands around a name tells that it is one: rows of loops, parts of
//! patterns, what has been found, and fields of types with methods of the same names; against plain Rust.

use amp::prelude::*;

device_and_host! {
    type Grid = [[u8; 4]; 4];

    fn named(g: &[[u8; 4]; 4], y: usize, x: usize) -> u8 {
        let row = &g[y];
        row.get(x).copied().unwrap_or(9)
    }

    fn of_loops(g: &[[u8; 4]; 4], x: usize) -> u32 {
        let mut sum = 0;
        for row in g {
            sum += row.get(x).copied().unwrap_or(1) as u32;
            if let Some(&v) = row.first() {
                sum += v as u32;
            }
        }
        for row in g.iter() {
            sum += *row.last().unwrap() as u32;
        }
        sum + g.iter().map(|row| *row.get(x).unwrap_or(&3) as u32).sum::<u32>()
    }

    fn of_pattern(g: [[u8; 4]; 4], x: usize) -> u32 {
        let [a, b, ..] = g;
        a.get(x).map_or(0, |v| *v as u32) + b.last().copied().unwrap() as u32
    }

    fn found(g: &[[u8; 4]; 4], y: usize, x: usize) -> Option<u8> {
        let row = g.get(y)?;
        row.get(x).copied()
    }

    fn found_or_left(g: &[[u8; 4]; 4], y: usize, x: usize) -> Option<u8> {
        let Some(row) = g.get(y) else { return None };
        Some(*row.get(x)? + *g.get(x)?.get(y)?)
    }

    fn lent(g: &[[u8; 4]; 4], y: usize, x: usize) -> Option<&u8> {
        g.get(y)?.get(x)
    }

    #[derive(Clone, Copy)]
    struct Table<const W: usize> {
        cells: [[u32; W]; 3],
        names: [u8; 4],
    }

    impl<const W: usize> Table<W> {
        fn get(&self, y: usize, x: usize) -> Option<u32> {
            let row = self.cells.get(y)?;
            row.get(x).copied()
        }

        fn at(&self, y: usize, x: usize) -> Option<u32> {
            self.cells.get(y)?.get(x).copied()
        }

        fn first(&self) -> u32 {
            let row = &self.cells[1];
            *row.first().unwrap() + self.names.last().copied().unwrap_or(0) as u32
        }

        fn sum(&self, k: usize) -> u32 {
            let mut sum = 0;
            for row in &self.cells {
                sum += row.get(k).copied().unwrap_or(1);
            }
            for row in self.cells.iter() {
                if let Some(last) = row.last() {
                    sum += last;
                }
            }
            sum
        }

        fn last(&self) -> Option<&u32> {
            self.cells.last()?.last()
        }

        fn put(&mut self, y: usize, x: usize, value: u32) -> bool {
            if let Some(row) = self.cells.get_mut(y) {
                if let Some(cell) = row.get_mut(x) {
                    *cell = value;
                    return true;
                }
            }
            false
        }
    }

    pub fn all(i: u32) -> [u32; 4] {
        let g: Grid = [[i as u8, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, i as u8], [1; 4]];
        let (y, x) = (i as usize % 5, i as usize % 7);
        let names = *b"abcd";
        let mut t = Table { cells: [[i, 1, 2, 3], [4, 5, 6, i], [7, 8, 9, 10]], names };
        let of_table = t.put(x, 1, 99) as u32 + t.get(x, 2).unwrap_or(100) + t.at(2, x).unwrap_or(50);
        [
            named(&g, y % 4, x) as u32 + of_loops(&g, x) + of_pattern(g, x),
            found(&g, y, x).unwrap_or(50) as u32 + found_or_left(&g, y, x).unwrap_or(60) as u32,
            lent(&g, y, x).map_or(0, |v| *v as u32),
            of_table + t.first() + t.sum(x) + *t.last().unwrap(),
        ]
    }
}

all_agree!(rows_have_the_methods_of_slices: [u32; 4], 36);
