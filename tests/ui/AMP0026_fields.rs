//! Enums with fields where kernels use them in a wrong way.

use amp::prelude::*;

#[amp_enum]
#[derive(Clone, Copy)]
enum Shape {
    Empty,
    Circle(f32),
    Rect { w: f32, h: f32 },
}

#[amp_struct]
struct Item {
    shape: Shape,
}

#[amp_kernel]
fn elements(idx: Index<1>, shapes: &ArrayView<Shape, 1>, items: &ArrayView<Item, 1>) {}

#[amp_kernel]
fn made(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let a = Shape::Circel(1.0);
    let b = Shape::Circle(1.0, 2.0);
    let d = Shape::Circle(1);
    let e = Shape::Rect(1.0, 2.0);
    let f = Shape::Rect { w: 1.0 };
    let g = Shape::Rect { w: 1.0, h: 2.0, depth: 3.0 };
    let h = Shape { w: 1.0 };
    let i = Shape::Emty;
    let j = Shape::Rect { w: 1.0, ..Shape::Empty };
}

#[amp_kernel]
fn taken(idx: Index<1>, shape: Shape, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = shape.w;
    c[idx] = match shape {
        Shape::Circle(r, s) => r,
        Shape::Rect { w, .. } => w,
        Shape::Rect(w, h) => w,
        Shape::Rect { w } => w,
        Shape::Rect { depth, .. } => depth,
        Shape::Sphere(r) => r,
        Shape(r) => r,
        Shape::Circle("one") => 1.0,
        _ => 0.0,
    };
    if shape == Shape::Empty {
        c[idx] = -shape;
    }
    let number = shape as u32;
    let default = Shape::default();
}

#[amp_fn]
fn wrong(x: f32) -> Shape {
    match x {
        Shape::Circle(r) => Shape::Circle(x),
        _ => x,
    }
}

fn main() {}
