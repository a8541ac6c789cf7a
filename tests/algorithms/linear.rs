use std::ops::{Add, Mul};

use amp::algorithms::{Gemm, Gemv, MatrixElement, gemm, gemv, transpose, transpose_on};
use amp::prelude::*;
use half::{bf16, f16};
use testkit::{Same, assert_same, views};

/// Numbers of all types, and what their products are summed as.
trait Number: MatrixElement + Same {
    type Sum: Copy + Add<Output = Self::Sum> + Mul<Output = Self::Sum> + PartialEq + From<f32>;

    /// The distance to the next number from one.
    const STEP: f64;

    fn wide(self) -> Self::Sum;
    fn narrow(sum: Self::Sum) -> Self;
    fn to_f64(self) -> f64;

    fn of(number: f32) -> Self {
        Self::narrow(number.into())
    }

    fn random(random: &mut fastrand::Rng) -> Self {
        Self::of(random.f32() * 2.0 - 1.0)
    }

    /// Whether the order of roundings explains the difference.
    fn is_about(self, other: Self) -> bool {
        let (x, y) = (self.to_f64(), other.to_f64());
        (x - y).abs() < 1e-3 + Self::STEP * y.abs()
    }
}

macro_rules! number {
    ($($type:ident as $sum:ident, |$x:ident| $wide:expr, $narrow:expr, $step:expr;)*) => {$(
        impl Number for $type {
            type Sum = $sum;

            const STEP: f64 = $step;

            fn wide(self) -> $sum {
                let $x = self;
                $wide
            }

            fn narrow($x: $sum) -> Self {
                $narrow
            }

            fn to_f64(self) -> f64 {
                self.wide().into()
            }
        }
    )*};
}
number! {
    f32 as f32, |x| x, x, 0.0;
    f64 as f64, |x| x, x, 0.0;
    f16 as f32, |x| x.to_f32(), f16::from_f32(x), 1.0 / 1024.0;
    bf16 as f32, |x| x.to_f32(), bf16::from_f32(x), 1.0 / 128.0;
}

fn numbers<T: Number>(random: &mut fastrand::Rng, count: usize) -> Vec<T> {
    (0..count).map(|_| T::random(random)).collect()
}

/// A matrix as a section of an array that is larger by one on each side.
struct Matrix<T> {
    extent: [usize; 2],
    /// Of the array.
    data: Vec<T>,
}

impl<T: Number> Matrix<T> {
    fn random(random: &mut fastrand::Rng, extent: [usize; 2]) -> Self {
        let data = numbers(random, (extent[0] + 2) * (extent[1] + 2));
        Self { extent, data }
    }

    fn place(&self, row: usize, column: usize) -> usize {
        (row + 1) * (self.extent[1] + 2) + column + 1
    }

    fn at(&self, row: usize, column: usize, transposes: bool) -> T {
        self.data[match transposes {
            true => self.place(column, row),
            false => self.place(row, column),
        }]
    }

    fn array(&self, view: &AcceleratorView) -> Array<T, 2> {
        let builder = Array::builder(self.extent.map(|length| length + 2)).on(view);
        builder.data(&self.data).build().unwrap()
    }
}

/// `alpha * sum + beta * before`, which is not read if `beta` is zero.
fn scaled<T: Number>(alpha: T, sum: T::Sum, beta: T, before: T) -> T {
    T::narrow(match beta.wide() == 0.0.into() {
        true => alpha.wide() * sum,
        false => alpha.wide() * sum + beta.wide() * before.wide(),
    })
}

