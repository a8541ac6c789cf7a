//! Generic helpers that are bounded by the traits of `std::ops`, `From` and `PartialOrd`: instances with
//! numbers wrap and divide as everywhere in kernels, those with own types call the types' operators.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use std::ops::{Add, AddAssign, Mul, Neg, Shl, ShrAssign, Sub};

use amp::prelude::*;
use testkit::{gives, launch, new_views};

device_and_host! {
    use std::ops::{Add, AddAssign, BitXor, Div, Mul, MulAssign, Neg, Not, Rem, Shl, Shr, ShrAssign, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
    pub struct V<T> {
        pub x: T,
        pub y: T,
    }

    impl<T: Add<Output = T>> Add for V<T> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            V { x: self.x + other.x, y: self.y + other.y }
        }
    }

    impl<T> Sub for V<T>
    where
        T: std::ops::Sub<Output = T>,
    {
        type Output = V<T>;

        fn sub(self, other: V<T>) -> V<T> {
            V { x: self.x - other.x, y: self.y - other.y }
        }
    }

    impl<T: Mul<Output = T> + Copy> Mul<T> for V<T> {
        type Output = V<T>;

        fn mul(self, by: T) -> V<T> {
            V { x: self.x * by, y: self.y * by }
        }
    }

    impl<T: AddAssign> AddAssign for V<T> {
        fn add_assign(&mut self, other: Self) {
            self.x += other.x;
            self.y += other.y;
        }
    }

    impl<T: Neg<Output = T>> Neg for V<T> {
        type Output = V<T>;

        fn neg(self) -> V<T> {
            V { x: -self.x, y: -self.y }
        }
    }

    impl<T: Mul<Output = T> + Add<Output = T> + Copy> V<T> {
        pub fn dot(self, other: Self) -> T {
            self.x * other.x + self.y * other.y
        }
    }

    impl From<u8> for V<f32> {
        fn from(x: u8) -> Self {
            V { x: x as f32, y: -1.0 }
        }
    }

    pub trait Ring: Copy + Add<Output = Self> + Mul<Output = Self> + PartialOrd {
        const ZERO: Self;

        fn one() -> Self;

        fn square(self) -> Self {
            self * self
        }
    }

    impl Ring for f32 {
        const ZERO: Self = 0.0;

        fn one() -> Self {
            1.0
        }
    }

    impl Ring for i32 {
        const ZERO: Self = 0;

        fn one() -> Self {
            1
        }
    }

    fn dot<T: Add<Output = T> + Mul<Output = T> + Copy + Default>(a: &[T], b: &[T]) -> T {
        let mut sum = T::default();
        for (x, y) in a.iter().zip(b) {
            sum = sum + *x * *y;
        }
        sum
    }

    fn dot_by_index<T, const N: usize>(a: [T; N], b: [T; N]) -> T
    where
        T: Add<Output = T> + Mul<Output = T> + Copy + Default,
    {
        let mut sum = T::default();
        for i in 0..N {
            sum = sum + a[i] * b[i];
        }
        sum
    }

    fn total<T: AddAssign + Copy + Default, const N: usize>(all: [T; N]) -> T {
        let mut sum = T::default();
        for x in all {
            sum += x;
        }
        sum
    }

    fn lerp<T, U>(a: T, b: T, t: U) -> T
    where
        T: Add<Output = T> + Sub<Output = T> + Mul<U, Output = T> + Copy,
    {
        a + (b - a) * t
    }

    fn magnitude<T: Neg<Output = T> + PartialOrd + Default + Copy>(x: T) -> T {
        if x < T::default() { -x } else { x }
    }

    fn mixed<T>(x: T) -> T
    where
        T: BitXor<Output = T> + Shl<u32, Output = T> + Shr<usize, Output = T> + Not<Output = T> + ShrAssign<u8> + Copy,
    {
        let mut y = x ^ (x << 6);
        y >>= 5;
        !(y ^ (x >> 7)) ^ (x << 3)
    }

    fn parts<T: Div<Output = T> + Rem<Output = T> + Copy + Add<Output = T>>(x: T, y: T) -> T {
        x / y + x % y
    }

    fn plus_three<T: From<u8> + Add<Output = T>>(x: T) -> T {
        x + T::from(3)
    }

    fn scaled<T: MulAssign + Copy, const N: usize>(mut all: [T; N], by: T) -> [T; N] {
        for i in 0..N {
            all[i] *= by;
        }
        all
    }

    fn swapped<T: Copy + PartialOrd>(all: &mut [T]) {
        for i in 1..all.len() {
            if all[i] < all[i - 1] {
                let x = all[i];
                all[i] = all[i - 1];
                all[i - 1] = x;
            }
        }
    }

    fn positive<T: Ring, const N: usize>(all: [T; N]) -> T {
        let mut sum = T::ZERO;
        for x in all {
            if x > T::ZERO {
                sum = sum + x.square() * T::one();
            }
        }
        sum
    }

    pub fn floats(x: f32, y: f32) -> f32 {
        let (v, w) = (V { x, y }, V { x: y, y: 0.5 });
        let mut all = [x, y, x * y, 1.0];
        swapped(&mut all);
        let mut sum = dot(&all, &[y, 2.0, x, 3.0]) + dot_by_index([x, y], [y, x]);
        sum += total([v, w, v]).y + (v + w).dot(v - w) + (-v).x;
        sum += lerp(x, y, 0.25_f32) + lerp(v, w, 0.5).y;
        sum += magnitude(x) + magnitude(v).y + parts(x, y + 10.0);
        sum += plus_three(x) + plus_three(v).x + plus_three(v).y;
        sum += positive([x, y, -x]) + total(scaled([x, y], 3.0));
        sum
    }

    pub fn integers(x: i32, y: i32) -> i32 {
        let (v, w) = (V { x, y }, V { x: y, y: 7 });
        let mut all = [x, y, 3, -x];
        swapped(&mut all);
        let mut sum = dot(&all, &[y, 2, x, 3]).wrapping_add(dot_by_index([x, y], [y, x]));
        sum = sum ^ total([v, w, v]).y ^ (v + w).dot(v - w) ^ (-v).x;
        sum = sum ^ lerp(x, y, 5) ^ lerp(v, w, 3).y;
        sum = sum ^ magnitude(x) ^ magnitude(v).y ^ parts(x, y | 1);
        sum = sum ^ plus_three(x) ^ mixed(x) ^ positive([x, y, 3]);
        sum ^ total(scaled([x, y], 101)) ^ mixed(x as u8 as i64) as i32
    }

    pub fn words(x: u32, y: u32) -> u32 {
        let small = [x as u8, y as u8, 3];
        let sum = mixed(x) ^ mixed(x as u16) as u32 ^ dot(&small, &small) as u32;
        sum ^ total(small) as u32 ^ parts(x, y | 1) ^ plus_three(x as u64) as u32
    }
}

