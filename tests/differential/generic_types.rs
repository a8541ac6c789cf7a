//! Generic structs and the `impl` blocks for them, comparisons part by part, and what the
//! standard library's traits give user types; each against the same module as plain Rust.

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    use amp::Scalar;
    use core::ops::{Add, AddAssign, Mul, Neg};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    impl<T: Scalar> Pair<T> {
        pub const ONES: Self = Pair { a: T::ONE, b: T::ONE };
        pub const PARTS: u32 = 2;

        pub fn new(a: T, b: T) -> Self {
            Self { a, b }
        }

        pub fn weighted(self) -> T {
            self.a + self.b * T::from_f32(core::f32::consts::PI)
        }

        pub fn swap(&mut self) {
            let a = self.a;
            self.a = self.b;
            self.b = a;
        }

        pub fn map<U: Scalar, F: Fn(T) -> U>(self, f: F) -> Pair<U> {
            Pair { a: f(self.a), b: f(self.b) }
        }

        pub fn crossed(self) -> Self {
            Self::new(self.b, self.a).plus(&self)
        }

        pub fn plus(self, other: &Self) -> Self {
            Self::new(self.a + other.a, self.b + other.b)
        }
    }

    /// Of one instance alone.
    impl Pair<i32> {
        pub fn is_odd(&self) -> bool {
            self.a & 1 == 1
        }
    }

    impl Pair<f32> {
        pub fn is_odd(&self) -> bool {
            self.a > 2.0
        }
    }

    impl<T: Scalar> Add for Pair<T> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            self.plus(&other)
        }
    }

    impl<T> Mul<T> for Pair<T>
    where
        T: Scalar,
    {
        type Output = Self;

        fn mul(self, scale: T) -> Self::Output {
            Pair::new(self.a * scale, self.b * scale)
        }
    }

    impl<T: Scalar> AddAssign for Pair<T> {
        fn add_assign(&mut self, other: Self) {
            *self = *self + other;
        }
    }

    impl Neg for Pair<f32> {
        type Output = Self;

        fn neg(self) -> Self {
            Self { a: -self.a, b: -self.b }
        }
    }

    impl<T: Scalar> From<[T; 2]> for Pair<T> {
        fn from(parts: [T; 2]) -> Self {
            Self { a: parts[0], b: parts[1] }
        }
    }

    impl<T: Scalar> Default for Pair<T> {
        fn default() -> Self {
            Self { a: T::ZERO, b: T::ONE }
        }
    }

    /// Coefficients, the lowest first.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Poly<const N: usize> {
        pub c: [f32; N],
    }

    impl<const N: usize> Poly<N> {
        pub fn zero() -> Self {
            Self { c: [0.0; N] }
        }

        pub fn at(&self, x: f32) -> f32 {
            let mut value = 0.0;
            for i in 0..N {
                value = value * x + self.c[N - 1 - i];
            }
            value
        }

        pub fn shifted(mut self, by: f32) -> Self {
            self.c[0] += by;
            self
        }
    }

    pub trait Area {
        fn area(&self) -> f32;

        fn doubled(&self) -> f32 {
            self.area() * 2.0
        }
    }

    impl<T: Scalar> Area for Pair<T> {
        fn area(&self) -> f32 {
            (self.a * self.b).to_f32()
        }
    }

    /// Other structs in it, and both kinds of parameters.
    #[derive(Clone, Copy, Debug)]
    pub struct Table<T, const N: usize>(pub [Pair<T>; N], pub Poly<N>);

    impl<T: Scalar, const N: usize> Table<T, N> {
        pub fn sum(&self) -> Pair<T> {
            let mut sum = Pair::default();
            for i in 0..N {
                sum += self.0[i] * T::from_f32(self.1.c[i]);
            }
            sum
        }
    }

    pub fn generics(i: i32) -> f32 {
        let x = i as f32 * 0.75;
        let mut pair = Pair::new(1.0, x) + Pair { a: x, b: 2.0 } * 2.0;
        pair.swap();
        pair += -Pair::from([x, 0.25]);
        let numbers = pair.map(|x| x as i32 + i);
        let crossed = Pair::<i32>::from([i, 7]).crossed();
        let plain: Pair<f32> = Pair::default();
        let poly = Poly { c: [1.0, x, 3.0] };
        let table = Table([pair, plain, Pair::ONES], poly.shifted(0.5));
        let odd = numbers.is_odd() as i32 + pair.is_odd() as i32 * 2;
        let mut sum = pair.weighted() + numbers.weighted() as f32 + crossed.weighted() as f32;
        sum += plain.area() + pair.doubled() + Area::area(&crossed);
        sum += poly.at(x) + Poly::<2>::zero().at(x) + table.sum().weighted();
        if numbers == numbers.map(|x| x) && pair != plain {
            sum += Pair::<f32>::ONES.a;
        }
        sum + odd as f32 * 0.5 + Pair::<i32>::PARTS as f32
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
    pub struct Part {
        pub n: i32,
        pub x: f32,
    }

    impl Part {
        pub fn with(self, n: i32) -> Self {
            Part { n, ..self }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
    pub struct Whole<T> {
        pub part: Part,
        pub rest: [T; 2],
    }

    impl<T: Scalar> From<T> for Whole<T> {
        fn from(x: T) -> Self {
            Whole { rest: [x; 2], ..Whole::default() }
        }
    }

    /// Compared by its whole part.
    #[derive(Clone, Copy, Debug)]
    pub struct Coarse {
        pub x: f32,
    }

    impl PartialEq for Coarse {
        fn eq(&self, other: &Coarse) -> bool {
            self.x as i32 == other.x as i32
        }
    }

    impl PartialOrd for Coarse {
        fn partial_cmp(&self, other: &Coarse) -> Option<core::cmp::Ordering> {
            (self.x as i32).partial_cmp(&(other.x as i32))
        }

        fn lt(&self, other: &Coarse) -> bool {
            (self.x as i32) < other.x as i32
        }
    }

    impl From<f32> for Coarse {
        fn from(x: f32) -> Self {
            Coarse { x }
        }
    }

    impl From<Coarse> for f32 {
        fn from(coarse: Coarse) -> f32 {
            coarse.x
        }
    }

    /// The comparisons of two values, as bits.
    pub fn bits<T: PartialOrd + Copy>(l: T, r: T) -> i32 {
        (l < r) as i32
            + ((l <= r) as i32) * 2
            + ((l > r) as i32) * 4
            + ((l >= r) as i32) * 8
            + ((l == r) as i32) * 16
            + ((l != r) as i32) * 32
    }

    pub fn order(i: i32) -> i32 {
        let nan = (i / 3) as f32 * 0.0 / ((i / 3) as f32);
        let part = Part { n: i % 2, x: nan };
        let whole = Whole { part: part.with(1), rest: [i % 4, 2] };
        let other = Whole { part: Part { n: 1, x: 0.0 }, ..whole };
        bits(part, Part { n: 1, x: 0.0 })
            + bits(whole, other) * 64
            + bits((i, nan), (1, 0.0)) * 4096
            ^ bits([i, 2], [2, 3])
            ^ bits(((i, true), [nan; 2]), ((4, i > 4), [1.0; 2])) * 262144
    }

    pub fn conversions(i: i32) -> i32 {
        let coarse: Coarse = (i as f32 * 0.5).into();
        let x: f32 = coarse.into();
        let next = Coarse::from(x + 0.7);
        let mut bits = (coarse < next) as i32 + ((coarse == next) as i32) * 2;
        let default = Whole::<i32>::default();
        let whole: Whole<i32> = i.into();
        bits += ((default < whole) as i32) * 4;
        let wide: i64 = i.into();
        let halves = f64::from(i) * 0.5 + f64::from(2.5_f32) + f64::default();
        let small = u8::from(i > 2);
        let same: i32 = i.into();
        bits + wide as i32 * 100 + halves as i32 * 10 + small as i32 * 8 + same + whole.rest[1]
            + Part::default().with(i).clone().n
    }

    pub fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
        f(f(x))
    }

    pub fn each(mut visit: impl FnMut(i32), n: i32) {
        for i in 0..n {
            visit(i);
        }
    }

    pub fn closures(i: i32) -> f32 {
        let mut sum = 0;
        let mut add = |x: i32| sum += x;
        add(i);
        add(2);
        each(|x| sum += x * 10, i);
        fn picked<T: Scalar, const N: usize>(values: [T; N], at: usize) -> T {
            values[at % N]
        }
        let first = picked([1.5, 2.5, 3.5], i as usize) + picked([i, 7], 1) as f32;
        twice(|x| x * 0.5 + 1.0, i as f32) + sum as f32 + first
    }
}

#[amp_kernel]
fn computed(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = device::generics(idx[0] as i32) + device::closures(idx[0] as i32);
}

#[test]
fn generic_structs_are_what_they_are_in_rust() {
    let expected: Vec<f32> = (0..9)
        .map(|i| host::generics(i) + host::closures(i))
        .collect();
    gives(&expected, |view, out| launch(view, 9, computed(out)));
}

#[amp_kernel]
fn compared(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = device::order(idx[0] as i32);
}

#[test]
fn parts_decide_in_their_order() {
    let expected: Vec<i32> = (0..12).map(host::order).collect();
    gives(&expected, |view, out| launch(view, 12, compared(out)));
}

#[amp_kernel]
fn converted(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = device::conversions(idx[0] as i32);
}

#[test]
fn conversions_are_those_of_the_types() {
    let expected: Vec<i32> = (0..9).map(host::conversions).collect();
    gives(&expected, |view, out| launch(view, 9, converted(out)));
}

/// By value to a kernel, in tile memory, and beside other modules.
#[amp_struct]
#[derive(Debug, PartialEq)]
struct Reach<T> {
    from: T,
    to: T,
}

#[amp_fn]
fn width<T: Scalar>(reach: &Reach<T>) -> T {
    reach.to - reach.from
}

#[amp_kernel]
fn shared(
    t_idx: TiledIndex<1, 4>,
    reach: Reach<i32>,
    poly: device::Poly<3>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut reachs: [Reach<f32>; 4];
    let i = t_idx.local[0];
    reachs[i] = Reach {
        from: i as f32,
        to: poly.at(i as f32),
    };
    t_idx.barrier.wait();
    out[t_idx] = width(&reachs[3 - i]) + width(&reach) as f32;
}

#[test]
fn generic_structs_are_arguments_and_shared() {
    let poly = device::Poly { c: [1.0, 2.0, 3.0] };
    let expected: Vec<f32> = (0..8)
        .map(|i| (3 - i % 4) as f32)
        .map(|i| poly.at(i) - i + 7.0)
        .collect();
    gives(&expected, |view, out| {
        let reach = Reach { from: -3, to: 4 };
        let domain = out.extent().tile::<4>();
        launch(view, domain, shared(reach, poly, out))
    });
}

/// Its name is written as a constant's is.
#[amp_struct]
#[derive(Clone, Copy, Default, PartialEq)]
struct A {
    x: u32,
}

#[amp_fn]
fn made<T: Copy + Default>() -> T {
    T::default()
}

#[amp_kernel]
fn applied(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = made::<A>().x + 5;
}

#[test]
fn functions_are_applied_to_types_with_names_of_one_letter() {
    gives(&[5; 4], |view, out| launch(view, 4, applied(out)));
}

/// Fields of generic types of generic types, and of `Reverse`.
#[amp_module]
mod fields {
    use std::cmp::Reverse;

    #[derive(Clone, Copy, Default, PartialEq)]
    pub struct Pair<T>(pub T, pub T);

    #[derive(Clone, Copy, Default, PartialEq)]
    pub struct Node {
        next: Option<Option<u8>>,
        pair: Option<Pair<u8>>,
        pairs: [Option<Pair<Pair<u16>>>; 2],
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Found {
        Known(Result<Pair<u8>, u8>),
        Unknown { why: Option<Result<u8, u16>> },
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Entry {
        cost: Reverse<u32>,
        node: u8,
    }

    pub fn all(x: u8) -> [u32; 3] {
        let node = Node {
            next: Some((x > 2).then_some(x)),
            pair: (x > 3).then_some(Pair(x, 2)),
            pairs: [None, Some(Pair(Pair(u16::from(x), 1), Pair(2, 3)))],
        };
        let found = match x % 3 {
            0 => Found::Known(Ok(Pair(x, x))),
            1 => Found::Known(Err(x)),
            _ => Found::Unknown {
                why: Some(Err(500)),
            },
        };
        let next = node.next.flatten().unwrap_or(50);
        let pair = node.pair.map_or(60, |pair| pair.0 + pair.1);
        let inner = node.pairs[1].map_or(70, |pair| pair.0.0 + pair.1.1);
        let known = match found {
            Found::Known(Ok(pair)) => u32::from(pair.1),
            Found::Known(Err(why)) => 100 + u32::from(why),
            Found::Unknown { why } => why.map_or(0, |why| why.map_or_else(u32::from, u32::from)),
        };
        let entries = [(9, 1), (u32::from(x), 2), (4, 3)].map(|(cost, node)| Entry {
            cost: Reverse(cost),
            node,
        });
        let best = entries.iter().max().map_or(0, |best| best.node);
        [
            u32::from(next) + 1000 * u32::from(pair) + 100_000 * u32::from(inner),
            known,
            u32::from(best),
        ]
    }
}

#[amp_kernel]
fn of_fields(idx: Index<1>, out: &mut ArrayViewMut<[u32; 3], 1>) {
    out[idx] = fields::all(idx[0] as u8);
}

#[test]
fn fields_of_generic_types_of_generic_types() {
    let plain = |x: u32| {
        let next = if x > 2 { x } else { 50 };
        let pair = if x > 3 { x + 2 } else { 60 };
        let known = [x, 100 + x, 500][x as usize % 3];
        // The least cost is the greatest; of equal ones, the last node.
        let best = if x < 4 { 2 } else { 3 };
        [next + 1000 * pair + 100_000 * (x + 3), known, best]
    };
    let expected: Vec<[u32; 3]> = (0..12).map(plain).collect();
    gives(&expected, |view, out| launch(view, 12, of_fields(out)));
}