fn products<T: Number>() {
    let factors = [0.75, -1.3].map(T::of);
    let mut random = fastrand::Rng::with_seed(1);
    let sizes = [
        [1, 1, 1],
        [3, 5, 2],
        [16, 16, 16],
        [32, 33, 31],
        [70, 17, 130],
        [1, 300, 1],
        [129, 9, 1],
    ];
    let mut sizes: Vec<[usize; 3]> = sizes.to_vec();
    sizes.extend((0..2).map(|_| [0; 3].map(|_| random.usize(1..100))));
    for (number, [m, k, n]) in sizes.into_iter().enumerate() {
        for ways in 0..4 {
            let (of_a, of_b) = (ways & 1 == 1, ways & 2 == 2);
            let swapped = |[rows, columns]: [usize; 2], is: bool| match is {
                true => [columns, rows],
                false => [rows, columns],
            };
            let a = Matrix::<T>::random(&mut random, swapped([m, k], of_a));
            let b = Matrix::<T>::random(&mut random, swapped([k, n], of_b));
            let c = Matrix::<T>::random(&mut random, [m, n]);
            let [alpha, beta] = match number % 3 {
                0 => [1.0, 0.0].map(T::of),
                1 => factors,
                _ => [factors[0], T::of(0.0)],
            };
            let mut expected = c.data.clone();
            for i in 0..m {
                for j in 0..n {
                    let terms = (0..k).map(|k| a.at(i, k, of_a).wide() * b.at(k, j, of_b).wide());
                    let sum = terms.fold(0.0.into(), |sum, term| sum + term);
                    expected[c.place(i, j)] = scaled(alpha, sum, beta, c.at(i, j, false));
                }
            }
            let mut gemm = Gemm::new().alpha(alpha).beta(beta);
            if of_a {
                gemm = gemm.transpose_a();
            }
            if of_b {
                gemm = gemm.transpose_b();
            }
            for view in views() {
                let (left, right) = (a.array(&view), b.array(&view));
                let left = left.section([1, 1], a.extent).unwrap();
                let right = right.section([1, 1], b.extent).unwrap();
                let name = format!("{view}: {m}×{k}×{n}, {of_a}, {of_b}");
                let mut result = c.array(&view);
                let mut section = result.section_mut([1, 1], [m, n]).unwrap();
                gemm.run(&left, &right, &mut section).unwrap();
                drop(section);
                assert_same(&result.to_vec().unwrap(), &expected, &name);

                let mut fast = c.array(&view);
                let mut section = fast.section_mut([1, 1], [m, n]).unwrap();
                gemm.fast_math().run(&left, &right, &mut section).unwrap();
                drop(section);
                let found = fast.to_vec().unwrap();
                let close = |(found, expected): (&T, &T)| found.is_about(*expected);
                assert!(found.iter().zip(&expected).all(close), "{name}");
            }
        }
    }
}

#[test]
fn products_of_f32() {
    products::<f32>();
}

#[test]
fn products_of_f64() {
    products::<f64>();
}

#[test]
fn products_of_halves() {
    products::<f16>();
    products::<bf16>();
}

/// Large blocks, which small matrices do not use.
fn large<T: Number>() {
    let mut random = fastrand::Rng::with_seed(2);
    let [m, k, n] = [1500, 3, 1200];
    let (a, b): (Vec<T>, Vec<T>) = (numbers(&mut random, m * k), numbers(&mut random, k * n));
    let term = |i: usize, j: usize, t: usize| a[i * k + t].wide() * b[t * n + j].wide();
    let element =
        |i: usize, j: usize| T::narrow((0..k).fold(0.0.into(), |sum, t| sum + term(i, j, t)));
    let expected: Vec<T> = (0..m * n).map(|i| element(i / n, i % n)).collect();
    let turned = |data: &[T], rows: usize, columns: usize| -> Vec<T> {
        let places = (0..rows * columns).map(|i| i % rows * columns + i / rows);
        places.map(|place| data[place]).collect()
    };
    let (turned_a, turned_b) = (turned(&a, m, k), turned(&b, k, n));
    for view in views() {
        let array = |extent: [usize; 2], data: &[T]| {
            Array::builder(extent).on(&view).data(data).build().unwrap()
        };
        let mut c = array([m, n], &vec![T::of(f32::NAN); m * n]);
        gemm(&array([m, k], &a), &array([k, n], &b), &mut c).unwrap();
        assert_same(&c.to_vec().unwrap(), &expected, &format!("{view}"));
        let product = Gemm::new().transpose_a().transpose_b();
        product
            .run(&array([k, m], &turned_a), &array([n, k], &turned_b), &mut c)
            .unwrap();
        assert_same(
            &c.to_vec().unwrap(),
            &expected,
            &format!("{view}, transposed"),
        );
    }
}

