//! `as` between all scalars: floats saturate, NaN becomes 0, integers keep their bits.

use amp::prelude::*;
use testkit::numbers::{FLOATS, INTEGERS, random};
use testkit::table;

const RANDOM: usize = 1 << 20;

fn words() -> (Vec<u32>,) {
    let special = INTEGERS.into_iter().map(i32::cast_unsigned);
    (special.chain(random(7).take(1 << 16)).collect(),)
}

/// Special values, then patterns: three in four of them are numbers that an integer can
/// hold or just cannot.
fn floats() -> (Vec<f32>,) {
    let patterns = random(8).enumerate().map(|(i, word)| match i % 4 {
        0 => f32::from_bits(word),
        1 => f32::from_bits((word & 0x81ff_ffff) | 0x4000_0000),
        2 => word.cast_signed() as f32 / 65_536.0,
        _ => word as f32 * 2.0,
    });
    (FLOATS.into_iter().chain(patterns.take(RANDOM)).collect(),)
}

table! {
    from_f32(x: f32) -> u32 = floats();
    (x as i32) as u32 => (x as i32).cast_unsigned();
    x as u32 => x as u32;
    x as f32 as u32 => x as u32;
    (-x as i32) as u32 => (-x as i32).cast_unsigned();
    if x < 4294967296.0 { x as usize as u32 } else { 0 } => if x < 4294967296.0 { x as u32 } else { 0 };
}

table! {
    from_u32(x: u32) -> u32 = words();
    x as i32 as u32 => x;
    x as usize as u32 => x;
    x as u32 => x;
    (x as f32).to_bits() => (x as f32).to_bits();
    (x as i32 as f32).to_bits() => (x.cast_signed() as f32).to_bits();
    (x as usize as f32).to_bits() => (x as usize as f32).to_bits();
    (x as i32 as usize) as u32 => x;
    x as usize as i32 as u32 => x;
    (x as f32 as i32) as u32 => (x as f32 as i32).cast_unsigned();
    (x > 9) as u32 + (x > 9) as i32 as u32 + (x > 9) as usize as u32 => u32::from(x > 9) * 3;
    ((x & 1 == 0) as i32 as f32).to_bits() => if x & 1 == 0 { 0x3f80_0000 } else { 0 };
    ((x > 9) as bool) as u32 => u32::from(x > 9);
}

table! {
    of_literals(x: u32) -> u32 = (vec![0_u32],);
    x + (300.7_f32 as u32) => 300;
    x + (-1 as i32 as u32) => u32::MAX;
    x + (-1_i32 as u32) => u32::MAX;
    x + (4294967295 as u32) => u32::MAX;
    x + (1e20_f32 as u32) => u32::MAX;
    x + (-1e20_f32 as i32 as u32) => i32::MIN.cast_unsigned();
    x + (f32::NAN as u32) => 0;
    x + (f32::MAX as i32 as u32) => i32::MAX.cast_unsigned();
    x + (0xff_u32 as f32 as u32) => 255;
    x + (1 as f32 * 2.5) as u32 => 2;
    x + (true as u32) => 1;
    x + u32::MAX as f32 as u32 => u32::MAX;
}
