//! `as` between all scalars, each result widened to 64 bits.

use amp::prelude::*;
use testkit::numbers::{DOUBLES, FLOATS, random, random_wide};
use testkit::table;

/// Floats around the ends of all integer ranges.
fn ends() -> Vec<f64> {
    let ends = [8, 16, 32, 64].map(|bits| (bits as f64).exp2());
    let halves = ends.map(|end| end / 2.0);
    let offsets = [-1.5, -1.0, -0.75, -0.5, 0.0, 0.25, 0.5, 1.0];
    let near = ends.iter().chain(&halves).flat_map(|&end| {
        let next = [end.next_down(), end.next_up()];
        offsets.map(|offset| end + offset).into_iter().chain(next)
    });
    near.flat_map(|value| [value, -value]).collect()
}

fn doubles() -> Vec<f64> {
    let mut values = [DOUBLES.to_vec(), ends()].concat();
    values.extend(FLOATS.map(f64::from));
    values.extend(random_wide(31).take(1000).map(f64::from_bits));
    let whole = random_wide(32)
        .take(1000)
        .map(|word| word.cast_signed() as f64);
    values.extend(whole.map(|value| value / 1e12));
    // Halfway between two floats of 32 bits, and near it.
    values.extend(random(33).take(1000).map(|word| {
        let float = f64::from(f32::from_bits(word));
        f64::from_bits(float.to_bits() | 1 << 28 | u64::from(word & 1))
    }));
    values
}

fn floats() -> Vec<f32> {
    doubles().iter().map(|&value| value as f32).collect()
}

macro_rules! casts {
    ($($name:ident $ty:ident = $data:expr;)*) => {$(
        table! {
            $name(x: $ty) -> u64 = ($data,);
            x as i8 as u64 => x as i8 as u64;
            x as u8 as u64 => x as u8 as u64;
            x as i16 as u64 => x as i16 as u64;
            x as u16 as u64 => x as u16 as u64;
            x as i32 as u64 => x as i32 as u64;
            x as u32 as u64 => x as u32 as u64;
            x as i64 as u64 => x as i64 as u64;
            x as u64 => x as u64;
            x as isize as i32 as u64 => x as i64 as i32 as u64;
            x as usize as u32 as u8 as u64 => x as u64 as u8 as u64;
            (x as f32).to_bits() as u64 => (x as f32).to_bits() as u64;
            (x as f64).to_bits() => (x as f64).to_bits();
            (x as f64 as f32).to_bits() as u64 => (x as f64 as f32).to_bits() as u64;
        }
    )*};
}

casts! {
    from_i8 i8 = crate::scalars::integers(|word| word as i8).1;
    from_u8 u8 = crate::scalars::integers(|word| word as u8).1;
    from_i16 i16 = crate::scalars::integers(|word| word as i16).1;
    from_u16 u16 = crate::scalars::integers(|word| word as u16).1;
    from_i32 i32 = crate::scalars::integers(|word| word as i32).1;
    from_u32 u32 = crate::scalars::integers(|word| word as u32).1;
    from_i64 i64 = crate::scalars::integers(|word| word).1;
    from_u64 u64 = crate::scalars::integers(|word| word as u64).1;
}

macro_rules! float_casts {
    ($($name:ident $ty:ident = $data:expr;)*) => {$(
        table! {
            $name(x: $ty) -> u64 = ($data,);
            x as i8 as u64 => x as i8 as u64;
            x as u8 as u64 => x as u8 as u64;
            x as i16 as u64 => x as i16 as u64;
            x as u16 as u64 => x as u16 as u64;
            x as i32 as u64 => x as i32 as u64;
            x as u32 as u64 => x as u32 as u64;
            x as i64 as u64 => x as i64 as u64;
            x as u64 => x as u64;
            if x.is_nan() { 0 } else { (x as f32).to_bits() as u64 }
                => if x.is_nan() { 0 } else { (x as f32).to_bits() as u64 };
            if x.is_nan() { 0 } else { (x as f64).to_bits() }
                => if x.is_nan() { 0 } else { (x as f64).to_bits() };
        }
    )*};
}

float_casts! {
    from_f32 f32 = floats();
    from_f64 f64 = doubles();
}

table! {
    of_bools_and_literals(x: i32) -> u64 = (vec![0, 1, -5],);
    (x > 0) as i8 as u64 => u64::from(x > 0);
    (x > 0) as u16 as u64 => u64::from(x > 0);
    (x > 0) as i64 as u64 => u64::from(x > 0);
    (x > 0) as usize as u64 => u64::from(x > 0);
    1.9 as u8 as u64 + x as u64 => 1_u64.wrapping_add(x as u64);
    -1.9 as i64 as u64 => u64::MAX;
    (1e20 as f32).to_bits() as u64 => u64::from(1e20_f32.to_bits());
    255_u8 as i8 as u64 => u64::MAX;
    -1_i16 as u8 as u64 => 255;
}
