//! Structs for kernels of other crates.

use amp::prelude::*;

/// A point in the plane.
#[amp_struct]
#[derive(Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Upwards.
    pub y: f32,
}

/// A box between two corners.
#[amp_struct]
#[derive(Debug, Default, PartialEq)]
pub struct Rect {
    /// Two corners.
    pub corners: [Point; 2],
    /// What it is made of.
    pub material: u32,
}

/// Half the sum of two points.
#[amp_fn]
pub fn middle(a: Point, b: Point) -> Point {
    Point {
        x: (a.x + b.x) * 0.5,
        y: (a.y + b.y) * 0.5,
    }
}

/// The same box with its corners at its middle.
#[amp_fn]
pub fn collapsed(mut rect: Rect) -> Rect {
    let centre = middle(rect.corners[0], rect.corners[1]);
    rect.corners[0] = centre;
    rect.corners[1] = centre;
    rect.material += 1;
    rect
}

/// A side of something.
#[amp_enum]
#[repr(u32)]
#[derive(Debug)]
pub enum Side {
    /// The one.
    Left = 7,
    /// The other.
    Right = 3,
}

/// The other side.
#[amp_fn]
pub fn opposite(side: Side) -> Side {
    if side == Side::Left {
        Side::Right
    } else {
        Side::Left
    }
}

/// An enum that arrays of other crates hold.
#[amp_enum(element = StoredFigure)]
#[derive(Debug, PartialEq)]
pub enum Figure {
    /// Of this length.
    Line(f32),
    /// At this place, of this colour.
    Dot(f32, u8),
}

/// The figure, larger.
#[amp_fn]
pub fn scaled(figure: Figure, by: f32) -> Figure {
    match figure {
        Figure::Line(x) => Figure::Line(x * by),
        Figure::Dot(x, colour) => Figure::Dot(x * by, colour),
    }
}
