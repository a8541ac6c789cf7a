//! Values of parameters and literals: mostly those at which something changes.

use amp_spirv::tree::Scalar;
use fastrand::Rng;
use glam::Vec3;
use half::{bf16, f16};

use super::{ATOMICS, CELLS, Item, MATRIX, TABLE};

/// Values of all parameters, by name.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Inputs {
    pub numbers: Vec<u32>,
    pub matrix: Vec<f32>,
    pub items: Vec<Item>,
    pub longs: Vec<i64>,
    pub table: Vec<u8>,
    pub doubles: Vec<f64>,
    pub pixels: Vec<[u8; 4]>,
    /// Before the launch.
    pub cells: Vec<u32>,
    /// Before the launch.
    pub signed_cells: Vec<i32>,
    pub signed: i32,
    pub unsigned: u32,
    pub float: f32,
    pub size: usize,
    pub flag: bool,
    pub long: i64,
    pub double: f64,
    pub byte: u8,
    pub short: i16,
    pub half: f16,
    pub whole: Item,
}

impl Inputs {
    /// Random ones.
    pub fn any(rng: &mut Rng) -> Self {
        let cells = CELLS * ATOMICS.len() as u32;
        Self {
            numbers: (0..13).map(|_| number(rng) as u32).collect(),
            matrix: (0..MATRIX[0] * MATRIX[1]).map(|_| single(rng)).collect(),
            items: (0..4).map(|_| item(rng)).collect(),
            longs: (0..7).map(|_| number(rng).cast_signed()).collect(),
            table: (0..TABLE[0] * TABLE[1])
                .map(|_| number(rng) as u8)
                .collect(),
            doubles: (0..6).map(|_| float(rng, Scalar::F64)).collect(),
            pixels: (0..5)
                .map(|_| [(); 4].map(|()| number(rng) as u8))
                .collect(),
            cells: (0..cells).map(|_| number(rng) as u32).collect(),
            signed_cells: (0..cells).map(|_| number(rng) as i32).collect(),
            signed: number(rng) as i32,
            unsigned: number(rng) as u32,
            float: single(rng),
            size: rng.usize(0..20),
            flag: rng.bool(),
            long: number(rng).cast_signed(),
            double: float(rng, Scalar::F64),
            byte: number(rng) as u8,
            short: number(rng) as i16,
            half: f16::from_f64(float(rng, Scalar::F16)),
            whole: item(rng),
        }
    }
}

fn single(rng: &mut Rng) -> f32 {
    float(rng, Scalar::F32) as f32
}

fn item(rng: &mut Rng) -> Item {
    Item {
        long: number(rng).cast_signed(),
        real: float(rng, Scalar::F64),
        key: number(rng) as i32,
        count: number(rng) as u32,
        weights: [single(rng), single(rng)],
        spot: Vec3::new(single(rng), single(rng), single(rng)),
        parts: [number(rng) as u16, number(rng) as u16],
        short: number(rng) as i16,
        half: f16::from_f64(float(rng, Scalar::F16)),
        brain: bf16::from_f64(float(rng, Scalar::Bf16)),
        byte: number(rng) as u8,
        sign: number(rng) as i8,
    }
}

/// The bits of an integer: mostly a small one, or one at the end of a range. Those of
/// narrower ones are the lowest of it.
pub fn number(rng: &mut Rng) -> u64 {
    let width = [8, 16, 32, 64][rng.usize(0..4)];
    match rng.u8(0..10) {
        0..5 => rng.u64(0..12),
        5 => rng.u64(0..12).wrapping_neg(),
        6 => 1 << rng.u32(0..width),
        7 => (1_u64 << rng.u32(0..width)).wrapping_sub(1),
        // The least of those with a sign, and its neighbours.
        8 => (u64::MAX << (width - 1)).wrapping_add(rng.u64(0..3)),
        _ => rng.u64(..),
    }
}

/// A float of a type, as an `f64`: finite, or an infinity; no NaN, whose bits are not
/// defined.
pub fn float(rng: &mut Rng, scalar: Scalar) -> f64 {
    // Of each type the least, the denormal, the greatest, and what decides a conversion.
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        0.1,
        6e-8,
        -6.1e-5,
        65504.0,
        65520.0,
        1e-40,
        -1e-45,
        f32::MIN_POSITIVE.into(),
        f32::MAX.into(),
        f32::EPSILON.into(),
        f64::INFINITY,
        f64::NEG_INFINITY,
        2_147_483_648.0,
        4_294_967_296.0,
        8_388_609.5,
        16_777_217.0,
        9_007_199_254_740_993.0,
        9_223_372_036_854_775_808.0,
        1e300,
        -5e-324,
        f64::MIN_POSITIVE,
    ];
    let value = match rng.u8(0..4) {
        0 => *rng.choice(&special).expect("there are some"),
        1 => f64::from(rng.i32(-20..20)) * 0.5,
        2 => rng.f64() * 100.0 - 50.0,
        _ => amp_spirv::value::from_bits(scalar, rng.u64(..)),
    };
    let value = amp_spirv::value::rounded(scalar, value);
    if value.is_nan() { 3.25 } else { value }
}
