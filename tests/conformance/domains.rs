//! Rows 97 and 149 to 155: domains of any shape, up to 2³²−1 threads, and those that are
//! refused.

use amp::prelude::*;
use amp::{AcceleratorView, Error};
use testkit::{assert_silent, becomes, everywhere, gives, launch, new_views};

const BINS: usize = 1 << 17;

/// The suite's kernel: each thread adds 1 to the bin of its flat position modulo 2¹⁷.
macro_rules! count_threads {
    ($name:ident, $rank:literal, $count:ident) => {
        #[amp_kernel]
        fn $name(idx: Index<$rank>, space: Extent<$rank>, bins: &mut ArrayViewMut<u32, 1>) {
            let mut flat = 0;
            for k in 0..$rank {
                flat = flat * space[k] + idx[k];
            }
            atomic_fetch_inc(&mut bins[flat % BINS]);
        }

        /// Requires that each bin has counted all of its threads.
        fn $count(view: &AcceleratorView, extent: [usize; $rank]) {
            let total: usize = extent.iter().product();
            let mut found = vec![0_u32; BINS];
            {
                let mut bins = ArrayViewMut::new(BINS, &mut found).unwrap();
                launch(view, extent, $name(Extent::new(extent), &mut bins)).unwrap();
                bins.synchronize().unwrap();
            }
            let expected = |bin| total / BINS + usize::from(bin < total % BINS);
            let wrong = (0..BINS).find(|&bin| found[bin] as usize != expected(bin));
            if let Some(bin) = wrong {
                let (found, expected) = (found[bin], expected(bin));
                panic!("{view}: {extent:?}: bin {bin} has {found} threads of {expected}");
            }
        }
    };
}

count_threads!(count_threads_1, 1, count_1);
count_threads!(count_threads_2, 2, count_2);
count_threads!(count_threads_3, 3, count_3);

/// 2³²−1 threads on every GPU: 32768 in each bin, one less in the last. Software would take
/// minutes for them; it gets the same shapes with fewer threads, but with as many along the
/// longest dimension as do not fit a dimension of a grid.
#[test]
fn row_149_every_thread_of_the_largest_domains_counts() {
    everywhere(|view| {
        if view.accelerator().is_emulated() {
            count_2(view, [65_537, 63]);
            count_3(view, [70_001, 5, 3]);
            count_3(view, [3, 5, 70_001]);
        } else {
            count_2(view, [65_537, 65_535]);
            count_3(view, [286_331_153, 5, 3]);
            count_3(view, [3, 5, 286_331_153]);
        }
    });
}

#[test]
fn row_149_every_thread_of_a_long_dimension_counts() {
    everywhere(|view| {
        count_1(view, [200_003]);
        count_2(view, [65_537, 3]);
        count_2(view, [3, 65_537]);
        count_3(view, [66_667, 1, 3]);
        count_3(view, [3, 1, 66_667]);
    });
}

/// Of the shapes of the suite, with more workgroups than a dimension of a grid holds. The CPU
/// accelerator has no grid.
#[test]
fn row_149_more_workgroups_than_one_dimension_holds() {
    everywhere(|view| {
        if view.accelerator() != Accelerator::cpu() {
            count_1(view, [16_777_217]);
            count_2(view, [65_537, 257]);
            count_2(view, [257, 65_537]);
            count_3(view, [1_118_482, 5, 3]);
            count_3(view, [3, 5, 1_118_482]);
            count_3(view, [5, 1_118_482, 3]);
        }
    });
}

#[amp_kernel]
fn touch_1(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx[0] % 4] = 9;
}

#[amp_kernel]
fn touch_2(idx: Index<2>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx[0] % 4] = 9;
}

#[amp_kernel]
fn touch_5(idx: Index<5>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx[0] % 4] = 9;
}

#[amp_kernel]
fn touch_tiles_1(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    out[t_idx.global[0] % 4] = 9;
}

#[amp_kernel]
fn touch_tiles_2(t_idx: TiledIndex<2, 16, 16>, out: &mut ArrayViewMut<u32, 1>) {
    out[t_idx.global[0] % 4] = 9;
}

