//! Atomic operations: what they return and leave, where they may work, and what goes on
//! when their place does not exist.

use amp::prelude::*;
use testkit::{becomes, everywhere, gives, input, launch, new_views};

const T: usize = 32;

/// Every function, by threads of many tiles on one element each.
#[amp_kernel]
fn every_function(idx: Index<1>, places: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0] as u32;
    atomic_fetch_add(&mut places[0], i);
    atomic_fetch_sub(&mut places[1], i);
    atomic_fetch_min(&mut places[2], i + 3);
    atomic_fetch_max(&mut places[3], i);
    atomic_fetch_and(&mut places[4], !(1 << (i % 31)));
    atomic_fetch_or(&mut places[5], 1 << (i % 7));
    atomic_fetch_xor(&mut places[6], i * 0x0101);
    atomic_fetch_inc(&mut places[7]);
    atomic_fetch_dec(&mut places[8]);
    atomic_store(&mut places[9], 5);
    atomic_exchange(&mut places[10], 6);
}

#[test]
fn no_thread_loses_the_work_of_another() {
    let n = 1000_u32;
    let before = [1, 1, 900, 7, !0, 1 << 9, 3, u32::MAX, 10, 0, 0];
    let sum = n * (n - 1) / 2;
    let expected = [
        1 + sum,
        1_u32.wrapping_sub(sum),
        3,
        n - 1,
        1 << 31,
        1 << 9 | 0x7f,
        (0..n).fold(3, |all, i| all ^ (i * 0x0101)),
        n - 1,
        10_u32.wrapping_sub(n),
        5,
        6,
    ];
    becomes([11], &before, &expected, |view, places| {
        launch(view, n as usize, every_function(places))
    });
}

/// One thread: what each function returns.
#[amp_kernel]
fn returns(
    _idx: Index<1>,
    a: &mut ArrayViewMut<i32, 1>,
    b: &mut ArrayViewMut<u32, 1>,
    out: &mut ArrayViewMut<i32, 1>,
) {
    out[0] = atomic_fetch_add(&mut a[0], i32::MAX);
    out[1] = atomic_fetch_sub(&mut a[0], 7);
    out[2] = atomic_fetch_max(&mut a[1], 1);
    out[3] = atomic_fetch_min(&mut a[1], -9);
    out[4] = atomic_fetch_max(&mut b[0], 1) as i32;
    out[5] = atomic_fetch_min(&mut b[0], 4) as i32;
    out[6] = atomic_fetch_and(&mut a[2], 0b0110);
    out[7] = atomic_fetch_or(&mut a[2], 0b1001);
    out[8] = atomic_fetch_xor(&mut a[2], -1);
    out[9] = atomic_fetch_inc(&mut a[3]);
    out[10] = atomic_fetch_dec(&mut a[3]);
    out[11] = atomic_exchange(&mut a[3], 44);
    atomic_store(&mut a[4], 3);
    out[12] = atomic_load(&mut a[4]);
    let mut expected = 8;
    out[13] = atomic_compare_exchange(&mut a[5], &mut expected, 100) as i32;
    out[14] = expected;
    out[15] = atomic_compare_exchange(&mut a[5], &mut expected, 100) as i32;
    out[16] = expected;
    out[17] = atomic_load(&mut a[5]);
}

#[test]
fn each_returns_what_was_there_before() {
    let expected = [
        1,
        i32::MIN,
        -1,
        1,
        -1,
        -1,
        0b1110,
        0b0110,
        0b1111,
        i32::MAX,
        i32::MIN,
        i32::MAX,
        3,
        0,
        9,
        1,
        9,
        100,
    ];
    gives(&expected, |view, out| {
        let (mut a, mut b) = ([1, -1, 0b1110, i32::MAX, 0, 9], [u32::MAX]);
        let mut a = ArrayViewMut::new(6, &mut a)?;
        let mut b = ArrayViewMut::new(1, &mut b)?;
        launch(view, 1, returns(&mut a, &mut b, out))
    });
}

/// Floats whose sums are exact in any order, in elements and parts of elements; and what one
/// thread gets back.
#[amp_kernel]
fn floats(
    idx: Index<1>,
    bins: &mut ArrayViewMut<Bin, 2>,
    out: &mut ArrayViewMut<f32, 1>,
    alone: usize,
) {
    let x = (idx[0] % 8) as f32 * 0.25;
    atomic_fetch_add(&mut bins[[0, 1]].weight, x);
    atomic_fetch_sub(&mut out[idx[0] % 2], x);
    if idx[0] == alone {
        out[2] = atomic_exchange(&mut out[3], -0.0);
        out[4] = atomic_load(&mut out[3]);
        atomic_store(&mut out[5], f32::NAN);
        out[6] = atomic_fetch_add(&mut out[7], 1e-45);
        out[8] = atomic_fetch_sub(&mut out[7], f32::INFINITY);
        let length = out.extent()[0];
        atomic_fetch_add(&mut out[length], 1.0);
    }
}

