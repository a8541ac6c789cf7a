//! Rows 115, 121, 137 and 139 as far as their sections are made in kernels;
//! `coherence` has those of the host.

use amp::prelude::*;
use testkit::numbers::random_unit;
use testkit::{becomes, everywhere, launch, products};

#[amp_kernel]
fn nested(idx: Index<6>, a: &mut ArrayViewMut<i32, 6>) {
    let mut outer = a.section([2, 0, 0, 0, 2, 2], [2, 4, 4, 4, 2, 2]);
    let mut inner = outer.section([0, 1, 3, 0, 0, 0], [2, 3, 1, 4, 2, 2]);
    inner[idx] = 17 + idx[5] as i32;
}

#[test]
fn row_115_origins_of_nested_sections_add() {
    let mut expected = vec![1; 4_usize.pow(6)];
    for (at, value) in expected.iter_mut().enumerate() {
        let digit = |place: u32| at / 4_usize.pow(5 - place) % 4;
        if digit(0) >= 2 && digit(1) >= 1 && digit(2) == 3 && digit(4) >= 2 && digit(5) >= 2 {
            *value = 17 + digit(5) as i32 - 2;
        }
    }
    becomes([4; 6], &vec![1; 4096], &expected, |view, a| {
        launch(view, [2, 3, 1, 4, 2, 2], nested(a))
    });
}

/// `av.section(15)[10] = 17`: 15 is an extent there, whose origin is 0.
#[amp_kernel]
fn one_element(_idx: Index<1>, av: &mut ArrayViewMut<i32, 1>) {
    av.section(0, 15)[10] = 17;
}

#[test]
fn row_121_the_host_works_on_what_a_kernel_wrote_to_a_section() {
    everywhere(|view| {
        let mut data = vec![0; 100];
        let mut av = ArrayViewMut::new(100, &mut data).unwrap();
        launch(view, 1, one_element(&mut av)).unwrap();
        let mut local = av.section(10, 10).unwrap();
        local[3] = local[0];
        local[0] = 13;
        drop(local);
        assert_eq!((av[10], av[13]), (13, 17), "{view}");
        drop(av);
        let mut expected = [0; 100];
        (expected[10], expected[13]) = (13, 17);
        assert_eq!(data, expected, "{view}");
    });
}

#[amp_fn]
fn add(a: &ArrayView<f32, 1>, b: &ArrayView<f32, 1>, sum: &mut ArrayViewMut<f32, 1>, i: usize) {
    sum[i] = a[i] + b[i];
}

/// The variants with sections, a projection and a view of other elements.
#[amp_kernel]
fn sum_and_difference(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    out: &mut ArrayViewMut<f32, 3>,
) {
    let (row, column) = (idx[0], idx[1]);
    let [rows, columns] = [a.extent()[0], a.extent()[1]];
    let mut sum = out.row(0);
    add(&a.row(row), &b.row(row), &mut sum.row(row), column);
    let (upper, left) = (row / 2 * 2, column / 3);
    let part_a = a.section([upper, left], [2, columns - left]);
    let part_b = b.section([0, left], [rows, columns - left]);
    let words = b.row(row).reinterpret::<u32>();
    let mut difference = out.section([1, row, 0], [1, 1, columns]).row(0).row(0);
    let minus = f32::from_bits(words[column] ^ 0x8000_0000);
    difference[column] = part_a[[row - upper, column - left]] + minus;
    assert!(part_b[[row, column - left]] == -minus);
}

#[test]
fn row_137_sums_and_differences_by_parts() {
    let n = 256;
    let a: Vec<f32> = random_unit(1370).take(n * n).collect();
    let b: Vec<f32> = random_unit(1371).take(n * n).collect();
    let pairs = || a.iter().zip(&b);
    let sums = pairs().map(|(a, b)| a + b);
    let expected: Vec<f32> = sums.chain(pairs().map(|(a, b)| a - b)).collect();
    becomes([2, n, n], &vec![0.0; 2 * n * n], &expected, |view, out| {
        let (a, b) = (ArrayView::new([n, n], &a)?, ArrayView::new([n, n], &b)?);
        launch(view, [n, n], sum_and_difference(&a, &b, out))
    });
}

const TILE: usize = 16;

/// One half of a product after the other, each from half sections of the factors.
#[amp_kernel]
fn product_of_halves(
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
    let half = a.extent()[1] / 2;
    let mut own = c.section(t_idx.tile_origin, [TILE, TILE]);
    for side in 0..2_usize {
        let left = a.section([t_idx.tile_origin[0], side * half], [TILE, half]);
        let right = b.section([side * half, t_idx.tile_origin[1]], [half, TILE]);
        for step in (0..left.extent()[1]).step_by(TILE) {
            part_a[row][column] = left[[row, step + column]];
            part_b[column][row] = right[[step + row, column]];
            t_idx.barrier.wait_with_tile_static_memory_fence();
            for k in 0..TILE {
                own[[row, column]] += part_a[row][k] * part_b[column][k];
            }
            t_idx.barrier.wait_with_tile_static_memory_fence();
        }
    }
}

#[test]
fn row_139_product_from_half_sections() {
    let n = 32;
    let (a, b, expected) = products::random([n, n, n]);
    // The same sums in the same order: the same bits.
    becomes([n, n], &vec![0.0; n * n], &expected, |view, c| {
        let (a, b) = (ArrayView::new([n, n], &a)?, ArrayView::new([n, n], &b)?);
        let domain = c.extent().tile::<TILE, TILE>();
        launch(view, domain, product_of_halves(&a, &b, c))
    });
}