#[amp_kernel]
fn touch_tiles_3(t_idx: TiledIndex<3, 1, 2, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[t_idx.global[0] % 4] = 9;
}

/// Each domain in turn is an invalid compute domain, and leaves the array as it was.
macro_rules! refused {
    ($kernel:ident: $($domain:expr),+ $(,)?) => {
        everywhere(|view| {
            $(
                let mut data = [1, 2, 3, 4];
                let mut out = ArrayViewMut::new(4, &mut data).unwrap();
                let result = launch(view, $domain, $kernel(&mut out));
                assert!(
                    matches!(result, Err(Error::InvalidComputeDomain(_))),
                    "{view}: {}: {result:?}",
                    stringify!($domain),
                );
                out.synchronize().unwrap();
                drop(out);
                assert_eq!(data, [1, 2, 3, 4], "{view}");
            )+
        });
    };
}

/// What −1 of a signed index becomes.
const NEGATIVE: usize = usize::MAX;

#[test]
fn row_097_a_negative_or_zero_component_is_no_domain() {
    assert_eq!(Extent::new([1, 0, 3, 4, 5]).size(), 0);
    refused!(touch_5: Extent::new([NEGATIVE, 2, 3, 4, 5]), [1, 2, 3, 4, 0], [0, 2, 3, 4, 5]);
    refused!(touch_1: 0, NEGATIVE);
    refused!(touch_2: [0, 5], [5, 0]);
}

#[test]
fn row_151_a_negative_or_zero_component_is_no_tiled_domain() {
    refused!(touch_tiles_1: Extent::new([0]).tile::<4>(), Extent::new([NEGATIVE - 3]).tile::<4>());
    refused!(touch_tiles_2:
        Extent::new([0, 16]).tile::<16, 16>(),
        Extent::new([16, 0]).tile::<16, 16>(),
        Extent::new([NEGATIVE - 15, 16]).tile::<16, 16>(),
    );
    refused!(touch_tiles_3: Extent::new([4, 0, 1]).tile::<1, 2, 1>());
}

#[test]
fn more_than_32_bits_of_threads_are_no_domain() {
    refused!(touch_1: 1 << 32);
    refused!(touch_2: [1 << 16, 1 << 16], [1 << 32, 1], [3, 1 << 31], [1 << 40, 1 << 40]);
    refused!(touch_5: [1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20]);
}

#[test]
fn tiles_that_do_not_divide_are_no_domain() {
    refused!(touch_tiles_1: Extent::new([1023]).tile::<4>(), Extent::new([3]).tile::<4>());
    refused!(touch_tiles_2:
        Extent::new([100, 64]).tile::<16, 16>(),
        Extent::new([64, 100]).tile::<16, 16>(),
    );
    let mut out = ArrayViewMut::<u32, 1>::uninit(4).unwrap();
    let domain = Extent::new([100, 64]).tile::<16, 16>();
    let error = parallel_for_each(domain, touch_tiles_2(&mut out))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("16×16") && error.contains("100×64"),
        "{error}"
    );
}

