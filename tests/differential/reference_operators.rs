//! Operators of one's own types that take references.

use amp::prelude::*;
use testkit::{gives, input, launch, same_by_eq};

#[amp_module]
mod vectors {
    use amp::prelude::*;
    use std::ops::{Add, AddAssign, Mul, Neg, Not, Sub};

    #[derive(Debug, PartialEq)]
    pub struct V {
        pub x: i32,
        pub y: i32,
    }

    impl Add for V {
        type Output = V;
        fn add(self, other: V) -> V {
            V {
                x: self.x + other.x,
                y: self.y + 1,
            }
        }
    }

    impl<'a> Add<&'a V> for &'a V {
        type Output = V;
        fn add(self, other: &'a V) -> V {
            V {
                x: self.x + other.x,
                y: self.y + 2,
            }
        }
    }

    impl Add<&V> for V {
        type Output = Self;
        fn add(self, other: &Self) -> Self {
            V {
                x: self.x + other.x,
                y: self.y + 3,
            }
        }
    }

    impl Sub for &V {
        type Output = V;
        fn sub(self, other: Self) -> Self::Output {
            V {
                x: self.x - other.x,
                y: self.y * other.y,
            }
        }
    }

    impl AddAssign<&V> for V {
        fn add_assign(&mut self, other: &V) {
            self.x += other.x;
            self.y ^= other.y;
        }
    }

    impl Neg for &V {
        type Output = V;
        fn neg(self) -> V {
            V {
                x: -self.x,
                y: self.y,
            }
        }
    }

    impl Not for V {
        type Output = V;
        fn not(self) -> V {
            V {
                x: !self.x,
                y: self.y,
            }
        }
    }

    impl Mul<i32> for &V {
        type Output = V;
        fn mul(self, by: i32) -> V {
            V {
                x: self.x * by,
                y: self.y,
            }
        }
    }

    impl Mul<&V> for i32 {
        type Output = V;
        fn mul(self, of: &V) -> V {
            of * self
        }
    }

    pub struct P<T> {
        pub a: T,
    }

    impl<T: Scalar> Add<&P<T>> for &P<T> {
        type Output = P<T>;
        fn add(self, other: &P<T>) -> P<T> {
            P {
                a: self.a + other.a,
            }
        }
    }

    impl<T: Scalar> Add for P<T> {
        type Output = P<T>;
        fn add(self, other: P<T>) -> P<T> {
            P {
                a: self.a * other.a,
            }
        }
    }

    // Bounds that do not imply `'static`.
    impl<'a, T: Copy + Mul<Output = T>> Mul<T> for &'a P<T> {
        type Output = P<T>;
        fn mul(self, by: T) -> P<T> {
            P { a: self.a * by }
        }
    }

    impl<T: Copy + Sub<Output = T>> Sub<&P<T>> for P<T> {
        type Output = P<T>;
        fn sub(self, other: &P<T>) -> P<T> {
            P {
                a: self.a - other.a,
            }
        }
    }

    pub fn scaled<T>(p: &P<T>, by: T) -> T
    where
        T: Copy + Mul<Output = T> + Sub<Output = T>,
    {
        (p * by - p).a
    }
}
use vectors::{P, V, scaled};

same_by_eq!(V);

#[amp_fn]
fn combined(a: &V, b: &V) -> V {
    let p = P { a: 2 };
    let q = &p + &P { a: a.x };
    let mut sum = a + b;
    sum += b;
    sum += &(a - b);
    let product = p + q;
    sum + &(product.a * &(!-a + (&-b + &(b * 3))))
}

/// The same, with what the operators do written out.
fn expected(a: &V, b: &V) -> V {
    let q = 2 + a.x;
    let mut sum = V {
        x: a.x + b.x,
        y: a.y + 2,
    };
    (sum.x, sum.y) = (sum.x + b.x, sum.y ^ b.y);
    (sum.x, sum.y) = (sum.x + (a.x - b.x), sum.y ^ (a.y * b.y));
    let product = 2 * q;
    let last = V {
        x: !-a.x + (-b.x + b.x * 3),
        y: a.y + 1,
    };
    V {
        x: sum.x + last.x * product,
        y: sum.y + 3,
    }
}

#[amp_kernel]
fn in_memory(idx: Index<1>, v: &ArrayView<V, 1>, out: &mut ArrayViewMut<V, 1>) {
    let n = v.extent()[0];
    let a = &v[idx];
    let b = &v[n - 1 - idx[0]];
    out[idx] = combined(a, b);
    out[idx] = &out[idx] + a;
    out[idx] += &v[idx];
    out[idx] = -&out[idx];
}

#[amp_kernel]
fn in_tiles(t_idx: TiledIndex<1, 4>, v: &ArrayView<V, 1>, out: &mut ArrayViewMut<V, 1>) {
    #[tile_static]
    let mut part: [V; 4];
    let i = t_idx.local[0];
    part[i] = v[t_idx.global];
    t_idx.barrier.wait();
    let sum = &part[i] + &part[(i + 1) % 4];
    let next = &part[3 - i];
    out[t_idx.global] = sum + next;
}

#[amp_kernel]
fn of_any_lifetime(idx: Index<1>, v: &ArrayView<V, 1>, out: &mut ArrayViewMut<V, 1>) {
    let (x, y) = (P { a: v[idx].x }, P { a: v[idx].y });
    out[idx] = V {
        x: scaled(&x, 5),
        y: (&y * 3 - &x).a,
    };
}

fn data() -> Vec<V> {
    (0..32)
        .map(|i| V {
            x: i * 7 % 11 - 3,
            y: i * 5 % 13,
        })
        .collect()
}

#[test]
fn of_elements() {
    let v = data();
    let of = |i: usize| {
        let made = expected(&v[i], &v[31 - i]);
        let made = V {
            x: made.x + v[i].x,
            y: made.y + 2,
        };
        V {
            x: -(made.x + v[i].x),
            y: made.y ^ v[i].y,
        }
    };
    let expected: Vec<V> = (0..32).map(of).collect();
    gives(&expected, |view, out| {
        launch(view, 32, in_memory(&input(&v), out))
    });
}

#[test]
fn of_tile_memory() {
    let v = data();
    let of = |i: usize| {
        let (tile, i) = (i / 4 * 4, i % 4);
        let (a, b, c) = (&v[tile + i], &v[tile + (i + 1) % 4], &v[tile + 3 - i]);
        V {
            x: a.x + b.x + c.x,
            y: a.y + 5,
        }
    };
    let expected: Vec<V> = (0..32).map(of).collect();
    gives(&expected, |view, out| {
        view.parallel_for_each(out.extent().tile::<4>(), in_tiles(&input(&v), out))
    });
}

#[test]
fn of_types_that_need_not_be_static() {
    let v = data();
    let of = |v: &V| V {
        x: v.x * 4,
        y: v.y * 3 - v.x,
    };
    let expected: Vec<V> = v.iter().map(of).collect();
    gives(&expected, |view, out| {
        launch(view, 32, of_any_lifetime(&input(&v), out))
    });
}
