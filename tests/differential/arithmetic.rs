//! Operators of all scalars, with Rust's results at the ends of ranges.

// Negated comparisons differ from opposite ones where there is NaN: they are the point.
#![allow(clippy::neg_cmp_op_on_partial_ord, clippy::bool_comparison)]
#![allow(
    clippy::precedence,
    clippy::erasing_op,
    clippy::identity_op,
    clippy::neg_multiply
)]

use amp::prelude::*;
use testkit::numbers::{FLOATS, INTEGERS, pairs, random};
use testkit::table;

fn signed() -> (Vec<i32>, Vec<i32>) {
    let (mut x, mut y) = pairs(&INTEGERS);
    x.extend(random(1).take(1000).map(u32::cast_signed));
    y.extend(random(2).take(1000).map(u32::cast_signed));
    (x, y)
}

fn unsigned() -> (Vec<u32>, Vec<u32>) {
    let (x, y) = signed();
    let cast = |values: Vec<i32>| values.into_iter().map(i32::cast_unsigned).collect();
    (cast(x), cast(y))
}

/// Pairs of floats, with random patterns and with operands of like size.
fn floats() -> (Vec<f32>, Vec<f32>) {
    let (mut x, mut y) = pairs(&FLOATS);
    x.extend(random(3).take(2000).map(f32::from_bits));
    y.extend(random(4).take(2000).map(f32::from_bits));
    x.extend(
        random(5)
            .take(2000)
            .map(|word| word.cast_signed() as f32 / 1e6),
    );
    y.extend(
        random(6)
            .take(2000)
            .map(|word| word.cast_signed() as f32 / 1e7),
    );
    (x, y)
}

table! {
    of_i32(x: i32, y: i32) -> i32 = signed();
    x + y => x.wrapping_add(y);
    x - y => x.wrapping_sub(y);
    x * y => x.wrapping_mul(y);
    if y == 0 || (x == i32::MIN && y == -1) { 0 } else { x / y } => x.checked_div(y).unwrap_or(0);
    if y == 0 || (x == i32::MIN && y == -1) { 0 } else { x % y } => x.checked_rem(y).unwrap_or(0);
    x & y => x & y;
    x | y => x | y;
    x ^ y => x ^ y;
    x << y => x.wrapping_shl(y as u32);
    x >> y => x.wrapping_shr(y as u32);
    x << (y as u32) => x.wrapping_shl(y as u32);
    x >> (y as usize) => x.wrapping_shr(y as u32);
    -x => x.wrapping_neg();
    !x => !x;
    (x == y) as i32 => i32::from(x == y);
    (x != y) as i32 => i32::from(x != y);
    (x < y) as i32 => i32::from(x < y);
    (x <= y) as i32 => i32::from(x <= y);
    (x > y) as i32 => i32::from(x > y);
    (x >= y) as i32 => i32::from(x >= y);
    -(x + y) * 3 - (x ^ -1) => x.wrapping_add(y).wrapping_neg().wrapping_mul(3).wrapping_sub(!x);
    { let mut z = x; z += y; z -= 7; z *= y; z } => x.wrapping_add(y).wrapping_sub(7).wrapping_mul(y);
    { let mut z = x; z &= y; z |= 0x40; z ^= x; z } => ((x & y) | 0x40) ^ x;
    { let mut z = x; z <<= y; z >>= 3; z } => x.wrapping_shl(y as u32) >> 3;
    { let mut z = x; z /= 10; z %= 7; z } => x / 10 % 7;
    x / -10 => x / -10;
    x % -10 => x % -10;
    -2147483648 + (x & 1) => i32::MIN + (x & 1);
    x << 33 >> 40_u32 => x.wrapping_shl(33).wrapping_shr(40);
}

