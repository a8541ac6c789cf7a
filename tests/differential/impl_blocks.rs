//! `impl` blocks and traits beside their types, outside of an `#[amp_module]`: the marked items of a
//! module, or of a function, are compiled together.

use std::ops::{Add, AddAssign, Mul};

use amp::prelude::*;
use testkit::{becomes, gives, input, launch, views};

// Before its type, which it shares with functions and other types that need it.
#[amp_fn]
impl Vector {
    pub const UP: Vector = Vector::new(0.0, 1.0);
    const AXES: usize = 2;

    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    pub fn outer(self, other: Self) -> Matrix {
        Matrix {
            rows: [other * self.x, other * self.y],
        }
    }

    pub fn reflected(self) -> Self {
        scaled(self, -1.0)
    }

    pub fn parts(&self) -> [f32; Self::AXES] {
        [self.x, self.y]
    }
}

#[amp_struct]
#[derive(Debug, PartialEq)]
pub struct Vector {
    pub x: f32,
    pub y: f32,
}

#[amp_struct]
#[derive(Debug, PartialEq)]
pub struct Matrix {
    rows: [Vector; 2],
}

#[amp_fn]
fn scaled(v: Vector, by: f32) -> Vector {
    v * by
}

#[amp_fn]
impl Mul<f32> for Vector {
    type Output = Self;

    fn mul(self, by: f32) -> Self {
        Self::new(self.x * by, self.y * by)
    }
}

#[amp_fn]
impl Mul<Vector> for Matrix {
    type Output = Vector;

    fn mul(self, v: Vector) -> Vector {
        Vector::new(self.rows[0].dot(v), self.rows[1].dot(v))
    }
}

#[amp_fn]
impl Add for Vector {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

#[amp_fn]
impl AddAssign for Vector {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[amp_fn]
impl std::ops::Index<usize> for Matrix {
    type Output = Vector;

    fn index(&self, row: usize) -> &Vector {
        &self.rows[row]
    }
}

#[amp_fn]
impl From<f32> for Vector {
    fn from(x: f32) -> Self {
        Self::new(x, x)
    }
}

// Of the host alone.
impl Vector {
    fn shown(&self) -> String {
        format!("({}, {})", self.x, self.y)
    }
}

#[amp_kernel]
fn turn(idx: Index<1>, out: &mut ArrayViewMut<f32, 2>) {
    let [x, y] = [out[[idx[0], 0]], out[[idx[0], 1]]];
    let v = Vector { x, y };
    let matrix = v.outer(Vector::UP);
    let mut sum = matrix * v.reflected() + matrix[1];
    sum += Vector::from(v.x);
    let turned = scaled(sum, v.parts()[1]);
    out[[idx[0], 0]] = turned.x;
    out[[idx[0], 1]] = turned.y;
}

#[test]
fn a_block_stands_beside_its_type() {
    let start: [[f32; 2]; 5] = std::array::from_fn(|i| [i as f32 - 1.5, 0.25 * i as f32]);
    let expected = start.map(|[x, y]| {
        let (u, v) = (
            -x * (0.0 * x) + -y * (1.0 * x),
            -x * (0.0 * y) + -y * (1.0 * y),
        );
        let (u, v) = (u + 0.0 * y + x, v + 1.0 * y + x);
        [u * y, v * y]
    });
    let (start, expected) = (start.as_flattened(), expected.as_flattened());
    becomes([5, 2], start, expected, |view, out| {
        launch(view, 5, turn(out))
    });
    assert_eq!(Vector::UP.shown(), "(0, 1)");
}

mod shapes {
    use amp::prelude::*;

    #[amp_fn]
    pub trait Shape {
        const SIDES: u32;

        fn area(&self) -> f32;

        fn doubled(&self) -> f32 {
            2.0 * self.area()
        }
    }

    #[amp_struct]
    #[derive(PartialEq)]
    pub struct Circle<T> {
        pub radius: T,
    }

    #[amp_enum]
    pub enum Figure {
        Round(Circle<f32>),
        Square { side: f32 },
    }

    #[amp_fn]
    impl<T: Scalar> Circle<T> {
        pub fn diameter(&self) -> T {
            self.radius + self.radius
        }
    }

    #[amp_fn]
    impl Shape for Circle<f32> {
        const SIDES: u32 = 0;

        fn area(&self) -> f32 {
            3.0 * self.radius * self.radius
        }
    }

    #[amp_fn]
    impl Shape for Figure {
        const SIDES: u32 = 4;

        fn area(&self) -> f32 {
            match self {
                Figure::Round(circle) => circle.area(),
                Figure::Square { side } => side * side,
            }
        }
    }

    #[amp_fn]
    impl Shape for f32 {
        const SIDES: u32 = 1;

        fn area(&self) -> f32 {
            *self
        }
    }
}

use shapes::{Circle, Figure, Shape};

#[amp_fn]
fn both<S: Shape>(one: &S, other: &impl Shape) -> f32 {
    one.doubled() - other.area() + S::SIDES as f32
}

#[amp_kernel]
fn areas(idx: Index<1>, x: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>) {
    let circle = Circle { radius: x[idx] };
    let figure = match x[idx] > 2.0 {
        true => Figure::Round(circle),
        false => Figure::Square {
            side: circle.diameter(),
        },
    };
    out[idx] = both(&figure, &circle) + both(&circle, &x[idx]);
}

#[test]
fn traits_and_their_blocks_stand_outside_of_modules() {
    let x = [0.5_f32, 1.0, 2.5, 4.0];
    let expected = x.map(|x| {
        let circle = 3.0 * x * x;
        let figure = if x > 2.0 { circle } else { (x + x) * (x + x) };
        (2.0 * figure - circle + 4.0) + (2.0 * circle - x + 0.0)
    });
    gives(&expected, |view, out| {
        launch(view, 4, areas(&input(&x), out))
    });
}

#[amp_struct]
struct Rows<'a> {
    from: ArrayView<'a, i32, 1>,
    to: ArrayViewMut<'a, i32, 1>,
}

#[amp_fn]
impl Rows<'_> {
    fn at(&self, i: usize) -> i32 {
        self.from[i] / i as i32
    }