/// Each thread notes where it says that it is, at its own place in the domain; `round` is what its
/// tile gives it, of which all threads of the tile write a part.
macro_rules! count_tiles {
    ($name:ident, $count:ident, $rank:literal, [$($tile:literal),+]) => {
        #[amp_kernel]
        fn $name(t_idx: TiledIndex<$rank, $($tile),+>, space: Extent<$rank>, out: &mut ArrayViewMut<u32, 1>) {
            #[tile_static]
            let mut parts: [u32; 8];
            let tile: [usize; $rank] = [$($tile),+];
            let (mut global, mut local, mut threads) = (0, 0, 1);
            let mut right = true;
            for k in 0..$rank {
                right &= t_idx.global[k] == t_idx.tile_origin[k] + t_idx.local[k]
                    && t_idx.tile_origin[k] == t_idx.tile[k] * tile[k]
                    && t_idx.local[k] < tile[k];
                global = global * space[k] + t_idx.global[k];
                local = local * tile[k] + t_idx.local[k];
                threads *= tile[k];
            }
            parts[local] = global as u32;
            t_idx.barrier.wait();
            let neighbour = parts[(local + 1) % threads];
            if right {
                out[global] += 1 + (neighbour % 16) * 16;
            }
        }

        /// Requires that each point of a domain had a thread, beside its neighbour of the tile.
        fn $count(view: &AcceleratorView, extent: [usize; $rank]) {
            let total: usize = extent.iter().product();
            let mut found = vec![0_u32; total];
            {
                let mut out = ArrayViewMut::new(total, &mut found).unwrap();
                let domain = Extent::new(extent).tile::<$($tile),+>();
                launch(view, domain, $name(Extent::new(extent), &mut out)).unwrap();
                out.synchronize().unwrap();
            }
            let tile = [$($tile),+];
            let expected = |flat: usize| {
                let (mut rest, mut index, mut local) = (flat, [0; $rank], [0; $rank]);
                for k in (0..$rank).rev() {
                    (index[k], rest) = (rest % extent[k], rest / extent[k]);
                    local[k] = index[k] % tile[k];
                }
                let flat_of = |index: [usize; $rank], space: [usize; $rank]| {
                    index.iter().zip(space).fold(0, |flat, (i, n)| flat * n + i)
                };
                let threads: usize = tile.iter().product();
                let mut next = (flat_of(local, tile) + 1) % threads;
                for k in (0..$rank).rev() {
                    index[k] = index[k] - local[k] + next % tile[k];
                    next /= tile[k];
                }
                1 + (flat_of(index, extent) as u32 % 16) * 16
            };
            if let Some(flat) = (0..total).find(|&flat| found[flat] != expected(flat)) {
                let (found, expected) = (found[flat], expected(flat));
                panic!("{view}: {extent:?}: point {flat} has {found} in place of {expected}");
            }
        }
    };
}

count_tiles!(count_tiles_1, tiles_1, 1, [2]);
count_tiles!(count_tiles_2, tiles_2, 2, [2, 3]);
count_tiles!(count_tiles_3, tiles_3, 3, [1, 2, 2]);

/// More than a dimension of a grid holds, in each dimension; and a row of it exactly.
#[test]
fn every_thread_of_more_than_65535_tiles_in_a_dimension_runs() {
    everywhere(|view| {
        tiles_1(view, [2 * 65_535]);
        tiles_1(view, [2 * 3 * 65_535]);
        tiles_1(view, [2 * 200_003]);
        tiles_2(view, [2 * 65_537, 6]);
        tiles_2(view, [4, 3 * 65_541]);
        tiles_3(view, [65_537, 2, 2]);
        tiles_3(view, [2, 2 * 65_537, 4]);
        tiles_3(view, [3, 4, 2 * 65_539]);
    });
}

#[amp_kernel]
fn touch_tiles_256(t_idx: TiledIndex<1, 256>, out: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_inc(&mut out[t_idx.tile[0] % 4]);
}

/// The size that was refused, on devices that do not take seconds for it.
#[test]
fn a_large_domain_in_tiles_of_256_runs() {
    everywhere(|view| {
        let threads: usize = match view.accelerator().is_emulated() {
            true => 65_540 * 256,
            false => 1 << 31,
        };
        let mut out = [0; 4];
        let mut counts = ArrayViewMut::new(4, &mut out).unwrap();
        launch(
            view,
            Extent::new([threads]).tile::<256>(),
            touch_tiles_256(&mut counts),
        )
        .unwrap();
        counts.synchronize().unwrap();
        drop(counts);
        assert_eq!(out, [threads as u32 / 4; 4], "{view}");
    });
}

#[amp_kernel(index = 64)]
fn note_tiles_64(t_idx: TiledIndex<2, 1, 2>, last: usize, out: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_inc(&mut out[t_idx.global[0] * 2 + t_idx.local[1]]);
    assert!(
        t_idx.global[1] != last,
        "tile {} of {}",
        t_idx.tile[1],
        t_idx.tile[0]
    );
}

