//! Atomic operations: HCC's unit tests and the book's example.

use amp::prelude::*;
use testkit::{becomes, gives, input, launch};

/// HCC's tests of each type, on elements of views and in tiles.
macro_rules! cells {
    ($($module:ident: $int:ident;)*) => {$(
        mod $module {
            use super::*;

            const MINUS_ONE: $int = !0;

            /// Conformance 157: every thread changes every cell by one.
            #[amp_kernel]
            fn all_change_all(
                _idx: Index<1>,
                more: &mut ArrayViewMut<$int, 1>,
                less: &mut ArrayViewMut<$int, 1>,
                up: &mut ArrayViewMut<$int, 1>,
                down: &mut ArrayViewMut<$int, 1>,
            ) {
                for k in 0..more.extent()[0] {
                    atomic_fetch_add(&mut more[k], 1);
                    atomic_fetch_sub(&mut less[k], 1);
                    atomic_fetch_inc(&mut up[k]);
                    atomic_fetch_dec(&mut down[k]);
                }
            }

            #[amp_kernel]
            fn all_change_all_of_a_tile(
                t_idx: TiledIndex<1, 100>,
                more: &mut ArrayViewMut<$int, 1>,
                less: &mut ArrayViewMut<$int, 1>,
                up: &mut ArrayViewMut<$int, 1>,
                down: &mut ArrayViewMut<$int, 1>,
            ) {
                #[tile_static]
                let mut cells: [[$int; 100]; 4];
                let i = t_idx.local[0];
                for k in 0..4 {
                    cells[k][i] = 0;
                }
                t_idx.barrier.wait();
                for k in 0..100 {
                    atomic_fetch_add(&mut cells[0][k], 1);
                    atomic_fetch_sub(&mut cells[1][k], 1);
                    atomic_fetch_inc(&mut cells[2][k]);
                    atomic_fetch_dec(&mut cells[3][k]);
                }
                t_idx.barrier.wait();
                more[i] = cells[0][i];
                less[i] = cells[1][i];
                up[i] = cells[2][i];
                down[i] = cells[3][i];
            }

            #[test]
            fn c157_a_hundred_threads_on_a_hundred_cells() {
                for of_tile in [false, true] {
                    gives(&[100; 100], |view, more| {
                        let (mut less, mut up, mut down) = ([0; 100], [0; 100], [0; 100]);
                        {
                            let mut less = ArrayViewMut::new(100, &mut less)?;
                            let mut up = ArrayViewMut::new(100, &mut up)?;
                            let mut down = ArrayViewMut::new(100, &mut down)?;
                            if of_tile {
                                let domain = more.extent().tile::<100>();
                                let kernel =
                                    all_change_all_of_a_tile(more, &mut less, &mut up, &mut down);
                                launch(view, domain, kernel)?;
                            } else {
                                let kernel = all_change_all(more, &mut less, &mut up, &mut down);
                                launch(view, 100, kernel)?;
                            }
                        }
                        let minus = MINUS_ONE.wrapping_mul(100);
                        assert_eq!((less, up, down), ([minus; 100], [100; 100], [minus; 100]));
                        Ok(())
                    });
                }
            }

            /// Conformance 159: every thread bounds every cell by 50.
            #[amp_kernel]
            fn all_bound_all(
                _idx: Index<1>,
                greater: &mut ArrayViewMut<$int, 1>,
                lesser: &mut ArrayViewMut<$int, 1>,
            ) {
                for k in 0..greater.extent()[0] {
                    atomic_fetch_max(&mut greater[k], 50);
                    atomic_fetch_min(&mut lesser[k], 50);
                }
            }

            #[amp_kernel]
            fn all_bound_all_of_a_tile(
                t_idx: TiledIndex<1, 100>,
                greater: &mut ArrayViewMut<$int, 1>,
                lesser: &mut ArrayViewMut<$int, 1>,
            ) {
                #[tile_static]
                let mut cells: [[$int; 100]; 2];
                let i = t_idx.local[0];
                cells[0][i] = greater[i];
                cells[1][i] = lesser[i];
                t_idx.barrier.wait();
                for k in 0..100 {
                    atomic_fetch_max(&mut cells[0][k], 50);
                    atomic_fetch_min(&mut cells[1][k], 50);
                }
                t_idx.barrier.wait();
                greater[i] = cells[0][i];
                lesser[i] = cells[1][i];
            }

            #[test]
            fn c159_every_cell_is_bounded() {
                let before: Vec<$int> = (0..100).collect();
                let greater: Vec<$int> = (0..100).map(|i| i.max(50)).collect();
                let lesser: Vec<$int> = (0..100).map(|i| i.min(50)).collect();
                for of_tile in [false, true] {
                    becomes([100], &before, &greater, |view, greater| {
                        let mut found = before.clone();
                        {
                            let mut lesser = ArrayViewMut::new(100, &mut found)?;
                            if of_tile {
                                let domain = greater.extent().tile::<100>();
                                let kernel = all_bound_all_of_a_tile(greater, &mut lesser);
                                launch(view, domain, kernel)?;
                            } else {
                                launch(view, 100, all_bound_all(greater, &mut lesser))?;
                            }
                        }
                        assert_eq!(found, lesser);
                        Ok(())
                    });
                }
            }

            /// Conformance 163: -1 is the lesser of two integers with a sign, and the greater
            /// of two without.
            #[amp_kernel]
            fn signs(t_idx: TiledIndex<1, 16>, cells: &mut ArrayViewMut<$int, 1>) {
                #[tile_static]
                let mut of_tile: [$int; 2];
                if t_idx.local[0] < 2 {
                    of_tile[t_idx.local[0]] = !0;
                }
                t_idx.barrier.wait();
                atomic_fetch_max(&mut cells[0], 1);
                atomic_fetch_min(&mut cells[1], 1);
                atomic_fetch_max(&mut of_tile[0], 1);
                atomic_fetch_min(&mut of_tile[1], 1);
                t_idx.barrier.wait();
                if t_idx.global[0] < 2 {
                    cells[2 + t_idx.global[0]] = of_tile[t_idx.global[0]];
                }
            }

            #[test]
            fn c163_signs_are_minded() {
                let (max, min) = (MINUS_ONE.max(1), MINUS_ONE.min(1));
                assert_eq!(max == 1, $int::MIN != 0);
                let before = [MINUS_ONE, MINUS_ONE, 0, 0];
                becomes([4], &before, &[max, min, max, min], |view, cells| {
                    launch(view, Extent::new([64]).tile::<16>(), signs(cells))
                });
            }
        }
    )*};
}
cells! {
    of_i32: i32;
    of_u32: u32;
    of_i64: i64;
    of_u64: u64;
}

