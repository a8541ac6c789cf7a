//! Functions that are generic over the user's traits: each instance calls the functions and
//! takes the constants of its own types, as in plain Rust.

use amp::prelude::*;
use testkit::{becomes, gives, launch};

device_and_host! {
    /// What every shape has.
    pub trait Named {
        const ID: u32;

        fn id(&self) -> u32 {
            Self::ID * 2
        }
    }

    pub trait Shape: Named + Copy {
        const SIDES: i32;
        const SCALE: f32;

        fn area(&self) -> f32;

        fn grow(&mut self, by: f32);

        fn unit() -> Self;

        fn doubled(&self) -> f32 {
            self.area() * 2.0
        }

        fn larger(self, other: Self) -> Self {
            if self.area() < other.area() { other } else { self }
        }

        fn applied(&self, f: impl Fn(f32) -> f32) -> f32 {
            f(self.area())
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Circle {
        pub radius: f32,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Rectangle<T> {
        pub width: T,
        pub height: T,
    }

    impl Named for Circle {
        const ID: u32 = 7;
    }

    impl Named for Rectangle<f32> {
        const ID: u32 = 1 << 3;
    }

    impl Named for Rectangle<i32> {
        const ID: u32 = 3;

        fn id(&self) -> u32 {
            self.width as u32
        }
    }

    impl Named for f32 {
        const ID: u32 = 9;
    }

    impl Shape for Circle {
        const SIDES: i32 = i32::MAX;
        const SCALE: f32 = core::f32::consts::PI;

        fn area(&self) -> f32 {
            self.radius * self.radius * Self::SCALE
        }

        fn grow(&mut self, by: f32) {
            self.radius += by;
        }

        fn unit() -> Self {
            Circle { radius: 1.0 }
        }
    }

    impl Shape for Rectangle<f32> {
        const SIDES: i32 = 4;
        const SCALE: f32 = 2.0;

        fn area(&self) -> f32 {
            self.width * self.height
        }

        fn grow(&mut self, by: f32) {
            self.width += by;
            self.height += by;
        }

        fn unit() -> Self {
            Self { width: 1.0, height: 1.0 }
        }
    }

    impl Shape for Rectangle<i32> {
        const SIDES: i32 = -4;
        const SCALE: f32 = 1.0;

        fn area(&self) -> f32 {
            (self.width * self.height) as f32
        }

        fn grow(&mut self, by: f32) {
            self.width += by as i32;
        }

        fn unit() -> Self {
            Self { width: 1, height: 2 }
        }

        fn doubled(&self) -> f32 {
            -1.0
        }
    }

    impl Shape for f32 {
        const SIDES: i32 = 1;
        const SCALE: f32 = 1.0;

        fn area(&self) -> f32 {
            *self
        }

        fn grow(&mut self, by: f32) {
            *self += by;
        }

        fn unit() -> Self {
            1.0
        }
    }

    pub fn area_of<S: Shape>(shape: &S) -> f32 {
        shape.area() + shape.doubled()
    }

    pub fn difference(one: &impl Shape, other: impl Shape) -> f32 {
        one.area() - Shape::area(&other)
    }

    pub fn made<S>() -> S
    where
        S: Shape,
    {
        let mut made = S::unit();
        made.grow(2.0);
        grown(&mut made, 1.0);
        made
    }

    pub fn grown<S: Shape>(shape: &mut S, by: f32) {
        shape.grow(by);
        shape.grow(by);
    }

    /// Integers of constants and of functions of a supertrait wrap like others.
    pub fn numbers<S: Shape>(shape: S) -> i32 {
        let id = shape.id();
        <S as Shape>::SIDES.wrapping_mul(3) ^ (id.wrapping_mul(5) + S::ID) as i32 ^ (S::SCALE * 4.0) as i32
    }

    pub fn best<S: Shape, const N: usize>(all: [S; N]) -> f32 {
        let mut best = S::unit();
        for shape in all {
            best = best.larger(shape);
        }
        best.applied(|area| area + 0.5)
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Scene<A, B> {
        pub a: A,
        pub b: B,
    }

    impl<A: Shape, B: Shape> Scene<A, B> {
        pub fn total(&self) -> f32 {
            self.a.area() + area_of(&self.b) + A::SCALE
        }
    }

    pub fn areas(i: i32) -> f32 {
        let x = i as f32;
        let circle = Circle { radius: x };
        let rectangle = Rectangle { width: x, height: 2.0 };
        let whole = Rectangle { width: i, height: 3 };
        let mut sum = area_of(&circle) + area_of(&rectangle) + area_of(&whole) + area_of(&x);
        sum += difference(&circle, rectangle) + difference(&whole, x);
        sum += made::<Circle>().radius + made::<Rectangle<f32>>().area() + made::<f32>();
        sum += best([circle, Circle { radius: 2.0 }]) + best([1.5_f32, x, 3.0]);
        sum + Scene { a: circle, b: whole }.total()
    }

    pub fn all_numbers(i: i32) -> i32 {
        let rectangle = Rectangle { width: i, height: 3 };
        numbers(Circle { radius: 1.0 }) ^ numbers(rectangle) ^ numbers(1.0_f32)
    }
}

use device::Shape;

/// Outside of the module, whose trait it names.
#[amp_fn]
fn outside<S: Shape>(shape: S) -> f32 {
    shape.area() + device::area_of(&shape)
}

#[amp_kernel]
fn areas(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let i = idx[0] as i32;
    let last = device::Circle { radius: i as f32 };
    out[idx] = device::areas(i) + outside(last);
}

#[test]
fn bounds_lead_to_the_functions_of_each_type() {
    let expected: Vec<f32> = (0..8)
        .map(|i| {
            let last = host::Circle { radius: i as f32 };
            let area = host::Shape::area(&last);
            host::areas(i) + (area + host::area_of(&last))
        })
        .collect();
    gives(&expected, |view, out| launch(view, 8, areas(out)));
}

#[amp_kernel]
fn numbers(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = device::all_numbers(idx[0] as i32);
}

#[test]
fn bounds_lead_to_the_constants_of_each_type() {
    let expected: Vec<i32> = (0..8).map(host::all_numbers).collect();
    gives(&expected, |view, out| launch(view, 8, numbers(out)));
}

/// The places behind references are elements of views and of tile memory.
#[amp_kernel]
fn in_place(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut shared: [f32; 4];
    let i = t_idx.local[0];
    shared[i] = out[t_idx];
    device::grown(&mut shared[i], 0.5);
    t_idx.barrier.wait();
    device::grown(&mut out[t_idx], device::area_of(&shared[3 - i]));
}

#[test]
fn bounds_apply_to_places_in_any_memory() {
    let before = [1.0, 2.0, 3.0, 4.0];
    let expected: Vec<f32> = (0..4)
        .map(|i| before[i] + 3.0 * (before[3 - i] + 1.0) + 3.0 * (before[3 - i] + 1.0))
        .collect();
    becomes([4], &before, &expected, |view, out| {
        let domain = out.extent().tile::<4>();
        launch(view, domain, in_place(out))
    });
}
