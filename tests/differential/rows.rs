//! What a row of threads reads and writes at once on the CPU accelerator: elements that each thread updates, or
//! writes under a condition, or that lie at clamped indices; and loops whose threads begin side by side.

use amp::prelude::*;
use testkit::{becomes, gives, input, launch};

/// More threads than a group has, and no multiple of anything.
const MANY: usize = 1301;

fn floats(count: usize) -> Vec<f32> {
    (0..count)
        .map(|i| (i * 7 % 31) as f32 * 0.75 - 9.0)
        .collect()
}

#[amp_kernel]
fn eliminate(idx: Index<2>, k: usize, a: &mut ArrayViewMut<f32, 2>) {
    let [i, j] = (idx + (k + 1)).to_array();
    a[[i, j]] -= a[[i, k]] * a[[k, j]];
}

#[test]
fn each_thread_updates_its_element() {
    let n = 37;
    let start: Vec<f32> = floats(n * n);
    let mut expected = start.clone();
    for k in [0, 5] {
        let before = expected.clone();
        for i in k + 1..n {
            for j in k + 1..n {
                expected[i * n + j] -= before[i * n + k] * before[k * n + j];
            }
        }
    }
    becomes([n, n], &start, &expected, |view, a| {
        for k in [0, 5] {
            launch(view, [n - k - 1, n - k - 1], eliminate(k, a))?;
        }
        Ok(())
    });
}

/// Integers wrap, and shift by what is left of the amount.
#[amp_kernel]
fn update(
    idx: Index<1>,
    by: &ArrayView<u32, 1>,
    sums: &mut ArrayViewMut<u32, 1>,
    shifted: &mut ArrayViewMut<u32, 1>,
    signed: &mut ArrayViewMut<i64, 1>,
) {
    sums[idx] += by[idx] * 3;
    shifted[idx] <<= by[idx];
    signed[idx] ^= by[idx] as i64 - 5;
}

#[test]
fn updates_of_integers() {
    let by: Vec<u32> = (0..MANY as u32)
        .map(|i| i.wrapping_mul(0x0123_4567))
        .collect();
    let expected: Vec<u32> = by
        .iter()
        .enumerate()
        .map(|(i, by)| {
            let sum = (i as u32).wrapping_add(by.wrapping_mul(3));
            let shifted = 77_u32.wrapping_shl(*by);
            let signed = -3_i64 ^ (i64::from(*by) - 5);
            sum ^ shifted ^ signed as u32
        })
        .collect();
    gives(&expected, |view, out| {
        let mut sums: Vec<u32> = (0..MANY as u32).collect();
        let (mut shifted, mut signed) = (vec![77; MANY], vec![-3; MANY]);
        {
            let mut sums = ArrayViewMut::new(MANY, &mut sums)?;
            let mut shifted = ArrayViewMut::new(MANY, &mut shifted)?;
            let mut signed = ArrayViewMut::new(MANY, &mut signed)?;
            let by = input(&by);
            let kernel = update(&by, &mut sums, &mut shifted, &mut signed);
            launch(view, MANY, kernel)?;
            launch(view, MANY, mixed(&sums, &shifted, &signed, out))?;
        }
        Ok(())
    });
}

#[amp_kernel]
fn mixed(
    idx: Index<1>,
    sums: &ArrayView<u32, 1>,
    shifted: &ArrayView<u32, 1>,
    signed: &ArrayView<i64, 1>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    out[idx] = sums[idx] ^ shifted[idx] ^ signed[idx] as u32;
}

/// Writes where the detour is shorter, and where the element exists.
#[amp_kernel]
fn shorten(idx: Index<1>, detours: &ArrayView<u32, 1>, ways: &mut ArrayViewMut<u32, 1>) {
    let detour = detours[idx].saturating_add(3);
    if detour < ways[idx] {
        ways[idx] = detour;
    }
}

#[test]
fn some_threads_write_their_element() {
    let detours: Vec<u32> = (0..MANY as u32)
        .map(|i| if i % 5 == 0 { u32::MAX } else { i * 7 % 400 })
        .collect();
    let start: Vec<u32> = (0..MANY as u32).map(|i| i % 300).collect();
    let pairs = start.iter().zip(&detours);
    let expected: Vec<u32> = pairs
        .map(|(way, it)| it.saturating_add(3).min(*way))
        .collect();
    becomes([MANY], &start, &expected, |view, ways| {
        launch(view, MANY, shorten(&input(&detours), ways))
    });
}

/// Threads beyond the view write nothing.
#[amp_kernel]
fn guarded(idx: Index<1>, count: usize, out: &mut ArrayViewMut<u8, 1>) {
    let value = idx[0] as u8;
    if idx[0] < count && value > 2 {
        out[idx] = value;
    }
}

