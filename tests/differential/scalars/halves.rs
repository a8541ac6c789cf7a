//! `half::f16` and `half::bf16`: all of their values, against the `half` crate.

use amp::prelude::*;
use half::{bf16, f16};
use testkit::numbers::{FLOATS, random};
use testkit::{gives, launch, table};

/// Every bit pattern, beside a random other.
fn all<T>(of: impl Fn(u16) -> T) -> (Vec<T>, Vec<T>) {
    let x = (0..=u16::MAX).map(&of).collect();
    let y = random(51)
        .take(1 << 16)
        .map(|word| of(word as u16))
        .collect();
    (x, y)
}

/// Pairs of like size, where sums and products round.
fn like<T>(of: impl Fn(f32) -> T) -> (Vec<T>, Vec<T>) {
    let near = |seed| {
        random(seed)
            .take(8000)
            .map(|word| word.cast_signed() as f32 / 1e8)
    };
    (near(52).map(&of).collect(), near(53).map(&of).collect())
}

/// Floats that lie between those of 16 bits: anywhere, halfway, and next to that.
fn between() -> Vec<f32> {
    let mut values = FLOATS.to_vec();
    values.extend(random(54).take(20_000).map(f32::from_bits));
    for (place, seed) in [(12, 55), (15, 56)] {
        values.extend(random(seed).take(20_000).flat_map(|word| {
            let cut = word >> (place + 1) << (place + 1) | 1 << place;
            [cut, cut - 1, cut + 1].map(f32::from_bits)
        }));
    }
    // The denormal ones of `f16` and below.
    values.extend(
        random(57)
            .take(20_000)
            .map(|word| word.cast_signed() as f32 / 2e13),
    );
    values.extend((0..4096).map(|k| k as f32 * (-26_f32).exp2()));
    values
}

macro_rules! halves {
    ($($arithmetic:ident $methods:ident $questions:ident $conversions:ident $ty:ident)*) => {$(
        table! {
            $arithmetic(x: $ty, y: $ty) -> $ty = {
                let (mut x, mut y) = all($ty::from_bits);
                let (a, b) = like($ty::from_f32);
                x.extend(a);
                y.extend(b);
                (x, y)
            };
            x + y => x + y;
            x - y => x - y;
            x * y => x * y;
            x / y => x / y;
            x % y => x % y;
            -x => -x;
            { let mut z = x; z += y; z *= x; z -= y; z } => (x + y) * x - y;
            x * y + x => x * y + x;
        }

        table! {
            $methods(x: $ty, y: $ty) -> $ty = all($ty::from_bits);
            if x < y || y.is_nan() { x } else { y } => if x < y || y.is_nan() { x } else { y };
            x.min(y) => if x < y || y.is_nan() { x } else { y };
            x.max(y) => if x > y || y.is_nan() { x } else { y };
            x.signum() => x.signum();
            x.copysign(y) => x.copysign(y);
            x.clamp($ty::NEG_ONE, $ty::from_f32(7.5)) => x.clamp($ty::NEG_ONE, $ty::from_f32(7.5));
            $ty::from_f32(x.to_f32().abs().sqrt()) => $ty::from_f32(x.to_f32().abs().sqrt());
            $ty::from_f32(x.to_f32()) => $ty::from_f32(x.to_f32());
            x + $ty::ONE => x + $ty::ONE;
        }

        table! {
            $questions(x: $ty, y: $ty) -> u32 = all($ty::from_bits);
            x.to_bits() as u32 => u32::from(x.to_bits());
            $ty::from_bits(x.to_bits()).to_bits() as u32 => u32::from(x.to_bits());
            if x.is_nan() { 0 } else { x.to_f32().to_bits() } => if x.is_nan() { 0 } else { x.to_f32().to_bits() };
            if x.is_nan() { 0 } else { x.to_f64() as f32 as i32 as u32 }
                => if x.is_nan() { 0 } else { x.to_f64() as f32 as i32 as u32 };
            (x == y) as u32 => u32::from(x == y);
            (x != y) as u32 => u32::from(x != y);
            (x < y) as u32 => u32::from(x < y);
            (x >= y) as u32 => u32::from(x >= y);
            x.is_nan() as u32 => u32::from(x.is_nan());
            x.is_infinite() as u32 => u32::from(x.is_infinite());
            x.is_finite() as u32 => u32::from(x.is_finite());
            x.is_sign_negative() as u32 => u32::from(x.is_sign_negative());
            x.is_sign_positive() as u32 => u32::from(x.is_sign_positive());
        }

        table! {
            $conversions(x: f32) -> $ty = (between(),);
            $ty::from_f32(x) => $ty::from_f32(x);
            $ty::from_f32(-x) => $ty::from_f32(-x);
        }
    )*};
}

halves! {
    arithmetic_of_f16 methods_of_f16 questions_of_f16 conversions_of_f16 f16
    arithmetic_of_bf16 methods_of_bf16 questions_of_bf16 conversions_of_bf16 bf16
}

#[amp_kernel]
fn known_denormals(idx: Index<1>, out: &mut ArrayViewMut<f16, 1>) {
    out[0] = f16::from_bits(5);
    let mut product = f16::from_bits(0x1800);
    for _ in 0..2 {
        product *= f16::from_bits(0x2400);
    }
    out[1] = product;
    let mut sum = f16::ZERO;
    for k in 1..4_u16 {
        sum += f16::from_bits(k);
    }
    out[2] = sum;
    let mut power = 1.0_f32;
    for _ in 0..23 {
        power *= 0.5;
    }
    out[3] = f16::from_f32(power);
    let mut digits = 0_u16;
    for k in 1..5_u16 {
        digits = digits * 7 + k;
    }
    out[4] = -f16::from_bits(digits);
    out[idx + 5] = f16::from_bits(digits) + f16::from_bits(1);
}

// NVIDIA's driver flushed denormals whose bits it knew, although its instruction keeps them.
#[test]
fn denormals_that_are_known() {
    let expected = [5, 8, 6, 2, 0x8000 | 466, 467].map(f16::from_bits);
    gives(&expected, |view, out| launch(view, 1, known_denormals(out)));
}
