//! Iterators that functions return, kept in variables: stepped, visited later, and passed on; against the same module as
//! plain Rust.

use amp::prelude::*;

device_and_host! {
    fn bits(x: u32) -> impl Iterator<Item = u32> {
        (0..32).filter(move |k| x >> k & 1 == 1)
    }

    fn doubled(x: u32) -> impl Iterator<Item = u32> {
        bits(x).map(|x| x * 2)
    }

    /// Variables that change, each in one closure, and a parameter that the caller changes later.
    fn counted(mut k: u32, step: u32) -> impl Iterator<Item = u32> {
        let mut sum = 0;
        for i in 0..3 {
            sum += i * step;
        }
        (0..12).map(move |x| {
            k += 3;
            sum = (sum * 3 + x) % 997;
            sum ^ k
        })
    }

    fn above<'a>(text: &'a [u8], least: u8) -> impl Iterator<Item = &'a u8> + 'a {
        let limit = least.saturating_sub(1);
        text.iter().skip(1).filter(move |c| **c > limit)
    }

    fn others<'a, const M: usize>(text: &'a [u8; M], x: u8) -> impl Iterator<Item = (usize, u8)> + 'a {
        text.iter().enumerate().filter_map(move |(i, &c)| (c != x).then_some((M - i, c)))
    }

    fn multiples<const K: usize>(n: usize) -> impl DoubleEndedIterator<Item = usize> {
        let k = K + 1;
        (0..n).map(move |i| i * K + k)
    }

    #[derive(Clone, Copy)]
    struct Point {
        x: u32,
        y: u32,
    }

    struct Board {
        rows: [u8; 4],
        at: Point,
    }

    impl Board {
        const WIDTH: u32 = 3;

        fn free(&self, row: usize) -> impl Iterator<Item = usize> + use<> {
            let Point { x, y } = self.at;
            let row = self.rows[row] ^ (x as u8);
            (0..8).filter(move |c| row >> c & 1 == 0 && *c as u32 != y % 8)
        }

        fn points(&self) -> impl DoubleEndedIterator<Item = Point> + '_ {
            let x = self.at.x;
            self.rows.iter().map(move |y| {
                let y = u32::from(*y);
                Point { x, y }
            })
        }

        fn raised(&mut self) -> impl Iterator<Item = u8> + '_ {
            self.at.x += 1;
            self.rows.iter_mut().map(|row| {
                *row = row.wrapping_add(1);
                *row
            })
        }

        fn columns(n: u32) -> impl Iterator<Item = u32> {
            (0..n).map(|x| x * Self::WIDTH)
        }

        fn fill(&mut self) -> u32 {
            let mut hash = 0;
            for row in 0..4 {
                let mut free = self.free(row);
                if let (Some(first), second) = (free.next(), free.next()) {
                    self.rows[row] |= 1 << first;
                    hash = hash * 9 + second.unwrap_or(8) as u32 + free.count() as u32;
                }
            }
            hash
        }
    }

    fn hash(items: impl Iterator<Item = u32>) -> u32 {
        let mut hash = 7;
        for x in items {
            hash = (hash * 31 + x) % 65_521;
        }
        hash
    }

    fn hash_of_references<'a>(items: impl IntoIterator<Item = &'a u8>) -> u32 {
        let mut hash = 7;
        for x in items {
            hash = (hash * 31 + u32::from(*x)) % 65_521;
        }
        hash
    }

    fn stepped(x: u32) -> [u32; 6] {
        // Names that the functions declare, too.
        let (sum, row) = (5, 2);
        let mut k = 3;
        let mut numbers = counted(k, x % 7);
        k += 100;
        let first = numbers.next().unwrap_or(1) + sum;
        let some = numbers.by_ref().take(2).sum::<u32>() + k;
        let nth = numbers.nth(2).unwrap_or(4);
        let rest = numbers.map(|x| x % 100).sum::<u32>();
        let mut twofold = doubled(x);
        let second = twofold.nth(1).unwrap_or(3);
        let tail = twofold.fold(0, |hash, x| hash * 7 % 1009 + x) + row;
        [first, some, nth, rest, second, tail]
    }

    fn places(x: u32) -> [u32; 6] {
        let text = (x * 77).to_le_bytes();
        let mut letters = above(&text, 40);
        let first = letters.next().copied();
        let second = letters.next().map_or(5, |x| u32::from(*x));
        let left = letters.count() as u32;
        let mut pairs = others(&text, 3);
        let pair = pairs.next();
        let sum = pairs.map(|(i, c)| i as u32 * u32::from(c)).sum::<u32>();
        let mut numbers = multiples::<5>(x as usize % 9);
        let last = numbers.next_back().unwrap_or(2) as u32;
        let all = numbers.fold(7, |hash, x| hash * 3 % 1009 + x) as u32;
        [
            first.map_or(0, u32::from) * 1000 + second,
            left,
            pair.map_or(1, |(i, c)| i as u32 * 256 + u32::from(c)),
            sum,
            last,
            all,
        ]
    }

    fn of_boards(x: u32) -> [u32; 6] {
        let mut board = Board { rows: (x * 91).to_le_bytes(), at: Point { x, y: x + 1 } };
        let filled = board.fill();
        let ends = {
            let mut points = board.points();
            let first = points.next().map_or(0, |p| p.x + p.y);
            first * 256 + points.next_back().map_or(0, |p| p.y)
        };
        let raised = {
            let mut raised = board.raised();
            let first = raised.next();
            first.map_or(3, u32::from) + raised.count() as u32 * 256
        };
        let boards = [board, Board { rows: [1, 2, 3, 4], at: Point { x: 1, y: 2 } }];
        let mut at = x as usize % 2;
        let mut free = boards[at].free(1);
        at += 1;
        let found = free.next().unwrap_or(9) + at;
        let mut columns = Board::columns(x % 5);
        let column = columns.next().unwrap_or(77) * 16 + columns.last().unwrap_or(3);
        [filled, ends, raised, u32::from(boards[0].rows[3]) + boards[0].at.x * 256, found as u32, column]
    }

    fn passed(x: u32) -> [u32; 6] {
        let text = (x * 55).to_le_bytes();
        let mut shared = bits(x * 13);
        let one = hash(&mut shared);
        let pairs = bits(x * 9).zip(bits(x * 7)).map(|(a, b)| a * 32 + b).sum::<u32>();
        let weighed = text.iter().zip(bits(x ^ 5)).map(|(c, b)| u32::from(*c) * b).sum::<u32>();
        [
            hash(bits(x)),
            hash(doubled(x).map(|x| x + 1)) + hash(counted(x, 2).take(3)),
            hash_of_references(above(&text, 9)),
            one,
            pairs,
            weighed,
        ]
    }

    fn shared(n: u32) -> impl Iterator<Item = u32> {
        let mut k = 0;
        (0..n)
            .map(move |x| {
                k += 1;
                x + k
            })
            .filter(move |_| k < 3)
    }

    fn nested(n: u32) -> impl Iterator<Item = u32> {
        let mut k = 0;
        (0..n).flat_map(move |x| {
            k += 1;
            (0..3).map(move |y| {
                k += y;
                x + k
            })
        })
    }

    fn moved(x: u32) -> [u32; 6] {
        let mut both = shared(x);
        let first = both.next().unwrap_or(9) + both.sum::<u32>();
        let folded = nested(x % 6).fold(0, |hash, x| hash * 5 % 1009 + x);
        let mut k = 5;
        let mut products = (0..x).map(move |x| {
            k += 2;
            x * k
        });
        k += 100;
        let second = products.nth(1).unwrap_or(1);
        k += 1;
        let rest = products.sum::<u32>() + k;
        for x in (0..x % 7).map(move |x| x + k) {
            k += x;
        }
        let mut n = 3;
        let total = (0..x).map(move |x| {
            n += x;
            n
        });
        let total = total.last().unwrap_or(7);
        let sum = (0..x).fold(1, move |hash, x| {
            n += 1;
            hash * 3 % 1009 + x * n
        });
        // Names that the closures declare themselves, too.
        let own = (0..x % 9).map(move |y| {
            let mut k = 0;
            for n in 0..y {
                k += n * x % 7;
            }
            k
        });
        let mut factor = 3;
        let both = (0..x % 9).map(move |x| {
            factor += x;
            let factor = factor * 2;
            if let Some(factor) = (factor % 3 == 0).then_some(5) { factor } else { factor }
        });
        let total = total + own.sum::<u32>() + both.sum::<u32>() + factor;
        let mut at = x % 4;
        let mut run = std::iter::from_fn(move || {
            at += 1;
            (at < 9).then_some(at)
        });
        let run = run.next().unwrap_or(3) + run.sum::<u32>() * 16;
        [first, folded, second + rest, k, sum + n + total, run + at]
    }

    pub fn all(x: u32) -> [[u32; 6]; 5] {
        [stepped(x), places(x), of_boards(x), passed(x), moved(x)]
    }
}

all_agree!(stepped_and_passed_on: [[u32; 6]; 5], 48);