#[test]
fn threads_beyond_a_view_write_nothing() {
    let expected: Vec<u8> = (0..700)
        .map(|i| i as u8)
        .map(|i| if i > 2 { i } else { 0 })
        .collect();
    gives(&expected, |view, out| launch(view, MANY, guarded(700, out)));
}

/// Each thread adds the elements that begin at its own and are `step` apart.
#[amp_kernel]
fn strided(
    idx: Index<1>,
    end: usize,
    step: usize,
    a: &ArrayView<f32, 1>,
    sums: &mut ArrayViewMut<f32, 1>,
) {
    let mut sum = 0.0;
    let mut last = 0;
    for i in (idx[0] + 2..end).step_by(step) {
        let scaled = a[i] * 0.5;
        sum += scaled;
        last = i;
    }
    sums[idx] = sum + last as f32;
}

#[test]
fn threads_begin_side_by_side() {
    let a = floats(5000);
    for (threads, end, step) in [
        (MANY, 5000, MANY),
        (MANY, 5000, 100),
        (64, 40, 7),
        (300, 2, 1),
    ] {
        let sum = |i: usize| {
            let (mut sum, mut last) = (0.0, 0);
            for i in (i + 2..end).step_by(step) {
                sum += a[i] * 0.5;
                last = i;
            }
            sum + last as f32
        };
        let expected: Vec<f32> = (0..threads).map(sum).collect();
        gives(&expected, |view, out| {
            launch(view, threads, strided(end, step, &input(&a), out))
        });
    }
}

/// The same in a tile, before its threads meet, with elements that each round writes.
#[amp_kernel]
fn tiles(t_idx: TiledIndex<1, 64>, a: &mut ArrayViewMut<f32, 1>, sums: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut of_threads: [f32; 64];
    let local = t_idx.local[0];
    let mut sum = 0.0;
    for i in (t_idx.global[0]..a.extent()[0]).step_by(sums.extent()[0] * 64) {
        sum += a[i];
        a[i] += 1.0;
    }
    of_threads[local] = sum;
    t_idx.barrier.wait();
    let mut half = 32;
    while half > 0 {
        if local < half {
            of_threads[local] += of_threads[local + half];
        }
        t_idx.barrier.wait();
        half /= 2;
    }
    if local == 0 {
        sums[t_idx.tile] = of_threads[0];
    }
}

#[test]
fn tiles_add_elements_far_apart() {
    let start: Vec<f32> = (0..2500).map(|i| (i % 13) as f32).collect();
    let groups = 5;
    let expected: Vec<f32> = start.iter().map(|it| it + 1.0).collect();
    becomes([2500], &start, &expected, |view, a| {
        let mut sums = vec![0.0; groups];
        {
            let mut sums = ArrayViewMut::new(groups, &mut sums)?;
            launch(
                view,
                Extent::from(groups * 64).tile::<64>(),
                tiles(a, &mut sums),
            )?;
            sums.synchronize()?;
        }
        assert_eq!(sums.iter().sum::<f32>(), start.iter().sum::<f32>());
        Ok(())
    });
}

/// The neighbours of an element, or the element at the border itself.
#[amp_kernel]
fn blur(idx: Index<2>, reach: usize, a: &ArrayView<f32, 2>, b: &mut ArrayViewMut<f32, 2>) {
    let [rows, columns] = a.extent().to_array();
    let [i, j] = idx.to_array();
    let left = a[[i, j.saturating_sub(reach)]];
    let right = a[[i, (j + reach).min(columns - 1)]];
    let up = a[[i.saturating_sub(1), j]];
    let down = a[[(i + 1).min(rows - 1), j]];
    let middle = a[[i, j.clamp(2, 3)]];
    b[idx] = left + right * 2.0 + up * 4.0 + down * 8.0 + middle * 16.0;
}

#[test]
fn neighbours_at_the_border() {
    for ([rows, columns], reach) in [([3, 4], 1), ([2, 1100], 3), ([5, 4], 9), ([1, 513], 0)] {
        let a = floats(rows * columns);
        let element = |at: usize| {
            let (i, j) = (at / columns, at % columns);
            let at = |i: usize, j: usize| a[i * columns + j];
            let (left, right) = (
                at(i, j.saturating_sub(reach)),
                at(i, (j + reach).min(columns - 1)),
            );
            let (up, down) = (at(i.saturating_sub(1), j), at((i + 1).min(rows - 1), j));
            left + right * 2.0 + up * 4.0 + down * 8.0 + at(i, j.clamp(2, 3)) * 16.0
        };
        let expected: Vec<f32> = (0..rows * columns).map(element).collect();
        becomes(
            [rows, columns],
            &vec![0.0; rows * columns],
            &expected,
            |view, b| {
                let a = ArrayView::new([rows, columns], &a)?;
                launch(view, [rows, columns], blur(reach, &a, b))
            },
        );
    }
}