table! {
    of_u32(x: u32, y: u32) -> u32 = unsigned();
    x + y => x.wrapping_add(y);
    x - y => x.wrapping_sub(y);
    x * y => x.wrapping_mul(y);
    if y == 0 { 0 } else { x / y } => x.checked_div(y).unwrap_or(0);
    if y == 0 { 0 } else { x % y } => x.checked_rem(y).unwrap_or(0);
    x & y => x & y;
    x | y => x | y;
    x ^ y => x ^ y;
    x << y => x.wrapping_shl(y);
    x >> y => x.wrapping_shr(y);
    x >> (y as i32) => x.wrapping_shr(y);
    !x => !x;
    (x == y) as u32 => u32::from(x == y);
    (x != y) as u32 => u32::from(x != y);
    (x < y) as u32 => u32::from(x < y);
    (x <= y) as u32 => u32::from(x <= y);
    (x > y) as u32 => u32::from(x > y);
    (x >= y) as u32 => u32::from(x >= y);
    { let mut z = x; z += y; z -= 7; z *= y; z } => x.wrapping_add(y).wrapping_sub(7).wrapping_mul(y);
    { let mut z = x; z /= 10; z %= 7; z <<= y; z >>= 1; z ^= x; z } => (x / 10 % 7).wrapping_shl(y) >> 1 ^ x;
    4294967295 - x => u32::MAX - x;
    x.wrapping_add(y).wrapping_mul(3).wrapping_sub(x) => x.wrapping_add(y).wrapping_mul(3).wrapping_sub(x);
}

// As far as 32 and 64 bits agree: sums, differences and products modulo 2³², the rest
// where nothing wraps.
table! {
    of_usize(x: u32, y: u32) -> u32 = unsigned();
    (x as usize + y as usize) as u32 => x.wrapping_add(y);
    (x as usize - y as usize) as u32 => x.wrapping_sub(y);
    (x as usize * y as usize) as u32 => x.wrapping_mul(y);
    if y == 0 { 0 } else { (x as usize / y as usize) as u32 } => x.checked_div(y).unwrap_or(0);
    if y == 0 { 0 } else { (x as usize % y as usize) as u32 } => x.checked_rem(y).unwrap_or(0);
    (x as usize & y as usize) as u32 => x & y;
    (x as usize | y as usize) as u32 => x | y;
    (x as usize ^ y as usize) as u32 => x ^ y;
    (!(x as usize)) as u32 => !x;
    ((x as usize) << (y & 31)) as u32 => x << (y & 31);
    (x as usize >> (y & 31) as usize) as u32 => x >> (y & 31);
    (x as usize == y as usize) as u32 => u32::from(x == y);
    ((x as usize) < y as usize) as u32 => u32::from(x < y);
    ((x as usize) <= y as usize) as u32 => u32::from(x <= y);
    (x as usize > y as usize) as u32 => u32::from(x > y);
    (x as usize >= y as usize) as u32 => u32::from(x >= y);
    { let mut z = x as usize; z += 1; z *= 2; z -= 2; z as u32 } => x.wrapping_mul(2);
}

table! {
    of_f32(x: f32, y: f32) -> f32 = floats();
    x + y => x + y;
    x - y => x - y;
    x * y => x * y;
    x / y => x / y;
    x % y => x % y;
    -x => -x;
    { let mut z = x; z += y; z *= 1.5; z -= y; z /= 3.0; z } => ((x + y) * 1.5 - y) / 3.0;
    { let mut z = x; z %= 0.75; z } => x % 0.75;
    // Nothing may be contracted to one rounding, nor reassociated.
    x * y + x => x * y + x;
    x * y - y => x * y - y;
    (x + y) - x => (x + y) - x;
    x / 3.0 * 3.0 => x / 3.0 * 3.0;
    x - x => x - x;
}

