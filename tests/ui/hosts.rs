//! The module of `AMP0003_other_file.rs`.

use amp::prelude::*;

pub struct Pair {
    pub a: f32,
}

pub fn halve(x: f32) -> f32 {
    x / 2.0
}

#[amp_fn]
pub fn double(x: f32) -> f32 {
    x * 2.0
}
