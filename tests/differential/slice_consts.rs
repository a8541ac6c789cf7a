//! Constants that are slices and references: of the body, of the file, of other modules and of types;
//! indexed, visited, matched, compared, and passed to helpers.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use amp::prelude::*;
use testkit::twice;

const TAPS: &[f32] = &[0.25, 0.5, 0.25];
const SAME: &[f32] = TAPS;
const PRIMES: [u32; 4] = [2, 3, 5, 7];
const BORROWED: &[u32] = &PRIMES;
const FIXED: &'static [i32; 3] = &[-1, 0, 1];
const FILLED: &[i32] = &[3; 2 * 2];
const WORD: &[u8] = b"kernel";
const EDGES: &[[u32; 2]] = &[[0, 1], [1, 2], [2, 0]];
const PAIR: &(u32, f32) = &(3, 2.5);

#[amp_struct]
struct Point {
    x: f32,
    y: f32,
}

const ORIGIN: &Point = &Point { x: 1.0, y: -2.0 };
const CORNERS: &[Point] = &[Point { x: 0.5, y: 1.0 }, Point { x: 3.0, y: -1.5 }];

impl Point {
    const SCALES: &'static [f32; 2] = &[0.5, 4.0];
}

mod tables {
    pub const COUNTS: &[u32] = &[4, 1, 9];

    pub mod inner {
        pub const WEIGHTS: &[f32] = &[1.5, -0.5];
    }
}
use tables::inner;

#[amp_module]
mod filters {
    pub const GAINS: &[f32] = &[0.5, 1.5, 2.0, 0.25];

    pub struct Filter {
        pub gain: f32,
    }

    impl Filter {
        pub const STEPS: &'static [u32] = &[1, 2, 4];

        pub fn at(&self, i: usize) -> f32 {
            assert!(GAINS[0] < 1.0);
            self.gain * GAINS[i % GAINS.len()] + Self::STEPS[i % 3] as f32
        }
    }

    pub fn total(scale: f32) -> f32 {
        GAINS.iter().map(|gain| gain * scale).sum()
    }
}
use filters::{Filter, GAINS};

#[amp_fn]
fn dot(x: &[f32], y: &[f32]) -> f32 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[amp_fn]
fn norm(point: &Point) -> f32 {
    point.x * point.x + point.y * point.y
}

twice! {
    of_files(i: u32) -> f32 = ((0..12).collect(),);
    {
        let at = i as usize;
        let mut sum = TAPS[at % TAPS.len()] + SAME[(at + 1) % 3] + dot(TAPS, SAME) + dot(&TAPS[1..], &GAINS[..2]);
        for tap in TAPS {
            sum = sum * 0.75 + tap;
        }
        for (k, byte) in WORD.iter().enumerate() {
            sum += (*byte as usize ^ k) as f32;
        }
        for [a, b] in EDGES {
            sum += (a * 3 + b) as f32;
        }
        for x in FIXED.into_iter().rev() {
            sum -= *x as f32 * sum;
        }
        sum += BORROWED.iter().sum::<u32>() as f32 + FILLED.iter().product::<i32>() as f32;
        sum += PAIR.1 * PAIR.0 as f32 + ORIGIN.x + norm(ORIGIN) + norm(&CORNERS[at % 2]);
        sum += CORNERS.iter().map(|corner| corner.y).fold(0.0, f32::min) + Point::SCALES[at % 2];
        let [low, _, high] = *FIXED;
        sum += (low - high) as f32;
        sum
    }
}

twice! {
    of_modules(i: u32) -> f32 = ((0..12).collect(),);
    {
        let at = i as usize;
        let filter = Filter { gain: GAINS[at % 4] };
        let counts = tables::COUNTS;
        let mut sum = filter.at(at) + filters::total(1.0 + i as f32) + filters::GAINS[1] + inner::WEIGHTS[at % 2];
        sum += (counts[at % 3] + Filter::STEPS[2]) as f32;
        sum += match tables::COUNTS {
            [first, .., last] => (first * 10 + last) as f32,
            _ => 0.5,
        };
        sum += inner::WEIGHTS.iter().zip(TAPS).map(|(w, t)| w * t).sum::<f32>();
        if let Some(x) = TAPS.get(at) {
            sum += *x;
        }
        if let Some(x) = EDGES.first() {
            sum += x[1] as f32;
        }
        let found = (TAPS == SAME) as u32 + 2 * tables::COUNTS.contains(&i) as u32 + 4 * (TAPS[0] == GAINS[3]) as u32;
        sum + found as f32
    }
}

twice! {
    of_bodies(i: u32) -> f32 = ((0..12).collect(),);
    {
        const WINDOW: &[f32] = &[1.0, -2.0, 4.0];
        const NAMES: &[[u32; 2]] = &[[1, 2], [3, 4]];
        const LAST: &[f32; 2] = &[8.0, 16.0];
        const AT: &usize = &1;
        let mut sum = dot(WINDOW, LAST) + WINDOW[i as usize % WINDOW.len()] + LAST[*AT];
        {
            const WINDOW: [u32; 2] = [3, 5];
            sum += WINDOW[*AT] as f32;
        }
        let copies = [0.5; WINDOW.len()];
        for [a, b] in NAMES {
            sum += (a * b) as f32 * copies[2];
        }
        sum
    }
}
