//! Names that the user has for something else than the language: each side takes what Rust takes.

use amp::prelude::*;
use testkit::{gives, launch};

/// Traits and methods called like those of operators.
#[amp_module]
mod operators {
    pub trait Add<R = Self> {
        type Output;

        fn add(self, other: R) -> Self::Output;
    }

    pub trait From<T> {
        fn from(x: T) -> Self;
    }

    pub struct One {
        pub x: u32,
    }

    pub struct Other {
        pub x: u32,
    }

    impl Add for One {
        type Output = One;

        fn add(self, other: One) -> One {
            One {
                x: self.x * other.x * 10,
            }
        }
    }

    impl core::ops::Add for One {
        type Output = One;

        fn add(self, other: One) -> One {
            One {
                x: self.x + other.x,
            }
        }
    }

    impl From<Other> for One {
        fn from(other: Other) -> One {
            One { x: other.x * 10 }
        }
    }

    impl core::convert::From<Other> for One {
        fn from(other: Other) -> One {
            One { x: other.x }
        }
    }

    impl PartialEq for One {
        fn eq(&self, other: &One) -> bool {
            self.x == other.x
        }
    }

    impl One {
        pub fn eq(&self, other: &One) -> bool {
            self.x != other.x
        }

        pub fn ne(&self, other: &One) -> bool {
            self.x == other.x
        }
    }

    pub fn all(x: u32) -> u32 {
        let one: One = Other { x }.into();
        let sum = one + One { x: 20 };
        let equal = if one == (One { x }) { 100 } else { 0 };
        let different = if one != (One { x }) { 1000 } else { 0 };
        sum.x + equal + different
    }
}

#[amp_kernel]
fn by_operators(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = operators::all(3);
}

#[test]
fn operators_are_those_of_their_own_traits() {
    assert_eq!(operators::all(3), 123);
    gives(&[123], |view, out| launch(view, 1, by_operators(out)));
}

/// A constant in a block, and a const parameter that it hides.
#[amp_fn]
fn hidden<const N: usize>(x: [u32; N]) -> u32 {
    let outer = N as u32 + x[0];
    let inner = {
        let first = [N as u32; N];
        const N: usize = 9;
        fn nested() -> u32 {
            N as u32
        }
        first[8] * 10 + nested() * 100
    };
    outer + inner + N as u32 * 10_000
}

#[amp_kernel]
fn const_parameters(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = hidden([1, 2]);
}

#[test]
fn constants_hide_const_parameters() {
    assert_eq!(hidden([1, 2]), 20_993);
    gives(&[20_993], |view, out| {
        launch(view, 1, const_parameters(out))
    });
}

/// Constants of a type that two traits and the type itself have.
#[amp_module]
mod constants {
    pub struct Point {
        pub x: u32,
    }

    pub trait First {
        const AT: Point;
        const N: u32;
    }

    pub trait Second {
        const AT: Point;
        const N: u32;
    }

    impl First for Point {
        const AT: Point = Point { x: 1 };
        const N: u32 = 10;
    }

    impl Second for Point {
        const AT: Point = Point { x: 2 };
        const N: u32 = 20;
    }

    impl Point {
        pub const AT: Point = Point { x: 3 };
        pub const N: u32 = 30;
    }

    pub fn first<T: First>(_of: T) -> u32 {
        T::AT.x + T::N
    }

    pub fn second<T: Second>(_of: T) -> u32 {
        T::AT.x + T::N
    }

    pub fn own() -> u32 {
        let (at, n): (Point, u32) = (Point::AT, Point::N);
        at.x + n
    }
}

#[amp_kernel]
fn by_constants(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let point = constants::Point { x: 0 };
    let first = constants::first(point) + constants::second(point) * 100;
    out[idx] = first + constants::own() * 10_000;
}

#[test]
fn own_constants_go_before_those_of_traits() {
    assert_eq!(constants::own(), 33);
    gives(&[332_211], |view, out| launch(view, 1, by_constants(out)));
}

#[amp_module]
mod declared {
    pub trait Shape {
        const SIDES: u32;

        fn area(&self) -> u32;

        fn twice<T>(&self, x: T) -> T
        where
            Self: Sized;
    }

    pub trait Into<T = u32> {
        fn into(&self) -> T;
    }

    pub fn shape<S: Shape>(of: S) -> u32 {
        of.area() + S::SIDES * 10 + Shape::area(&of) * 100 + of.twice(1000)
    }
}

mod on_the_way {
    pub use super::declared::*;
}

/// Its traits come through globs.
#[amp_module]
mod implemented {
    use super::on_the_way::*;

    pub struct Square {
        pub side: u32,
    }

    impl Shape for Square {
        const SIDES: u32 = 4;

        fn area(&self) -> u32 {
            self.side
        }

        fn twice<T>(&self, x: T) -> T {
            x
        }
    }

