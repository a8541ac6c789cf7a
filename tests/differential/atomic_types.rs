//! Atomic operations on integers of 64 bits and on floats, in views and in tiles.

use amp::prelude::*;
use amp::{Atomic, AtomicInteger};
use glam::Vec3;
use testkit::{becomes, gives, launch};

const T: usize = 32;

/// What a kernel with every function leaves and finds, for a type of integer.
macro_rules! integers {
    ($($module:ident: $int:ident;)*) => {$(
        mod $module {
            use super::*;

            /// Every function, by threads of many tiles, on elements and on tile_static
            /// variables, which one thread of each tile then adds to the elements behind them.
            #[amp_kernel]
            fn every_function(t_idx: TiledIndex<1, T>, places: &mut ArrayViewMut<$int, 1>) {
                #[tile_static]
                let mut of_tile: [$int; 9];
                let i = t_idx.global[0] as $int;
                let big = i * 0x1_0001 * 0x1_0001;
                if t_idx.local[0] < 9 {
                    of_tile[t_idx.local[0]] = places[t_idx.local[0]];
                }
                t_idx.barrier.wait();
                atomic_fetch_add(&mut of_tile[0], big);
                atomic_fetch_sub(&mut of_tile[1], big);
                atomic_fetch_min(&mut of_tile[2], big + 3);
                atomic_fetch_max(&mut of_tile[3], big);
                atomic_fetch_and(&mut of_tile[4], !(1 << (i % 31) << (i % 31)));
                atomic_fetch_or(&mut of_tile[5], 1 << (i % 31) << (i % 31));
                atomic_fetch_xor(&mut of_tile[6], big * 0x0101);
                atomic_fetch_inc(&mut of_tile[7]);
                atomic_fetch_dec(&mut of_tile[8]);
                // Not to where it came from: other tiles still read that.
                atomic_fetch_add(&mut places[9], big);
                atomic_fetch_sub(&mut places[10], big);
                atomic_fetch_min(&mut places[11], big + 3);
                atomic_fetch_max(&mut places[12], big);
                atomic_fetch_and(&mut places[13], !(1 << (i % 31) << (i % 31)));
                atomic_fetch_or(&mut places[14], 1 << (i % 31) << (i % 31));
                atomic_fetch_xor(&mut places[15], big * 0x0101);
                atomic_fetch_inc(&mut places[16]);
                atomic_fetch_dec(&mut places[17]);
                t_idx.barrier.wait();
                if t_idx.local[0] < 9 {
                    let k = t_idx.local[0];
                    places[18 + 9 * t_idx.tile[0] + k] = atomic_load(&mut of_tile[k]);
                }
            }

            const START: [$int; 9] = [$int::MAX - 1, 1, $int::MAX, $int::MIN, !0, 5, 3, $int::MAX, $int::MIN];

            /// What threads of these numbers make of `START`.
            fn after(threads: std::ops::Range<usize>) -> [$int; 9] {
                let mut places = START;
                for i in threads.map(|i| i as $int) {
                    let big = i.wrapping_mul(0x1_0001).wrapping_mul(0x1_0001);
                    let bit = (1 as $int) << (i % 31) << (i % 31);
                    places[0] = places[0].wrapping_add(big);
                    places[1] = places[1].wrapping_sub(big);
                    places[2] = places[2].min(big.wrapping_add(3));
                    places[3] = places[3].max(big);
                    places[4] &= !bit;
                    places[5] |= bit;
                    places[6] ^= big.wrapping_mul(0x0101);
                    places[7] = places[7].wrapping_add(1);
                    places[8] = places[8].wrapping_sub(1);
                }
                places
            }

            #[test]
            fn no_thread_loses_the_work_of_another() {
                let tiles = 12;
                let mut before = START.to_vec();
                before.extend(START);
                before.resize(18 + 9 * tiles, 0);
                let mut expected = START.to_vec();
                expected.extend(after(0..T * tiles));
                for tile in 0..tiles {
                    expected.extend(after(T * tile..T * (tile + 1)));
                }
                becomes([before.len()], &before, &expected, |view, places| {
                    let domain = Extent::new([T * tiles]).tile::<T>();
                    launch(view, domain, every_function(places))
                });
            }

            /// One thread: what each function returns.
            #[amp_kernel]
            fn returns(_idx: Index<1>, a: &mut ArrayViewMut<$int, 1>, out: &mut ArrayViewMut<$int, 1>) {
                out[0] = atomic_fetch_add(&mut a[0], $int::MAX);
                out[1] = atomic_fetch_sub(&mut a[0], 7);
                // -1 of an integer with a sign is less than 1.
                out[2] = atomic_fetch_max(&mut a[1], 1);
                out[3] = atomic_fetch_min(&mut a[1], 4);
                out[4] = atomic_fetch_and(&mut a[2], 0b0110);
                out[5] = atomic_fetch_or(&mut a[2], 0b1001);
                out[6] = atomic_fetch_xor(&mut a[2], !0);
                out[7] = atomic_fetch_inc(&mut a[3]);
                out[8] = atomic_fetch_dec(&mut a[3]);
                out[9] = atomic_exchange(&mut a[3], 44);
                atomic_store(&mut a[4], $int::MAX / 3);
                out[10] = atomic_load(&mut a[4]);
                let mut expected = 8;
                out[11] = atomic_compare_exchange(&mut a[5], &mut expected, $int::MAX - 9) as $int;
                out[12] = expected;
                out[13] = atomic_compare_exchange(&mut a[5], &mut expected, $int::MAX - 9) as $int;
                out[14] = expected;
                out[15] = atomic_load(&mut a[5]);
            }

            #[test]
            fn each_returns_what_was_there_before() {
                let ones: $int = !0;
                let all = $int::MAX;
                let expected = [
                    1, (1 as $int).wrapping_add(all), ones, ones.max(1), 0b1110, 0b0110, 0b1111, all,
                    all.wrapping_add(1), all, all / 3, 0, 9, 1, 9, all - 9,
                ];
                gives(&expected, |view, out| {
                    let mut a = [1, ones, 0b1110, all, 0, 9];
                    let mut a = ArrayViewMut::new(6, &mut a)?;
                    launch(view, 1, returns(&mut a, out))
                });
            }
        }
    )*};
}
integers! {
    of_i32: i32;
    of_u32: u32;
    of_i64: i64;
    of_u64: u64;
}

