//! Constants of several numbers: arrays and tuples, wherever they are declared; and constants
//! of structs, which their module computes.

use amp::glam::Vec2;
use amp::prelude::*;
use testkit::{gives, launch};

const WEIGHTS: [f32; 4] = [0.1, 0.2, -0.0, 1e-40];
const MIXED: (i64, [u8; 2], Vec2, bool) = (i64::MIN + 1, [255, 7], Vec2::new(1.5, -2.5), true);

#[amp_module]
mod table {
    pub struct Step {
        pub row: i32,
        pub column: i32,
    }

    impl Step {
        pub const NONE: Self = Step { row: 0, column: 0 };
        pub const KNIGHT: [[i32; 2]; 3] = [[1, 2], [2, 1], [-1, SIDE]];

        pub fn knight(k: usize) -> Self {
            let [row, column] = Self::KNIGHT[k];
            Step { row, column }
        }
    }

    const SIDE: i32 = -2;
}
use table::Step;

#[amp_fn]
fn weighted(x: f32) -> f32 {
    let weights: [f32; 4] = WEIGHTS;
    let mut sum = 0.0;
    for weight in weights.iter() {
        sum = sum * x + weight;
    }
    sum
}

#[amp_kernel]
fn all(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    const POWERS: [u32; 3] = [1, 10, 100];
    let mixed: (i64, [u8; 2], Vec2, bool) = MIXED;
    let weights: [f32; 4] = WEIGHTS;
    out[0] = weighted(2.0).to_bits();
    out[1] = weights[3].to_bits() ^ weights[2].to_bits();
    out[2] = (mixed.0 >> 32) as u32 ^ mixed.0 as u32;
    out[3] = mixed.1[idx[0]] as u32 + mixed.3 as u32;
    out[4] = (mixed.2.x + mixed.2.y).to_bits();
    let mut sum = 0;
    for (k, power) in POWERS.iter().enumerate() {
        sum += power * (k as u32 + 1);
    }
    out[5] = sum + POWERS[idx[0] + 2] + POWERS.len() as u32;
    let mut at: Step = Step::NONE;
    for k in 0..Step::KNIGHT.len() {
        let Step { row, column } = Step::knight(k);
        at = Step {
            row: at.row * 3 + row,
            column: at.column * 3 + column,
        };
    }
    out[6] = at.row as u32;
    out[7] = at.column as u32;
}

const SIDE: usize = 3;
const LINE: [i32; SIDE] = [-5, 0, 7];

#[amp_fn]
fn shift(line: [i32; SIDE], k: usize) -> i32 {
    line[k]
}

#[amp_kernel]
fn kept_and_passed(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let line: [i32; 3] = LINE;
    out[idx] = shift(LINE, idx[0]) + line[idx[0]];
}

#[amp_kernel]
fn passed_and_kept(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let passed = shift(LINE, idx[0]);
    let line: [i32; 3] = LINE;
    out[idx] = passed + line[idx[0]];
}

#[test]
fn arrays_are_passed_before_and_after_their_length_is_told() {
    gives(&[-10, 0, 14], |view, out| {
        launch(view, 3, kept_and_passed(out))
    });
    gives(&[-10, 0, 14], |view, out| {
        launch(view, 3, passed_and_kept(out))
    });
}

#[test]
fn have_their_numbers_everywhere() {
    let expected = [
        weighted(2.0).to_bits(),
        1e-40_f32.to_bits() ^ (-0.0_f32).to_bits(),
        0x8000_0000 ^ 1,
        256,
        (-1.0_f32).to_bits(),
        321 + 100 + 3,
        (9 + 6 - 1) as u32,
        (18 + 3 - 2) as u32,
    ];
    gives(&expected, |view, out| launch(view, 1, all(out)));
}
