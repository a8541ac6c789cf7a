//! Constants: items, associated, of the standard library, const generics; as values, as
//! lengths of arrays and as tiles.

use amp::prelude::*;
use testkit::{becomes, everywhere, gives, launch};

const YES: bool = true;
const SIGNED: i32 = -70_000;
const UNSIGNED: u32 = 0xdead_beef;
const FLOAT: f32 = 0.1 + 0.2;
const COUNT: usize = 3 * SIDE;
const SIDE: usize = 2;

mod settings {
    pub const DEPTH: usize = 5;

    pub mod inner {
        pub const NEGATIVE: f32 = -0.0;
        pub const LIMIT: u32 = super::DEPTH as u32 * 11;
    }
}

struct Config;

impl Config {
    const WIDTH: usize = 8;
    const GAIN: f32 = 1e-40;
    const ON: bool = false;
}

trait Shape {
    const SIDES: u32;
}

struct Square;

impl Shape for Square {
    const SIDES: u32 = 4;
}

#[amp_kernel]
fn of_all_types(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    const LOCAL: u32 = 3 + settings::inner::LIMIT;
    if idx[0] == 0 {
        let float: f32 = FLOAT;
        out[0] = YES as u32;
        out[1] = SIGNED as u32;
        out[2] = UNSIGNED;
        out[3] = float.to_bits();
        out[4] = COUNT as u32;
        out[5] = settings::DEPTH as u32;
        let negative: f32 = settings::inner::NEGATIVE;
        out[6] = (negative + -0.0).to_bits();
        out[7] = settings::inner::LIMIT * 2;
        out[8] = Config::WIDTH as u32;
        let gain: f32 = Config::GAIN;
        out[9] = (gain * 2.0_f32).to_bits();
        out[10] = if Config::ON { 1 } else { 2 };
        out[11] = Square::SIDES;
        out[12] = f32::MAX.to_bits();
        out[13] = (f32::MIN_POSITIVE + f32::EPSILON).to_bits();
        out[14] = i32::MIN as u32;
        out[15] = u32::MAX - u32::BITS;
        out[16] = std::f32::consts::PI.to_bits();
        out[17] = LOCAL;
        let signed: i32 = SIGNED;
        out[18] = (signed + 1) as u32;
        let count: usize = COUNT - SIDE;
        out[19] = count as u32;
        out[20] = f32::NAN.is_nan() as u32;
        out[21] = (f32::INFINITY > f32::MAX) as u32;
        let area: usize = crate::consts::SIDE * self::settings::DEPTH;
        out[22] = area as u32;
        out[23] = {
            let b = YES && !Config::ON;
            b as u32
        };
    }
}

#[test]
fn constants_of_all_types_have_their_values() {
    let expected = [
        1,
        SIGNED as u32,
        UNSIGNED,
        FLOAT.to_bits(),
        6,
        5,
        (-0.0_f32).to_bits(),
        110,
        8,
        (1e-40_f32 * 2.0).to_bits(),
        2,
        4,
        f32::MAX.to_bits(),
        (f32::MIN_POSITIVE + f32::EPSILON).to_bits(),
        i32::MIN as u32,
        u32::MAX - 32,
        std::f32::consts::PI.to_bits(),
        58,
        (SIGNED + 1) as u32,
        4,
        1,
        1,
        10,
        1,
    ];
    gives(&expected, |view, out| launch(view, 3, of_all_types(out)));
}

const FROM: i64 = -2;
const TO: i64 = 2;
const WIDE: u64 = 5;

#[amp_fn]
fn rounds() -> u32 {
    let mut rounds = 0;
    for _ in 0..u8::MAX {
        rounds += 1;
    }
    for _ in 0..SIGNED {
        rounds += 1;
    }
    rounds
}

/// Nothing but the constants says which integers these are.
#[amp_kernel]
fn as_bounds(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut count = rounds();
    for _ in 1..Square::SIDES {
        count += 1_000;
    }
    for _ in (FROM..=TO).rev() {
        count += 10_000;
    }
    for _ in (0..(WIDE)).step_by(2) {
        count += 100_000;
    }
    out[idx] = count + WIDE as u32 + TO as u8 as u32;
}

#[test]
fn constants_bound_loops_with_unused_counters() {
    let expected = [255 + 3_000 + 50_000 + 300_000 + 5 + 2; 3];
    gives(&expected, |view, out| launch(view, 3, as_bounds(out)));
}

#[amp_kernel]
fn as_lengths(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut a = [[0_u32; COUNT]; settings::DEPTH];
    let mut b = [1_u32; Config::WIDTH];
    let c: [u32; SIDE] = [4; SIDE];
    for i in 0..settings::DEPTH {
        for j in 0..COUNT {
            a[i][j] = (i * 10 + j + idx[0]) as u32;
        }
        b[i] += a[i][COUNT - 1];
    }
    let row = a[idx[0] % settings::DEPTH];
    let mut sum = c[1];
    for j in 0..COUNT {
        sum += row[j];
    }
    for i in 0..Config::WIDTH {
        sum = sum * 3 + b[i];
    }
    out[idx] = sum;
}

#[test]
fn constants_size_local_arrays() {
    let expected: Vec<u32> = (0..12_u32)
        .map(|n| {
            let mut sum = 4 + (0..6).map(|j| n % 5 * 10 + j + n).sum::<u32>();
            for i in 0..8 {
                let b = if i < 5 { 1 + i * 10 + 5 + n } else { 1 };
                sum = sum * 3 + b;
            }
            sum
        })
        .collect();
    gives(&expected, |view, out| launch(view, 12, as_lengths(out)));
}