const INTEGERS: [i32; 6] = [0, 1, -1, 7, -100, 113];
const LARGE: [i32; 6] = [0, 3, -77, i32::MAX, i32::MIN, 1 << 20];

#[amp_kernel]
fn of_floats(
    idx: Index<1>,
    a: &ArrayView<f32, 1>,
    b: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    out[idx] = device::floats(a[idx], b[idx]);
}

#[amp_kernel]
fn of_integers(
    idx: Index<1>,
    a: &ArrayView<i32, 1>,
    b: &ArrayView<i32, 1>,
    out: &mut ArrayViewMut<i32, 1>,
) {
    out[idx] = device::integers(a[idx], b[idx]);
}

#[amp_kernel]
fn of_words(
    idx: Index<1>,
    a: &ArrayView<u32, 1>,
    b: &ArrayView<u32, 1>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    out[idx] = device::words(a[idx], b[idx]);
}

fn pairs<T: Copy>(of: &[T]) -> (Vec<T>, Vec<T>) {
    let pairs = of.iter().flat_map(|x| of.iter().map(|y| (*x, *y)));
    pairs.unzip()
}

#[test]
fn floats_and_own_types_have_their_operators() {
    let (a, b) = pairs(&[0.0, -0.0, 1.5, -2.25, 1e30, -3e-20, 7.0]);
    let expected: Vec<f32> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| host::floats(*a, *b))
        .collect();
    gives(&expected, |view, out| {
        let (a, b) = (testkit::input(&a), testkit::input(&b));
        launch(view, out.extent(), of_floats(&a, &b, out))
    });
}