#[amp_struct]
struct Mean {
    sum: f32,
    weights: [f32; 3],
    count: u32,
}

/// Floats in tiles: alone, in arrays of arrays, in fields, in vectors, beside what is no float,
/// read and written plainly on the other side of a barrier.
#[amp_kernel]
fn floats_of_tiles(
    t_idx: TiledIndex<1, T>,
    data: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 2>,
    back: &mut ArrayViewMut<Mean, 1>,
) {
    #[tile_static]
    let mut sum: f32;
    #[tile_static]
    let mut bins: [[f32; 4]; 2];
    #[tile_static]
    let mut mean: Mean;
    #[tile_static]
    let mut vector: Vec3;
    #[tile_static]
    let mut plain: [f32; T];
    #[tile_static]
    let mut own: [f32; T];
    let i = t_idx.local[0];
    if i == 0 {
        sum = 0.5;
        bins = [[0.0; 4], [1.0, 2.0, 3.0, -0.0]];
        mean = Mean {
            sum: -1.0,
            weights: [0.25, 0.5, 1.0],
            count: 7,
        };
        vector = Vec3::new(1.0, 2.0, 3.0);
    }
    own[i] = i as f32;
    plain[i] = data[t_idx];
    t_idx.barrier.wait();
    let x = plain[T - 1 - i];
    atomic_fetch_add(&mut sum, x);
    atomic_fetch_sub(&mut bins[i % 2][i % 3], x);
    atomic_fetch_add(&mut mean.sum, x);
    atomic_fetch_add(&mut mean.weights[i % 3], x);
    atomic_fetch_inc(&mut mean.count);
    atomic_fetch_add(&mut vector.y, x);
    let more = own[i] + 0.5;
    atomic_store(&mut own[i], more);
    let old = atomic_exchange(&mut own[i], -x);
    t_idx.barrier.wait();
    let tile = t_idx.tile[0];
    out[[tile, i]] = old - own[i];
    if i == 0 {
        let (copy, whole, all) = (bins, mean, vector);
        out[[tile, T]] = sum;
        for k in 0..8 {
            out[[tile, T + 1 + k]] = copy[k / 4][k % 4];
        }
        out[[tile, T + 9]] = all.x * 100.0 + all.y + all.z * 1000.0;
        bins[1] = [x; 4];
        out[[tile, T + 10]] = bins[1][3] + bins[0][0];
        mean.weights = whole.weights;
        back[tile] = mean;
    }
}

