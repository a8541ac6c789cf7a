//! Constants of enums with fields, in structs, arrays and `Option`s, and of modules.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use amp::prelude::*;
use testkit::{gives_and_faults, launch, twice};

#[amp_enum]
#[derive(Debug, PartialEq)]
enum Shape {
    Empty,
    Circle(f32),
    Rect { w: f32, h: [u32; 2] },
    Pair(i64, bool),
}

#[amp_struct]
struct Scene {
    shape: Shape,
    weight: f32,
}

const ROUND: Shape = Shape::Circle(1.5);
const NOTHING: Shape = Shape::Empty;
const SHAPES: [Shape; 3] = [
    Shape::Rect { w: 0.5, h: [3, 4] },
    Shape::Pair(-7, true),
    Shape::Circle(-2.0),
];
const PERHAPS: Option<Shape> = Some(Shape::Pair(5, false));
const SCENE: Scene = Scene {
    shape: Shape::Rect { w: -1.0, h: [9, 8] },
    weight: 2.5,
};

#[amp_module]
mod tokens {
    #[derive(PartialEq)]
    pub enum Token<T> {
        Number(T),
        Sign { plus: bool },
        End,
    }

    pub const FIRST: Token<u32> = Token::Number(12);
    pub const LAST: Token<u32> = Token::End;

    impl Token<u32> {
        pub const PLUS: Token<u32> = Token::Sign { plus: true };

        pub fn value(self) -> u32 {
            match self {
                Token::Number(x) => x,
                Token::Sign { plus: true } => 1000,
                Token::Sign { .. } => 2000,
                Token::End => 3000,
            }
        }
    }

    pub fn sum() -> u32 {
        FIRST.value() + LAST.value()
    }
}
use tokens::Token;

#[amp_fn]
fn area(shape: Shape) -> f32 {
    match shape {
        Shape::Empty => 0.25,
        Shape::Circle(r) => r * r,
        Shape::Rect { w, h } => w * h[0] as f32 + h[1] as f32,
        Shape::Pair(a, b) => a as f32 + if b { 0.5 } else { 0.0 },
    }
}

twice! {
    constants(x: u32) -> f32 = ((0..12).collect(),);
    {
        const OWN: Shape = Shape::Pair(3, true);
        let mut sum = area(ROUND) + area(NOTHING) * 10.0 + area(OWN);
        sum += area(SHAPES[x as usize % 3]);
        if let Some(shape) = PERHAPS { sum += area(shape); }
        sum += area(SCENE.shape) * SCENE.weight;
        if (Shape::Circle(1.5)) == ROUND { sum += 100.0; }
        for shape in SHAPES { sum = sum * 0.5 + area(shape); }
        match ROUND {
            Shape::Circle(r) if x > 3 => sum + r,
            _ => sum,
        }
    }
}

twice! {
    of_modules(x: u32) -> u32 = ((0..12).collect(),);
    {
        let token: Token<u32> = tokens::FIRST;
        let other = Token::<u32>::PLUS;
        tokens::sum() + token.value() * x + other.value() + tokens::LAST.value()
    }
}

#[amp_module]
mod days {
    #[derive(PartialEq)]
    pub enum Day {
        Monday = 1,
        Tuesday,
        Sunday = 7,
    }
    use Day::*;

    pub const ALL: [Day; 3] = [Monday, Tuesday, Sunday];
    const WEIGHTS: [(Day, u32); 2] = [(Tuesday, 3), (Sunday, 9)];

    impl Day {
        const TURNED: [Self; 4] = [Day::Sunday, Day::Monday, Day::Tuesday, Day::Tuesday];

        fn number(self) -> u32 {
            match self {
                Monday => 10,
                Tuesday => 20,
                Sunday => 30,
            }
        }
    }

    pub fn of(x: usize) -> u32 {
        let day = Day::TURNED[x % 4];
        let (other, weight) = WEIGHTS[x % 2];
        let at = ALL.iter().position(|known| *known == day).unwrap_or(9) as u32;
        ALL[x % 3] as u32 + day.number() + other as u32 * weight + at * 100
    }

    pub fn beyond(x: usize) -> u32 {
        ALL[x].number() + WEIGHTS[x].1
    }
}

twice! {
    without_a_zero(x: u32) -> u32 = ((0..12).collect(),);
    {
        days::of(x as usize) * (days::ALL[x as usize % 3] as u32)
    }
}

#[amp_kernel]
fn beyond(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = days::beyond(idx[0] + 5);
}

#[test]
fn out_of_bounds_there_is_the_first_element() {
    gives_and_faults(&[13, 13], |view, out| launch(view, 2, beyond(out)));
}
