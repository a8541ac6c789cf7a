//! Atomic operations: HCC's unit tests, the suite's domain of all threads, and the book's
//! example.

use amp::prelude::*;
use amp_tests::{becomes, gives, input, launch};

/// Conformance 157: every thread changes every cell by one.
#[amp_kernel]
fn all_change_all(
    _idx: Index<1>,
    more: &mut ArrayViewMut<i32, 1>,
    less: &mut ArrayViewMut<i32, 1>,
    up: &mut ArrayViewMut<u32, 1>,
    down: &mut ArrayViewMut<u32, 1>,
) {
    for k in 0..more.extent()[0] {
        atomic_fetch_add(&mut more[k], 1);
        atomic_fetch_sub(&mut less[k], 1);
        atomic_fetch_inc(&mut up[k]);
        atomic_fetch_dec(&mut down[k]);
    }
}

#[test]
fn c157_a_hundred_threads_on_a_hundred_cells() {
    gives(&[100; 100], |view, more| {
        let (mut less, mut up, mut down) = ([0; 100], [0; 100], [0; 100]);
        {
            let mut less = ArrayViewMut::new(100, &mut less)?;
            let mut up = ArrayViewMut::new(100, &mut up)?;
            let mut down = ArrayViewMut::new(100, &mut down)?;
            let kernel = all_change_all(more, &mut less, &mut up, &mut down);
            launch(view, 100, kernel)?;
        }
        assert_eq!((less, up, down), ([-100; 100], [100; 100], [!99; 100]));
        Ok(())
    });
}

#[amp_kernel]
fn all_bound_all(
    _idx: Index<1>,
    greater: &mut ArrayViewMut<i32, 1>,
    lesser: &mut ArrayViewMut<i32, 1>,
) {
    for k in 0..greater.extent()[0] {
        atomic_fetch_max(&mut greater[k], 50);
        atomic_fetch_min(&mut lesser[k], 50);
    }
}

#[test]
fn c159_every_cell_is_bounded() {
    let before: Vec<i32> = (0..100).collect();
    let greater: Vec<i32> = (0..100).map(|i| i.max(50)).collect();
    let lesser: Vec<i32> = (0..100).map(|i| i.min(50)).collect();
    becomes([100], &before, &greater, |view, greater| {
        let mut found = before.clone();
        {
            let mut lesser = ArrayViewMut::new(100, &mut found)?;
            launch(view, 100, all_bound_all(greater, &mut lesser))?;
        }
        assert_eq!(found, lesser);
        Ok(())
    });
}

#[amp_kernel]
fn all_exchange_all(_idx: Index<1>, cells: &mut ArrayViewMut<i32, 1>) {
    for k in 0..cells.extent()[0] {
        atomic_exchange(&mut cells[k], 1);
    }
}

/// The same for floats, which the array view counts as well.
#[amp_kernel]
fn all_exchange_all_floats(
    _idx: Index<1>,
    cells: &mut ArrayViewMut<f32, 1>,
    sum: &mut ArrayViewMut<f32, 1>,
) {
    for k in 0..cells.extent()[0] {
        let old = atomic_exchange(&mut cells[k], 1.0);
        atomic_fetch_add(&mut sum[0], old);
    }
}

#[test]
fn c161_every_cell_of_floats_is_exchanged() {
    gives(&[1.0; 100], |view, cells| {
        let mut found = [0.0];
        {
            let mut sum = ArrayViewMut::new(1, &mut found)?;
            launch(view, 100, all_exchange_all_floats(cells, &mut sum))?;
        }
        // All but the first to come find 1.
        assert_eq!(found, [9900.0], "{view}");
        Ok(())
    });
}

#[test]
fn c161_every_cell_is_exchanged() {
    gives(&[1; 100], |view, cells| {
        launch(view, 100, all_exchange_all(cells))
    });
}

/// Conformance 163: -1 is the lesser of two `i32`, and the greater of two `u32`.
#[amp_kernel]
fn signs(
    t_idx: TiledIndex<1, 16>,
    signed: &mut ArrayViewMut<i32, 1>,
    unsigned: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut tile_signed: i32;
    #[tile_static]
    let mut tile_unsigned: u32;
    if t_idx.local[0] == 0 {
        tile_signed = -1;
        tile_unsigned = 0xFFFF_FFFF;
    }
    t_idx.barrier.wait();
    atomic_fetch_max(&mut signed[0], 1);
    atomic_fetch_max(&mut unsigned[0], 1);
    atomic_fetch_max(&mut tile_signed, 1);
    atomic_fetch_max(&mut tile_unsigned, 1);
    t_idx.barrier.wait();
    if t_idx.global[0] == 0 {
        signed[1] = tile_signed;
        unsigned[1] = tile_unsigned;
    }
}

