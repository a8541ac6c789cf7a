//! Views, tiles and what kernels do beside indices.

use amp::prelude::*;
use testkit::{becomes, gives, launch};

const N: usize = 60;

fn data() -> Vec<u32> {
    (0..N as u32).map(|i| i * 7 + 1).collect()
}

#[amp_fn]
fn sum(part: &ArrayView<u32, 1>) -> u32 {
    let mut sum = 0;
    for i in 0..part.extent()[0] {
        sum += part[i] * (i as u32 + 1);
    }
    sum
}

#[amp_kernel(index = 64)]
fn derived(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let cube = a.view_as([3, 4, 5]);
    let middle = cube.section([1, 1, 2], [2, 2, 3]);
    let row = middle.row(1).row(0);
    let bytes = row.reinterpret::<u8>();
    let floats = a.section([2], [8]).reinterpret::<f32>();
    out[0] = sum(&row);
    out[1] = middle[[0, 1, 2]] + idx[0] as u32;
    out[2] = bytes.extent().size() as u32 * 1000 + bytes[5] as u32;
    out[3] = floats[7].to_bits();
    out[4] = sum(&a.section([N - 3], [3]));
    out[5] = (cube.extent()[2] * 100 + middle.extent()[2]) as u32;
}

#[test]
fn views_made_from_views() {
    let a = data();
    let at = |i: usize, j: usize, k: usize| a[i * 20 + j * 5 + k];
    let row = [at(2, 1, 2), at(2, 1, 3), at(2, 1, 4)];
    let weighted = |part: &[u32]| part.iter().zip(1..).map(|(x, n)| x * n).sum::<u32>();
    let byte = u32::from(row[1].to_le_bytes()[1]);
    let expected = [
        weighted(&row),
        at(1, 2, 4),
        12_000 + byte,
        a[9],
        weighted(&a[N - 3..]),
        503,
    ];
    gives(&expected, |view, out| {
        launch(view, 1, derived(&testkit::input(&a), out))
    });
}

#[amp_kernel(index = 64)]
fn transpose(
    t_idx: TiledIndex<2, 4, 4>,
    a: &ArrayView<u32, 2>,
    counts: &mut ArrayViewMut<u32, 1>,
    out: &mut ArrayViewMut<u32, 2>,
) {
    #[tile_static]
    let mut tile: [[usize; 4]; 4];
    let (row, column) = (t_idx.local[0], t_idx.local[1]);
    tile[row][column] = a[t_idx] as usize + (1 << 40);
    t_idx.barrier.wait();
    let from = tile[column][row];
    out[[t_idx.tile_origin[1] + row, t_idx.tile_origin[0] + column]] = (from >> 8) as u32;
    atomic_fetch_add(&mut counts[t_idx.tile[1]], t_idx.global[0] as u32);
    atomic_fetch_max(&mut counts[2], from as u32);
}

#[test]
fn tiles_with_sizes_in_their_memory() {
    let a: Vec<u32> = (0..64).map(|i| i * 999).collect();
    let turned = |i: usize| ((a[i % 8 * 8 + i / 8] as u64 + (1 << 40)) >> 8) as u32;
    let expected: Vec<u32> = (0..64).map(turned).collect();
    becomes([8, 8], &[0; 64], &expected, |view, out| {
        let input = ArrayView::new([8, 8], &a)?;
        let mut counts = [0; 3];
        {
            let mut counts = ArrayViewMut::new(3, &mut counts)?;
            let domain = out.extent().tile::<4, 4>();
            launch(view, domain, transpose(&input, &mut counts, out))?;
            counts.synchronize()?;
        }
        assert_eq!(counts, [112, 112, a[63]], "{view}");
        Ok(())
    });
}

#[amp_kernel(index = 64)]
fn shared_size<const M: usize>(t_idx: TiledIndex<1, M>, out: &mut ArrayViewMut<u64, 1>) {
    #[tile_static]
    let mut sizes: [usize; M];
    let l = t_idx.local[0];
    sizes[l] = t_idx.global[0] << 33;
    t_idx.barrier.wait();
    out[t_idx] = sizes[M - 1 - l] as u64;
}

#[test]
fn lengths_that_only_rustc_knows() {
    let expected: Vec<u64> = (0..24).map(|i| (i / 8 * 8 + 7 - i % 8) << 33).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent().tile::<8>(), shared_size::<8>(out))
    });
}

#[amp_kernel(index = 64)]
fn lanes(t_idx: TiledIndex<1, 16>, out: &mut ArrayViewMut<u32, 2>) {
    let i = t_idx.global[0];
    let lane = subgroup::index();
    let size = subgroup::size();
    out[[i, 0]] = (lane < size) as u32;
    out[[i, 1]] = subgroup::shuffle(lane as u32 + 1, 0);
    out[[i, 2]] = subgroup::shuffle(7_u32, 1 << 32);
    out[[i, 3]] = subgroup::shuffle_xor(7_u32, 1 << 40);
}

#[test]
fn lanes_beyond_all_subgroups() {
    let expected: Vec<u32> = [1, 1, 0, 0].repeat(16);
    becomes([16, 4], &[9; 64], &expected, |view, out| {
        launch(view, Extent::new([16]).tile::<16>(), lanes(out))
    });
}

#[amp_kernel(index = 64)]
fn points<const R: usize>(idx: Index<4>, out: &mut ArrayViewMut<u32, 4>) {
    out[idx] = (idx[0] * 1000 + idx[1] * 100 + idx[2] * 10 + idx[3]) as u32 + R as u32;
}

#[test]
fn domains_of_four_dimensions() {
    let mut expected = Vec::new();
    for i in 0..2 * 3 * 4 * 5 {
        expected.push(i / 60 * 1000 + i / 20 % 3 * 100 + i / 5 % 4 * 10 + i % 5 + 9);
    }
    becomes([2, 3, 4, 5], &[0; 120], &expected, |view, out| {
        launch(view, [2, 3, 4, 5], points::<9>(out))
    });
}

#[test]
fn the_kernel_needs_integers_of_64_bits() {
    let mut data = [0_u32; 120];
    let mut out = ArrayViewMut::new([2, 3, 4, 5], &mut data).unwrap();
    let report = points::<9>(&mut out).report();
    assert!(report.features.contains(&"shaderInt64"), "{report}");
}
