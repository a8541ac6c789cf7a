//! Atomic operations behind references: helpers that take the place as `&mut`.

use amp::prelude::*;
use testkit::{becomes, gives, launch, new_views};

const T: usize = 16;

#[amp_struct]
struct Bin {
    count: u64,
    sum: f32,
    least: i32,
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Greatest {
    of: [i32; 4],
}

/// By name, through `*`, a field and an element; and passed on.
#[amp_fn]
fn count(place: &mut u64) -> u64 {
    atomic_fetch_inc(place)
}

#[amp_fn]
fn put(bin: &mut Bin, x: i32) -> u64 {
    atomic_fetch_add(&mut bin.sum, x as f32);
    atomic_fetch_min(&mut (bin.least), x);
    count(&mut bin.count)
}

#[amp_fn]
fn raise(all: &mut [i32; 4], x: i32) {
    atomic_fetch_max(&mut all[(x & 3) as usize], x);
}

#[amp_fn]
fn saturating_add(place: &mut u32, x: u32, limit: u32) {
    let mut old = atomic_load(&mut *place);
    loop {
        let new = if old > limit - x { limit } else { old + x };
        if atomic_compare_exchange(place, &mut old, new) {
            return;
        }
    }
}

#[amp_kernel]
fn through_helpers(
    t_idx: TiledIndex<1, T>,
    bins: &mut ArrayViewMut<Bin, 1>,
    greatest: &mut ArrayViewMut<Greatest, 1>,
    out: &mut ArrayViewMut<i32, 1>,
) {
    #[tile_static]
    let mut bin: Bin;
    #[tile_static]
    let mut greatest_of_tile: [[i32; 4]; 2];
    #[tile_static]
    let mut sum: u32;
    let i = t_idx.local[0];
    if i == 0 {
        bin = Bin {
            count: 5_000_000_000,
            sum: 0.0,
            least: 1000,
        };
        sum = 0;
    }
    if i < 2 {
        greatest_of_tile[i] = [-1; 4];
    }
    t_idx.barrier.wait();
    let x = t_idx.global[0] as i32;
    put(&mut bin, x);
    put(&mut bins[i % 3], x);
    raise(&mut greatest[i % 2].of, x);
    raise(&mut greatest_of_tile[i % 2], x);
    saturating_add(&mut sum, 3, 40);
    t_idx.barrier.wait();
    if i == 0 {
        let at = 16 * t_idx.tile[0];
        out[at] = (bin.count - 5_000_000_000) as i32;
        out[at + 1] = bin.sum as i32;
        out[at + 2] = bin.least;
        out[at + 3] = sum as i32;
        for k in 0..8 {
            out[at + 4 + k] = greatest_of_tile[k / 4][k % 4];
        }
    }
}

#[test]
fn the_place_behind_a_reference_is_shared() {
    let tiles = 6;
    let mut expected = vec![0; 16 * tiles];
    let mut greatest = [[-1; 4]; 2];
    let mut sums = [(0_u64, 0.0, 0); 3];
    for tile in 0..tiles {
        let of_tile = &mut expected[16 * tile..][..12];
        of_tile[0] = T as i32;
        of_tile[2] = (tile * T) as i32;
        of_tile[3] = 40;
        of_tile[4..].fill(-1);
        for i in 0..T {
            let x = (tile * T + i) as i32;
            of_tile[1] += x;
            of_tile[4 + i % 2 * 4 + i % 4] = x;
            greatest[i % 2][i % 4] = x;
            let bin = &mut sums[i % 3];
            *bin = (bin.0 + 1, bin.1 + x as f32, bin.2.min(x));
        }
    }
    becomes(
        [16 * tiles],
        &vec![0; 16 * tiles],
        &expected,
        |view, out| {
            let empty = Bin {
                count: 0,
                sum: 0.0,
                least: 0,
            };
            let (mut bins, mut found) = ([empty; 3], [Greatest { of: [-1; 4] }; 2]);
            {
                let mut bins = ArrayViewMut::new(3, &mut bins)?;
                let mut found = ArrayViewMut::new(2, &mut found)?;
                let domain = Extent::new([T * tiles]).tile::<T>();
                let kernel = through_helpers(&mut bins, &mut found, out);
                launch(view, domain, kernel)?;
            }
            assert_eq!(found.map(|four| four.of), greatest, "{view}");
            let bins = bins.map(|bin| (bin.count, bin.sum, bin.least));
            assert_eq!(bins, sums, "{view}");
            Ok(())
        },
    );
}

#[test]
fn on_the_host_a_reference_is_rusts() {
    let mut place = 7;
    assert_eq!(count(&mut place), 7);
    assert_eq!(place, 8);
}

/// What a loop over an array names by reference.
#[amp_kernel]
fn each_of_a_tile(t_idx: TiledIndex<1, T>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut counts: [u32; 4];
    if t_idx.local[0] < 4 {
        counts[t_idx.local[0]] = 10;
    }
    t_idx.barrier.wait();
    for place in counts.iter_mut() {
        atomic_fetch_add(place, 2);
    }
    t_idx.barrier.wait();
    if t_idx.local[0] < 4 {
        out[t_idx.local[0]] = counts[t_idx.local[0]];
    }
}

#[test]
fn loops_name_places_too() {
    gives(&[42; 4], |view, out| {
        let domain = Extent::new([T]).tile::<T>();
        launch(view, domain, each_of_a_tile(out))
    });
}

#[amp_kernel]
fn outside(_idx: Index<1>, counts: &mut ArrayViewMut<u64, 1>, at: usize) {
    counts[0] = 3 + count(&mut counts[at]);
}

#[test]
fn a_place_that_does_not_exist_is_a_fault() {
    for view in new_views() {
        let mut found = [1, 2];
        {
            let mut counts = ArrayViewMut::new(2, &mut found).unwrap();
            let launched = launch(&view, 1, outside(&mut counts, 2)).and_then(|()| view.wait());
            let Err(amp::Error::KernelFault(fault)) = launched else {
                panic!("{view}: no fault but {launched:?}");
            };
            let words = "index out of bounds: the extent is 2 but the index is 2";
            assert_eq!(fault.message, words, "{view}");
            assert_eq!((fault.thread, fault.column), (vec![0], 32), "{view}");
        }
        assert_eq!(found, [3, 2], "{view}");
    }
}