#[test]
fn integers_have_their_operators() {
    let (a, b) = pairs(&INTEGERS);
    let expected: Vec<i32> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| host::integers(*a, *b))
        .collect();
    gives(&expected, |view, out| {
        let (a, b) = (testkit::input(&a), testkit::input(&b));
        launch(view, out.extent(), of_integers(&a, &b, out))
    });
    let (a, b) = pairs(&[0_u32, 1, 5, 3, 7]);
    let expected: Vec<u32> = a.iter().zip(&b).map(|(a, b)| host::words(*a, *b)).collect();
    gives(&expected, |view, out| {
        let (a, b) = (testkit::input(&a), testkit::input(&b));
        launch(view, out.extent(), of_words(&a, &b, out))
    });
}

#[amp_fn]
fn wrapped<T>(x: T, y: T) -> T
where
    T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Neg<Output = T> + AddAssign + Copy,
{
    let mut all = [-(x * y + x - y), y];
    all[1] += x;
    all[0] - all[1]
}

#[amp_fn]
fn shifted<T: Shl<i8, Output = T> + ShrAssign<u32>>(x: T, by: u32) -> T {
    let mut x = x << by as i8;
    x >>= by + 1;
    x
}

#[amp_kernel]
fn wrap(
    idx: Index<1>,
    a: &ArrayView<i32, 1>,
    b: &ArrayView<i32, 1>,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let (x, y) = (a[idx], b[idx]);
    out[idx] = wrapped(x, y)
        ^ wrapped(x as i8, y as i8) as i32
        ^ shifted(x, y as u32)
        ^ shifted(x as u16, y as u32) as i32;
}

#[test]
fn integers_wrap_in_every_profile() {
    macro_rules! expected {
        ($x:expr, $y:expr) => {{
            let (x, y) = ($x, $y);
            let first = x
                .wrapping_mul(y)
                .wrapping_add(x)
                .wrapping_sub(y)
                .wrapping_neg();
            first.wrapping_sub(y.wrapping_add(x))
        }};
    }
    let (a, b) = pairs(&LARGE);
    let both = a.iter().zip(&b);
    let expected: Vec<i32> = both
        .map(|(&x, &y)| {
            let by = y as u32;
            let shifted = x.wrapping_shl(by).wrapping_shr(by.wrapping_add(1));
            let small = (x as u16).wrapping_shl(by).wrapping_shr(by.wrapping_add(1));
            expected!(x, y) ^ i32::from(expected!(x as i8, y as i8)) ^ shifted ^ i32::from(small)
        })
        .collect();
    gives(&expected, |view, out| {
        let (a, b) = (testkit::input(&a), testkit::input(&b));
        launch(view, out.extent(), wrap(&a, &b, out))
    });
}

#[amp_fn]
fn quotient<T: std::ops::Div<Output = T> + Copy, const N: usize>(
    all: [T; N],
    at: usize,
    by: T,
) -> T {
    all[at] / by
}

#[amp_kernel]
fn divide(idx: Index<1>, at: usize, by: i32, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = quotient([12, 7], at, by) + 1;
}

#[test]
fn faults_are_those_of_numbers() {
    for (at, by, words) in [(0, 0, "attempt to divide by zero"), (2, 3, "out of bounds")] {
        for view in new_views() {
            let mut data = [5; 4];
            let mut out = ArrayViewMut::new(4, &mut data).unwrap();
            let launched = launch(&view, out.extent(), divide(at, by, &mut out));
            let error = launched.and_then(|()| out.synchronize()).unwrap_err();
            assert!(error.to_string().contains(words), "{view}: {error}");
            drop(out);
            assert_eq!(data, [1; 4], "{view}");
        }
    }
}