/// Reverses tiles, and adds what a local array sized by another parameter holds.
#[amp_kernel]
fn reverse<const TILE: usize, const EXTRA: usize, const ADD: i32, const SIGN: bool>(
    t_idx: TiledIndex<1, TILE>,
    a: &mut ArrayViewMut<i32, 1>,
) {
    #[tile_static]
    let mut shared: [i32; TILE];
    let i = t_idx.local[0];
    shared[i] = a[t_idx];
    t_idx.barrier.wait();
    let mut extra = [ADD; EXTRA];
    extra[EXTRA - 1] += EXTRA as i32;
    let mut sum = 0;
    for k in 0..EXTRA {
        sum += extra[k];
    }
    let value = shared[TILE - 1 - i];
    a[t_idx] = if SIGN { -value } else { value } + sum;
}

fn reversed(a: &[i32], tile: usize, extra: usize, add: i32, sign: bool) -> Vec<i32> {
    let sum = add * extra as i32 + extra as i32;
    a.chunks(tile)
        .flat_map(|tile| tile.iter().rev())
        .map(|value| if sign { -value } else { *value } + sum)
        .collect()
}

#[test]
fn one_kernel_has_many_instances() {
    let a: Vec<i32> = (0..192).collect();
    let first = reversed(&a, 4, 2, 10, false);
    let second = reversed(&first, 96, 7, -1, true);
    let third = reversed(&second, 64, 2, 10, false);
    becomes([192], &a, &third, |view, out| {
        let domain = Extent::new([192]);
        launch(view, domain.tile::<4>(), reverse::<4, 2, 10, false>(out))?;
        launch(view, domain.tile::<96>(), reverse::<96, 7, -1, true>(out))?;
        launch(view, domain.tile::<64>(), reverse::<64, 2, 10, false>(out))
    });
}

const ROWS: usize = 4;
const COLUMNS: usize = 16;

#[amp_kernel]
#[allow(unused_braces)]
fn transpose_tiles(
    t_idx: TiledIndex<2, ROWS, { COLUMNS / 2 }>,
    a: &ArrayView<u32, 2>,
    out: &mut ArrayViewMut<u32, 2>,
) {
    #[tile_static]
    let mut block: [[u32; ROWS]; COLUMNS / 2];
    block[t_idx.local[1]][t_idx.local[0]] = a[t_idx];
    t_idx.barrier.wait();
    // The tile read the other way round: its flat position in the transposed block.
    let flat = t_idx.local[0] * (COLUMNS / 2) + t_idx.local[1];
    out[t_idx] = block[flat / ROWS][flat % ROWS];
}

#[test]
fn tiles_are_sized_by_expressions() {
    let a: Vec<u32> = (0..128).collect();
    let expected: Vec<u32> = (0..128_usize)
        .map(|n| {
            let (i, j) = (n / 16, n % 16);
            let flat = i % 4 * 8 + j % 8;
            let (row, column) = (flat % 4, flat / 4);
            ((i / 4 * 4 + row) * 16 + j / 8 * 8 + column) as u32
        })
        .collect();
    everywhere(|view| {
        let a = ArrayView::new([8, 16], &a).unwrap();
        let mut found = vec![0; 128];
        {
            let mut out = ArrayViewMut::new([8, 16], &mut found).unwrap();
            let domain = out.extent().tile::<4, 8>();
            launch(view, domain, transpose_tiles(&a, &mut out)).unwrap();
        }
        assert_eq!(found, expected, "{view}");
    });
}

/// Hides [`SIDE`] in its block alone, where functions see it too.
#[amp_kernel]
fn hiding(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = SIDE as u32;
    {
        const SIDE: u32 = DOUBLE + 1;
        const DOUBLE: u32 = 4;
        out[1] = SIDE;
        {
            const SIDE: u32 = DOUBLE * 10;
            out[2] = SIDE;
            let many = [SIDE; LENGTH];
            const LENGTH: usize = 3;
            out[3] = many[2] + LENGTH as u32;
        }
        out[4] = SIDE;
    }
    {
        const SIDE: u32 = 100;
        fn inside() -> u32 {
            SIDE + 1
        }
        fn parameter<const SIDE: usize>(parts: [u32; SIDE]) -> u32 {
            SIDE as u32 + parts[0]
        }
        out[5] = inside() + parameter([1, 2, 3]);
    }
    out[6] = SIDE as u32;
}

#[test]
fn constants_of_a_block_hide_others_in_it_alone() {
    gives(&[2, 5, 40, 43, 5, 105, 2], |view, out| {
        launch(view, 1, hiding(out))
    });
}

#[allow(non_upper_case_globals)]
const three: u32 = 3;

#[allow(non_snake_case, non_upper_case_globals)]
#[amp_kernel]
fn by_meaning(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    #[allow(non_upper_case_globals)]
    const five: u32 = 5;
    out[idx] = match idx[0] as u32 {
        three => three * 100,
        five => five * 200,
        X => X + 1000,
    };
}

#[test]
fn names_in_patterns_are_constants_by_what_they_mean_not_by_case() {
    let expected = [1000, 1001, 1002, 300, 1004, 1000, 1006, 1007];
    gives(&expected, |view, out| launch(view, 8, by_meaning(out)));
}