#[test]
fn floats_are_places_of_tiles() {
    let tiles = 5;
    let data: Vec<f32> = (0..tiles * T).map(|i| (i % 16) as f32 * 0.25).collect();
    let mut expected = Vec::new();
    let mut means = Vec::new();
    for tile in data.chunks(T) {
        let (mut sum, mut y) = (0.5, 2.0);
        let mut bins = [[0.0; 4], [1.0, 2.0, 3.0, -0.0_f32]];
        let mut weights = [0.25, 0.5, 1.0];
        for i in 0..T {
            let x = tile[T - 1 - i];
            expected.push(i as f32 + 0.5 + x);
            sum += x;
            y += x;
            bins[i % 2][i % 3] -= x;
            weights[i % 3] += x;
        }
        expected.push(sum);
        expected.extend(bins.as_flattened());
        expected.push(100.0 + y + 3000.0);
        expected.push(tile[T - 1] + bins[0][0]);
        means.push((sum - 1.5, weights, 7 + T as u32));
    }
    becomes(
        [tiles, T + 11],
        &vec![0.0; expected.len()],
        &expected,
        |view, out| {
            let mut found = vec![
                Mean {
                    sum: 0.0,
                    weights: [0.0; 3],
                    count: 0
                };
                tiles
            ];
            {
                let data = testkit::input(&data);
                let mut back = ArrayViewMut::new(tiles, &mut found)?;
                let domain = data.extent().tile::<T>();
                launch(view, domain, floats_of_tiles(&data, out, &mut back))?;
                back.synchronize()?;
            }
            for (found, expected) in found.iter().zip(&means) {
                let found = (found.sum, found.weights, found.count);
                assert_eq!(found, *expected, "{view}");
            }
            Ok(())
        },
    );
}

/// An array whose length only the host knows is moved as a whole, too.
#[amp_kernel]
fn arrays_of_any_length<const N: usize>(t_idx: TiledIndex<1, N>, out: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut all: [[f32; N]; 2];
    let i = t_idx.local[0];
    if i == 0 {
        all = [[0.5; N], [-1.0; N]];
    }
    t_idx.barrier.wait();
    atomic_fetch_add(&mut all[i % 2][i], i as f32);
    t_idx.barrier.wait();
    let copy = all;
    out[t_idx] = copy[0][i] + copy[1][i] * 100.0;
}

#[test]
fn an_array_of_floats_is_copied_whole() {
    let expected: Vec<f32> = (0..8)
        .map(|i| match i % 2 {
            0 => 0.5 + i as f32 - 100.0,
            _ => 0.5 + (i as f32 - 1.0) * 100.0,
        })
        .collect();
    gives(&expected, |view, out| {
        let domain = out.extent().tile::<8>();
        launch(view, domain, arrays_of_any_length::<8>(out))
    });
}