#[test]
fn large_products() {
    large::<f32>();
    large::<bf16>();
}

fn batch<T: Number>() {
    let mut random = fastrand::Rng::with_seed(3);
    for [number, m, k, n] in [[1, 1, 1, 1], [5, 7, 9, 33], [3, 130, 5, 129]] {
        let a: Vec<T> = numbers(&mut random, number * m * k);
        let b: Vec<T> = numbers(&mut random, number * k * n);
        let element = |at: usize| {
            let (matrix, i, j) = (at / (m * n), at / n % m, at % n);
            let term =
                |t: usize| a[(matrix * m + i) * k + t].wide() * b[(matrix * n + j) * k + t].wide();
            T::narrow((0..k).fold(0.0.into(), |sum, t| sum + term(t)))
        };
        let expected: Vec<T> = (0..number * m * n).map(element).collect();
        for view in views() {
            let array = |extent: [usize; 3], data: &[T]| {
                Array::builder(extent).on(&view).data(data).build().unwrap()
            };
            let mut c = Array::builder([number, m, n]).on(&view).build().unwrap();
            let (a, b) = (array([number, m, k], &a), array([number, n, k], &b));
            let product = Gemm::new().transpose_b();
            product.run_batch(&a, &b, &mut c).unwrap();
            assert_same(
                &c.to_vec().unwrap(),
                &expected,
                &format!("{view}: {m}×{k}×{n}"),
            );
            product.fast_math().run_batch(&a, &b, &mut c).unwrap();
            let found = c.to_vec().unwrap();
            let close = |(found, expected): (&T, &T)| found.is_about(*expected);
            assert!(found.iter().zip(&expected).all(close), "{view}");
        }
    }
}

#[test]
fn batches() {
    batch::<f32>();
    batch::<f16>();
}

fn with_vectors<T: Number>() {
    let factors = [1.5, -0.3].map(T::of);
    let mut random = fastrand::Rng::with_seed(4);
    for [rows, columns] in [[1, 1], [2, 31], [9, 32], [33, 100], [100, 257], [300, 5]] {
        for transposes in [false, true] {
            let a = Matrix::<T>::random(&mut random, [rows, columns]);
            let (results, terms) = match transposes {
                true => (columns, rows),
                false => (rows, columns),
            };
            let x: Vec<T> = numbers(&mut random, terms);
            let y: Vec<T> = numbers(&mut random, results);
            let sum = |i: usize| {
                let mut parts: [T::Sum; 32] = [0.0.into(); 32];
                for k in 0..terms {
                    let term = a.at(i, k, transposes).wide() * x[k].wide();
                    parts[k % 32] = parts[k % 32] + term;
                }
                for half in [16, 8, 4, 2, 1] {
                    for part in 0..half {
                        parts[part] = parts[part] + parts[part + half];
                    }
                }
                parts[0]
            };
            for [alpha, beta] in [factors, [factors[0], T::of(0.0)]] {
                let expected: Vec<T> = (0..results)
                    .map(|i| scaled(alpha, sum(i), beta, y[i]))
                    .collect();
                let mut gemv = Gemv::new().alpha(alpha).beta(beta);
                if transposes {
                    gemv = gemv.transpose();
                }
                for view in views() {
                    let array = a.array(&view);
                    let section = array.section([1, 1], a.extent).unwrap();
                    let vector = |data| Array::builder(terms).on(&view).data(data).build();
                    let mut result = Array::builder(results).on(&view).data(&y).build().unwrap();
                    let x = vector(&x).unwrap();
                    gemv.run(&section, &x, &mut result).unwrap();
                    let name = format!("{view}: {rows}×{columns}, {transposes}");
                    assert_same(&result.to_vec().unwrap(), &expected, &name);
                }
            }
        }
    }
}

#[test]
fn products_with_vectors() {
    with_vectors::<f32>();
    with_vectors::<f64>();
    with_vectors::<f16>();
    with_vectors::<bf16>();
}