#[test]
fn floats_are_places_of_views() {
    let n = 3000;
    let mut sums = [0.0; 2];
    for i in 0..n {
        sums[i % 2] -= (i % 8) as f32 * 0.25;
    }
    let out = [
        sums[0],
        sums[1],
        7.5,
        -0.0,
        -0.0,
        f32::NAN,
        1e-45,
        f32::NEG_INFINITY,
        3e-45,
    ];
    for view in new_views() {
        let empty = Bin {
            weight: 0.5,
            counts: [0; 3],
            least: 0,
        };
        let mut found = [0.0; 9];
        (found[3], found[7]) = (7.5, 1e-45);
        let mut bins = [empty; 4];
        {
            let mut bins = ArrayViewMut::new([2, 2], &mut bins).unwrap();
            let mut out = ArrayViewMut::new(9, &mut found).unwrap();
            let length = out.extent()[0];
            launch(&view, n, floats(&mut bins, &mut out, 11)).unwrap();
            let Err(amp::Error::KernelFault(fault)) = view.wait() else {
                panic!("{view}: no fault");
            };
            let words = format!("the extent is {length} but the index is {length}");
            assert!(fault.message.contains(&words), "{view}: {fault:?}");
        }
        testkit::assert_same(&found, &out, &view.to_string());
        let weights: Vec<f32> = bins.iter().map(|bin| bin.weight).collect();
        assert_eq!(weights, [0.5, 0.5 - sums[0] - sums[1], 0.5, 0.5], "{view}");
    }
}

/// Every thread gets a number of its own.
#[amp_kernel]
fn tickets(_idx: Index<2>, next: &mut ArrayViewMut<u32, 1>, taken: &mut ArrayViewMut<u32, 1>) {
    let ticket = atomic_fetch_add(&mut next[0], 2) as usize / 2;
    taken[ticket] += 1;
}

#[test]
fn results_are_all_different() {
    let n = 61 * 67;
    gives(&vec![1; n], |view, taken| {
        let mut next = [0];
        let mut next = ArrayViewMut::new(1, &mut next)?;
        launch(view, [61, 67], tickets(&mut next, taken))
    });
}

/// A sum that stays below a limit, which no single operation computes.
#[amp_kernel]
fn saturating_sum(_idx: Index<1>, sum: &mut ArrayViewMut<i32, 1>, limit: i32) {
    let mut old = atomic_load(&mut sum[0]);
    loop {
        let new = if old > limit - 3 { limit } else { old + 3 };
        if atomic_compare_exchange(&mut sum[0], &mut old, new) {
            break;
        }
    }
}

#[test]
fn a_compare_exchange_loop_retries_until_it_succeeds() {
    for (limit, expected) in [(100_000, 3 * 5000 - 7), (1234, 1234)] {
        becomes([1], &[-7], &[expected], |view, sum| {
            launch(view, 5000, saturating_sum(sum, limit))
        });
    }
}

#[amp_struct]
struct Bin {
    weight: f32,
    counts: [u32; 3],
    least: i32,
}

#[amp_fn]
fn count(bins: &mut ArrayViewMut<Bin, 2>, at: [usize; 2], which: usize) -> u32 {
    atomic_fetch_inc(&mut bins[at].counts[which])
}

/// Fields and elements of elements, rows, indices of all kinds, in helpers too.
#[amp_kernel]
fn parts(
    t_idx: TiledIndex<2, 4, 8>,
    bins: &mut ArrayViewMut<Bin, 2>,
    grid: &mut ArrayViewMut<i32, 2>,
) {
    let i = t_idx.global[0] * 16 + t_idx.global[1];
    let n = count(bins, [i % 2, i / 2 % 2], i % 3);
    if n > 1_000_000 {
        return;
    }
    atomic_fetch_min(&mut (bins[[0, 1]]).least, 5 - i as i32);
    atomic_fetch_add(&mut grid[t_idx], 1);
    atomic_fetch_add(&mut grid[t_idx.tile], 10);
    atomic_fetch_add(&mut grid.row(i % 3)[i % 5], 100);
}