// lavapipe's code generator takes a constant `+0.0` for neutral in sums and for absorbing
// in products, whatever float controls say.
table! {
    literal_zeroes(x: f32) -> f32 = (FLOATS.to_vec(),);
    x + 0.0 => x + 0.0;
    0.0 + x => 0.0 + x;
    x - 0.0 => x - 0.0;
    0.0 - x => 0.0 - x;
    x + -0.0 => x + -0.0;
    -0.0 - x => -0.0 - x;
    x * 0.0 => x * 0.0;
    0.0 * x => 0.0 * x;
    x * -0.0 => x * -0.0;
    0.0 / x => 0.0 / x;
    x / 0.0 => x / 0.0;
    x * 1.0 => x * 1.0;
    x * -1.0 => x * -1.0;
}

table! {
    comparisons_of_f32(x: f32, y: f32) -> u32 = floats();
    (x == y) as u32 => u32::from(x == y);
    (x != y) as u32 => u32::from(x != y);
    (x < y) as u32 => u32::from(x < y);
    (x <= y) as u32 => u32::from(x <= y);
    (x > y) as u32 => u32::from(x > y);
    (x >= y) as u32 => u32::from(x >= y);
    (!(x < y)) as u32 => u32::from(!(x < y));
    (!(x >= y)) as u32 => u32::from(!(x >= y));
    (x != x) as u32 => u32::from(x.is_nan());
    if !(x <= y) { 1 } else { 2 } => if !(x <= y) { 1 } else { 2 };
    (x < y || x >= y) as u32 => u32::from(x < y || x >= y);
    (x < f32::INFINITY && x > f32::NEG_INFINITY) as u32 => u32::from(x.is_finite());
}

table! {
    of_bool(x: i32, y: i32) -> u32 = signed();
    (x > 0 && y > 0) as u32 => u32::from(x > 0 && y > 0);
    (x > 0 || y > 0) as u32 => u32::from(x > 0 || y > 0);
    ((x > 0) & (y > 0)) as u32 => u32::from((x > 0) & (y > 0));
    ((x > 0) | (y > 0)) as u32 => u32::from((x > 0) | (y > 0));
    ((x > 0) ^ (y > 0)) as u32 => u32::from((x > 0) ^ (y > 0));
    (!(x > 0)) as u32 => u32::from(x <= 0);
    ((x > 0) == (y > 0)) as u32 => u32::from((x > 0) == (y > 0));
    ((x > 0) != (y > 0)) as u32 => u32::from((x > 0) != (y > 0));
    ((x > 0) < (y > 0)) as u32 => u32::from((x > 0) < (y > 0));
    ((x > 0) >= (y > 0)) as u32 => u32::from((x > 0) >= (y > 0));
    { let mut b = x > 0; b &= y > 0; b |= x == y; b ^= true; b as u32 }
        => u32::from(!(((x > 0) & (y > 0)) | (x == y)));
    (true && !false) as u32 => 1;
    if x > 0 && { y > 0 } || x == y && y != 0 { 5 } else { 6 }
        => if x > 0 && y > 0 || x == y && y != 0 { 5 } else { 6 };
}

/// The right sides of lazy operators run only when they have to.
#[amp_kernel]
fn lazy(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let mut runs = 0;
    let odd = i % 2 == 1;
    let both = odd && {
        runs += 1;
        i > 2
    };
    let either = odd || {
        runs += 10;
        i > 2
    };
    let mixed = (odd && {
        runs += 100;
        true
    }) || {
        runs += 1000;
        both || either
    };
    if both {
        runs += 10_000;
    }
    if either {
        runs += 100_000;
    }
    if mixed {
        runs += 1_000_000;
    }
    out[i] = runs;
}

#[test]
fn lazy_operators_skip_their_right_side() {
    let expected: Vec<i32> = (0..8)
        .map(|i| {
            let odd = i % 2 == 1;
            let (both, either) = (odd && i > 2, odd || i > 2);
            let mut runs = if odd { 101 } else { 1010 };
            runs += i32::from(both) * 10_000 + i32::from(either) * 100_000;
            runs + i32::from(odd || either) * 1_000_000
        })
        .collect();
    testkit::gives(&expected, |view, out| testkit::launch(view, 8, lazy(out)));
}
