//! Enums that arrays cannot hold, also by a struct.

use amp::prelude::*;

#[amp_enum(element = StoredCell)]
enum Cell<T> {
    Nothing,
    Just(T),
}

#[amp_struct]
struct Padded {
    wide: f32,
    is: bool,
}

#[amp_enum]
enum Side {
    Left,
    Right,
}

#[amp_enum(element = StoredMixed)]
enum Mixed {
    Counted(usize),
    Paired((f32, u32)),
    Maybe(Option<f32>),
    At(Index<2>),
    Sided { side: Side, is: bool },
    Held(Padded),
    Cells([[bool; 2]; 3]),
    Fine(f32),
}

#[amp_enum(elements = StoredA)]
enum A {
    None(u32),
}

#[amp_enum(element)]
enum B {
    None(u32),
}

#[amp_enum(element = StoredC, element = Other)]
enum C {
    None(u32),
}

#[amp_enum(element = f32::Stored)]
enum D {
    None(u32),
}

#[amp_struct(element = StoredE)]
struct E {
    x: f32,
}

#[amp_enum(element = StoredShape)]
enum Shape {
    Empty,
    Circle(f32),
}

#[amp_kernel]
fn wrong(idx: Index<1>, shapes: &ArrayView<Shape, 1>, out: &mut ArrayViewMut<StoredShape, 1>) {}

#[amp_kernel]
fn mixed(idx: Index<1>, shapes: &ArrayView<StoredShape, 1>, out: &mut ArrayViewMut<StoredShape, 1>) {
    out[idx] = Shape::Empty;
    let number = match shapes[idx] {
        Shape::Empty => 0,
        Shape::Circle(_) => 1,
    };
    let shape = StoredShape::new(Shape::Circle(1.0));
    let radius = shapes[idx].radius();
}

fn main() {}