/// What one thread finds, in views and tiles, for a type of float.
macro_rules! floats {
    ($($module:ident: $float:ident;)*) => {$(
        mod $module {
            use super::*;

            #[amp_kernel]
            fn finds(
                t_idx: TiledIndex<1, 2>,
                a: &mut ArrayViewMut<$float, 1>,
                out: &mut ArrayViewMut<$float, 1>,
            ) {
                #[tile_static]
                let mut of_tile: $float;
                #[tile_static]
                let mut sum: $float;
                if t_idx.global[0] == 0 {
                    sum = 0.125;
                    atomic_store(&mut of_tile, -0.0);
                    out[0] = atomic_load(&mut of_tile);
                    out[1] = atomic_exchange(&mut of_tile, 2.5);
                    // Zeroes are not the same, and a NaN is itself.
                    let mut expected = 0.0;
                    out[2] = if atomic_compare_exchange(&mut a[0], &mut expected, 1.0) { 1.0 } else { 2.0 };
                    out[3] = expected;
                    out[4] = if atomic_compare_exchange(&mut a[0], &mut expected, 1.0) { 1.0 } else { 2.0 };
                    let mut expected = $float::NAN;
                    out[5] = if atomic_compare_exchange(&mut a[1], &mut expected, 3.0) { 1.0 } else { 2.0 };
                    let mut expected = 2.5;
                    out[6] = if atomic_compare_exchange(&mut of_tile, &mut expected, $float::MIN_POSITIVE / 2.0) {
                        1.0
                    } else {
                        2.0
                    };
                    out[7] = atomic_fetch_sub(&mut of_tile, $float::MIN_POSITIVE / 4.0);
                    out[8] = atomic_fetch_add(&mut of_tile, $float::INFINITY);
                    out[9] = atomic_load(&mut of_tile);
                    out[10] = atomic_fetch_add(&mut a[2], 0.1);
                    out[11] = atomic_fetch_sub(&mut a[2], 0.7);
                    out[12] = a[0];
                    out[13] = a[1];
                    out[14] = a[2];
                }
                t_idx.barrier.wait();
                atomic_fetch_add(&mut sum, t_idx.local[0] as $float + 0.25);
                t_idx.barrier.wait();
                if t_idx.global[0] == 0 {
                    out[15] = sum;
                }
            }

            #[test]
            fn each_is_an_integer_of_its_bits() {
                let tiny = $float::MIN_POSITIVE;
                let third: $float = 1.0 / 3.0;
                let expected = [
                    -0.0, -0.0, 2.0, -0.0, 1.0, 1.0, 1.0, tiny / 2.0, tiny / 2.0 - tiny / 4.0,
                    $float::INFINITY, third, third + 0.1, 1.0, 3.0, third + 0.1 - 0.7, 1.625,
                ];
                gives(&expected, |view, out| {
                    let mut a = [-0.0, $float::NAN, third];
                    let mut a = ArrayViewMut::new(3, &mut a)?;
                    let domain = Extent::new([2]).tile::<2>();
                    launch(view, domain, finds(&mut a, out))
                });
            }

            /// Sums that are exact in any order.
            #[amp_kernel]
            fn adds(t_idx: TiledIndex<1, T>, out: &mut ArrayViewMut<$float, 1>) {
                #[tile_static]
                let mut sums: [$float; 3];
                let i = t_idx.local[0];
                if i < 3 {
                    sums[i] = 0.0;
                }
                t_idx.barrier.wait();
                atomic_fetch_add(&mut sums[t_idx.global[0] % 3], i as $float * 0.5);
                t_idx.barrier.wait();
                if i < 3 {
                    atomic_fetch_add(&mut out[i], sums[i]);
                }
            }

            #[test]
            fn no_thread_loses_the_work_of_another() {
                let mut expected = [0.0; 3];
                for i in 0..20 * T {
                    expected[i % 3] += (i % T) as $float * 0.5;
                }
                gives(&expected, |view, out| {
                    let domain = Extent::new([20 * T]).tile::<T>();
                    launch(view, domain, adds(out))
                });
            }
        }
    )*};
}
floats! {
    of_f32: f32;
    of_f64: f64;
}

/// The bounds of the atomic functions are bounds of kernels and helpers.
#[amp_fn]
fn greatest<T: AtomicInteger>(place: &mut T, value: T) -> T {
    atomic_fetch_max(place, value)
}

#[amp_fn]
fn moved<T: Atomic>(x: &mut ArrayViewMut<T, 1>, from: usize, to: usize) {
    let value = x[from];
    x[to] = atomic_exchange(&mut x[from], value);
}

#[amp_kernel(T = i32 | u32 | u64)]
fn bounded<T: AtomicInteger>(i: Index<1>, x: &mut ArrayViewMut<T, 1>, least: T) {
    let mask = x[4];
    match i[0] {
        0 => atomic_fetch_and(&mut x[0], mask),
        1 => greatest(&mut x[1], least),
        2 => least,
        _ => {
            moved(x, 2, 3);
            least
        }
    };
}

#[test]
fn type_parameters_bounded_by_atomic_traits() {
    becomes([5], &[7_i32, 1, 6, 7, 6], &[6, 9, 6, 6, 6], |view, x| {
        launch(view, 4, bounded(x, 9))
    });
    becomes([5], &[7_u64, 1, 6, 7, 6], &[6, 9, 6, 6, 6], |view, x| {
        launch(view, 4, bounded(x, 9))
    });
}
