//! `#[amp_enum]`s with fields: made, matched by value and by reference, compared, generic, nested;
//! in tile memory, arrays, structs and parameters.

use amp::prelude::*;
use testkit::{gives, gives_and_faults, input, launch, twice};

const NUMBERS: [u32; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 250, u32::MAX];

#[amp_enum]
#[derive(Debug, Default, PartialEq, PartialOrd)]
pub enum Shape {
    #[default]
    Empty,
    Circle(f32),
    Rect {
        w: f32,
        h: f32,
    },
    Marked(bool, usize, (i32, f32), [u8; 3]),
    None(),
}

#[amp_enum]
enum Token {
    Number(i64),
    Shaped(Shape),
    Pair(Shape, u8),
}

#[amp_fn]
fn shape(x: u32) -> Shape {
    match x % 5 {
        0 => Shape::Empty,
        1 => Shape::Circle(x as f32),
        2 => Shape::Rect {
            h: 2.0,
            w: x as f32,
        },
        3 => Shape::Marked(x > 5, x as usize, (-1, 0.5), [1, 2, x as u8]),
        _ => Shape::None(),
    }
}

#[amp_fn]
fn token(x: u32) -> Token {
    if x % 3 == 0 {
        Token::Number(-(x as i64))
    } else if x % 3 == 1 {
        Token::Shaped(shape(x))
    } else {
        Token::Pair(shape(x + 1), x as u8)
    }
}

#[amp_fn]
fn area(s: Shape) -> f32 {
    match s {
        Shape::Circle(r) if r > 4.0 => r * r * 3.0,
        Shape::Circle(r) => r,
        Shape::Rect { w, h: height } => w * height,
        Shape::Empty | Shape::None() => 0.25,
        Shape::Marked(true, n, (_, f), [first, ..]) => n as f32 + f + first as f32,
        Shape::Marked(..) => -1.0,
    }
}

#[amp_fn]
fn grow(s: &mut Shape) {
    match s {
        Shape::Circle(r) => *r += 1.0,
        Shape::Rect { w, .. } => *w *= 2.0,
        Shape::Marked(_, count, (sign, _), _) => {
            *count += 1;
            *sign = -*sign;
        }
        other => *other = Shape::Circle(0.5),
    }
}

#[amp_fn]
fn is_wide(s: &Shape) -> bool {
    matches!(s, Shape::Rect { w, h } if *w > *h)
}

#[amp_module]
mod solids {
    /// As a library would have it.
    #[amp_enum]
    #[derive(Debug, PartialEq)]
    pub enum Maybe<T> {
        Nothing,
        Just(T),
    }

    #[amp_enum]
    pub enum Either<L, R, const N: usize> {
        Left([L; N]),
        Right { right: R },
    }

    impl<T: Copy> Maybe<T> {
        pub fn or(self, other: T) -> T {
            match self {
                Self::Just(x) => x,
                Maybe::Nothing => other,
            }
        }

        pub fn is_just(&self) -> bool {
            matches!(self, Maybe::Just(_))
        }

        pub fn put(&mut self, x: T) {
            if let Maybe::Just(old) = self {
                *old = x;
            }
        }

        pub fn then(self, next: impl Fn(T) -> Maybe<T>) -> Maybe<T> {
            let Maybe::Just(x) = self else {
                return Maybe::Nothing;
            };
            next(x)
        }
    }

    #[amp_fn]
    pub fn half(x: u32) -> Maybe<u32> {
        if x % 2 == 0 && x > 0 {
            Maybe::Just(x / 2)
        } else {
            Maybe::Nothing
        }
    }

    #[amp_enum]
    #[derive(PartialEq)]
    pub enum Solid {
        Ball(f32),
        Cube([f32; 3]),
    }

    impl Solid {
        pub const UNIT: Solid = Solid::Ball(1.0);

        pub fn volume(self) -> f32 {
            match self {
                Self::Ball(r) => r * r * r * 4.0,
                Self::Cube([x, y, z]) => x * y * z,
            }
        }

