//! What drivers got wrong, found by random programs (`tests/fuzz`).

use amp::prelude::*;
use glam::Vec3;
use testkit::numbers::{DOUBLES, FLOATS, pairs};
use testkit::{gives, launch, table, twice};

use crate::faults::faults_in;

const ZERO: f32 = 0.0;

// `x + 0.0`, `x * 0.0` and `x / 0.0` where the driver finds out that something is zero.
twice! {
    zero_in_a_variable(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    {
        let z = 0.0_f32;
        let mut sum = 0.0;
        for _ in 0..2 { sum += x * z; }
        sum + y / z
    }
}

twice! {
    zero_as_a_constant(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    { if x > 1.0 { x * ZERO + y } else { (x + ZERO) / (y - ZERO) } }
}

twice! {
    zero_as_a_difference(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    { if x > 1.0 { y / (2.5_f32 - 2.5_f32) } else { x + 7.0_f32.fract() } }
}

twice! {
    zero_from_bits_and_integers(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    {
        let mut all = x / f32::from_bits(0);
        for k in 0..3 { all += y * k as f32; }
        all
    }
}

twice! {
    zeroes_of_an_array(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    {
        let mut few = [0.0_f32; 3];
        let mut many = [[0.0_f32; 2]; 70];
        few[1] += x;
        many[69][1] += y;
        few[1] / many[69][1] + x * few[0] - y / many[1][0]
    }
}

// The same with `f64`: a negated literal was left as it is.
twice! {
    zeroes_of_doubles(x: f64, y: f64) -> f64 = pairs(&DOUBLES);
    {
        let negative = -0.0_f64;
        let zero = -negative;
        let mut sum = 0.0;
        for _ in 0..2 { sum += x * -0.0; }
        if y > 1.0 { x / zero + sum } else { (y / -0.0) * (x - zero) }
    }
}

// Comparisons of what the driver knows about integers that were widened.
const ONE: i32 = 1;
const TWO: u32 = 2;
twice! {
    known_integers_made_wide(a: i64, b: i64) -> u32 = pairs(&[0, 1, -1, 2, 5]);
    {
        let (x, y, z) = (1_i32 as i64, ONE as i64, TWO as u64);
        let signed = [x < 1, 1 < x, x <= 1, 1 <= x, y < 1, 1 < y, y <= 1, 1 <= y];
        let unsigned = [z < 2, 2 < z, z <= 2, 2 <= z, a < x, x < b, a <= y, y <= b];
        let mut bits = 33554432_i64.clamp(1_i32 as i64, 1) as u32;
        for k in 0..8 { bits = bits * 4 + signed[k] as u32 * 2 + unsigned[k] as u32; }
        bits
    }
}

// A loop with several exits, one of which is never taken.
twice! {
    a_second_exit_that_is_not_taken(a: u32, b: u32) -> u32 = pairs(&[0, 1, 2, 3]);
    {
        let mut count = 0;
        loop {
            if count >= 3 { break; }
            count += 1;
            if 0 >= count { break; }
        }
        let mut other = 0_u32;
        loop {
            if other >= 2 { break; }
            other += 1;
            if 1 > 'outer: {
                if 1 < 'inner: {
                    if !other.is_power_of_two() { return 77; }
                    1
                } { break 'outer 2; }
                3
            } { return 88; }
        }
        a + b * 10 + count * 100 + other * 1000
    }
}

/// The last two exits as they were found, in a kernel.
#[amp_kernel]
fn leaving(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut count = 0_u32;
    loop {
        if count >= 2 {
            break;
        }
        count += 1;
        if 'outer: {
            let inner = 'inner: {
                if !count.is_power_of_two() {
                    return;
                }
                break 'inner 1;
            };
            if 1 < inner {
                break 'outer 2;
            }
            3
        } < 1
        {
            break;
        }
    }
    out[idx] = count;
}

#[test]
fn a_return_that_is_not_taken() {
    gives(&[2; 9], |view, out| launch(view, 9, leaving(out)));
}

// A flipped sign bit that NVIDIA's driver shared with negations of its own, which take
// denormals for zero.
table! {
    flipped_signs_beside_what_negates(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    f32::from_bits(x.to_bits() ^ 0x8000_0000) => -x;
    x / y => x / y;
    f32::from_bits(y.to_bits() | 0x8000_0000) => -y.abs();
    y as f64 as f32 => y;
    f32::from_bits(y.to_bits().wrapping_add(1 << 31)) => -y;
}

table! {
    flipped_signs_of_bits(bits: u32, y: f32) -> f32 = {
        let (x, y) = pairs(&FLOATS);
        (x.into_iter().map(f32::to_bits).collect(), y)
    };
    f32::from_bits(bits ^ 0x8000_0000) => f32::from_bits(bits ^ 0x8000_0000);
    y / f32::from_bits(bits) => y / f32::from_bits(bits);
}

// A sign that is known: NVIDIA's driver negated, which takes denormals for zero.
table! {
    known_signs(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    x.copysign(-3.0) => -x.abs();
    y.copysign(2.0) => y.abs();
}

// NVIDIA's compiler failed on these four in one kernel.
table! {
    signs_of_i64(x: i64, y: i64) -> i64 = pairs(&[0, 1, -1, 7, -1 << 40, i64::MIN, i64::MAX]);
    x.abs() => x.wrapping_abs();
    x.signum() => x.signum();
    0 - x => x.wrapping_neg();
    x / -10 => x / -10;
    if y == 0 || y == -1 { 1 } else { x / y } => if y == 0 || y == -1 { 1 } else { x / y };
}

// NVIDIA's compiler failed on these in one kernel, and on the second alone beside a root.
table! {
    signs_of_inverted_numbers(x: i64, y: i64) -> i64 = pairs(&[0, 1, -1, 7, -1 << 40, i64::MIN, i64::MAX]);
    x.abs() => x.wrapping_abs();
    x.signum() => x.signum();
    (!x).signum() => (!x).signum();
    0 - x => x.wrapping_neg();
    x / -10 => x / -10;
    (!(y as i32)).signum() as i64 => i64::from((!(y as i32)).signum());
}

// A sum of two literals that NVIDIA's driver did not round.
twice! {
    sums_of_literals(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    { (2.302186 + -25.324963_f32) + x * (0.1_f32 * 0.7) - y * (16777216.0_f32 - -1.5) }
}

// The same in `f64`, where products and sums of literals have far more bits than fit.
twice! {
    sums_of_f64_literals(x: f64, y: f64) -> f64 = pairs(&[0.0, 1.0, -1.5, 1e-300, 3e200, f64::MIN_POSITIVE]);
    {
        (2.3021861234567891 + -25.324963987654321e7) + x * (0.1 * 0.7) - y * (9007199254740993.0 - -1.5)
            + (1.0e16 + 1.0) * (3.0 / 7.0)
    }
}

// Bits of literals, whose highest NVIDIA's driver took for a sign.
twice! {
    leading_bits_of_literals(x: u32, y: u32) -> u32 = pairs(&[0, 1, 7]);
    {
        let narrow = u32::MAX.leading_zeros() + (-1_i32).leading_zeros() * 3 + 2_i32.leading_ones() * 9;
        let wide = u64::MAX.leading_zeros() * 27 + 2_i64.leading_ones() * 81;
        narrow + wide + x * (1_u32 << 31).leading_zeros() + y * (!0_i32).leading_ones()
    }
}

// Shifts of 64 bits by constants that lavapipe took for negative.
twice! {
    turns_by_half(x: u64, y: u64) -> u64 = pairs(&[0, 2, 0x1234_5678_9abc_def0]);
    {
        let n = 32_u32;
        x.rotate_right(32) ^ y.rotate_left(32).wrapping_mul(3) ^ y.rotate_right(n).wrapping_mul(5)
            ^ x.wrapping_shl(0xffff_ffe0) ^ y.wrapping_shr(0xffff_ffe0).wrapping_mul(7)
    }
}

#[amp_struct]
struct Spot {
    at: Vec3,
    pair: [f32; 2],
    many: [f32; 70],
}

#[amp_kernel]
fn products_with_what_is_not_there(
    idx: Index<1>,
    spots: &ArrayView<Spot, 1>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    let tiny = -6.1e-5_f32;
    let spot = spots.section(0, 0)[0]; //~ products_with_what_is_not_there: spots.section(0, 0)[0]
    let turned = spot.at * Vec3::new(1.0, tiny, 1.0);
    out[0] = turned.x.to_bits();
    out[1] = turned.y.to_bits();
    out[2] = (spot.pair[1] * tiny).to_bits();
    out[3] = (spot.many[idx[0] + 69] * tiny).to_bits();
}

// The zero that stands for a vector or an array out of bounds was known to lavapipe, which
// took its product with a negative number for `0.0`.
#[test]
fn zeroes_from_out_of_bounds_keep_signs() {
    let source = (file!(), include_str!("driver_faults.rs"));
    let what = (
        "products_with_what_is_not_there",
        [0].as_slice(),
        "index out of bounds: the extent is 0 but the index is 0",
    );
    let minus = (-0.0_f32).to_bits();
    faults_in(
        source,
        what,
        &[7; 4],
        &[0, minus, minus, minus],
        |view, out| {
            let spots = [Spot {
                at: Vec3::ONE,
                pair: [1.0; 2],
                many: [1.0; 70],
            }];
            launch(
                view,
                1,
                products_with_what_is_not_there(&ArrayView::new(1, &spots)?, out),
            )
        },
    );
}

#[amp_struct]
#[derive(Default)]
struct Line {
    from: Vec3,
    to: Vec3,
}

#[amp_kernel]
fn components_behind_vectors(
    idx: Index<1>,
    points: &ArrayView<Vec3, 1>,
    lines: &mut ArrayViewMut<Line, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    let i = idx[0];
    let whole = points[i];
    out[i * 4] = if points[i].y.is_sign_negative() {
        2.0
    } else {
        1.0
    };
    out[i * 4 + 1] = -points[i][2 - i % 2];
    lines[i] = Line {
        from: whole,
        to: whole * 2.0,
    };
    out[i * 4 + 2] = lines[i].to.z + 1.0;
    lines[i].from.y = 8.0;
    let whole = lines[i];
    out[i * 4 + 3] = whole.from.y + lines[i].from.z.abs();
}

// A component of a vector in a view was the first one, where the whole vector had been loaded
// or stored before, and no check of bounds stood between.
#[test]
fn components_of_vectors_that_have_been_loaded() {
    let points = [Vec3::new(3.0, -5.0, 7.0), Vec3::new(-1.0, 4.0, -6.0)];
    let expected = [2.0, -7.0, 15.0, 15.0, 1.0, -4.0, -11.0, 14.0];
    for unchecked in [false, true] {
        gives(&expected, |view, out| {
            let mut lines = [Line::default(); 2];
            let points = ArrayView::new(2, &points)?;
            let mut lines = ArrayViewMut::new(2, &mut lines)?;
            let kernel = components_behind_vectors(&points, &mut lines, out);
            if unchecked {
                // SAFETY: all indices are below the extents.
                return launch(view, 2, unsafe { kernel.unchecked() });
            }
            launch(view, 2, kernel)
        });
    }
}

/// What leads from one element of an array to another.
#[amp_struct]
struct Link {
    next: u32,
    pair: [u32; 2],
}

// A variable of a loop, and the index of an element whose part it gets, were one register.
twice! {
    elements_at_what_they_lead_to(x: u32) -> u32 = ((0..200_u32).map(|x| x.wrapping_mul(0x9e37_79b9)).collect(),);
    {
        let mut y = x | 1;
        let links: [Link; 8] = std::array::from_fn(|_| {
            y ^= y << 13;
            y ^= y >> 17;
            y ^= y << 5;
            Link { next: y % 8, pair: [y >> 3 & 255, y >> 11 & 255] }
        });
        let mut at = x % 8;
        let mut hash = 0_u32;
        for _ in 0..x % 5 {
            let link = links[at as usize];
            hash = hash.wrapping_mul(31) ^ link.pair[0];
            at = link.next;
        }
        let mut link = links[1];
        for _ in 0..x % 7 {
            link = links[link.next as usize];
            hash = hash.wrapping_mul(31) ^ link.pair[0] ^ link.pair[1] << 8;
        }
        hash ^ at << 24 ^ link.next << 28
    }
}