/// Conformance 161: every thread puts 1 into every cell; all but the first to come find 1.
macro_rules! exchanges {
    ($($module:ident: $number:ident;)*) => {$(
        mod $module {
            use super::*;

            #[amp_kernel]
            fn all_exchange_all(
                _idx: Index<1>,
                cells: &mut ArrayViewMut<$number, 1>,
                sum: &mut ArrayViewMut<$number, 1>,
            ) {
                for k in 0..cells.extent()[0] {
                    let old = atomic_exchange(&mut cells[k], 1 as $number);
                    atomic_fetch_add(&mut sum[0], old);
                }
            }

            #[amp_kernel]
            fn all_exchange_all_of_a_tile(
                t_idx: TiledIndex<1, 100>,
                cells: &mut ArrayViewMut<$number, 1>,
                sum: &mut ArrayViewMut<$number, 1>,
            ) {
                #[tile_static]
                let mut of_tile: [$number; 100];
                let i = t_idx.local[0];
                of_tile[i] = 0 as $number;
                t_idx.barrier.wait();
                for k in 0..100 {
                    let old = atomic_exchange(&mut of_tile[k], 1 as $number);
                    atomic_fetch_add(&mut sum[0], old);
                }
                t_idx.barrier.wait();
                cells[i] = of_tile[i];
            }

            #[test]
            fn c161_every_cell_is_exchanged() {
                for of_tile in [false, true] {
                    gives(&[1 as $number; 100], |view, cells| {
                        let mut found = [0 as $number];
                        {
                            let mut sum = ArrayViewMut::new(1, &mut found)?;
                            if of_tile {
                                let domain = cells.extent().tile::<100>();
                                let kernel = all_exchange_all_of_a_tile(cells, &mut sum);
                                launch(view, domain, kernel)?;
                            } else {
                                launch(view, 100, all_exchange_all(cells, &mut sum))?;
                            }
                        }
                        assert_eq!(found, [9900 as $number], "{view}");
                        Ok(())
                    });
                }
            }
        }
    )*};
}
exchanges! {
    exchange_i32: i32;
    exchange_u32: u32;
    exchange_i64: i64;
    exchange_u64: u64;
    exchange_f32: f32;
    exchange_f64: f64;
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
    let words: usize = 1 << 22;
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
