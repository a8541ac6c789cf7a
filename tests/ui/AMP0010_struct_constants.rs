//! Constants of structs whose types the file does not tell, and of what no constant can be.

use amp::prelude::*;

#[amp_struct]
struct Point {
    x: f32,
    y: f32,
}

#[amp_enum]
enum Shape {
    Circle(f32),
    Nothing,
}

macro_rules! constant {
    ($name:ident: $ty:ty = $value:expr) => {
        const $name: $ty = $value;
    };
}
constant!(ORIGIN: Point = Point { x: 0.0, y: 1.0 });

#[amp_enum]
#[repr(u32)]
enum Suit {
    Clubs,
    Hearts,
}

const SUIT: Option<Suit> = Some(Suit::Hearts);
const SHAPE: Shape = Shape::Circle(1.0);

#[amp_fn]
fn of_macro(x: f32) -> f32 {
    ORIGIN.x + x
}

#[amp_fn]
fn kept(x: f32) -> f32 {
    let origin: Point = ORIGIN;
    origin.x + x
}

#[amp_fn]
fn option() -> bool {
    let suit: Option<Suit> = SUIT;
    suit.is_some()
}

#[amp_fn]
fn shape(x: f32) -> f32 {
    match SHAPE {
        Shape::Circle(r) => r + x,
        Shape::Nothing => x,
    }
}

fn main() {}
