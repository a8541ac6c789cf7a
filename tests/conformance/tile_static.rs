//! Rows 69, 71 and 139, and the two tests of section 9 that detect wrong code.

use amp::prelude::*;
use testkit::numbers::random_unit;
use testkit::{accelerators, becomes, everywhere, gives, input, launch};

#[test]
fn row_069_structs_local_to_a_function_in_tile_memory() {
    /// A class with a default, as a function: kernels have no constructors.
    #[amp_struct]
    struct Class {
        var: i32,
        pair: [u32; 2],
    }

    #[amp_fn]
    fn class() -> Class {
        Class {
            var: 10,
            pair: [1, 2],
        }
    }

    #[amp_kernel]
    fn non_pod(t_idx: TiledIndex<1, 8>, out: &mut ArrayViewMut<i32, 1>) {
        #[tile_static]
        let mut all: [Class; 8];
        all[t_idx.local[0]] = class();
        t_idx.barrier.wait();
        let array = [class(); 4];
        let other = all[7 - t_idx.local[0]];
        out[t_idx] = array[0].var + (other.pair[0] + other.pair[1] * 100) as i32;
    }

    gives(&[10 + 1 + 200; 16], |view, out| {
        launch(view, Extent::new([16]).tile::<8>(), non_pod(out))
    });
}

#[amp_kernel]
fn flags(t_idx: TiledIndex<1, 64>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut all: bool;
    #[tile_static]
    let mut each: [bool; 64];
    let i = t_idx.local[0];
    each[i] = i % 3 == 0;
    if i == 5 {
        all = true;
    }
    t_idx.barrier.wait();
    let mut count = 0;
    for k in 0..64 {
        if each[k] && all {
            count += 1;
        }
    }
    out[t_idx] = count;
}

#[test]
fn row_071_tile_static_bool() {
    gives(&[22; 128], |view, out| {
        launch(view, Extent::new([128]).tile::<64>(), flags(out))
    });
}

#[amp_fn]
fn store(place: &mut i32, value: i32) {
    *place = value;
}

/// The suite's pointers into tile memory are indices here, and places that are lent to helpers.
/// Each thread tells whether all that it saw was as expected.
#[amp_kernel]
fn pointers(t_idx: TiledIndex<1, 64>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut tile: [i32; 64];
    #[tile_static]
    let mut words: [u32; 64];
    let i = t_idx.local[0];
    store(&mut tile[i], 3 * i as i32);
    words[i] = (i as f32 * 0.5).to_bits();
    t_idx.barrier.wait();
    let mut good = true;
    // Up and down, by one and by several; compared.
    let (first, end) = (0, 64);
    let mut p = first;
    let mut sum = 0;
    while p < end {
        sum += tile[p];
        p += 1;
    }
    while p > first {
        p -= 1;
        sum -= tile[p];
    }
    good = good && sum == 0 && p == first && tile[p + 5] == 15;
    // Reseated, and as another type.
    p = 63 - i;
    good = good && tile[p] == 3 * p as i32 && f32::from_bits(words[p]) * 2.0 == p as f32;
    t_idx.barrier.wait();
    // Two to one element.
    p = i;
    let q = p;
    store(&mut tile[q], -1);
    tile[p] -= i as i32;
    good = good && tile[q] == -1 - i as i32;
    t_idx.barrier.wait();
    out[t_idx] = (good && tile[(p + 1) % 64] == -1 - ((i + 1) % 64) as i32) as u32;
}

#[test]
fn row_071_indices_into_tile_memory() {
    gives(&[1; 192], |view, out| {
        launch(view, out.extent().tile::<64>(), pointers(out))
    });
}

const TILE: usize = 16;

/// Row 139 without sections: a product whose tile memory is padded by a column.
#[amp_kernel]
fn padded_product(
    t_idx: TiledIndex<2, TILE, TILE>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut part_a: [[f32; TILE + 1]; TILE];
    #[tile_static]
    let mut part_b: [[f32; TILE + 1]; TILE];
    let (row, column) = (t_idx.local[0], t_idx.local[1]);
    let mut sum = 0.0;
    let mut step = 0;
    while step < a.extent()[1] {
        part_a[row][column] = a[[t_idx.global[0], step + column]];
        part_b[column][row] = b[[step + row, t_idx.global[1]]];
        t_idx.barrier.wait_with_tile_static_memory_fence();
        for k in 0..TILE {
            sum += part_a[row][k] * part_b[column][k];
        }
        t_idx.barrier.wait_with_tile_static_memory_fence();
        step += TILE;
    }
    c[t_idx] = sum;
}

