//! Enums of narrow numbers, which have 32 bits on a device: cast, matched, compared, stored, passed to kernels.

use amp::prelude::*;
use testkit::{gives, input, launch, twice};

#[amp_enum]
#[repr(u8)]
#[derive(PartialOrd)]
enum Tile {
    Empty,
    Wall = 7,
    Door = 255,
}

#[amp_module]
mod directions {
    #[repr(i8)]
    #[derive(PartialEq, PartialOrd, Default)]
    pub enum Turn {
        Left = -1,
        #[default]
        Straight,
        Right,
    }

    #[repr(u16)]
    #[derive(Clone, Copy, PartialEq)]
    pub enum Code {
        None,
        Some = 300,
    }

    pub struct Step {
        pub turn: Turn,
        pub code: Code,
        pub length: u32,
    }

    pub fn sum(turn: Turn, code: Code) -> i32 {
        turn as i32 * 1000 + code as i32 + (turn as u8) as i32 + (code as u8) as i32
    }
}
use directions::{Code, Step, Turn, sum};

const LAST: Tile = Tile::Door;

#[amp_fn]
fn tile(x: u32) -> Tile {
    match x % 3 {
        0 => Tile::Empty,
        1 => Tile::Wall,
        _ => LAST,
    }
}

#[amp_fn]
fn turn(x: u32) -> Turn {
    match x % 3 {
        0 => Turn::Left,
        1 => Turn::default(),
        _ => Turn::Right,
    }
}

twice! {
    values(x: u32) -> u32 = ((0..50_u32).map(|x| x.wrapping_mul(0x9e37_79b9)).collect(),);
    {
        let tiles: [Tile; 4] = std::array::from_fn(|i| tile(x >> i));
        let (first, last) = (tiles[x as usize % 4], tiles[3]);
        let turn = turn(x);
        let code = if x % 5 == 0 { Code::None } else { Code::Some };
        let mut sum = sum(turn, code) as u32;
        for tile in tiles {
            sum = sum.wrapping_mul(31) ^ tile as u8 as u32 ^ (tile as i8) as u32 ^ tile as u32;
        }
        let least = if first < last { first } else { last };
        let matched = match (least, turn) {
            (Tile::Empty, Turn::Left) => 1,
            (Tile::Wall, _) => 2,
            (tile, turn) if tile == LAST => turn as i32 as u32,
            _ => 4,
        };
        sum ^ matched << 16 ^ ((turn < Turn::Right) as u32) << 20
    }
}

#[amp_kernel]
fn passed(
    idx: Index<1>,
    first: Tile,
    step: Step,
    xs: &ArrayView<u32, 1>,
    last: Turn,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let own = tile(xs[idx]);
    out[idx] = first as i32 * 3 + sum(step.turn, step.code) + step.length as i32 * 7 + last as i32
        - own as i32
        + (own == first) as i32;
}

#[test]
fn arguments() {
    let xs: Vec<u32> = (0..40).collect();
    for (first, turn, last) in [
        (Tile::Wall, Turn::Left, Turn::Right),
        (Tile::Door, Turn::Right, Turn::Left),
    ] {
        let of = |x: &u32| {
            let own = tile(*x);
            first as i32 * 3 + sum(turn, Code::Some) + 77 + last as i32 - own as i32
                + (own == first) as i32
        };
        let expected: Vec<i32> = xs.iter().map(of).collect();
        gives(&expected, |view, out| {
            let step = Step {
                turn,
                code: Code::Some,
                length: 11,
            };
            launch(
                view,
                out.extent(),
                passed(first, step, &input(&xs), last, out),
            )
        });
    }
}
