//! Constants of structs: of the file, of a body, of a type, in arrays and within each other.

use amp::glam::Vec2;
use amp::prelude::*;
use amp_test_helpers::{DIRECTION, Direction, left};
use testkit::twice;

#[amp_enum]
#[repr(u32)]
#[derive(Debug, PartialEq)]
enum Kind {
    Solid,
    Liquid,
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Point {
    x: f32,
    y: f32,
}

impl Point {
    const UNIT: Self = Point { x: 1.0, y: -1.0 };
    const ALL: [Point; 2] = [Self::UNIT, ORIGIN];
}

#[amp_struct]
#[derive(PartialEq)]
struct Cell {
    at: Point,
    next: [u32; 2],
    speed: Vec2,
    kind: Kind,
}

#[amp_struct]
#[derive(PartialEq)]
struct Pair<T>(T, T);

const ORIGIN: Point = Point { x: 1e-40, y: -0.0 };
const CELLS: [Cell; 2] = [
    Cell {
        at: ORIGIN,
        next: [1, 2],
        speed: Vec2::new(0.5, -2.0),
        kind: Kind::Liquid,
    },
    Cell {
        at: made(3.0),
        next: [7, u32::MAX],
        speed: Vec2::ZERO,
        kind: Kind::Solid,
    },
];
const BOUNDS: Pair<i32> = Pair(i32::MIN, 40);
const MIXED: (Point, u8) = (made(2.5), 200);

const fn made(x: f32) -> Point {
    Point { x, y: x * 0.5 }
}

mod elsewhere {
    use super::Point;

    pub const CORNER: Point = Point { x: 8.0, y: 9.0 };
    pub const INNER: within::Size = within::Size {
        width: 3,
        height: 1 << 20,
    };

    pub mod within {
        use amp::prelude::*;

        #[amp_struct]
        pub struct Size {
            pub width: u32,
            pub height: u32,
        }
    }
}
use elsewhere::INNER;

#[amp_module]
mod shapes {
    pub struct Circle {
        pub radius: f32,
        pub(super) sides: u32,
    }

    impl Circle {
        pub const UNIT: Circle = Circle {
            radius: 1.0,
            sides: 0,
        };

        pub const fn of(radius: f32) -> Self {
            Circle { radius, sides: 5 }
        }
    }

    pub const LARGE: Circle = Circle::of(100.0);

    pub fn grown(by: f32) -> f32 {
        LARGE.radius * by + LARGE.sides as f32
    }
}
use shapes::{Circle, LARGE};

#[amp_fn]
fn norm(of: Point) -> f32 {
    of.x * of.x + of.y * of.y
}

#[amp_fn]
fn first(of: &Cell) -> u32 {
    of.next[0]
}

twice! {
    named(x: u32) -> f32 = ((0..8).collect(),);
    {
        let i = x as usize;
        const LOCAL: Point = Point { x: 0.25, y: 3.0 };
        let p = ORIGIN;
        let Point { x: left, y: up } = Point::UNIT;
        let mut sum = p.x + p.y + left + up * LOCAL.y + norm(LOCAL) + norm(ORIGIN);
        for point in Point::ALL {
            sum = sum * 0.5 + point.x;
        }
        let corner = elsewhere::CORNER;
        sum += corner.y + (INNER.width + INNER.height) as f32;
        if ORIGIN == p {
            sum += MIXED.0.y + MIXED.1 as f32;
        }
        let moved = Point { x: i as f32, ..LOCAL };
        let unit = Circle::UNIT;
        sum + norm(moved) + unit.radius + Circle::of(2.0).radius + LARGE.radius + shapes::grown(0.5)
    }
}

twice! {
    in_arrays(x: u32) -> u32 = ((0..8).collect(),);
    {
        let i = x as usize;
        let mut sum = first(&CELLS[i % 2]) + CELLS.len() as u32;
        for cell in CELLS.iter() {
            sum = sum * 3 + cell.next[i % 2] % 100 + cell.at.y.to_bits() % 1000 + cell.speed.y.to_bits() % 1001;
            sum += match cell.kind {
                Kind::Solid => 1,
                Kind::Liquid => 2,
            };
        }
        let there: Direction = DIRECTION;
        let more = [(BOUNDS.0 / BOUNDS.1) as u32, there.up as u32, left() as u32];
        more.iter().fold(sum, |sum, x| sum.wrapping_mul(5).wrapping_add(*x))
    }
}
