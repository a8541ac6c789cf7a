//! Integers of which a driver knew most bits, or needed few, and made the wrong ones: NVIDIA's
//! (580), found by random programs (`tests/fuzz`).

use amp::prelude::*;
use testkit::numbers::pairs;
use testkit::{gives, launch, table, twice};

const WIDE: [u64; 7] = [0, 1, 2, 7, 10, 1 << 40, u64::MAX - 1];

// One bit of what products of 64 bits add up to, times something: it was always set.
table! {
    one_bit_times_something(x: u64, y: u64) -> u64 = pairs(&WIDE);
    ((x % (y | 1)) & 1) * y => ((x % (y | 1)) & 1).wrapping_mul(y);
    (1 & (x % (y | 1))) * y => ((x % (y | 1)) & 1).wrapping_mul(y);
    ((x % (y | 1)) % 2) * y => ((x % (y | 1)) % 2).wrapping_mul(y);
    (x % 2) * y + x => (x % 2).wrapping_mul(y).wrapping_add(x);
    ((x % (y | 1)) & 1) * 12 => ((x % (y | 1)) & 1) * 12;
    (((x % (y | 1)) as u32 & 1) * y as u32) as u64
        => u64::from(((x % (y | 1)) as u32 & 1).wrapping_mul(y as u32));
    (((x % (y | 1)) & 1) as i64 * -(y as i64)) as u64
        => (((x % (y | 1)) & 1) as i64).wrapping_mul((y as i64).wrapping_neg()) as u64;
}

#[amp_kernel(index = 64)]
fn every_other_row(
    idx: Index<3>,
    table: &ArrayView<u8, 2>,
    stride: usize,
    out: &mut ArrayViewMut<u32, 3>,
) {
    let mut sum = 0;
    for k in 0..idx[2] {
        sum += (k & 1) * stride + k % 2;
    }
    let row = (idx[0] & 1) * stride;
    out[idx] = table[[idx[1] & 1, 1]] as u32 + 100 * (row as u32) + 10_000 * sum as u32;
}

#[test]
fn every_other_row_of_a_table() {
    let table: [u8; 14] = std::array::from_fn(|i| i as u8);
    let mut expected = Vec::new();
    for i in 0..3_u32 {
        for j in 0..4_u32 {
            for k in 0..5_u32 {
                let sum = 8 * (k / 2);
                expected.push((j % 2) * 7 + 1 + 100 * (i % 2) * 7 + 10_000 * sum);
            }
        }
    }
    for unchecked in [false, true] {
        gives(&expected, |view, out| {
            let table = ArrayView::new([2, 7], &table)?;
            let mut out = out.view_as([3, 4, 5])?;
            let kernel = every_other_row(&table, 7, &mut out);
            if unchecked {
                // SAFETY: all indices are below the extents.
                return launch(view, [3, 4, 5], unsafe { kernel.unchecked() });
            }
            launch(view, [3, 4, 5], kernel)
        });
    }
}

#[amp_kernel(index = 64)]
fn odd_power(idx: Index<3>, x: u64, out: &mut ArrayViewMut<u32, 3>) {
    out[idx] = (!x.wrapping_pow(5) & 3) as u32;
}

#[amp_kernel(index = 64)]
fn odd_power_as_index(_idx: Index<3>, x: usize, out: &mut ArrayViewMut<u32, 1>) {
    out[!(x * x * x) & 3] = 7;
}

// The last two bits of `!(x * x * x)`: they were those of `!x`.
#[test]
fn last_bits_of_odd_powers() {
    for x in [2, 3, 6, 10, 1 << 33 | 2_u64] {
        let expected = (!x.wrapping_pow(5) & 3) as u32;
        gives(&[expected; 4], |view, out| {
            launch(view, [1, 2, 2], odd_power(x, &mut out.view_as([1, 2, 2])?))
        });
        let mut expected = [0; 4];
        expected[(!x.wrapping_pow(3) & 3) as usize] = 7;
        gives(&expected, |view, out| {
            launch(view, [1, 1, 1], odd_power_as_index(x as usize, out))
        });
    }
}

#[amp_fn]
fn bits_of(byte: u8, short: u16, number: i16) -> u32 {
    let ones = byte.count_ones() + 100 * short.count_ones() + 10_000 * number.count_ones();
    let zeros = byte.count_zeros() + short.count_zeros() + number.count_zeros();
    let powers = byte.is_power_of_two() as u32 + 2 * short.is_power_of_two() as u32;
    ones + 1_000_000 * zeros + 100_000_000 * powers
}

#[amp_kernel]
fn bits_of_narrow(
    idx: Index<1>,
    bytes: &ArrayView<u8, 1>,
    shorts: &ArrayView<u16, 1>,
    signed: &ArrayView<i16, 1>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    out[idx] = bits_of(bytes[idx], shorts[idx], signed[idx]);
}