fn transposes<T: amp::Element + Same>(number: impl Fn(usize) -> T) {
    for [rows, columns] in [[1, 1], [1, 100], [31, 33], [64, 32], [100, 7]] {
        let (wide, high) = (columns + 2, rows + 2);
        let data: Vec<T> = (0..high * wide).map(&number).collect();
        let expected = (0..rows * columns).map(|i| data[(i % rows + 1) * wide + i / rows + 1]);
        let expected: Vec<T> = expected.collect();
        for view in views() {
            let a = Array::builder([high, wide])
                .on(&view)
                .data(&data)
                .build()
                .unwrap();
            let mut b = Array::builder([columns, rows]).on(&view).build().unwrap();
            transpose(&a.section([1, 1], [rows, columns]).unwrap(), &mut b).unwrap();
            assert_same(
                &b.to_vec().unwrap(),
                &expected,
                &format!("{view}: {rows}×{columns}"),
            );
        }
    }
}

#[test]
fn transposes_matrices() {
    transposes(|i| i as f32 * 0.5 - 3.0);
    transposes(|i| i as u64 * 0x1_0001_0001);
    transposes(|i| -(i as i32));
    transposes(|i| i as u8);
    transposes(|i| i as i16);
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Colour {
    channels: [u8; 3],
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Point {
    at: [f32; 2],
    number: u32,
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Wide {
    sum: f64,
    count: u64,
}
testkit::same_by_eq!(Colour);
testkit::same_by_eq!(Point);
testkit::same_by_eq!(Wide);

#[test]
fn transposes_matrices_of_structs() {
    transposes(|i| Colour {
        channels: [i as u8, (i / 3) as u8, (i / 256) as u8],
    });
    transposes(|i| Point {
        at: [i as f32, -(i as f32)],
        number: i as u32 * 3,
    });
    transposes(|i| Wide {
        sum: i as f64 * 0.5,
        count: i as u64,
    });
}

#[test]
fn extents_that_do_not_fit_are_refused() {
    let matrix = |rows: usize, columns: usize| Array::<f32, 2>::zeroed([rows, columns]).unwrap();
    let vector = |length: usize| Array::<f32, 1>::zeroed(length).unwrap();
    let error = gemm(&matrix(2, 3), &matrix(2, 3), &mut matrix(2, 3)).unwrap_err();
    let wanted = "a product needs factors of m×k and k×n for a result of m×n, but the factors are 2×3 \
                  and 2×3 and the result is 2×3";
    assert!(error.to_string().contains(wanted), "{error}");
    let error = gemv(&matrix(2, 3), &vector(2), &mut vector(2)).unwrap_err();
    let wanted = "the product of a matrix of 2×3 needs a vector of 3 elements and a result of 2, but \
                  they have 2 and 2";
    assert!(error.to_string().contains(wanted), "{error}");
    let error = transpose(&matrix(2, 3), &mut matrix(2, 3)).unwrap_err();
    let wanted = "the transpose of a matrix of 2×3 has 3×2 elements, but the result has 2×3";
    assert!(error.to_string().contains(wanted), "{error}");
}

#[test]
fn in_a_graph() {
    for view in views() {
        let array = |data: [f32; 4]| {
            Array::builder([2, 2])
                .on(&view)
                .data(&data)
                .build()
                .unwrap()
        };
        let vector = Array::builder(2)
            .on(&view)
            .data(&[1.0, -1.0])
            .build()
            .unwrap();
        let captures = (
            array([1.0, 2.0, 3.0, 4.0]),
            array([0.0; 4]),
            array([0.0; 4]),
            vector,
        );
        let mut graph = view
            .record_with(captures, |recording, (a, turned, product, vector)| {
                transpose_on(recording, a, turned)?;
                Gemm::new()
                    .beta(1.0)
                    .run_on(recording, a, turned, product)?;
                let mut out = product.section_mut([0, 0], [1, 2])?.into_row(0)?;
                Gemv::new().run_on(recording, a, vector, &mut out)
            })
            .unwrap();
        for _ in 0..2 {
            graph.replay().unwrap();
        }
        let product = graph.captures().2.to_vec().unwrap();
        assert_eq!(product, [-1.0, -1.0, 22.0, 50.0]);
    }
}
