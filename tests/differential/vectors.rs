//! glam's vectors and matrices: every operation, against glam where it computes by
//! component or has no choice of order, and against the order of its scalar
//! implementation where it has.

mod conversions;
mod doubles;
mod faults;
mod floats;
mod integers;
mod matrices;
mod memory;

use glam::{IVec4, UVec4, Vec4};
use testkit::numbers::{FLOATS, INTEGERS, random};

/// Floats of every kind, four by four, and random ones of sizes that meet.
fn vec4s(seed: u64) -> Vec<Vec4> {
    let n = FLOATS.len();
    let special = |k: usize, step: usize| FLOATS[(k * step + seed as usize) % n];
    let mut all: Vec<Vec4> = (0..4 * n)
        .map(|k| Vec4::new(special(k, 1), special(k, 5), special(k, 7), special(k, 11)))
        .collect();
    let mut bits = random(seed);
    let mut next = || bits.next().unwrap();
    all.extend(
        (0..300).map(|_| Vec4::from_array([next(), next(), next(), next()].map(f32::from_bits))),
    );
    let mut near = || (next().cast_signed() >> 8) as f32 / 1e6;
    all.extend((0..600).map(|_| Vec4::new(near(), near(), near(), near())));
    all
}

/// Integers of every kind, four by four.
fn ivec4s(seed: u64) -> Vec<IVec4> {
    let n = INTEGERS.len();
    let special = |k: usize, step: usize| INTEGERS[(k * step + seed as usize) % n];
    let mut all: Vec<IVec4> = (0..4 * n)
        .map(|k| IVec4::new(special(k, 1), special(k, 3), special(k, 5), special(k, 7)))
        .collect();
    let mut words = random(seed).map(u32::cast_signed);
    let mut next = || words.next().unwrap();
    all.extend((0..300).map(|_| IVec4::new(next(), next(), next(), next())));
    let mut small = || next() % 12;
    all.extend((0..300).map(|_| IVec4::new(small(), small(), small(), small())));
    all
}

fn uvec4s(seed: u64) -> Vec<UVec4> {
    ivec4s(seed).into_iter().map(|v| v.as_uvec4()).collect()
}

/// One of each of three columns for every position of the first.
fn scalars(seed: u64, count: usize) -> Vec<f32> {
    let special = FLOATS.into_iter().cycle().take(count / 2);
    let units = random(seed).map(|word| word.cast_signed() as f32 / 1e9);
    special.chain(units).take(count).collect()
}
