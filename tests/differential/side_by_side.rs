//! References that are taken apart side by side, `match (&a, &b)`, and parts of local arrays that are taken
//! apart by reference.

use amp::prelude::*;
use testkit::{gives, input, launch};

device_and_host! {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Shape {
        Disc(u32),
        Rect { w: u32, h: u32 },
        Nothing,
    }

    #[derive(Clone, Copy)]
    pub struct Body {
        pub shape: Shape,
        pub mass: u32,
    }

    pub fn contact(a: &Body, b: &Body) -> u32 {
        match (&a.shape, &b.shape) {
            (Shape::Disc(r), Shape::Disc(s)) => r * s,
            (Shape::Disc(r), Shape::Rect { h, .. }) | (Shape::Rect { h, .. }, Shape::Disc(r)) => r * 100 + h,
            (Shape::Nothing, _) | (_, Shape::Nothing) => 7,
            _ => 9,
        }
    }

    pub fn both(a: Option<u32>, b: &Option<u32>) -> u32 {
        let mut sum = 0;
        if let (Some(x), Some(y)) = (&a, b) {
            sum += x * 10 + *y;
        }
        let (Some(x), Some(1..=3)) = (&a, b) else {
            return sum + 1000;
        };
        sum + *x
    }

    pub fn written(a: &mut Shape, b: &mut Option<u32>) -> u32 {
        match (&mut *a, b) {
            (Shape::Disc(r), Some(x)) => {
                std::mem::swap(r, x);
                *r + 2 * *x
            }
            (whole, None) => {
                *whole = Shape::Disc(4);
                1
            }
            (Shape::Rect { w, .. }, y @ Some(_)) if *w > 1 => {
                *y = None;
                *w
            }
            _ => 3,
        }
    }

    pub fn numbers(a: &u32, b: &u32, n: usize, v: &[u32; 4]) -> u32 {
        match (a, b, n) {
            (0, x, _) => *x,
            (x, 1..=3, 2) => x + v[n],
            (x, y, _) if x > y => x - y,
            (&x, y, n) => x + y * n as u32,
        }
    }

    pub fn nested(v: &[Shape; 3], i: usize, j: usize) -> u32 {
        match ((&v[i], &v[j]), i) {
            ((Shape::Disc(r), Shape::Nothing), 0) => *r,
            ((other, Shape::Rect { w, h: 2 }), n) => {
                w * n as u32 + match other {
                    Shape::Disc(r) => *r,
                    _ => 50,
                }
            }
            _ => 90,
        }
    }

    pub struct Table {
        pub pairs: [(u32, u8); 4],
    }

    impl Table {
        pub fn get(&self, i: usize) -> u32 {
            let (sum, n) = &self.pairs[i];
            sum * 10 + *n as u32
        }

        pub fn add(&mut self, i: usize, x: u32) {
            let (sum, n) = &mut self.pairs[i];
            *sum += x;
            *n += 1;
        }
    }

    /// The place is used again behind its parts.
    pub fn moved(table: &mut Table, i: usize) -> u32 {
        let (sum, n) = &mut table.pairs[i];
        *sum += *n as u32;
        *n *= 2;
        table.pairs[0].0 + table.pairs[i].1 as u32
    }

    pub fn elements(i: usize) -> u32 {
        let mut sums = [(0_u32, 0_u32); 3];
        for x in 0..5 {
            let (sum, n) = &mut sums[(i + x) % 3];
            *sum += x as u32;
            *n += 1;
        }
        let mut rows = [[1_u32, 2], [3, 4], [5, 6]];
        let row = &mut rows[i];
        row[0] += 7;
        let [x, y] = row;
        std::mem::swap(x, y);
        let last = &rows[(i + 1) % 3];
        let [a, b] = last;
        let (sum, n) = &sums[i];
        rows[i][0] * 1000 + rows[i][1] * 100 + a * b + sum * 10 + n + last[0]
    }

    pub fn first_and_rest(v: &[u32]) -> u32 {
        let Some((first, rest)) = v.split_first() else {
            return 99;
        };
        match (first, rest) {
            (0, []) => 1,
            (x, [y, ..]) if *x > *y => x - y,
            (x, [.., z]) => x + z,
            (x, []) => *x,
        }
    }

    pub fn halves(v: &[u32], n: usize) -> u32 {
        let (head, tail) = v.split_at(n);
        match (head, tail) {
            ([], []) => 1,
            ([a, 1 | 3, ..], [.., b]) => a + b,
            ([x], []) | ([], [x]) => *x,
            (whole, []) => whole.len() as u32 + whole[1],
            (_, [first, rest @ ..]) => first + rest.iter().sum::<u32>(),
        }
    }

    pub fn merged(a: &[u32], b: &[u32]) -> [u32; 8] {
        let (mut a, mut b, mut n, mut out) = (a, b, 0, [0; 8]);
        loop {
            match (a, b) {
                ([], []) => return out,
                ([x, rest @ ..], []) => {
                    out[n] = *x;
                    a = rest;
                }
                ([x, rest @ ..], [y, ..]) if x <= y => {
                    out[n] = *x;
                    a = rest;
                }
                (_, [y, rest @ ..]) => {
                    out[n] = *y;
                    b = rest;
                }
            }
            n += 1;
        }
    }

    pub fn ends(v: &mut [u32], k: u32) -> u32 {
        match (&mut v[1..], k % 4) {
            ([x, ..], 0) => {
                *x += 1;
                0
            }
            ([.., y], z) if z > 2 => {
                *y = z;
                1
            }
            _ => 2,
        }
    }

    pub fn slices(x: u32) -> u32 {
        let n = x as usize % 4;
        let mut v = [x % 3, x % 2, 4 + x, x / 2];
        let merged = merged(&[1, 4 + x, 30], &[x, x + 2]);
        let sum = ends(&mut v, x) + merged[n] * 3 + merged[n + 1];
        sum + first_and_rest(&v[n..]) * 5 + halves(&v, n) + halves(&v[n..], (4 - n) % 2)
    }

    pub fn all(x: u32) -> u32 {
        let i = x as usize % 3;
        let shapes = [Shape::Disc(x), Shape::Rect { w: x + 1, h: x % 4 }, Shape::Nothing];
        let bodies = [0, 1, 2].map(|k| Body { shape: shapes[(i + k) % 3], mass: x });
        let options = [None, Some(x), Some(2), Some(x / 2)];
        let mut sum = contact(&bodies[0], &bodies[1]) + contact(&bodies[1], &bodies[0]) * 3;
        sum += both(options[i], &options[(i + 1) % 4]) + both(options[i + 1], &options[2]);
        let (mut shape, mut option) = (shapes[i], options[(x % 4) as usize]);
        sum += written(&mut shape, &mut option) * 5 + (shape == shapes[0]) as u32 + option.unwrap_or(11);
        sum += numbers(&(x % 3), &(x % 5), i, &[x, 1, 2, 3]) + nested(&shapes, i, (x % 2) as usize);
        let mut table = Table { pairs: [(x, 1), (2, 3), (4, 5), (6, 7)] };
        table.add(i, x);
        sum + moved(&mut table, i + 1) + table.get(i) + elements(i) + slices(x)
    }
}

all_agree!(what_stands_side_by_side_is_taken_apart: u32, 40);

#[amp_kernel]
fn neighbours(idx: Index<1>, x: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let next = (idx[0] + 1) % x.len();
    match (&x[idx], &x[next], &mut out[idx]) {
        (0, y, slot) => *slot = *y,
        (x, 0..=4, slot) => *slot = 100 + x,
        (x, y, slot) => {
            *slot = x * 10;
            *slot += y;
        }
    }
}

#[test]
fn elements_of_views_are_taken_apart_side_by_side() {
    let x: Vec<u32> = (0..20).map(|x| x * 7 % 11).collect();
    let expected: Vec<u32> = (0..20)
        .map(|i| match (x[i], x[(i + 1) % 20]) {
            (0, y) => y,
            (x, 0..=4) => 100 + x,
            (x, y) => x * 10 + y,
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 20, neighbours(&input(&x), out))
    });
}
