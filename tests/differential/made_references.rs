//! References that the closures of `map` make. Each body as kernel code and as plain Rust.

use amp::prelude::*;
use testkit::twice;

fn all() -> (Vec<u32>, Vec<u32>) {
    let numbers: Vec<u32> = (0..64).collect();
    (
        numbers.iter().map(|x| x * 7 % 61).collect(),
        numbers.iter().map(|x| x / 3).collect(),
    )
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Point {
    at: [u32; 2],
    n: u32,
}

#[amp_module]
mod rings {
    #[derive(Clone, Copy)]
    pub struct Ring<T, const N: usize> {
        pub buffer: [T; N],
        pub start: usize,
        pub len: usize,
    }

    impl<T: Copy, const N: usize> Ring<T, N> {
        pub fn items(&self) -> impl Iterator<Item = &T> {
            (0..self.len).map(|i| &self.buffer[(self.start + i) % N])
        }
    }
}

use rings::Ring;

twice! {
    of_elements(n: u32, m: u32) -> u32 = all();
    {
        let x = [n, m, 3, n ^ m, 9];
        let order = [n as usize % 5, 2, m as usize % 5];
        let mut sum = *order.iter().map(|&i| &x[i]).max().unwrap();
        sum = sum * 3 + order.iter().map(|&i| &x[i]).copied().min().unwrap();
        sum ^= (0..4).map(|i| (&x[i], &x[4 - i])).map(|(a, b)| a * b).sum::<u32>();
        for (i, &y) in x.iter().enumerate().map(|(i, y)| (i + 1, y)) {
            sum = sum * 5 % 9973 + y * i as u32;
        }
        for (y, i) in (0..5).map(|i| (&x[i], i * 2)).skip(1).step_by(2) {
            sum += *y * i as u32;
        }
        sum
    }
}

twice! {
    of_fields(n: u32, m: u32) -> u32 = all();
    {
        let points = [Point { at: [n, 1], n: m }, Point { at: [m, n + 1], n: 4 }, Point { at: [5, 6], n }];
        let mut sum = points.iter().map(|p| &p.at[p.n as usize % 2]).copied().sum::<u32>();
        sum += points.iter().enumerate().map(|(i, p)| (i as u32 + 1, &p.n)).map(|(i, n)| i * n).sum::<u32>();
        if let Some((key, n)) = points.iter().map(|p| (p.at[0] % 7, &p.n)).max_by_key(|(key, _)| *key) {
            sum += key * 100 + *n;
        }
        sum * 3
    }
}

twice! {
    of_functions(n: u32, m: u32) -> u32 = all();
    {
        let ring = Ring { buffer: [n, m, 7, n + m], start: n as usize % 4, len: m as usize % 5 };
        let mut sum = 0;
        for x in ring.items() {
            sum = sum * 3 + *x % 100;
        }
        sum + ring.items().map(|x| x % 50).max().unwrap_or(9) + ring.items().copied().last().unwrap_or(8)
    }
}