        pub fn cube(x: f32) -> Self {
            Self::Cube([x; 3])
        }
    }
}
use solids::{Either, Maybe, Solid, half};

twice! {
    matches_by_value(x: u32) -> f32 = (NUMBERS.to_vec(),);
    {
        let mut sum = area(shape(x));
        if let Shape::Rect { w, .. } = shape(x) {
            sum += w;
        }
        let Shape::Marked(flag, _, pair, bytes) = shape(x) else {
            return sum + 0.5;
        };
        sum + pair.1 + bytes[2] as f32 + flag as u32 as f32
    }
}

twice! {
    matches_by_reference(x: u32) -> f32 = (NUMBERS.to_vec(),);
    {
        let mut shapes = [shape(x), shape(x.wrapping_add(1)), Shape::default()];
        for i in 0..3 {
            grow(&mut shapes[i]);
        }
        grow(&mut shapes[2]);
        let mut pair = (shape(x), 7_u32);
        match &mut pair {
            (Shape::Circle(r), n) => *r += *n as f32,
            (_, n) => *n = 9,
        }
        let mut sum = area(pair.0) + pair.1 as f32;
        if let Shape::Circle(r) = &mut shapes[1] {
            *r *= 0.5;
        }
        for s in shapes {
            sum = sum * 3.0 + area(s);
        }
        sum + is_wide(&shapes[0]) as u32 as f32
    }
}

twice! {
    nested(x: u32) -> i32 = (NUMBERS.to_vec(),);
    {
        match token(x) {
            Token::Number(n @ -3..=0) => n as i32,
            Token::Number(n) => n as i32 - 100,
            Token::Shaped(Shape::Circle(r)) => r as i32,
            Token::Pair(Shape::Rect { w, .. }, 1..=100) if w > 1.0 => w as i32 + 50,
            Token::Shaped(s @ (Shape::Empty | Shape::None())) if s == Shape::Empty => 3,
            Token::Pair(_, n) => n as i32,
            Token::Shaped(_) => -1,
        }
    }
}

twice! {
    comparisons(x: u32, y: u32) -> u32 = testkit::numbers::pairs(&NUMBERS);
    {
        let (a, b) = (shape(x), shape(y));
        (a == b) as u32 | (((a != b) as u32) << 1) | (((a < b) as u32) << 2)
            | (((a >= b) as u32) << 3) | (((a > Shape::Circle(2.0)) as u32) << 4)
            | (((half(x) == half(y)) as u32) << 5)
    }
}

twice! {
    generic(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let mut h = half(x);
        h.put(7);
        let mut count = h.is_just() as u32 + h.or(100);
        let mut left = half(x.wrapping_mul(4));
        while let Maybe::Just(n) = left {
            count += 1;
            left = half(n);
        }
        count += half(x).then(|n| half(n)).then(|n| Maybe::Just(n + 1)).or(1000);
        let one = match x % 2 {
            0 => Either::Left([x, 1]),
            _ => Either::Right { right: x as f32 },
        };
        let two: Maybe<Either<u32, f32, 2>> = Maybe::Just(one);
        match two {
            Maybe::Just(Either::Left(both)) => both[0].wrapping_add(both[1] + count),
            Maybe::Just(Either::Right { right }) => right as u32 / 2 + count,
            Maybe::Nothing => 0,
        }
    }
}

twice! {
    members(x: u32) -> f32 = (NUMBERS.to_vec(),);
    {
        let solid = if x % 2 == 0 { Solid::cube(x as f32) } else { Solid::UNIT };
        let is_unit = solid == Solid::UNIT;
        solid.volume() + is_unit as u32 as f32
    }
}

#[amp_struct]
struct Item {
    weight: f32,
    shape: Shape,
    solid: Solid,
}

