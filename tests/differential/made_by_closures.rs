//! Closures that make iterators; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    fn bits(x: u32) -> impl Iterator<Item = u32> {
        (0..32).filter(move |k| x >> k & 1 == 1)
    }
    fn hash(it: impl Iterator<Item = u32>) -> u32 {
        it.fold(3u32, |a, b| (a * 7 + b) % 65_521)
    }
    struct Groups {
        of: [usize; 4],
        sizes: [usize; 2],
    }
    impl Groups {
        // The closure names the receiver of the method around it.
        fn count(&mut self, values: &[u32; 4]) -> u32 {
            let mut sum = 0;
            for k in 0..2 {
                let members = || values.iter().zip(&self.of).filter(|(_, of)| **of == k).map(|(v, _)| *v);
                let size = members().count();
                sum = sum * 100 + members().fold(0, |a, v| a * 3 + v % 7);
                self.sizes[k] = size;
            }
            sum * 10 + self.sizes[1] as u32
        }
    }
    pub fn all(x: u32) -> [u32; 10] {
        let board = (x * 7919).to_le_bytes();
        let empty = || (0..4usize).filter(|&k| board[k] % 2 == 0);
        let wins = |at: usize| board[at] % 8 == 2;
        let free = |row: usize, least: u32| {
            let row = u32::from(board[row]);
            (0..8u32).filter(move |c| row >> c & 1 == 0 && *c >= least)
        };
        let adjacent = |(r, c): (i32, i32)| {
            [(0, 1), (1, 0), (0, -1)]
                .into_iter()
                .map(move |(dr, dc)| (r + dr, c + dc))
                .filter(|&(r, c)| r >= 0 && c >= 0)
        };
        let mut scale = 3;
        let scaled = move |n: u32| (0..n).map(move |x| x * scale);
        scale += 10;
        let following = |x: u32| bits(x).map(|k| k + 1);
        let bytes = || board.iter();
        // A name that a closure declares, too.
        let row = 2;
        let best = empty()
            .find(|&at| wins(at))
            .or_else(|| empty().next())
            .or_else(|| [3, 1].into_iter().find(|&at| wins(at)));
        let mut places = free(row, 1);
        let first = places.next().unwrap_or(9);
        let mut sum = 0u32;
        for (r, c) in adjacent((x as i32 % 3, row as i32 - 2)) {
            sum = sum * 9 + (r * 3 + c) as u32;
        }
        [
            best.map_or(9, |m| m as u32),
            empty().count() as u32,
            first * 16 + places.count() as u32,
            sum,
            scaled(x % 9).sum::<u32>() + scale,
            following(x).max().unwrap_or(77),
            hash(free(1, x % 3)),
            hash(following(x)),
            u32::from(*bytes().max().unwrap())
                + empty()
                    .zip(free(0, 0))
                    .map(|(x, y)| x as u32 * 8 + y)
                    .sum::<u32>(),
            Groups { of: [0, 1, (x % 2) as usize, 0], sizes: [0; 2] }.count(&[x, 5, x / 3, 9]),
        ]
    }
}

all_agree!(made_by_closures: [u32; 10], 64);