// Bits of numbers of 8 or 16 bits in memory: those beside them were counted, too.
#[test]
fn bits_of_narrow_numbers() {
    let bytes = [0, 1, 0x80, 0xff, 6, 64_u8];
    let shorts = [0xffff, 0x8000, 1, 0, 0x100, 0xfffe_u16];
    let signed = shorts.map(|it| it as i16);
    let expected: Vec<u32> = (0..6)
        .map(|k| bits_of(bytes[k], shorts[k], signed[k]))
        .collect();
    gives(&expected, |view, out| {
        let bytes = ArrayView::new(6, &bytes)?;
        let shorts = ArrayView::new(6, &shorts)?;
        let signed = ArrayView::new(6, &signed)?;
        launch(view, 6, bits_of_narrow(&bytes, &shorts, &signed, out))
    });
}

// The lower half of what a float is as an integer of 64 bits: the float was converted to 32.
twice! {
    lower_halves_of_converted_floats(x: f32, y: f32) -> u32 = pairs(&[
        0.0, 3.7, -2.0, 300.7, 7e4, 5e9, 1e10, 1e15, 9.223372e18, 1.8e19, 1e20, f32::NAN,
    ]);
    {
        let shifted = 1_u32.wrapping_shl(x as u64 as u32) + 3 * ((y as u64 as u32) >> 3);
        let signed = (x as i64 as i32 as f32) + (y as u64 as i32 as f32);
        shifted ^ signed as i64 as u32
    }
}

#[amp_kernel]
fn changed_places(
    idx: Index<1>,
    x: i16,
    y: u32,
    table: &ArrayView<i16, 1>,
    out: &mut ArrayViewMut<u16, 1>,
) {
    let d = x as u16 as u32;
    let of_parameter = match idx[0] {
        0 => x.rotate_left(8) as u16,
        1 => ((d >> 8) | (d << 8)) as u16,
        2 => ((d >> 8) ^ (d << 8)) as u16,
        3 => x.swap_bytes() as u16,
        6 => x.rotate_left(8).rotate_left(1) as u16,
        _ => 0,
    };
    out[idx] = of_parameter;
    if idx[0] == 4 {
        out[4] = ((y >> 8 & 0xff) | (y & 0xff) << 8) as u16;
    } else if idx[0] == 5 {
        out[5] = table[0].rotate_right(8) as u16;
    }
}

#[amp_kernel]
fn rotated(idx: Index<1>, x: i16, y: u16, out: &mut ArrayViewMut<i16, 1>) {
    out[idx] = x.rotate_left(8);
    out[idx[0] + 1] = y.rotate_left(8) as i16;
}

// Two bytes that changed places on their way to memory: others came there.
#[test]
fn bytes_that_change_places() {
    for (x, swapped) in [(0x1234, 0x3412_u16), (1, 0x100), (-2, 0xfeff)] {
        for unchecked in [false, true] {
            let mut expected = [swapped; 7];
            expected[6] = swapped.rotate_left(1);
            gives(&expected, |view, out| {
                let table = [x];
                let table = ArrayView::new(1, &table)?;
                let kernel = changed_places(x, x as u16 as u32, &table, out);
                if unchecked {
                    // SAFETY: all indices are below the extents.
                    return launch(view, 7, unsafe { kernel.unchecked() });
                }
                launch(view, 7, kernel)
            });
        }
        gives(&[swapped as i16; 2], |view, out| {
            launch(view, 1, rotated(x, x as u16, out))
        });
    }
}

#[amp_kernel(index = 64)]
fn sum_beside_remainder<const C: usize>(idx: Index<3>, out: &mut ArrayViewMut<u32, 3>) {
    out[idx] = ((idx[C] % 6) | (9 + idx[1])).trailing_ones();
}

// The sum of a literal and a number of 64 bits, or'ed with a remainder: a bit was wrong.
#[test]
fn sums_beside_remainders() {
    let mut expected = Vec::new();
    for i in 0..2_u64 {
        for j in 0..3 {
            expected.extend([((i % 6) | (9 + j)).trailing_ones(); 5]);
        }
    }
    gives(&expected, |view, out| {
        let kernel = sum_beside_remainder::<0>;
        launch(view, [2, 3, 5], kernel(&mut out.view_as([2, 3, 5])?))
    });
}

#[amp_kernel]
fn swapped_product(
    t_idx: TiledIndex<1, 32>,
    x: u32,
    floats: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut block: [f32; 32];
    block[t_idx.local[0]] = 1.0 / floats[0];
    out[t_idx] = (x * 0x1_0000).swap_bytes();
}

// The bytes of a product with a power of 2, beside a division of floats: they were in other places.
#[test]
fn bytes_of_products_that_change_places() {
    for x in [1, 0x1234, 0xabcd_0080_u32] {
        gives(&[(x << 16).swap_bytes(); 32], |view, out| {
            let floats = ArrayView::new(1, &[2.0])?;
            let domain = out.extent().tile::<32>();
            launch(view, domain, swapped_product(x, &floats, out))
        });
    }
}

// The carry of a sum: it came from a register of the division.
table! {
    carries_beside_divisions(x: u64, y: u64) -> u64 = pairs(&WIDE);
    x.saturating_mul(3).saturating_add(y) => x.saturating_mul(3).saturating_add(y);
    { let sum = x + y; if sum < x { 1 } else { sum } }
        => match x.overflowing_add(y) { (_, true) => 1, (sum, _) => sum };
    x / (y | 1) => x / (y | 1);
}