#[amp_kernel]
fn parameters(
    t_idx: TiledIndex<1, 4>,
    given: Shape,
    item: Item,
    others: (bool, [Shape; 2], Maybe<(u8, f32)>),
    out: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut shapes: [Shape; 4];
    #[tile_static]
    let mut items: [Item; 4];
    let local = t_idx.local[0];
    shapes[local] = others.1[local % 2];
    if local == 1 {
        shapes[local] = given;
    }
    items[local] = item;
    items[local].shape = shape(local as u32);
    grow(&mut shapes[local]);
    t_idx.barrier.wait();
    let mut sum = area(shapes[3 - local]) + area(items[3 - local].shape) * 100.0;
    sum += items[local].solid.volume() * item.weight;
    if let Maybe::Just((n, f)) = others.2 {
        sum += n as f32 + f + others.0 as u32 as f32;
    }
    out[t_idx] = sum;
}

#[test]
fn enums_with_fields_are_parameters_and_tile_memory() {
    let item = Item {
        weight: 0.5,
        shape: Shape::Rect { w: 9.0, h: 9.0 },
        solid: Solid::Cube([1.0, 2.0, 3.0]),
    };
    let others = (
        true,
        [
            Shape::Rect { w: 3.0, h: 4.0 },
            Shape::Marked(true, 5, (1, 0.5), [4; 3]),
        ],
        Maybe::Just((8, 0.125)),
    );
    let base = 3.0 + 9.125;
    let expected = [
        base + 10.5 - 100.0,
        base + 24.0 + 400.0,
        base + 3.0 + 100.0,
        base + 24.0 + 25.0,
    ];
    gives(&expected, |view, out| {
        let domain = out.extent().tile::<4>();
        launch(
            view,
            domain,
            parameters(Shape::Circle(2.0), item, others, out),
        )
    });
}

#[amp_kernel]
fn out_of_bounds(idx: Index<1>, at: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let shapes = [Shape::Circle(1.0), Shape::None()];
    out[idx] = match shapes[at[idx] as usize] {
        Shape::Empty => 7,
        _ => 1,
    };
}

/// What lies out of bounds reads as the first case, everywhere.
#[test]
fn zero_is_the_first_case() {
    gives_and_faults(&[7], |view, out| {
        launch(view, 1, out_of_bounds(&input(&[2]), out))
    });
}

/// Cases whose names are those of types that kernels know.
#[amp_module]
mod named_as_types {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Error {
        Range { value: u32 },
        Index { index: u32 },
        Extent { of: u32 },
        Option { value: u32 },
        Result(u32),
        Wrapping(u32),
        Reverse(u32),
        Ordering(u32),
        Vec2 { x: f32 },
        ArrayView { rank: u32 },
        PhantomData,
    }

    pub fn checked(i: u32) -> Result<u32, Error> {
        Err(match i {
            0 => Error::Range { value: i },
            1 => Error::Index { index: i },
            2 => Error::Extent { of: i },
            3 => Error::Option { value: i },
            4 => Error::Result(i),
            5 => Error::Wrapping(i),
            6 => Error::Reverse(i),
            7 => Error::Ordering(i),
            8 => Error::Vec2 { x: i as f32 },
            9 => Error::ArrayView { rank: i },
            10 => Error::PhantomData,
            _ => return Ok(i),
        })
    }

    pub fn code(error: Error) -> u32 {
        match error {
            Error::Range { value } | Error::Option { value } => value + 10,
            Error::Index { index } => index * 3,
            Error::Extent { of: n } | Error::ArrayView { rank: n } => n * 5,
            Error::Result(n) | Error::Wrapping(n) => n * 7,
            Error::Reverse(n) => n * 11,
            Error::Ordering(n) if n == 7 => 1,
            Error::Ordering(_) | Error::PhantomData => 2,
            Error::Vec2 { x } => x as u32,
        }
    }
}

#[amp_kernel]
fn codes(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = named_as_types::checked(idx[0] as u32).map_or_else(named_as_types::code, |i| i);
}

#[test]
fn cases_may_have_the_names_of_types() {
    let expected = [10, 3, 10, 13, 28, 35, 66, 1, 8, 45, 2, 11];
    gives(&expected, |view, out| launch(view, 12, codes(out)));
}
