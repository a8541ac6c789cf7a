//! The numeric methods whose results are exact.

use amp::prelude::*;
use testkit::numbers::{FLOATS, INTEGERS, pairs, random};
use testkit::table;

fn words() -> (Vec<u32>, Vec<u32>) {
    let special = INTEGERS.map(i32::cast_unsigned);
    let (mut x, mut y) = pairs(&special);
    x.extend(random(10).take(2000));
    y.extend(random(11).take(2000));
    (x, y)
}

fn signed() -> (Vec<i32>, Vec<i32>) {
    let (x, y) = words();
    let cast = |values: Vec<u32>| values.into_iter().map(u32::cast_signed).collect();
    (cast(x), cast(y))
}

fn floats() -> (Vec<f32>, Vec<f32>) {
    let (mut x, mut y) = pairs(&FLOATS);
    x.extend(random(12).take(4000).map(f32::from_bits));
    y.extend(random(13).take(4000).map(f32::from_bits));
    x.extend(
        random(14)
            .take(4000)
            .map(|word| word.cast_signed() as f32 / 1e8),
    );
    y.extend(
        random(15)
            .take(4000)
            .map(|word| word.cast_signed() as f32 / 1e8),
    );
    (x, y)
}

table! {
    bits_of_u32(x: u32, y: u32) -> u32 = words();
    x.count_ones() => x.count_ones();
    x.count_zeros() => x.count_zeros();
    x.leading_zeros() => x.leading_zeros();
    x.trailing_zeros() => x.trailing_zeros();
    x.leading_ones() => x.leading_ones();
    x.trailing_ones() => x.trailing_ones();
    x.reverse_bits() => x.reverse_bits();
    x.swap_bytes() => x.swap_bytes();
    x.rotate_left(y) => x.rotate_left(y);
    x.rotate_right(y) => x.rotate_right(y);
    x.rotate_left(0) => x;
    x.is_power_of_two() as u32 => u32::from(x.is_power_of_two());
    x.wrapping_shl(y) => x.wrapping_shl(y);
    x.wrapping_shr(y) => x.wrapping_shr(y);
    x.wrapping_neg() => x.wrapping_neg();
    if y != 0 { x.wrapping_div(y) } else { 0 } => if y != 0 { x.wrapping_div(y) } else { 0 };
    if y != 0 { x.wrapping_rem(y) } else { 0 } => if y != 0 { x.wrapping_rem(y) } else { 0 };
    x.pow(y & 7) => x.wrapping_pow(y & 7);
    x.wrapping_pow(y >> 20) => x.wrapping_pow(y >> 20);
    x.pow(2) => x.wrapping_pow(2);
    x.abs_diff(y) => x.abs_diff(y);
    x.min(y) => x.min(y);
    x.max(y) => x.max(y);
    u32::max(x, 77).min(1_000_000) => x.clamp(77, 1_000_000);
    x.clamp(10, 100) => x.clamp(10, 100);
    if y == 0 { 0 } else { x.div_ceil(y) } => if y == 0 { 0 } else { x.div_ceil(y) };
    if y == 0 { 0 } else { x.rem_euclid(y) } => x.checked_rem(y).unwrap_or(0);
    if y == 0 { 0 } else { x.div_euclid(y) } => x.checked_div(y).unwrap_or(0);
    (f32::from_bits(x)).to_bits() => x;
}

table! {
    bits_of_i32(x: i32, y: i32) -> i32 = signed();
    x.count_ones() as i32 => x.count_ones() as i32;
    x.count_zeros() as i32 => x.count_zeros() as i32;
    x.leading_zeros() as i32 => x.leading_zeros() as i32;
    x.trailing_zeros() as i32 => x.trailing_zeros() as i32;
    x.leading_ones() as i32 => x.leading_ones() as i32;
    x.trailing_ones() as i32 => x.trailing_ones() as i32;
    x.reverse_bits() => x.reverse_bits();
    x.swap_bytes() => x.swap_bytes();
    x.rotate_left(y as u32) => x.rotate_left(y as u32);
    x.rotate_right(y as u32) => x.rotate_right(y as u32);
    x.wrapping_add(y) => x.wrapping_add(y);
    x.wrapping_sub(y) => x.wrapping_sub(y);
    x.wrapping_div(-1) => x.wrapping_div(-1);
    x.wrapping_rem(-1) => x.wrapping_rem(-1);
    if y != 0 { x.wrapping_div(y) } else { 0 } => if y != 0 { x.wrapping_div(y) } else { 0 };
    if y != 0 { x.wrapping_rem(y) } else { 0 } => if y != 0 { x.wrapping_rem(y) } else { 0 };
    x.wrapping_mul(y) => x.wrapping_mul(y);
    x.wrapping_shl(y as u32) => x.wrapping_shl(y as u32);
    x.wrapping_shr(y as u32) => x.wrapping_shr(y as u32);
    x.wrapping_neg() => x.wrapping_neg();
    x.abs() => x.wrapping_abs();
    x.wrapping_abs() => x.wrapping_abs();
    x.unsigned_abs() as i32 => x.unsigned_abs() as i32;
    x.abs_diff(y) as i32 => x.abs_diff(y) as i32;
    x.signum() => x.signum();
    x.pow((y & 7) as u32) => x.wrapping_pow((y & 7) as u32);
    x.pow(3) => x.wrapping_pow(3);
    x.min(y) => x.min(y);
    x.max(y) => x.max(y);
    i32::min(x, -5) => x.min(-5);
    x.clamp(-10, 100) => x.clamp(-10, 100);
    if x <= y { (x ^ y).clamp(x, y) } else { 0 } => if x <= y { (x ^ y).clamp(x, y) } else { 0 };
    if y == 0 || (x == i32::MIN && y == -1) { 0 } else { x.rem_euclid(y) }
        => x.checked_rem_euclid(y).unwrap_or(0);
    if y == 0 || (x == i32::MIN && y == -1) { 0 } else { x.div_euclid(y) }
        => x.checked_div_euclid(y).unwrap_or(0);
}