/// With indices of 64 bits, in a graph, and a fault that names its thread.
#[test]
fn a_replay_of_more_than_65535_tiles_in_a_dimension_says_which_thread_faulted() {
    const TILES: usize = 65_538;
    everywhere(|view| {
        let domain = Extent::new([2, 2 * TILES]).tile::<1, 2>();
        let mut out: Array<u32, 1> = Array::builder(4).on(view).build().unwrap();
        let last = 2 * TILES - 1;
        let graph = view
            .record(|g| g.parallel_for_each(domain, note_tiles_64(last, &mut out)))
            .unwrap();
        graph.replay().unwrap();
        let Err(Error::KernelFault(fault)) = view.wait() else {
            panic!("{view}: there is a fault");
        };
        let row = fault.thread[0];
        assert_eq!(fault.thread, [row, last], "{view}");
        assert!(
            fault
                .message
                .contains(&format!("tile {} of {row}", TILES - 1)),
            "{fault}"
        );
        graph.replay().unwrap();
        view.wait().unwrap_err();
        drop(graph);
        assert_eq!(out.to_vec().unwrap(), [2 * TILES as u32; 4], "{view}");
    });
}

/// Padding such an extent must not make it an empty one, nor a small one.
#[test]
fn a_padded_extent_that_is_too_large_is_refused_with_its_numbers() {
    everywhere(|view| {
        let mut data = [0; 4];
        let mut out = ArrayViewMut::new(4, &mut data).unwrap();
        let domain = Extent::new([usize::MAX]).tile::<4>().pad();
        let error = launch(view, domain, touch_tiles_1(&mut out)).unwrap_err();
        assert!(matches!(error, Error::InvalidComputeDomain(_)), "{error}");
        let message = error.to_string();
        assert!(
            message.contains(&format!("{} has more", usize::MAX)),
            "{message}"
        );
    });
}

/// Row 153 divides 0 by 0 in thread 0, of integers too: it kills nothing, and what it gives is
/// multiplied by 0. In this language it is a fault besides, which the next wait tells.
macro_rules! grouped {
    ($name:ident, $rank:literal, [$($tile:literal),+]) => {
        #[amp_kernel]
        fn $name(t_idx: TiledIndex<$rank, $($tile),+>, a: &ArrayView<i32, $rank>, b: &ArrayView<i32, $rank>, c: &mut ArrayViewMut<i32, $rank>) {
            let (a, b) = (a[t_idx], b[t_idx.global]);
            let one = a - a + b / (-a + b + a);
            c[t_idx] = one * (a + b);
        }
    };
}

grouped!(grouped_1, 1, [7]);
grouped!(grouped_2, 2, [9, 49]);
grouped!(grouped_3, 3, [2, 3, 7]);

macro_rules! row_153 {
    ($test:ident, $kernel:ident, $extent:expr, <$($tile:literal),+>) => {
        #[test]
        fn $test() {
            let numbers: Vec<i32> = (0..1764).collect();
            let expected: Vec<i32> = numbers.iter().map(|i| 2 * i).collect();
            for view in new_views() {
                let a = ArrayView::new($extent, &numbers).unwrap();
                let mut found = vec![-1; 1764];
                let mut c = ArrayViewMut::new($extent, &mut found).unwrap();
                let domain = c.extent().tile::<$($tile),+>();
                launch(&view, domain, $kernel(&a, &a, &mut c)).unwrap();
                match c.synchronize() {
                    Err(Error::KernelFault(fault)) => {
                        assert!(fault.thread.iter().all(|&k| k == 0), "{view}: {fault:?}");
                    }
                    other => panic!("{view}: no fault but {other:?}"),
                }
                drop(c);
                assert_eq!(found, expected, "{view}");
            }
            assert_silent();
        }
    };
}

row_153!(row_153_division_of_zero_by_zero_rank_1, grouped_1, [1764], <7>);
row_153!(row_153_division_of_zero_by_zero_rank_2, grouped_2, [36, 49], <9, 49>);
row_153!(row_153_division_of_zero_by_zero_rank_3, grouped_3, [4, 9, 49], <2, 3, 7>);