    impl Into for Square {
        fn into(&self) -> u32 {
            7
        }
    }

    impl super::on_the_way::Into<f32> for Square {
        fn into(&self) -> f32 {
            8.0
        }
    }
}

#[amp_kernel]
fn through_globs(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = declared::shape(implemented::Square { side: 3 });
}

#[test]
fn traits_come_through_globs() {
    gives(&[1343], |view, out| launch(view, 1, through_globs(out)));
}

/// A struct with views, and traits of elsewhere that all types have.
#[amp_module]
mod with_views {
    use amp::prelude::*;

    pub struct Numbers<'a> {
        pub data: ArrayView<'a, u32, 1>,
    }

    impl Numbers<'_> {
        pub fn first(&self) -> u32 {
            self.data[0]
        }

        pub fn least() -> u32 {
            1
        }
    }
}

mod elsewhere {
    pub trait First {
        fn first(&self) -> u32 {
            100
        }

        fn least() -> u32 {
            200
        }
    }

    impl<T> First for T {}
}

use elsewhere::First;

#[amp_fn]
fn by_reference(numbers: &with_views::Numbers<'_>) -> u32 {
    numbers.first()
}

#[amp_kernel]
fn beside_traits(idx: Index<1>, numbers: with_views::Numbers<'_>, out: &mut ArrayViewMut<u32, 1>) {
    let least = with_views::Numbers::least();
    out[idx] = numbers.first() + by_reference(&numbers) * 10 + least * 100;
}

#[test]
fn methods_of_structs_with_views_go_before_traits() {
    assert_eq!(1_u8.first() + <u8 as First>::least(), 300);
    let data = [7];
    gives(&[177], |view, out| {
        let data = testkit::input(&data);
        launch(view, 1, beside_traits(with_views::Numbers { data }, out))
    });
}

/// Constants, fields and functions that are proven.
#[amp_module]
mod members {
    use amp::prelude::*;

    pub struct Pair<T> {
        one: T,
        other: [T; 2],
    }

    impl<T: Scalar> Pair<T> {
        pub const ONE: Pair<T> = Pair {
            one: T::ONE,
            other: [T::ONE; 2],
        };
        pub const PARTS: (T, [Pair<T>; 2]) = (T::ONE, [Self::ONE; 2]);

        pub fn sum(&self) -> T {
            self.one + self.other[0] + self.other[1]
        }
    }

    pub fn sums<T: Scalar>() -> T {
        let one: Pair<T> = Pair::<T>::ONE;
        let parts: (T, [Pair<T>; 2]) = Pair::<T>::PARTS;
        one.sum() + parts.0 + parts.1[1].sum() + one.other[0]
    }

    pub fn known() -> f32 {
        let one: Pair<f32> = Pair::<f32>::ONE;
        one.sum() + f32::max(one.one, 2.0) + f32::from(3_u8) + f32::default()
    }
}

#[amp_kernel]
fn of_members(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let sums = members::sums::<u32>() + members::sums::<f32>() as u32 * 100;
    out[idx] = sums + members::known() as u32 * 10_000;
}

#[test]
fn members_are_named_by_paths() {
    gives(&[80_808], |view, out| launch(view, 1, of_members(out)));
}

/// Derives of the standard library by paths, and those that the attributes add where another derive
/// has the name.
mod derived {
    use std::hash::Hash as Clone;

    #[amp::amp_module]
    pub mod items {
        use super::Clone;

        // Which is `Hash`, here and around.
        const _: () = {
            #[allow(dead_code)]
            #[derive(Clone)]
            struct Hashed;
            const fn is_hash<T: std::hash::Hash>() {}
            is_hash::<Hashed>();
        };

        #[derive(core::cmp::PartialEq, ::std::default::Default)]
        pub struct Pair {
            pub one: u32,
            pub other: u32,
        }

        pub enum Side {
            Left,
            Right,
        }

        #[derive(PartialOrd)]
        pub struct Ordered {
            pub x: u32,
        }

        impl PartialEq for Ordered {
            fn eq(&self, other: &Ordered) -> bool {
                self.x != other.x
            }
        }

        pub fn all(x: u32) -> u32 {
            let pair = Pair::default();
            let side = if x == 0 { Side::Left } else { Side::Right };
            let equal = (pair == Pair { one: 0, other: x }) as u32;
            let left = (side.clone() == Side::Left) as u32;
            let (one, other) = (Ordered { x }, Ordered { x: 1 });
            equal + left * 10 + (one < other) as u32 * 100 + (one == other) as u32 * 1000
        }
    }
}

#[amp_kernel]
fn of_derived(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = derived::items::all(idx[0] as u32);
}

#[test]
fn derives_are_those_of_the_standard_library() {
    assert_eq!([0, 1].map(derived::items::all), [1111, 0]);
    gives(&[1111, 0], |view, out| launch(view, 2, of_derived(out)));
}