    fn copy(&mut self, i: usize) {
        self.to[i] = self.at(i);
    }
}

#[amp_kernel]
fn copy(idx: Index<1>, rows: &mut Rows) {
    rows.copy(idx[0]);
}

#[test]
fn a_fault_in_a_method_has_its_line() {
    for view in views() {
        let (from, mut to) = ([7, 8, 9], [0; 3]);
        let mut rows = Rows {
            from: ArrayView::new(3, &from).unwrap(),
            to: ArrayViewMut::new(3, &mut to).unwrap(),
        };
        let result = launch(&view, 3, copy(&mut rows)).and_then(|()| rows.to.synchronize());
        let fault = result.unwrap_err().to_string();
        let line = include_str!("impl_blocks.rs")
            .lines()
            .position(|line| line.contains("self.from[i] / i as i32"))
            .unwrap();
        assert!(
            fault.contains(&format!("impl_blocks.rs:{}:", line + 1)),
            "{fault}"
        );
    }
}

#[test]
fn a_function_has_types_with_blocks() {
    #[amp_struct]
    struct Counter {
        count: u32,
    }

    #[amp_fn]
    impl Counter {
        fn step(&mut self) -> u32 {
            self.count += 3;
            self.count
        }
    }

    #[amp_kernel]
    fn count(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
        let mut counter = Counter { count: out[idx] };
        out[idx] = counter.step() * counter.step();
    }

    let start = [1_u32, 2, 3];
    let expected = start.map(|x| (x + 3) * (x + 6));
    becomes([3], &start, &expected, |view, out| {
        launch(view, 3, count(out))
    });
}

/// Modules and functions of one file have types of one name, each with its own methods.
mod same_names {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Counter {
        pub count: u32,
    }

    #[amp_fn]
    impl Counter {
        pub fn step(&mut self) -> u32 {
            self.count += 5;
            self.count
        }
    }
}

#[amp_kernel]
fn count_elsewhere(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut counter = same_names::Counter { count: out[idx] };
    out[idx] = counter.step() * counter.step();
}

#[test]
fn types_of_one_name_have_their_own_methods() {
    let start = [1_u32, 2, 3];
    let expected = start.map(|x| (x + 5) * (x + 10));
    becomes([3], &start, &expected, |view, out| {
        launch(view, 3, count_elsewhere(out))
    });
}

#[amp_struct]
struct Degrees {
    number: f32,
}

#[amp_fn]
impl From<Degrees> for f32 {
    fn from(angle: Degrees) -> f32 {
        angle.number / 360.0
    }
}

#[amp_fn]
fn halved<T: Into<f32>>(x: T) -> f32 {
    let x: f32 = x.into();
    0.5 * x
}

#[amp_kernel]
fn halve(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let byte = idx[0] as u8;
    out[idx] = halved(out[idx]) + halved(byte) + halved(Degrees { number: out[idx] });
}

#[test]
fn a_bound_has_a_conversion() {
    let start = [720.0_f32, -3.5, 0.1];
    let expected: Vec<f32> = (start.iter().enumerate())
        .map(|(i, x)| 0.5 * x + 0.5 * f32::from(i as u8) + 0.5 * (x / 360.0))
        .collect();
    becomes([3], &start, &expected, |view, out| {
        launch(view, 3, halve(out))
    });
}

/// Names that constants have, too.
#[amp_struct]
struct X;

#[amp_struct]
#[derive(PartialEq)]
struct ID;

#[amp_fn]
impl X {
    fn area(&self) -> f32 {
        0.5
    }
}

#[amp_fn]
fn doubled(x: &X) -> f32 {
    2.0 * x.area()
}

#[amp_fn]
impl ID {
    fn of(self, x: f32) -> f32 {
        x * 3.0
    }
}

#[amp_kernel]
fn units(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let id = ID;
    out[idx] = doubled(&X) - out[idx] + id.of(X.area());
}

#[test]
fn structs_without_fields_are_named_like_constants() {
    let start = [1.0_f32, -2.0];
    let expected = start.map(|x| 2.0 * 0.5 - x + 0.5 * 3.0);
    becomes([2], &start, &expected, |view, out| {
        launch(view, 2, units(out))
    });
}

/// A method of this name is not that of slices.
mod own_methods {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Ring {
        pub items: [u32; 2],
    }

    #[amp_struct]
    pub struct Owner {
        pub ring: Ring,
    }

    #[amp_fn]
    impl Ring {
        fn last(&self) -> u32 {
            self.items[0] * 10
        }
    }

    #[amp_fn]
    pub fn last_of(owner: &Owner) -> u32 {
        owner.ring.last()
    }
}

#[amp_kernel]
fn lasts(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let ring = own_methods::Ring {
        items: [out[idx], 1],
    };
    out[idx] = own_methods::last_of(&own_methods::Owner { ring });
}

#[test]
fn a_field_has_methods_of_its_own() {
    becomes([2], &[3_u32, 4], &[30, 40], |view, out| {
        launch(view, 2, lasts(out))
    });
}