#[test]
fn row_139_product_through_padded_tile_memory() {
    let n = 32;
    let a: Vec<f32> = random_unit(1390).take(n * n).collect();
    let b: Vec<f32> = random_unit(1391).take(n * n).collect();
    let expected: Vec<f32> = (0..n * n)
        .map(|at| (0..n).fold(0.0, |sum, k| sum + a[at / n * n + k] * b[k * n + at % n]))
        .collect();
    // The same sums in the same order: the same bits.
    becomes([n, n], &vec![0.0; n * n], &expected, |view, c| {
        let (a, b) = (ArrayView::new([n, n], &a)?, ArrayView::new([n, n], &b)?);
        launch(
            view,
            c.extent().tile::<TILE, TILE>(),
            padded_product(&a, &b, c),
        )
    });
}

#[amp_kernel]
fn reverse(t_idx: TiledIndex<1, 1024>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut tile: [u32; 1024];
    tile[t_idx.local[0]] = a[t_idx];
    t_idx.barrier.wait_with_tile_static_memory_fence();
    out[t_idx] = tile[1023 - t_idx.local[0]];
}

#[test]
fn row_156_reverse_within_tiles_of_1024() {
    let a: Vec<u32> = (0..16 * 1024).collect();
    let expected: Vec<u32> = a
        .chunks(1024)
        .flat_map(|tile| tile.iter().rev().copied())
        .collect();
    gives(&expected, |view, out| {
        launch(view, out.extent().tile::<1024>(), reverse(&input(&a), out))
    });
}

#[amp_kernel]
fn two_of_16_kib(t_idx: TiledIndex<1, 256>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut first: [u32; 4096];
    #[tile_static]
    let mut second: [u32; 4096];
    let i = t_idx.local[0];
    for k in (i..4096).step_by(256) {
        first[k] = (k * 3) as u32;
        second[4095 - k] = (k * 5) as u32;
    }
    t_idx.barrier.wait();
    let mut sum = 0;
    for k in (0..4096).step_by(16) {
        sum += first[(k + i) % 4096] + second[(k + i * 7) % 4096];
    }
    out[t_idx] = sum;
}

#[test]
fn row_156_two_arrays_of_16_kib_fit() {
    let expected: Vec<u32> = (0..512_usize)
        .map(|n| {
            let i = n % 256;
            (0..4096)
                .step_by(16)
                .map(|k| ((k + i) % 4096 * 3 + (4095 - (k + i * 7) % 4096) * 5) as u32)
                .sum()
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, Extent::new([512]).tile::<256>(), two_of_16_kib(out))
    });
}

#[amp_kernel]
fn more_than_32_kib<const EXTRA: usize>(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut first: [u32; 4096];
    #[tile_static]
    let mut second: [u32; EXTRA];
    first[t_idx.local[0]] = 5;
    second[t_idx.local[0]] = 6;
    t_idx.barrier.wait();
    out[t_idx] = first[3 - t_idx.local[0]] + second[3 - t_idx.local[0]];
}

/// How much more than 32 KiB a device has is up to it; what it does not have is refused
/// and changes nothing.
#[test]
fn row_156_more_tile_memory_than_there_is_is_refused() {
    everywhere(|view| {
        let mut data = [1; 8];
        let mut out = ArrayViewMut::new(8, &mut data).unwrap();
        let domain = Extent::new([8]).tile::<4>();
        launch(view, domain, more_than_32_kib::<4096>(&mut out)).unwrap();
        let vulkan = view.accelerator().device_path() != "cpu";
        let more = launch(view, domain, more_than_32_kib::<4097>(&mut out));
        let most = launch(view, domain, more_than_32_kib::<{ 1 << 26 }>(&mut out));
        if vulkan && view.accelerator().description().contains("llvmpipe") {
            let error = more.unwrap_err().to_string();
            assert!(
                error.contains("32772") && error.contains("32768"),
                "{error}"
            );
        }
        if vulkan {
            assert!(
                matches!(most, Err(amp::Error::UnsupportedFeature(_))),
                "{view}: {most:?}"
            );
        }
        out.synchronize().unwrap();
        drop(out);
        assert_eq!(data, [11; 8], "{view}");
    });
    assert!(!accelerators().is_empty());
}
