//! Components of indices and extents, what an extent contains, and lengths of arrays.

use amp::prelude::*;
use testkit::{becomes, gives, launch};

#[amp_kernel]
fn inside(idx: Index<2>, bound: Extent<2>, out: &mut ArrayViewMut<u32, 2>) {
    let [row, column] = idx.to_array();
    let [_, width] = out.extent().to_array();
    let flat = Extent::new([4]);
    out[idx] = bound.contains([row + 1, column]) as u32
        + 2 * bound.contains(idx) as u32
        + 4 * flat.contains(row) as u32
        + 8 * flat.contains([column]) as u32
        + 16 * (row * width + column) as u32;
}

#[test]
fn an_extent_contains_what_is_given_in_any_form() {
    let expected: Vec<u32> = (0..30)
        .map(|k| {
            let (row, column) = (k / 6, k % 6);
            let bound = Extent::new([3, 4]);
            let bits = [
                bound.contains([row + 1, column]),
                bound.contains([row, column]),
                row < 4,
                column < 4,
            ];
            let bits = bits
                .iter()
                .rev()
                .fold(0, |all, bit| 2 * all + u32::from(*bit));
            bits + 16 * k as u32
        })
        .collect();
    becomes([5, 6], &[0; 30], &expected, |view, out| {
        launch(view, [5, 6], inside(Extent::new([3, 4]), out))
    });
}

#[amp_kernel]
fn tiled(t_idx: TiledIndex<2, 2, 3>, out: &mut ArrayViewMut<u32, 2>) {
    if out.extent().contains(t_idx) {
        let part = out.section(t_idx, [1, 1]);
        out[t_idx] = part.extent().size() as u32 + t_idx.local.to_array()[1] as u32;
    }
}

#[test]
fn a_tiled_index_is_an_index() {
    let expected: Vec<u32> = (0..20).map(|k| 1 + k % 5 % 3).collect();
    becomes([4, 5], &[0; 20], &expected, |view, out| {
        let domain = out.extent().tile::<2, 3>().pad();
        launch(view, domain, tiled(out))
    });
}

#[amp_kernel]
fn lengths<const N: usize>(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let some = [0_u8; N];
    let nested = [[1.0_f32; 5]; 2];
    let mut calls = 0;
    let mut make = || {
        calls += 1;
        [calls; 3]
    };
    let made = make().len();
    out[0] = some.len() as u32;
    out[1] = (nested.len() * 10 + nested[idx[0]].len()) as u32;
    out[2] = made as u32 * 10 + calls;
}

#[test]
fn an_array_has_a_length() {
    gives(&[7, 25, 31], |view, out| launch(view, 1, lengths::<7>(out)));
}
