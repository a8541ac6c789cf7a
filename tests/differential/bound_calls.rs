//! Calls through a bound: an instance runs the function of the trait that bounds the parameter,
//! whatever else its type has by that name.

use amp::prelude::*;
use testkit::{gives, launch};

/// A trait of this name, and with the functions of it, is in `device` too.
#[amp_module]
mod elsewhere {
    pub trait Shape {
        fn area(&self) -> u32;

        fn sides() -> u32;
    }
}

device_and_host! {
    pub trait Shape {
        const SIDES: u32;

        fn area(&self) -> u32;

        fn grow(&mut self);

        fn applied(&self, f: impl Fn(u32) -> u32) -> u32;

        fn sides() -> u32;
    }

    pub trait Size {
        fn area(&self) -> u32;
    }

    #[derive(Clone, Copy)]
    pub struct Square {
        pub side: u32,
    }

    impl Size for Square {
        fn area(&self) -> u32 {
            1
        }
    }

    impl Shape for Square {
        const SIDES: u32 = 2;

        fn area(&self) -> u32 {
            3 + self.side
        }

        fn grow(&mut self) {
            self.side += 4;
        }

        fn applied(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(5)
        }

        fn sides() -> u32 {
            6
        }
    }

    impl Square {
        pub const SIDES: u32 = 7;

        pub fn area(&self) -> u32 {
            8
        }

        pub fn grow(&mut self) {
            self.side += 9;
        }

        pub fn applied(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(10)
        }

        pub fn sides() -> u32 {
            11
        }
    }

    pub fn shape<S: Shape + Copy>(of: S) -> u32 {
        let mut all = of;
        all.grow();
        let by_path = S::area(&all) * 100 + Shape::area(&all) * 1000 + S::sides() * 10_000;
        all.area() + all.applied(|x| x + S::SIDES) * 10 + by_path
    }

    pub fn size(of: impl Size) -> u32 {
        of.area()
    }

    /// The types are one, the bounds are not.
    pub fn both<S: Shape, T: Size>(one: S, other: T) -> u32 {
        one.area() * 10 + other.area()
    }

    /// What is known to be a square has its own.
    pub fn told<S: Shape>(one: S, other: Square) -> u32 {
        one.area() * 10 + other.area()
    }

    #[derive(Clone, Copy)]
    pub struct Pair<S> {
        pub one: S,
        pub other: S,
    }

    impl<S> Pair<S>
    where
        S: Shape,
    {
        pub fn area(&self) -> u32 {
            self.one.area() * 10 + self.other.area()
        }
    }

    /// Has names of methods that integers have.
    pub trait Bits {
        fn count_ones(self) -> u32;

        fn to_f32(&self) -> u32;
    }

    impl Bits for u32 {
        fn count_ones(self) -> u32 {
            self * 10
        }

        fn to_f32(&self) -> u32 {
            self + 1
        }
    }

    pub fn bits<B: Bits + Copy>(x: B) -> u32 {
        x.count_ones() * 10 + x.to_f32()
    }

    pub fn all(side: u32) -> [u32; 7] {
        let one = Square { side };
        [
            shape(one),
            size(one),
            both(one, one),
            told(one, one),
            Pair { one, other: one }.area(),
            bits(side),
            one.area(),
        ]
    }
}

impl elsewhere::Shape for device::Square {
    fn area(&self) -> u32 {
        12
    }

    fn sides() -> u32 {
        13
    }
}

#[amp_kernel]
fn calls(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = device::all(3)[idx[0]];
}

#[test]
fn bounds_tell_whose_function_is_called() {
    let expected = host::all(3);
    assert_eq!(device::all(3), expected);
    gives(&expected, |view, out| launch(view, 7, calls(out)));
}

/// Traits of one name, in two modules.
#[amp_module]
mod of_one_name {
    use super::elsewhere;

    pub trait Shape {
        fn area(&self) -> u32;
    }

    pub struct Line {
        pub length: u32,
    }

    impl elsewhere::Shape for Line {
        fn area(&self) -> u32 {
            1
        }

        fn sides() -> u32 {
            2
        }
    }

    impl Shape for Line {
        fn area(&self) -> u32 {
            3
        }
    }

    pub fn own<S: Shape>(of: S) -> u32 {
        of.area()
    }

    pub fn other<S: elsewhere::Shape>(of: S) -> u32 {
        of.area() * 10 + S::sides() + elsewhere::Shape::area(&of) * 100
    }
}

#[amp_kernel]
fn of_two_traits(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let line = of_one_name::Line { length: 1 };
    out[idx] = of_one_name::own(line) + of_one_name::other(line) * 10;
}

#[test]
fn traits_of_one_name_are_two() {
    gives(&[1123], |view, out| launch(view, 1, of_two_traits(out)));
}
