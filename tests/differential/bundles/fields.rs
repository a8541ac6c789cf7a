//! What is done with the views in a struct: views made from them, tiles, atomics and closures
//! around them, and their faults.

use amp::prelude::*;
use testkit::{assert_same, everywhere, input, launch};

use super::{Table, numbers, table};
use crate::faults::faults_in;

/// A block of a matrix, and what is made from its views.
#[amp_struct]
struct Blocks<'a> {
    of: ArrayView<'a, i32, 2>,
    sums: ArrayViewMut<'a, i32, 2>,
    bits: ArrayView<'a, f32, 1>,
}

#[amp_fn]
fn weighted(a: &ArrayView<i32, 1>) -> i32 {
    let mut sum = 0;
    for i in 0..a.extent()[0] {
        sum = sum * 3 + a[i];
    }
    sum
}

#[amp_fn]
fn set(row: &mut ArrayViewMut<i32, 1>, at: usize, value: i32) {
    row[at] = value;
}

/// Reads a view that could be written.
#[amp_fn]
fn read_back(b: &Blocks, i: usize) -> i32 {
    let row = b.sums.row(i);
    weighted(&row) + weighted(&b.sums.row(i).section(0, 1)) + b.sums[[i, 0]]
}

#[amp_kernel]
fn blocks(idx: Index<1>, b: &mut Blocks) {
    let i = idx[0];
    let block = b.of.section([i, 1], [2, 2]);
    let sum = weighted(&block.row(0)) + 10 * weighted(&block.row(1));
    set(&mut b.sums.row(i), 0, sum);
    let bits = b.bits.reinterpret::<u32>();
    let mut row = b.sums.row(i);
    let mut rest = row.section(1, 2);
    rest[0] = bits[i] as i32;
    rest[1] = 5;
    let read = read_back(b, i);
    b.sums.section([i, 2], [1, 1])[[0, 0]] = read;
}

#[test]
fn views_made_from_fields() {
    let of = numbers(16);
    let bits = [1.5f32, -2.0, 0.25];
    let expected: Vec<i32> = (0..3)
        .flat_map(|i| {
            let at = |row: usize, column: usize| of[4 * row + column];
            let of_row = |row| at(row, 1) * 3 + at(row, 2);
            let sum = of_row(i) + 10 * of_row(i + 1);
            let second = bits[i].to_bits() as i32;
            let all = sum
                .wrapping_mul(3)
                .wrapping_add(second)
                .wrapping_mul(3)
                .wrapping_add(5);
            [sum, second, all.wrapping_add(sum).wrapping_add(sum)]
        })
        .collect();
    everywhere(|view| {
        let mut data = vec![0; 9];
        let mut b = Blocks {
            of: ArrayView::new([4, 4], &of).unwrap(),
            sums: ArrayViewMut::new([3, 3], &mut data).unwrap(),
            bits: input(&bits),
        };
        launch(view, 3, blocks(&mut b)).unwrap();
        drop(b);
        assert_same(&data, &expected, &view.to_string());
    });
}

/// Closures, generic helpers, loops and atomics around a field; a tile that works on it.
#[amp_struct]
struct Bins<'a> {
    counts: ArrayViewMut<'a, u32, 1>,
    of: ArrayView<'a, u32, 1>,
    width: u32,
}

#[amp_fn]
fn count(t_idx: TiledIndex<1, 4>, bins: &mut Bins) {
    #[tile_static]
    let mut own: [u32; 4];
    let local = t_idx.local[0];
    own[local] = bins.of[t_idx.global] / bins.width;
    t_idx.barrier.wait();
    let bin = own[3 - local] as usize;
    atomic_fetch_add(&mut bins.counts[bin], 1);
    t_idx.barrier.wait();
}

#[amp_kernel]
fn tally(t_idx: TiledIndex<1, 4>, bins: &mut Bins) {
    count(t_idx, bins);
    let wide = |i: usize| bins.of[i] / (bins.width * 2);
    let bin = wide(t_idx.global[0]) as usize;
    for _ in 0..2 {
        atomic_fetch_add(&mut bins.counts[bin], 10);
    }
}

#[test]
fn tiles_atomics_and_closures() {
    let of: Vec<u32> = (0..12).map(|i| i * 5 % 12).collect();
    let mut expected = vec![0; 4];
    for value in &of {
        expected[*value as usize / 3] += 1;
        expected[*value as usize / 6] += 20;
    }
    everywhere(|view| {
        let mut counts = vec![0; 4];
        let mut bins = Bins {
            counts: ArrayViewMut::new(4, &mut counts).unwrap(),
            of: input(&of),
            width: 3,
        };
        launch(view, Extent::new([12]).tile::<4>(), tally(&mut bins)).unwrap();
        drop(bins);
        assert_same(&counts, &expected, &view.to_string());
    });
}

#[amp_fn]
fn third(t: &Table) -> i32 {
    t.values[2] //~ outside: t.values
}

#[amp_kernel]
fn outside(idx: Index<1>, t: &Table, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = third(t) + 1;
}

#[amp_kernel]
fn too_long(idx: Index<1>, t: &Table, out: &mut ArrayViewMut<i32, 1>) {
    let part = t.values.section(1, 2); //~ too_long: t.values
    out[idx] = part.extent()[0] as i32;
}

const SECTION: &str = "section out of bounds: 2 elements from 1 on are not within the view";

#[test]
fn faults_in_fields() {
    let source = (file!(), include_str!("fields.rs"));
    let a = numbers(2);
    let what = (
        "outside",
        [0].as_slice(),
        "index out of bounds: the extent is 2 but the index is 2",
    );
    faults_in(source, what, &[9; 1], &[1], |view, out| {
        launch(view, 1, outside(&table(&a), out))
    });
    let what = ("too_long", [0].as_slice(), SECTION);
    faults_in(source, what, &[9; 1], &[0], |view, out| {
        launch(view, 1, too_long(&table(&a), out))
    });
}
