//! Operators of generic types that have several, which the type of the operand tells apart.

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    use std::ops::{Add, AddAssign, Index, IndexMut, Mul};

    #[derive(Clone, Copy)]
    pub struct Matrix<const R: usize, const C: usize> {
        pub m: [[f32; C]; R],
    }

    impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
        type Output = f32;

        fn index(&self, (i, j): (usize, usize)) -> &f32 {
            &self.m[i][j]
        }
    }

    impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f32 {
            &mut self.m[i][j]
        }
    }

    impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
        type Output = Matrix<R, C>;

        fn mul(self, other: Matrix<K, C>) -> Matrix<R, C> {
            let mut product = Matrix { m: [[0.0; C]; R] };
            for i in 0..R {
                for j in 0..C {
                    for k in 0..K {
                        product[(i, j)] += self[(i, k)] * other[(k, j)];
                    }
                }
            }
            product
        }
    }

    impl<const R: usize, const C: usize> Mul<f32> for Matrix<R, C> {
        type Output = Self;

        fn mul(mut self, by: f32) -> Self {
            for row in &mut self.m {
                for x in row.iter_mut() {
                    *x *= by;
                }
            }
            self
        }
    }

    impl<const N: usize> Mul<[f32; N]> for &Matrix<N, N> {
        type Output = [f32; N];

        fn mul(self, by: [f32; N]) -> [f32; N] {
            let mut product = [0.0; N];
            for i in 0..N {
                for k in 0..N {
                    product[i] += self.m[i][k] * by[k];
                }
            }
            product
        }
    }

    impl<const R: usize, const C: usize> AddAssign for Matrix<R, C> {
        fn add_assign(&mut self, other: Self) {
            for (a, b) in self.m.iter_mut().zip(other.m.iter()) {
                for (x, y) in a.iter_mut().zip(b) {
                    *x += y;
                }
            }
        }
    }

    impl<const R: usize, const C: usize> Add for Matrix<R, C> {
        type Output = Self;

        fn add(mut self, other: Self) -> Self {
            self += other;
            self
        }
    }

    #[derive(Clone, Copy)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    impl<T: Copy + Mul<Output = T>> Mul<T> for Pair<T> {
        type Output = Pair<T>;

        fn mul(self, by: T) -> Pair<T> {
            Pair { a: self.a * by, b: self.b * by }
        }
    }

    impl<T: Copy + Mul<Output = T> + Add<Output = T>> Mul<Pair<T>> for Pair<T> {
        type Output = T;

        fn mul(self, other: Pair<T>) -> T {
            self.a * other.a + self.b * other.b
        }
    }

    impl Mul<Pair<i32>> for i32 {
        type Output = Pair<i32>;

        fn mul(self, pair: Pair<i32>) -> Pair<i32> {
            pair * self
        }
    }

    pub fn all(x: f32, n: i32) -> f32 {
        let a = Matrix::<2, 3> { m: [[x, 1.0, 2.0], [-x, 0.5, 3.0]] };
        let b = Matrix::<3, 2> { m: [[1.0, x], [x, 2.0], [4.0, -1.0]] };
        let square = a * b + (a * 2.0) * b * 0.25;
        let [p, q] = &square * [x, 1.0];
        let pair = Pair { a: p, b: q } * 0.5;
        let whole = 3 * (Pair { a: n, b: 2 } * n);
        pair * pair + (whole * Pair { a: 1, b: n }) as f32
    }
}

#[amp_kernel]
fn products(idx: Index<1>, x: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = device::all(x[idx], idx[0] as i32 - 8);
}

#[test]
fn the_operand_tells_which_operator_of_a_generic_type() {
    let x: Vec<f32> = (0..16).map(|i| i as f32 * 0.75 - 5.0).collect();
    let expected: Vec<f32> = x.iter().zip(-8..).map(|(&x, n)| host::all(x, n)).collect();
    let x = ArrayView::new(16, &x).unwrap();
    gives(&expected, |view, out| {
        launch(view, out.extent(), products(&x, out))
    });
}
