//! Constants of arrays and tuples whose types the file tells, and named lengths where a layout needs
//! numbers.

use amp::prelude::*;
use amp_test_helpers::direction;
use testkit::{gives, launch, twice};

const SIDE: usize = 3;
const Q: usize = SIDE * SIDE;
const CX: [i32; Q] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
const GRID: [[u32; 2]; CX.len() - 7] = [[1, 2], [3, 40]];
const PAIR: (f32, [u8; 3]) = (1.5, [7, 8, 9]);

mod far {
    pub const POWERS: [u32; 1 << 2] = [1, 10, 100, 1000];
}
const TENS: [u32; 4] = far::POWERS;

use crate::tables::far::POWERS as FAR;

#[amp_fn]
fn last_of(table: [i32; Q], from: usize) -> i32 {
    table[(from + 1) % Q]
}

#[amp_fn]
fn first_of(table: &[u32; 4], at: usize) -> u32 {
    table[at % 4]
}

twice! {
    indexed(x: u32) -> i32 = ((0..20).collect(),);
    {
        let i = x as usize;
        let mut sum = CX[i % Q] + CX[3] * 10 + last_of(CX, i) * 100;
        for (k, c) in CX.iter().enumerate() {
            sum = sum * 3 + c * k as i32;
        }
        for [a, b] in GRID {
            sum += (a * b) as i32;
        }
        for row in &GRID {
            sum += row[i % 2] as i32;
        }
        let [first, .., last] = TENS;
        sum += first as i32 + last as i32 + first_of(&TENS, i) as i32;
        sum += PAIR.0.sqrt() as i32 + PAIR.1[i % 3] as i32 + CX.len() as i32;
        {
            const CX: [i32; 2] = [5, 6];
            sum += CX[i % 2];
        }
        sum
    }
}

#[amp_struct]
#[derive(Debug)]
struct Weights {
    of: [f32; SIDE],
    twice: [[i32; 2]; SIDE - 1],
}

#[amp_enum]
#[allow(dead_code)]
enum Chosen {
    Nothing,
    All([u32; SIDE + 1]),
}

#[amp_module]
mod walks {
    const STEPS: [(i32, i32); 2] = [(1, -2), (3, 5)];
    const N: usize = 2;

    pub struct Walk {
        pub at: [i32; N],
    }

    impl Walk {
        pub fn step(&self, i: usize) -> i32 {
            let (a, b) = STEPS[i % N];
            self.at[0] * a + self.at[1] * b
        }
    }

    pub fn far(i: usize) -> i32 {
        STEPS[i % STEPS.len()].1
    }
}
use walks::{Walk, far as far_step};

#[amp_kernel]
fn lengths(
    idx: Index<1>,
    weights: Weights,
    table: [i32; Q],
    chosen: Chosen,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let i = idx[0];
    let walk = Walk { at: [i as i32, 7] };
    let more = match chosen {
        Chosen::All(all) => all[i % 4] as i32,
        Chosen::Nothing => -1,
    };
    out[idx] = (weights.of[i % SIDE] * 4.0) as i32
        + weights.twice[i % 2][1] * 10
        + table[i % Q] * 1000
        + walk.step(i)
        + far_step(i + 1)
        + direction(i)
        + far::POWERS[i % 4] as i32
        + FAR[1] as i32
        + more;
}

#[test]
fn named_lengths() {
    let steps = [(1, -2), (3, 5)];
    let expected: Vec<i32> = (0..12)
        .map(|i| {
            let (a, b) = steps[i % 2];
            [1, 2, 3][i % 3]
                + [20, 40][i % 2] * 10
                + CX[i % 9] * 1000
                + (i as i32 * a + 7 * b)
                + steps[(i + 1) % 2].1
                + [4, -5, 6][i % 3]
                + [1, 10, 100, 1000][i % 4]
                + 10
                + [100, 200, 300, 400][i % 4]
        })
        .collect();
    gives(&expected, |view, out| {
        let weights = Weights {
            of: [0.25, 0.5, 0.75],
            twice: [[10, 20], [30, 40]],
        };
        let chosen = Chosen::All([100, 200, 300, 400]);
        launch(view, 12, lengths(weights, CX, chosen, out))
    });
}