/// All threads of a tile count in every round.
#[amp_kernel]
fn count(
    t_idx: TiledIndex<1, 64>,
    bytes: &ArrayView<u8, 1>,
    rounds: usize,
    counts: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut of_tile: [u32; 256];
    let local = t_idx.local[0];
    for part in 0..4 {
        of_tile[part * 64 + local] = 0;
    }
    t_idx.barrier.wait();
    let first = t_idx.tile[0] * 64 * rounds + local;
    for round in 0..rounds {
        atomic_fetch_inc(&mut of_tile[bytes[first + round * 64] as usize]);
    }
    t_idx.barrier.wait();
    for part in 0..4 {
        atomic_fetch_add(&mut counts[part * 64 + local], of_tile[part * 64 + local]);
    }
}

#[test]
fn tiles_count_bytes() {
    let bytes: Vec<u8> = (0..64 * 7 * 3).map(|i: u32| (i * i / 3) as u8).collect();
    let mut expected = vec![0; 256];
    bytes
        .iter()
        .for_each(|byte| expected[usize::from(*byte)] += 1);
    gives(&expected, |view, counts| {
        let domain = Extent::from(64 * 3).tile::<64>();
        launch(view, domain, count(&input(&bytes), 7, counts))
    });
}

/// Every atomic operation on tile memory, whose threads the CPU accelerator runs one after the other.
#[amp_kernel]
fn atomics(t_idx: TiledIndex<1, 32>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut of_tile: [i32; 10];
    #[tile_static]
    let mut float: f32;
    let local = t_idx.local[0];
    let value = local as i32 * 37 % 64 - 20;
    if local < 10 {
        of_tile[local] = 0;
    }
    if local == 10 {
        float = 0.0;
    }
    t_idx.barrier.wait();
    atomic_fetch_add(&mut of_tile[0], value);
    atomic_fetch_sub(&mut of_tile[1], value);
    atomic_fetch_min(&mut of_tile[2], value);
    atomic_fetch_max(&mut of_tile[3], value);
    atomic_fetch_or(&mut of_tile[4], value);
    atomic_fetch_xor(&mut of_tile[5], value);
    atomic_fetch_and(&mut of_tile[6], value);
    atomic_fetch_inc(&mut of_tile[7]);
    atomic_fetch_add(&mut float, 0.5);
    let mut expected = local as i32 / 32;
    if atomic_compare_exchange(&mut of_tile[8], &mut expected, 5) {
        atomic_exchange(&mut of_tile[9], 6);
    }
    t_idx.barrier.wait();
    if local < 10 {
        out[local] = of_tile[local];
    }
    if local == 10 {
        out[local] = float as i32;
    }
}

#[test]
fn atomic_operations_of_a_tile() {
    let values = || (0..32).map(|local| local * 37 % 64 - 20);
    let sum: i32 = values().sum();
    let [least, most] = [values().min(), values().max()].map(Option::unwrap_or_default);
    let or = values().fold(0, |all, value| all | value);
    let xor = values().fold(0, |all, value| all ^ value);
    let expected = [
        sum,
        -sum,
        least.min(0),
        most.max(0),
        or,
        xor,
        0,
        32,
        5,
        6,
        16,
    ];
    gives(&expected, |view, out| {
        launch(view, Extent::from(32).tile::<32>(), atomics(out))
    });
}

/// Each index is below the length of what it is one of, which its form says.
#[amp_kernel]
fn forms(t_idx: TiledIndex<1, 32>, data: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut of_tile: [u32; 256];
    let local = t_idx.local[0];
    let mut own = [3_u32, 1, 4, 1];
    for part in 0..8 {
        of_tile[part * 32 + local] = part as u32;
    }
    t_idx.barrier.wait();
    for round in 0..3 {
        let number = data[round * 32 + local] as usize;
        own[number & 3] += own[number % 4];
        atomic_fetch_add(&mut of_tile[number as u8 as usize], own[(number >> 8) % 3]);
        atomic_fetch_add(&mut of_tile[0x7f & number], 1);
    }
    t_idx.barrier.wait();
    for part in 0..8 {
        out[part * 32 + local] = of_tile[part * 32 + local] + own[local % 4];
    }
}

#[test]
fn indices_whose_form_bounds_them() {
    let data: Vec<u32> = (0..96_u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let mut of_tile: Vec<u32> = (0..256).map(|at| at / 32).collect();
    let mut own = [[3_u32, 1, 4, 1]; 32];
    for (at, number) in data.iter().map(|number| *number as usize).enumerate() {
        let own = &mut own[at % 32];
        own[number & 3] += own[number % 4];
        of_tile[number & 255] += own[(number >> 8) % 3];
        of_tile[number & 127] += 1;
    }
    let sums = of_tile.iter().enumerate();
    let expected: Vec<u32> = sums.map(|(at, sum)| sum + own[at % 32][at % 4]).collect();
    gives(&expected, |view, out| {
        launch(
            view,
            Extent::from(32).tile::<32>(),
            forms(&input(&data), out),
        )
    });
}
