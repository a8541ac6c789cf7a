//! Items of std under names that the file or the module gives them. Each body as kernel code and as plain Rust.

use std::cmp::{Ordering as Order, Reverse as Descending};
use std::ops::Range as Span;

use amp::prelude::*;
use testkit::twice;

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 20, 33, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_fn]
fn against(a: u32, b: u32) -> Order {
    match a.cmp(&b) {
        Order::Less => Order::Greater,
        Order::Equal => Order::Equal,
        _ => Order::Less,
    }
}

#[amp_fn]
fn length(span: Span<u32>) -> u32 {
    span.end - span.start
}

#[amp_module]
mod vectors {
    use std::mem::swap as exchange;
    use std::ops::{self, Index as At, IndexMut as AtMut, Mul as Times};

    #[derive(Clone, Copy)]
    pub struct V {
        pub a: [u32; 3],
    }

    impl At<usize> for V {
        type Output = u32;

        fn index(&self, i: usize) -> &u32 {
            &self.a[i]
        }
    }

    impl AtMut<usize> for V {
        fn index_mut(&mut self, i: usize) -> &mut u32 {
            &mut self.a[i]
        }
    }

    impl Times<u32> for V {
        type Output = V;

        fn mul(self, k: u32) -> V {
            V {
                a: self.a.map(|x| x * k),
            }
        }
    }

    impl ops::Add for V {
        type Output = V;

        fn add(self, o: V) -> V {
            V {
                a: std::array::from_fn(|i| self[i] + o[i]),
            }
        }
    }

    pub fn first(mut x: u32, mut y: u32) -> u32 {
        exchange(&mut x, &mut y);
        let mut v = V { a: [x, y, 1] } * 2;
        v[2] += x;
        let sum = v + V { a: [1; 3] };
        sum[0] * 3 + sum[2]
    }
}

#[amp_fn]
fn best(n: u32, m: u32) -> u32 {
    let all = [n, m, 2];
    let least = all.iter().copied().max_by_key(|x| Descending(*x));
    let span: Span<u32> = 2..9 + n;
    least.unwrap_or(0) + length(span)
}

#[amp_fn]
fn case(n: u32, m: u32) -> u32 {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match n.cmp(&m) {
        Less => 1,
        Equal if n > 2 => 2,
        Equal => 3,
        Greater => 4,
    }
}

twice! {
    names(n: u32, m: u32) -> u32 = all();
    {
        let order = against(n, m) == std::cmp::Ordering::Less;
        best(n, m) + order as u32 + vectors::first(n, m) * 2 + case(n, m)
    }
}
