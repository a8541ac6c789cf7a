//! Slices of local and tile_static arrays, of fields and of elements of views: as parameters and
//! variables, with their loops and methods; variables that are ranges; and type aliases. Each body is compiled for devices and as plain Rust.

use amp::prelude::*;
use testkit::{gives, launch};

/// Compares what helpers, the last of which is `work`, do as kernel code and as plain Rust.
macro_rules! alike {
    ($name:ident { $(fn $helper:ident$(<$T:ident: $bound:path>)?($($params:tt)*) $(-> $out:ty)? { $($body:tt)* })* }) => {
        #[allow(clippy::all, unused)]
        mod $name {
            use super::*;

            mod device {
                use super::*;
                $(#[amp_fn]
                pub fn $helper$(<$T: $bound>)?($($params)*) $(-> $out)? { $($body)* })*
            }

            mod plain {
                use super::*;
                $(pub fn $helper$(<$T: $bound>)?($($params)*) $(-> $out)? { $($body)* })*
            }

            #[amp_kernel]
            fn each(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
                out[idx] = device::work(idx[0] as u32);
            }

            #[test]
            fn is_the_same_everywhere() {
                let expected: Vec<u32> = (0..32).map(plain::work).collect();
                gives(&expected, |view, out| launch(view, 32, each(out)));
                assert_eq!(expected, (0..32).map(device::work).collect::<Vec<_>>());
            }
        }
    };
}

alike! {
    parameters {
        fn folded(a: &[u32]) -> u32 {
            let mut sum = 17_u32;
            for i in 0..a.len() {
                sum = sum.wrapping_mul(31).wrapping_add(a[i]);
            }
            for x in a {
                sum = sum.wrapping_mul(7).wrapping_add(*x);
            }
            for (i, &x) in a.iter().enumerate() {
                sum = sum.wrapping_mul(3).wrapping_add(x ^ i as u32);
            }
            for x in a.iter().copied().rev() {
                sum = sum.wrapping_mul(5).wrapping_add(x);
            }
            sum
        }

        fn total<T: Scalar>(a: &[T]) -> T {
            let mut sum = T::ZERO;
            for x in a.iter() {
                sum = sum + *x;
            }
            sum
        }

        fn grow(a: &mut [u32], by: u32) {
            for x in a.iter_mut() {
                *x = x.wrapping_mul(by);
            }
            let n = a.len();
            a[n - 1] += 1;
            a[0] ^= folded(&a[1..]);
        }

        fn halves(a: &mut [u32]) -> u32 {
            let half = a.len() / 2;
            grow(&mut a[..half], 3);
            grow(&mut a[half..], 5);
            grow(a, 7);
            let (left, right) = (folded(&a[..half]), folded(&a[half..]));
            left ^ right.rotate_left(3) ^ folded(a)
        }

        fn work(x: u32) -> u32 {
            let n = x as usize;
            let mut a = [x, 2, 3, x * 7, 5, 6, 7];
            let mut sum = folded(&a) ^ folded(&a[1..]) ^ folded(&a[n % 4..5]) ^ folded(&a[..=n % 7]);
            sum = sum.wrapping_add(folded(&[x, 1]));
            sum = sum.wrapping_add(total(&a[n % 3..n % 3 + 2]) + total(&[1.5_f32, x as f32][1..]) as u32);
            sum ^= halves(&mut a) ^ halves(&mut a[1..n % 4 + 3]);
            let mut rows = [[x, 1, 2], [3, x, 5]];
            let row = &mut rows[n % 2][1..];
            grow(row, 9);
            row[0] += 4;
            rows[(n + 1) % 2][1..][n % 2] += 2;
            sum ^= rows[n % 2][..][0] ^ rows[(n + 1) % 2][n % 3..][0] ^ [x, 9, 4][n % 2..][1];
            let row = &rows[n % 2];
            sum ^ folded(row) ^ folded(&row[..2][1..]) ^ folded(&a)
        }
    }
}