#[test]
fn c163_signs_are_minded() {
    becomes([2], &[-1, 0], &[1, 1], |view, signed| {
        let mut found = [0xFFFF_FFFF, 0];
        {
            let mut unsigned = ArrayViewMut::new(2, &mut found)?;
            let domain = Extent::new([64]).tile::<16>();
            launch(view, domain, signs(signed, &mut unsigned))?;
        }
        assert_eq!(found, [0xFFFF_FFFF; 2]);
        Ok(())
    });
}

/// Conformance 149: every thread counts itself.
#[amp_kernel]
fn count_threads(idx: Index<2>, extent: Extent<2>, bins: &mut ArrayViewMut<u32, 1>) {
    let flat = idx[0] * extent[1] + idx[1];
    let bin = flat % bins.extent()[0];
    atomic_fetch_inc(&mut bins[bin]);
}

#[test]
fn c149_every_thread_counts_itself() {
    for extent in [[65_537, 33], [33, 65_537]] {
        let (threads, bins) = (65_537 * 33, 131_072);
        let expected: Vec<u32> = (0..bins)
            .map(|bin| threads / bins + u32::from(bin < threads % bins))
            .collect();
        gives(&expected, |view, bins| {
            launch(view, extent, count_threads(Extent::new(extent), bins))
        });
    }
}

/// P6: how many of 100 000 values are near 1 after a square root.
#[amp_kernel]
fn near_one(idx: Index<1>, values: &ArrayView<f32, 1>, count: &mut ArrayViewMut<u32, 1>) {
    if values[idx].sqrt() >= 0.9999 {
        atomic_fetch_inc(&mut count[0]);
    }
}

#[test]
fn p6_count_of_values() {
    let values: Vec<f32> = (0..100_000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / (1 << 24) as f32)
        .collect();
    let count = values.iter().filter(|x| x.sqrt() >= 0.9999).count() as u32;
    assert!(count > 10);
    gives(&[count], |view, found| {
        let values = input(&values);
        launch(view, values.extent(), near_one(&values, found))
    });
}

/// P16: bytes by value; (a) with global atomics only.
#[amp_kernel]
fn histogram_in_global_memory(
    idx: Index<1>,
    words: &ArrayView<u32, 1>,
    bins: &mut ArrayViewMut<u32, 1>,
) {
    let word = words[idx];
    for byte in 0..4 {
        atomic_fetch_inc(&mut bins[(word >> (8 * byte) & 255) as usize]);
    }
}

/// (b) in tile_static memory, whose bins are then added to the global ones.
#[amp_kernel]
fn histogram_in_tiles(
    t_idx: TiledIndex<1, 256>,
    words: &ArrayView<u32, 1>,
    bins: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut of_tile: [u32; 256];
    let i = t_idx.local[0];
    of_tile[i] = 0;
    t_idx.barrier.wait();
    let word = words[t_idx];
    for byte in 0..4 {
        atomic_fetch_inc(&mut of_tile[(word >> (8 * byte) & 255) as usize]);
    }
    t_idx.barrier.wait();
    atomic_fetch_add(&mut bins[i], of_tile[i]);
}

#[test]
fn p16_histogram() {
    // Fewer bytes where there is no GPU to count them.
    let words: usize = if cfg!(debug_assertions) {
        1 << 16
    } else {
        1 << 22
    };
    let data: Vec<u32> = (0..words as u32)
        .map(|i| i.wrapping_mul(2_654_435_761) ^ i >> 7)
        .collect();
    let mut expected = [0; 256];
    for byte in data.iter().flat_map(|word| word.to_le_bytes()) {
        expected[byte as usize] += 1;
    }
    assert_eq!(expected.iter().sum::<u32>(), 4 * words as u32);
    gives(&expected, |view, bins| {
        let data = input(&data);
        launch(view, data.extent(), histogram_in_global_memory(&data, bins))
    });
    gives(&expected, |view, bins| {
        let data = input(&data);
        let domain = data.extent().tile::<256>();
        launch(view, domain, histogram_in_tiles(&data, bins))
    });
}