#[test]
fn a_part_of_an_element_is_a_place() {
    let empty = Bin {
        weight: 0.5,
        counts: [0; 3],
        least: 0,
    };
    let mut bins = [empty; 4];
    let mut grid = vec![0; 8 * 16];
    for i in 0..128 {
        bins[i % 2 * 2 + i / 2 % 2].counts[i % 3] += 1;
        grid[i] += 1;
        let tile = [i / 16 / 4, i % 16 / 8];
        grid[tile[0] * 16 + tile[1]] += 10;
        grid[i % 3 * 16 + i % 5] += 100;
    }
    bins[1].least = 5 - 127;
    becomes([8, 16], &[0; 128], &grid, |view, grid| {
        let mut found = [empty; 4];
        {
            let mut bins = ArrayViewMut::new([2, 2], &mut found)?;
            let domain = grid.extent().tile::<4, 8>();
            launch(view, domain, parts(&mut bins, grid))?;
            bins.synchronize()?;
        }
        for (found, expected) in found.iter().zip(&bins) {
            assert_eq!(found.weight, expected.weight, "{view}");
            assert_eq!(found.counts, expected.counts, "{view}");
            assert_eq!(found.least, expected.least, "{view}");
        }
        Ok(())
    });
}

#[amp_struct]
struct Extremes {
    least: i32,
    greatest: i32,
}

/// Tile_static variables of all forms.
#[amp_kernel]
fn in_tiles(t_idx: TiledIndex<1, T>, data: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 2>) {
    #[tile_static]
    let mut sum: i32;
    #[tile_static]
    let mut bins: [[u32; 4]; 2];
    #[tile_static]
    let mut extremes: Extremes;
    let i = t_idx.local[0];
    if i == 0 {
        sum = 0;
        extremes.least = i32::MAX;
        extremes.greatest = i32::MIN;
    }
    if i < 8 {
        bins[i / 4][i % 4] = 0;
    }
    t_idx.barrier.wait();
    let x = data[t_idx];
    atomic_fetch_add(&mut sum, x);
    atomic_fetch_inc(&mut bins[i % 2][(x & 3) as usize]);
    atomic_fetch_min(&mut extremes.least, x);
    atomic_fetch_max(&mut extremes.greatest, x);
    t_idx.barrier.wait();
    let tile = t_idx.tile[0];
    if i < 8 {
        out[[tile, i]] = bins[i / 4][i % 4] as i32;
    } else if i == 8 {
        out[[tile, 8]] = sum;
        out[[tile, 9]] = extremes.least;
        out[[tile, 10]] = extremes.greatest;
    }
}

#[test]
fn tile_static_variables_are_places() {
    let data: Vec<i32> = (0..8 * T as i32).map(|i| i * 7919 % 1009 - 500).collect();
    let mut expected = Vec::new();
    for tile in data.chunks(T) {
        let mut bins = [0; 8];
        for (i, x) in tile.iter().enumerate() {
            bins[i % 2 * 4 + (x & 3) as usize] += 1;
        }
        expected.extend(bins);
        expected.push(tile.iter().sum());
        expected.push(*tile.iter().min().unwrap());
        expected.push(*tile.iter().max().unwrap());
    }
    becomes([8, 11], &[0; 88], &expected, |view, out| {
        let data = input(&data);
        launch(view, data.extent().tile::<T>(), in_tiles(&data, out))
    });
}

/// The last tile to finish sums up what all have written: it sees it behind the fence.
#[amp_kernel]
fn last_tile_sums(
    t_idx: TiledIndex<1, T>,
    data: &ArrayView<u32, 1>,
    sums: &mut ArrayViewMut<u32, 1>,
    done: &mut ArrayViewMut<u32, 1>,
    total: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut sum: u32;
    let i = t_idx.local[0];
    if i == 0 {
        sum = 0;
    }
    t_idx.barrier.wait();
    atomic_fetch_add(&mut sum, data[t_idx]);
    t_idx.barrier.wait();
    if i == 0 {
        sums[t_idx.tile] = sum;
        device_memory_fence();
        let before = atomic_fetch_inc(&mut done[0]) as usize;
        device_memory_fence();
        if before == sums.extent()[0] - 1 {
            let mut all = 0;
            for tile in 0..sums.extent()[0] {
                all += sums[tile];
            }
            total[0] = all;
        }
    }
}

#[test]
fn the_last_tile_sees_what_all_have_written() {
    let tiles = 300;
    let data: Vec<u32> = (0..(tiles * T) as u32).map(|i| i % 1013).collect();
    gives(&[data.iter().sum()], |view, total| {
        let (mut sums, mut done) = (vec![0; tiles], [0]);
        let data = input(&data);
        let mut sums = ArrayViewMut::new(tiles, &mut sums)?;
        let mut done = ArrayViewMut::new(1, &mut done)?;
        let kernel = last_tile_sums(&data, &mut sums, &mut done, total);
        launch(view, data.extent().tile::<T>(), kernel)
    });
}