alike! {
    chains {
        fn dot(a: &[i32], b: &[i32]) -> i32 {
            a.iter().zip(b).map(|(x, y)| x.wrapping_mul(*y)).fold(0_i32, |sum, x| sum.wrapping_add(x))
        }

        fn largest(a: &[i32]) -> Option<i32> {
            a.iter().copied().max()
        }

        fn work(x: u32) -> u32 {
            let (n, x) = (x as usize, x as i32);
            let mut a = [x, 4 - x, 3, 9 * x, -5];
            let mut sum = dot(&a, &a[1..]) ^ dot(&a[n % 3..], &a);
            sum += a[1..].iter().filter(|x| **x > 0).count() as i32;
            sum += a.windows(3).map(|w| w[0] * w[2] + dot(w, &w[1..])).sum::<i32>();
            for part in a.chunks(2) {
                sum = sum.wrapping_mul(3) ^ part[0] ^ part.len() as i32 ^ dot(part, part);
            }
            for part in a[1..].chunks_mut(3) {
                part[0] += 1;
                for x in part {
                    *x ^= 5;
                }
            }
            for x in a[..n % 5].iter_mut() {
                *x += 1;
            }
            sum ^= largest(&a[n % 5..]).unwrap() ^ largest(&a[..n % 2]).unwrap_or(77);
            let f = |s: &[i32], k: i32| s[0] * k + s.len() as i32;
            (sum ^ f(&a, 3) ^ f(&a[2..], 5) ^ a[1..4].iter().rev().next().copied().unwrap()) as u32
        }
    }
}

alike! {
    methods {
        fn sorted(a: &mut [u32]) -> bool {
            let half = a.len() / 2;
            a[..half].sort();
            a[half..].sort_by(|x, y| y.cmp(x));
            let was_sorted = a[..half].is_sorted();
            a.swap(0, half);
            a.rotate_left(1);
            a[1..].rotate_right(2);
            a[..half + 1].reverse();
            was_sorted && a.contains(&7) && !a.is_empty()
        }

        fn work(x: u32) -> u32 {
            let n = x as usize;
            let mut a = [x, 7, 3, x ^ 5, 1, 2 * x];
            let mut sum = u32::from(sorted(&mut a));
            sum += 2 * u32::from(sorted(&mut a[n % 3..]));
            sum += 4 * u32::from(a[1..n % 5 + 1].is_empty());
            a[n % 4..n % 4 + 2].fill(x * 3);
            sum += 8 * u32::from(a[2..].contains(&9));
            a[3..].sort_unstable_by_key(|x| x % 5);
            for x in a {
                sum = sum.wrapping_mul(31).wrapping_add(x);
            }
            sum
        }
    }
}

alike! {
    elements {
        fn found(a: &[i32], b: &mut [i32]) -> i32 {
            let mut sum = a.first().copied().unwrap_or(7);
            if let Some(x) = a.last() {
                sum += 10 * *x;
            }
            if let Some(x) = b.get_mut(1) {
                *x += 100;
            }
            if let Some(x) = b.first_mut() {
                *x += 1;
            }
            match a.get(2) {
                Some(&x) => sum += x,
                None => sum -= 1000,
            }
            sum += a.get(3).map_or(5, |x| x * 2);
            if a.get(4).is_some() {
                sum += 3;
            }
            let Some(x) = a.get(1) else {
                return sum ^ b[0];
            };
            sum + *x + b[0]
        }

        fn halves(a: &[i32], by: usize) -> i32 {
            let (left, right) = a.split_at(by);
            let (a, rest) = right.split_at(1);
            let Some(&first) = rest.first() else {
                return left.len() as i32 * 7 + a[0];
            };
            let &largest = a.iter().max().unwrap();
            left.iter().sum::<i32>() + largest * 3 + first
        }

        fn copies(x: i32, from: &[i32]) -> i32 {
            let mut a = [x, 2, 3];
            a[1..].copy_from_slice(&from[..2]);
            let mut b = [0; 3];
            b.copy_from_slice(&a);
            let mut sum = b[0] + 3 * b[1] + 5 * b[2];
            sum += 100 * i32::from(from.starts_with(&a[1..]));
            sum += 200 * i32::from(b.ends_with(&from[..2])) + 400 * i32::from(from[..1].ends_with(from));
            sum
        }

        fn work(x: u32) -> u32 {
            let n = x as usize % 6;
            let a = [x as i32, 2, 3, 4, 5, 6];
            let mut b = [1, 2, 3];
            let s = a.as_slice();
            let mut sum = found(&a, &mut b) + found(&a[n..], &mut b[..n % 3 + 1]);
            sum += found(&s[..n], b.as_mut_slice()) + halves(&a, n) + halves(&s[..5], n % 5);
            sum += a.first().unwrap() + *s.last().unwrap() + copies(sum, s);
            for (p, q) in s.iter().zip(s) {
                sum += *p * *q;
            }
            (sum + b[1]) as u32
        }
    }
}