/// Checks a thread's place in its tile against its place in the domain, and both against the
/// position that an array has there; writes only what is wrong, and one mark a tile.
macro_rules! positions {
    ($name:ident, $rank:literal, [$($tile:literal),+]) => {
        #[amp_kernel]
        fn $name(t_idx: TiledIndex<$rank, $($tile),+>, position: &ArrayView<u32, $rank>, wrong: &mut ArrayViewMut<u32, 1>, tiles: &mut ArrayViewMut<u32, $rank>) {
            let space = position.extent();
            let sizes = [$($tile),+];
            let mut flat = 0;
            let mut composed = 0;
            for k in 0..$rank {
                flat = flat * space[k] + t_idx.global[k];
                composed = composed * space[k] + t_idx.tile[k] * sizes[k] + t_idx.local[k];
            }
            if flat != composed || flat as u32 != position[t_idx] || t_idx.tile_origin + t_idx.local != t_idx.global {
                wrong[0] = flat as u32 + 1;
            }
            if t_idx.global == t_idx.tile_origin {
                tiles[t_idx.tile] += 1;
            }
        }
    };
}

positions!(positions_1, 1, [7]);
positions!(positions_2, 2, [7, 15]);
positions!(positions_3, 3, [7, 15, 3]);

macro_rules! row_155 {
    ($test:ident, $kernel:ident, $extent:expr, $tiles:expr, <$($tile:literal),+>) => {
        #[test]
        fn $test() {
            let count: usize = $tiles.iter().product();
            let numbers: Vec<u32> = (0..$extent.iter().product::<usize>() as u32).collect();
            everywhere(|view| {
                let (mut wrong, mut found) = ([0], vec![0; count]);
                {
                    let position = ArrayView::new($extent, &numbers).unwrap();
                    let mut wrong = ArrayViewMut::new(1, &mut wrong).unwrap();
                    let mut tiles = ArrayViewMut::new($tiles, &mut found).unwrap();
                    let domain = position.extent().tile::<$($tile),+>();
                    let kernel = $kernel(&position, &mut wrong, &mut tiles);
                    launch(view, domain, kernel).unwrap();
                }
                assert_eq!(wrong, [0], "{view}");
                assert!(found.iter().all(|&marks| marks == 1), "{view}");
            });
        }
    };
}

row_155!(row_155_places_in_tiles_of_rank_1, positions_1, [5446], [778], <7>);
row_155!(row_155_places_in_tiles_of_rank_2, positions_2, [5446, 195], [778, 13], <7, 15>);
row_155!(row_155_places_in_tiles_of_rank_3, positions_3, [5446, 195, 9], [778, 13, 3], <7, 15, 3>);

#[amp_kernel]
fn sums(
    idx: Index<4>,
    a: &ArrayView<i32, 4>,
    b: &ArrayView<i32, 4>,
    out: &mut ArrayViewMut<i32, 4>,
) {
    out[idx] = a[idx] + b[idx];
}

#[test]
fn row_169_a_domain_of_rank_4() {
    let extent = [3, 4, 5, 6];
    let a: Vec<i32> = (0..360).collect();
    let b: Vec<i32> = (0..360).map(|i| i * i).collect();
    let expected: Vec<i32> = (0..360).map(|i| i + i * i).collect();
    becomes(extent, &[0; 360], &expected, |view, out| {
        let (a, b) = (ArrayView::new(extent, &a)?, ArrayView::new(extent, &b)?);
        launch(view, extent, sums(&a, &b, out))
    });
}

#[amp_kernel]
fn all_one(idx: Index<5>, a: &ArrayView<u32, 5>, out: &mut ArrayViewMut<u32, 5>) {
    out[idx] = a[idx] - out[idx];
}

#[test]
fn row_169_a_domain_of_rank_5() {
    let extent = [2, 3, 4, 5, 6];
    let a: Vec<u32> = (1..=720).collect();
    let before: Vec<u32> = (0..720).collect();
    becomes(extent, &before, &[1; 720], |view, out| {
        launch(view, extent, all_one(&ArrayView::new(extent, &a)?, out))
    });
}

#[test]
fn a_domain_may_be_larger_than_its_arrays() {
    // P6's guards: threads of the padded domain that have no element do nothing.
    #[amp_kernel]
    fn guarded(t_idx: TiledIndex<1, 64>, out: &mut ArrayViewMut<u32, 1>) {
        if out.extent().contains(t_idx.global) {
            out[t_idx] += 1;
        }
    }
    gives(&[1; 1000], |view, out| {
        launch(view, out.extent().tile::<64>().pad(), guarded(out))
    });
}