/// Indices that a loop could prove, and one that it cannot.
#[amp_kernel]
fn in_a_loop(idx: Index<1>, bins: &mut ArrayViewMut<u32, 1>, first: usize, count: usize) {
    for k in 0..count {
        atomic_fetch_add(&mut bins[first + k], idx[0] as u32);
    }
}

#[test]
fn loops_in_two_versions_do_the_same() {
    let mut expected = [0; 16];
    expected[3..13].fill(99 * 100 / 2);
    gives(&expected, |view, bins| {
        launch(view, 100, in_a_loop(bins, 3, 10))
    });
}

/// Out of bounds, of a view, of a field's array and of a tile_static array.
#[amp_kernel]
fn outside(
    t_idx: TiledIndex<1, 2>,
    a: &mut ArrayViewMut<u32, 1>,
    bins: &mut ArrayViewMut<Bin, 2>,
    out: &mut ArrayViewMut<u32, 1>,
    at: usize,
) {
    #[tile_static]
    let mut shared: [u32; 2];
    shared[t_idx.local[0]] = 4;
    t_idx.barrier.wait();
    if t_idx.global[0] == 1 {
        out[0] = 1;
        if at == 0 {
            out[0] = atomic_fetch_add(&mut a[at + 2], 5);
        } else if at == 1 {
            out[0] = atomic_exchange(&mut bins[[0, 1]].counts[at + 2], 5);
        } else if at == 2 {
            out[0] = atomic_fetch_max(&mut shared[at], 5);
        } else if at == 3 {
            let mut expected = 7;
            out[0] = atomic_compare_exchange(&mut a[at], &mut expected, 1) as u32 + expected;
        } else {
            atomic_store(&mut a[at], 9);
            out[0] = atomic_load(&mut a[at]);
        }
    }
}

#[test]
fn a_place_that_does_not_exist_is_a_fault() {
    // Length, index, column.
    let faults = [(2, 2, 44), (3, 3, 43), (2, 2, 44), (2, 3, 51), (2, 4, 31)];
    for view in new_views() {
        for (at, (length, index, column)) in faults.into_iter().enumerate() {
            let (mut data, mut out) = ([1, 2], [77]);
            let empty = Bin {
                weight: 0.0,
                counts: [0; 3],
                least: 0,
            };
            let mut bins = [empty; 4];
            {
                let mut a = ArrayViewMut::new(2, &mut data).unwrap();
                let mut bins = ArrayViewMut::new([2, 2], &mut bins).unwrap();
                let mut out = ArrayViewMut::new(1, &mut out).unwrap();
                let domain = Extent::new([2]).tile::<2>();
                let kernel = outside(&mut a, &mut bins, &mut out, at);
                let launched = launch(&view, domain, kernel).and_then(|()| view.wait());
                let Err(amp::Error::KernelFault(fault)) = launched else {
                    panic!("{view}: no fault at {at} but {launched:?}");
                };
                let words = if at == 1 || at == 2 {
                    "length"
                } else {
                    "extent"
                };
                let words = format!(
                    "index out of bounds: the {words} is {length} but the index is {index}"
                );
                assert_eq!(fault.message, words, "{view}");
                assert_eq!((fault.thread, fault.column), (vec![1], column), "{view}");
            }
            assert_eq!((data, out), ([1, 2], [0]), "{view}: {at}");
            assert!(bins.iter().all(|bin| bin.counts == [0; 3]), "{view}");
        }
    }
}

/// A kernel without barriers, whose tiles run as loops on the CPU accelerator.
#[amp_kernel]
fn histogram(idx: Index<1>, data: &ArrayView<u32, 1>, bins: &mut ArrayViewMut<u32, 1>) {
    let mut word = data[idx];
    for _ in 0..4 {
        atomic_fetch_inc(&mut bins[(word & 255) as usize]);
        word >>= 8;
    }
}

#[test]
fn an_array_is_a_place_as_a_view_is() {
    let data: Vec<u32> = (0..4096_u32)
        .map(|i| i.wrapping_mul(2_654_435_761))
        .collect();
    let mut expected = [0; 256];
    for byte in data.iter().flat_map(|word| word.to_le_bytes()) {
        expected[byte as usize] += 1;
    }
    everywhere(|view| {
        let mut bins = Array::<u32, 1>::builder(256).on(view).build().unwrap();
        let data = input(&data);
        launch(view, data.extent(), histogram(&data, &mut bins)).unwrap();
        assert_eq!(bins.to_vec().unwrap(), expected, "{view}");
    });
}