alike! {
    ranges {
        fn halfway(n: usize) -> usize {
            let all = 0..n;
            (all.start + all.end) / 2
        }

        fn work(x: u32) -> u32 {
            let n = x as usize % 9;
            let r = 1..n + 1;
            let mut sum = 0;
            for i in r.clone() {
                sum += i as u32;
            }
            if r.contains(&3) && !r.is_empty() {
                sum += 100;
            }
            sum += r.len() as u32 * 7;
            let a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
            for v in &a[r.clone()] {
                sum += v;
            }
            let closed = -2..=n as i32 - 4;
            for i in closed.clone().rev() {
                sum = sum.wrapping_mul(3).wrapping_add(i as u32);
            }
            sum += u32::from(closed.contains(&2)) + 2 * u32::from(closed.is_empty());
            let odd: u32 = r.filter(|i| i % 2 == 1).map(|i| i as u32).sum();
            sum.wrapping_add(odd) ^ halfway(n) as u32
        }
    }
}

#[amp_module]
mod aliased {
    type Cell = [u32; 2];
    type Pair = Two;

    pub struct Two {
        pub one: Cell,
        pub other: u32,
    }

    impl Two {
        pub fn new(one: Cell) -> Pair {
            Pair { one, other: 3 }
        }
    }

    pub fn total(of: Pair) -> u32 {
        let Pair { one, other } = of;
        let again = Pair::new(one);
        one[0] + one[1] + other + again.other
    }
}

#[amp_kernel]
fn with_aliases(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    type Row = [u32; 3];
    let mut row: Row = [idx[0] as u32; 3];
    {
        type Row = u8;
        let narrow = 300_u32 as Row;
        row[0] += u32::from(narrow);
    }
    out[idx] = aliased::total(aliased::Two::new([row[0], row[1]]));
}

#[test]
fn aliases_stand_for_their_types() {
    let expected: Vec<u32> = (0..4).map(|i| 2 * i + 44 + 6).collect();
    gives(&expected, |view, out| launch(view, 4, with_aliases(out)));
}

#[amp_module]
mod filters {
    pub struct Taps {
        pub weights: [f32; 4],
    }

    impl Taps {
        pub fn apply(&self, x: &[f32]) -> f32 {
            let mut sum = 0.0;
            for (w, x) in self.weights.iter().zip(x) {
                sum += w * x;
            }
            for x in x {
                sum += *x;
            }
            sum + x[0] + first(&x[1..]) + x[1..].len() as f32
        }

        pub fn shift(&mut self, into: &mut [f32]) {
            for x in into.iter_mut() {
                *x *= 2.0;
            }
            into[1..].fill(self.weights[1]);
            self.weights[1..].reverse();
        }
    }

    pub fn first(x: &[f32]) -> f32 {
        x[0]
    }
}
use filters::Taps;

#[amp_kernel]
fn filtered(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let x = idx[0] as f32;
    let mut taps = Taps {
        weights: [1.0, x, 3.0, 4.0],
    };
    let mut a = [x, 2.0, 3.0, 4.0];
    taps.shift(&mut a[1..]);
    out[idx] = taps.apply(&a[2..]) + taps.apply(&a) + taps.weights[1];
}

#[test]
fn methods_of_modules_take_slices() {
    let expected: Vec<f32> = (0..8)
        .map(|i| {
            let x = i as f32;
            let mut taps = Taps {
                weights: [1.0, x, 3.0, 4.0],
            };
            let mut a = [x, 2.0, 3.0, 4.0];
            taps.shift(&mut a[1..]);
            taps.apply(&a[2..]) + taps.apply(&a) + taps.weights[1]
        })
        .collect();
    assert_eq!(expected[2], 70.0);
    gives(&expected, |view, out| launch(view, 8, filtered(out)));
}

