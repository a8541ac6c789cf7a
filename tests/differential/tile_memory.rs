//! Tile memory that a tile's threads did not all write: zero on every accelerator, whatever
//! another tile or launch has left there. And tile memory that is the same for all threads
//! where a barrier depends on it.

use amp::Accelerator;
use amp::prelude::*;
use testkit::{gives, launch};

const EXTENT: usize = 8;
const LENGTH: usize = 20;

#[amp_kernel]
fn some_write(t: TiledIndex<1, 8>, k: u32, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut x: [u32; 8];
    let l = t.local[0];
    if (l as u32) < k {
        x[l] = 0xffff_00f8 + l as u32;
    }
    t.barrier.wait();
    out[t.global] = x[7 - l];
}

#[amp_struct]
struct Cell {
    number: u64,
    taps: [f32; 2],
}

#[amp_kernel]
fn all_kinds(t: TiledIndex<2, 2, EXTENT>, k: u32, out: &mut ArrayViewMut<u32, 2>) {
    #[tile_static]
    let mut count: u32;
    #[tile_static]
    let mut line: [i16; LENGTH];
    #[tile_static]
    let mut table: [[bool; 5]; EXTENT];
    #[tile_static]
    let mut cells: [[[Cell; 2]; 2]; EXTENT];
    #[tile_static]
    let mut pair: (u32, [u32; 3]);
    let (y, x) = (t.local[0], t.local[1]);
    let seed = (t.tile[0] + t.tile[1] + 1) as u32;
    if k > 100 {
        count = 1;
    }
    if (x as u32) < k {
        atomic_fetch_add(&mut count, seed);
        line[x] = x as i16 + 1;
        table[x][y] = true;
        cells[x][y][1] = Cell {
            number: u64::MAX,
            taps: [seed as f32; 2],
        };
        if x + y == 0 {
            pair.1[2] = seed;
        }
    }
    t.barrier.wait();
    let mut sum = count * 1000 + pair.0 + pair.1[0] + pair.1[1] + pair.1[2];
    for at in 0..LENGTH {
        sum = sum * 3 + line[at] as u32;
    }
    for at in 0..EXTENT {
        for other in 0..5 {
            sum = sum * 3 + table[at][other] as u32;
        }
        let cell = cells[at][y][(x + 1) % 2];
        sum = sum * 5 + cell.number as u32 + cell.taps[1] as u32;
    }
    out[t.global] = sum;
}

/// Whether launches on the CPU report reads of what no thread has written.
fn is_checked() -> bool {
    Accelerator::cpu().is_debug()
}

#[test]
fn unwritten_tile_memory_is_zero_after_another_launch() {
    if is_checked() {
        return;
    }
    for k in [4, 2, 0] {
        let tile: Vec<u32> = (0..8_u32)
            .rev()
            .map(|l| if l < k { 0xffff_00f8 + l } else { 0 })
            .collect();
        gives(&tile.repeat(4), |view, out| {
            launch(view, out.extent().tile::<8>(), some_write(k, out))
        });
    }
}

#[test]
fn every_type_of_tile_memory_is_zero_first() {
    if is_checked() {
        return;
    }
    for k in [8, 3, 0] {
        let mut expected = Vec::new();
        for row in 0..4_u32 {
            for column in 0..16_u32 {
                let x = column % 8;
                let seed = row / 2 + column / 8 + 1;
                let mut sum = 2 * k * seed * 1000 + if k > 0 { seed } else { 0 };
                for at in 0..20 {
                    sum = sum
                        .wrapping_mul(3)
                        .wrapping_add(if at < k { at + 1 } else { 0 });
                }
                for at in 0..8 {
                    for other in 0..5 {
                        sum = sum
                            .wrapping_mul(3)
                            .wrapping_add((at < k && other < 2) as u32);
                    }
                    let last = at < k && (x + 1) % 2 == 1;
                    sum = sum.wrapping_mul(5).wrapping_add(if last {
                        u32::MAX.wrapping_add(seed)
                    } else {
                        0
                    });
                }
                expected.push(sum);
            }
        }
        let before = vec![0; expected.len()];
        testkit::becomes([4, 16], &before, &expected, |view, out| {
            launch(view, out.extent().tile::<2, 8>(), all_kinds(k, out))
        });
    }
}

#[amp_kernel]
fn sum_decides(t: TiledIndex<1, 64>, a: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut x: [u32; 64];
    let l = t.local[0];
    x[l] = a[t.global];
    t.barrier.wait();
    let mut half = 32;
    while half > 0 {
        if l < half {
            x[l] += x[l + half];
        }
        t.barrier.wait();
        half /= 2;
    }
    if x[0] > 100 {
        t.barrier.wait();
        a[t.global] = x[63 - l];
    }
}

#[test]
fn a_reduction_decides_about_a_barrier_behind_it() {
    let before: Vec<u32> = (0..64).map(|at| at % 2).chain(0..64).collect();
    let mut tile: Vec<u32> = before[64..].to_vec();
    let mut half = 32;
    while half > 0 {
        for l in 0..half {
            tile[l] += tile[l + half];
        }
        half /= 2;
    }
    tile.reverse();
    let expected = [&before[..64], &tile[..]].concat();
    testkit::becomes([128], &before, &expected, |view, a| {
        launch(view, a.extent().tile::<64>(), sum_decides(a))
    });
}

/// Halves each number until the greatest is small, and counts the rounds.
#[amp_kernel]
fn converges(t: TiledIndex<1, 16>, a: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut greatest: [u32; 16];
    let l = t.local[0];
    let mut value = a[t.global];
    let mut rounds = 0;
    loop {
        greatest[l] = value;
        t.barrier.wait();
        let mut half = 8;
        while half > 0 {
            if l < half {
                greatest[l] = greatest[l].max(greatest[l + half]);
            }
            t.barrier.wait();
            half /= 2;
        }
        if greatest[0] < 4 {
            break;
        }
        t.barrier.wait();
        value /= 2;
        rounds += 1;
    }
    a[t.global] = 100 * rounds + greatest[0];
}

#[test]
fn a_loop_ends_when_a_tile_has_converged() {
    let before: Vec<u32> = (0..48).map(|at| at * at).collect();
    let expected: Vec<u32> = (0..48)
        .map(|at| {
            let (mut greatest, mut rounds) = (before[at / 16 * 16 + 15], 0);
            while greatest >= 4 {
                (greatest, rounds) = (greatest / 2, rounds + 1);
            }
            100 * rounds + greatest
        })
        .collect();
    testkit::becomes([48], &before, &expected, |view, a| {
        launch(view, a.extent().tile::<16>(), converges(a))
    });
}
