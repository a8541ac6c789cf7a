//! Functions that are named by a trait of std, with and without the type: operators, comparisons, conversions
//! and iterators; and those of traits with parameters.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use std::ops::{Add, AddAssign, Mul, Neg, Not};

use amp::prelude::*;
use testkit::{gives, input, launch, twice};

const NUMBERS: [u32; 6] = [0, 1, 2, 9, 100, 3_000_000_000];

#[amp_struct]
#[derive(Debug, Default, PartialEq, PartialOrd)]
struct Point {
    x: f32,
    y: f32,
}

#[amp_fn]
impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

#[amp_fn]
impl Mul<f32> for Point {
    type Output = Point;

    fn mul(self, scale: f32) -> Point {
        Point {
            x: self.x * scale,
            y: self.y * scale,
        }
    }
}

#[amp_fn]
impl Neg for Point {
    type Output = Point;

    fn neg(self) -> Point {
        Point {
            x: -self.x,
            y: -self.y,
        }
    }
}

#[amp_fn]
impl From<f32> for Point {
    fn from(x: f32) -> Point {
        Point { x, y: x }
    }
}

#[amp_fn]
trait Blend<T> {
    fn blend(&self, other: T) -> T;

    fn made(from: T) -> Self;
}

#[amp_fn]
impl Blend<f32> for Point {
    fn blend(&self, other: f32) -> f32 {
        self.x * other + self.y
    }

    fn made(from: f32) -> Point {
        Point { x: from, y: 1.0 }
    }
}

#[amp_fn]
impl Blend<u32> for Point {
    fn blend(&self, other: u32) -> u32 {
        (self.x as u32).wrapping_add(other)
    }

    fn made(from: u32) -> Point {
        Point {
            x: 2.0,
            y: from as f32,
        }
    }
}

/// A trait of one's own goes before that of the library.
#[amp_module]
mod own {
    pub trait Ord {
        fn max(self, other: u32) -> u32;
    }

    impl Ord for u32 {
        fn max(self, other: u32) -> u32 {
            self.wrapping_mul(other)
        }
    }

    pub fn product(x: u32) -> u32 {
        Ord::max(x, 3)
    }
}

/// The bodies of functions for kernels and of plain ones.
macro_rules! operators {
    ($u:ident) => {{
        let x = $u as f32;
        let sum = <Point as Add>::add(Point { x, y: 1.0 }, Point { x: 2.0, y: x });
        let scaled = <Point as Mul<f32>>::mul(Add::add(sum, Point::default()), 0.5);
        let negated = Neg::neg(scaled);
        let mut count = $u;
        AddAssign::add_assign(&mut count, 3);
        let bits = std::cmp::Ord::max(count, 5)
            ^ <u32 as Not>::not(count)
            ^ <u32 as Add>::add(count % 1000, 4);
        let small = <f32 as Mul>::mul(0.1, 3.0);
        let folded = [count % 7, 3, 4].into_iter().fold(0, Add::add);
        let greatest = [count, 3, 4].into_iter().reduce(Ord::max).unwrap();
        let points = [Point::from(x), Point::from(1.0)].into_iter();
        let all = points.fold(Default::default(), Point::add);
        (bits ^ folded.wrapping_mul(greatest)) as f32 + negated.x + negated.y + small + all.y
    }};
}

#[amp_fn]
fn operators_of(u: u32) -> f32 {
    operators!(u)
}

fn operators_of_host(u: u32) -> f32 {
    operators!(u)
}

#[amp_kernel]
fn operators(idx: Index<1>, x: &ArrayView<u32, 1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = operators_of(x[idx]) + sum(x[idx] as f32) + sum(x[idx] % 9) as f32;
}

#[amp_fn]
fn sum<T: Add<Output = T> + Mul<Output = T> + Copy + Default>(x: T) -> T {
    Add::add(x, <T as Mul>::mul(x, x)) + <T as Default>::default()
}

#[test]
fn operators_are_named_by_their_traits() {
    let of_host = |&x: &u32| {
        let (float, small) = (x as f32, x % 9);
        operators_of_host(x) + (float + float * float) + (small + small * small) as f32
    };
    let expected: Vec<f32> = NUMBERS.iter().map(of_host).collect();
    gives(&expected, |view, out| {
        launch(view, NUMBERS.len(), operators(&input(&NUMBERS), out))
    });
}

twice! {
    conversions(u: u32) -> f32 = (NUMBERS.to_vec(),);
    {
        let x = u as f32;
        let from = <u32 as From<u8>>::from(u as u8) + <u32 as Default>::default();
        let point = <Point as From<f32>>::from(x) ;
        let into: Point = Into::into(1.5_f32);
        let float: f32 = From::from(3_u8);
        let wide = <f32 as Into<f64>>::into(x) as f32;
        let tried = <i32 as TryFrom<u32>>::try_from(u).unwrap_or(-1);
        let small: Result<u8, _> = TryInto::try_into(u);
        from as f32 + point.y + into.x + float + wide + tried as f32 + small.unwrap_or(77) as f32
    }
}

twice! {
    comparisons(u: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let (x, y) = (u % 5, u / 7);
        let order = match Ord::cmp(&x, &y) {
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 2,
            std::cmp::Ordering::Greater => 3,
        };
        let near = Ord::clamp(Ord::min(x, Ord::max(y, 3)), 1, 4);
        let pair = (PartialEq::eq(&x, &1), PartialOrd::lt(&x, &y), PartialEq::ne(&x, &y));
        let half = PartialOrd::partial_cmp(&(u as f32), &4.5).is_some_and(|it| it.is_ge());
        let sum = Iterator::sum::<u32>([Clone::clone(&x), 2, 3].into_iter().map(|x| x + 1));
        order + near * 10 + pair.0 as u32 * 100 + pair.1 as u32 * 200 + pair.2 as u32 * 400
            + half as u32 * 1000 + sum * 10_000
    }
}

twice! {
    traits_with_parameters(u: u32) -> f32 = (NUMBERS.to_vec(),);
    {
        let point = <Point as Blend<f32>>::made(u as f32);
        let other = <Point as Blend<u32>>::made(7);
        <Point as Blend<f32>>::blend(&point, 0.5) + <Point as Blend<u32>>::blend(&other, 4) as f32
            + own::product(u) as f32
    }
}