table! {
    of_usize(x: u32, y: u32) -> u32 = words();
    (x as usize).min(y as usize) as u32 => x.min(y);
    (x as usize).max(y as usize) as u32 => x.max(y);
    (x as usize).clamp(3, 70_000) as u32 => x.clamp(3, 70_000);
    (x as usize).count_ones() => x.count_ones();
    (x as usize).trailing_zeros() => u64::from(x).trailing_zeros();
    (x as usize).leading_zeros() => u64::from(x).leading_zeros();
    usize::BITS - (x as usize).leading_zeros() => u32::BITS - x.leading_zeros();
    (x as usize).is_power_of_two() as u32 => u32::from(x.is_power_of_two());
    (x as usize).abs_diff(y as usize) as u32 => x.abs_diff(y);
    (x as usize).pow(y & 7) as u32 => x.wrapping_pow(y & 7);
    (x as usize).wrapping_add(y as usize) as u32 => x.wrapping_add(y);
    (x as usize).wrapping_mul(y as usize) as u32 => x.wrapping_mul(y);
    (x as usize).div_ceil(7) as u32 => x.div_ceil(7);
    if y == 0 { 0 } else { (x as usize).div_ceil(y as usize) as u32 }
        => if y == 0 { 0 } else { x.div_ceil(y) };
    usize::max(x as usize, 5) as u32 => x.max(5);
}

/// What a kernel's `min` gives for zeroes of two signs, where Rust leaves a choice: the
/// second.
fn min(x: f32, y: f32) -> f32 {
    if x < y || y.is_nan() { x } else { y }
}

fn max(x: f32, y: f32) -> f32 {
    if x > y || y.is_nan() { x } else { y }
}

#[test]
fn min_and_max_are_those_of_rust() {
    let (x, y) = floats();
    for (x, y) in x.into_iter().zip(y) {
        let zeroes = x == 0.0 && y == 0.0;
        assert!(
            zeroes || testkit::Same::same(&min(x, y), &x.min(y)),
            "min of {x} and {y}"
        );
        assert!(
            zeroes || testkit::Same::same(&max(x, y), &x.max(y)),
            "max of {x} and {y}"
        );
    }
}

table! {
    exact_of_f32(x: f32, y: f32) -> f32 = floats();
    x.min(y) => min(x, y);
    x.max(y) => max(x, y);
    f32::max(x, -1.0).min(1.0) => min(max(x, -1.0), 1.0);
    x.clamp(-2.0, 7.5) => x.clamp(-2.0, 7.5);
    if x <= y { (x + y).clamp(x, y) } else { 0.0 } => if x <= y { (x + y).clamp(x, y) } else { 0.0 };
    x.abs() => x.abs();
    x.signum() => x.signum();
    x.copysign(y) => x.copysign(y);
    x.floor() => x.floor();
    x.ceil() => x.ceil();
    x.trunc() => x.trunc();
    x.round() => x.round();
    x.round_ties_even() => x.round_ties_even();
    x.fract() => x.fract();
    x.sqrt() => x.sqrt();
    x.recip() => x.recip();
    f32::from_bits(x.to_bits() ^ 0x8000_0000) => -x;
    f32::abs(x).sqrt() => x.abs().sqrt();
    (-x).floor() => (-x).floor();
}

table! {
    questions_of_f32(x: f32, y: f32) -> u32 = floats();
    if x.is_nan() { 0 } else { x.to_bits() } => if x.is_nan() { 0 } else { x.to_bits() };
    x.is_nan() as u32 => u32::from(x.is_nan());
    x.is_infinite() as u32 => u32::from(x.is_infinite());
    x.is_finite() as u32 => u32::from(x.is_finite());
    x.is_sign_negative() as u32 => u32::from(x.is_sign_negative());
    x.is_sign_positive() as u32 => u32::from(x.is_sign_positive());
    (x + y).is_nan() as u32 => u32::from((x + y).is_nan());
    (x * y).is_finite() as u32 => u32::from((x * y).is_finite());
    (x / y).is_nan() as u32 => u32::from((x / y).is_nan());
}

table! {
    fused_products(x: f32, y: f32) -> f32 = floats();
    x.mul_add(y, 0.25) => x.mul_add(y, 0.25);
    x.mul_add(y, x) => x.mul_add(y, x);
    x.mul_add(2.0, y) => x.mul_add(2.0, y);
    f32::mul_add(-x, y, 1.0) => (-x).mul_add(y, 1.0);
}
