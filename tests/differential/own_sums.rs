//! `Sum` and `Product` of one's own types, and blocks of traits that the host has alone. Each body as kernel code
//! and as plain Rust.

use amp::prelude::*;
use testkit::twice;

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 20, 33, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_module]
mod vectors {
    use std::fmt;
    use std::iter::{Product, Sum};
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct V {
        pub x: u32,
        pub y: u32,
    }

    impl V {
        /// No zero, to be seen in sums.
        pub const START: V = V { x: 1, y: 100 };

        pub fn twofold(&self) -> V {
            *self + *self
        }
    }

    impl Add for V {
        type Output = V;

        fn add(self, o: V) -> V {
            V {
                x: self.x + o.x,
                y: self.y + 2 * o.y,
            }
        }
    }

    impl Mul for V {
        type Output = V;

        fn mul(self, o: V) -> V {
            V {
                x: self.x * o.x % 9973,
                y: self.y % 97 + o.y,
            }
        }
    }

    impl Sum for V {
        fn sum<I: Iterator<Item = V>>(iter: I) -> V {
            iter.fold(V::START, |a, b| a + b)
        }
    }

    impl<'a> Sum<&'a V> for V {
        fn sum<I: Iterator<Item = &'a V>>(iter: I) -> V {
            iter.fold(V::START, |a, b| a + *b)
        }
    }

    impl Product for V {
        fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
            let mut product = Self { x: 1, y: 2 };
            for part in iter {
                product = product * part;
            }
            product
        }
    }

    impl fmt::Display for V {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "({}, {})", self.x, self.y)
        }
    }
}
use vectors::V;

#[amp_struct]
#[derive(Clone, Copy)]
struct Weight(u32);

#[amp_fn]
impl std::ops::Add for Weight {
    type Output = Weight;

    fn add(self, o: Weight) -> Weight {
        Weight(self.0 + o.0)
    }
}

#[amp_fn]
impl std::iter::Sum for Weight {
    fn sum<I: Iterator<Item = Weight>>(iter: I) -> Weight {
        iter.fold(Weight(5), std::ops::Add::add)
    }
}

twice! {
    sums(n: u32, m: u32) -> u32 = all();
    {
        let parts = [V { x: n, y: 1 }, V { x: m, y: n }, V { x: 3, y: m }];
        let sum: V = parts.iter().copied().sum();
        let of_references = parts.iter().sum::<V>();
        let none = parts.iter().filter(|v| v.x > 1000).copied().sum::<V>();
        let twofold: V = parts.iter().map(V::twofold).sum();
        let product = parts.into_iter().product::<V>();
        let weight = (0..n).map(Weight).sum::<Weight>();
        let all = [sum, of_references, none, twofold, product];
        all.iter().fold(weight.0, |a, v| a.wrapping_mul(31) ^ v.x.wrapping_add(v.y.wrapping_mul(7)))
    }
}

#[test]
fn the_host_has_what_kernels_cannot_have() {
    assert_eq!(V { x: 1, y: 2 }.to_string(), "(1, 2)");
}