#[amp_fn]
fn sum(a: &[u32]) -> u32 {
    a.iter().sum()
}

#[amp_fn]
fn mark(a: &mut [u32], with: u32) {
    a[0] += with;
    a[1..].reverse();
}

#[amp_kernel]
fn in_tiles(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 4];
    let i = t_idx.local[0];
    shared[i] = t_idx.global[0] as u32;
    t_idx.barrier.wait();
    let before = sum(&shared[i..]);
    t_idx.barrier.wait();
    if i == 0 {
        mark(&mut shared[1..], 10);
    }
    t_idx.barrier.wait();
    let part = &shared[..2];
    out[t_idx.global] = before * 1000 + sum(&shared) + part[1] + shared[i..].len() as u32;
}

#[test]
fn of_tile_memory() {
    let expected: Vec<u32> = (0..8_usize)
        .map(|global| {
            let (first, i) = (global / 4 * 4, global % 4);
            let mut shared = [0, 1, 2, 3].map(|local| (first + local) as u32);
            let before: u32 = shared[i..].iter().sum();
            shared[1] += 10;
            shared[2..].reverse();
            before * 1000 + shared.iter().sum::<u32>() + shared[1] + (4 - i) as u32
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, Extent::new([8]).tile::<4>(), in_tiles(out))
    });
}

#[amp_struct]
struct Row {
    cells: [u32; 4],
}

#[amp_kernel]
fn in_views(idx: Index<1>, rows: &mut ArrayViewMut<Row, 1>, out: &mut ArrayViewMut<u32, 1>) {
    mark(&mut rows[idx].cells[1..], 5);
    rows[idx].cells[..2].fill(idx[0] as u32);
    let cells = &rows[idx].cells;
    out[idx] = sum(&cells[1..]) + sum(cells) + u32::from(rows[idx].cells[2..].contains(&4));
}

#[test]
fn of_elements_of_views() {
    let mut rows: Vec<Row> = (0..6)
        .map(|i| Row {
            cells: [i, 2, 3, 4],
        })
        .collect();
    let start = rows.clone();
    let expected: Vec<u32> = rows
        .iter_mut()
        .zip(0..)
        .map(|(row, i)| {
            row.cells[1] += 5;
            row.cells[2..].reverse();
            row.cells[..2].fill(i);
            let all = row.cells.iter().sum::<u32>();
            2 * all - row.cells[0] + u32::from(row.cells[2..].contains(&4))
        })
        .collect();
    gives(&expected, |view, out| {
        let mut rows = start.clone();
        let mut rows = ArrayViewMut::new(rows.len(), &mut rows[..])?;
        launch(view, 6, in_views(&mut rows, out))
    });
}

/// The fault of the first thread, which is the same everywhere, as is what the kernel computes then.
#[amp_kernel]
fn outside(idx: Index<1>, start: usize, end: usize, at: usize, out: &mut ArrayViewMut<u32, 1>) {
    let a = [1, 2, 3, 4, 5];
    let part = &a[start..end];
    out[idx] = sum(part) + 100 * part.len() as u32 + part[at];
}

#[test]
fn faults_are_the_same_everywhere() {
    let cases = [
        (
            3,
            2,
            0,
            "range out of bounds: 3..2 of a slice of length 5",
            0,
        ),
        (
            1,
            6,
            0,
            "range out of bounds: 1..6 of a slice of length 5",
            0,
        ),
        (
            1,
            3,
            2,
            "index out of bounds: the length is 2 but the index is 2",
            205,
        ),
    ];
    for (start, end, at, message, left) in cases {
        testkit::everywhere(|view| {
            let mut data = [9; 1];
            let mut out = ArrayViewMut::new(1, &mut data).unwrap();
            launch(view, 1, outside(start, end, at, &mut out)).unwrap();
            let fault = out.synchronize().unwrap_err().to_string();
            assert!(fault.contains(message), "{fault}");
            drop(out);
            assert_eq!(data, [left]);
        });
    }
}

#[test]
fn the_host_calls_helpers_with_slices() {
    let mut numbers = vec![1, 2, 3];
    mark(&mut numbers, 4);
    assert_eq!((sum(&numbers), sum(&numbers[1..]), sum(&[7])), (10, 5, 7));
}
