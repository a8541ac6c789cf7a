//! Sections and rows, of any rank, read and written, nested and in turn.

use amp::prelude::*;
use testkit::{assert_same, becomes, everywhere, gives, input, launch};

use super::{fill, numbered, sum, sum_2};

#[amp_kernel]
fn windows(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>, length: usize) {
    let window = a.section(idx, length);
    let inner = window.section(Index::new([1]), Extent::new([length - 2]));
    out[idx] = sum(&window) - sum(&inner) + inner[length - 3] * 1000 + inner.extent()[0] as i32;
}

#[test]
fn windows_of_rank_1() {
    let a = numbered(12);
    let weighted =
        |a: &[i32]| -> i32 { a.iter().zip(1..).map(|(value, at)| value * at).sum::<i32>() };
    let expected: Vec<i32> = a
        .windows(5)
        .map(|window| weighted(window) - weighted(&window[1..4]) + window[3] * 1000 + 3)
        .collect();
    gives(&expected, |view, out| {
        launch(view, 8, windows(&input(&a), out, 5))
    });
}

#[amp_kernel]
fn blocks(idx: Index<2>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 2>) {
    let block = a.section(idx * 2, [2, 3]);
    let column = block.section([0, 1], [2, 1]);
    let mut total = sum_2(&block) + sum_2(&column) * 7 + sum(&block.row(1)) * 100;
    let last = block.row(1).section(2, 1);
    total += last[0] * 1000 + last.extent().size() as i32;
    out[idx] = total + block[[1, 2]] - a.section(idx * 2, block.extent())[[0, 1]];
}

#[test]
fn blocks_of_rank_2() {
    let (rows, columns) = (6, 8);
    let a = numbered(rows * columns);
    let at = |i: usize, j: usize| a[i * columns + j];
    let weighted = |values: &[i32]| -> i32 { values.iter().zip(1..).map(|(x, w)| x * w).sum() };
    let mut expected = Vec::new();
    for i in (0..6).step_by(2) {
        for j in (0..6).step_by(2) {
            let [upper, lower] = [i, i + 1].map(|i| weighted(&[0, 1, 2].map(|k| at(i, j + k))));
            let column = at(i, j + 1) * 31 + at(i + 1, j + 1);
            let last = at(i + 1, j + 2);
            let total = upper * 31 + lower + column * 7 + lower * 100 + last * 1000 + 1;
            expected.push(total + last - at(i, j + 1));
        }
    }
    becomes([3, 3], &[0; 9], &expected, |view, out| {
        let a = ArrayView::new([rows, columns], &a)?;
        launch(view, [3, 3], blocks(&a, out))
    });
}

#[amp_fn]
fn fill_2(c: &mut ArrayViewMut<i32, 2>, from: i32) {
    for i in 0..c.extent()[0] {
        let mut row = c.row(i);
        fill(&mut row, from + 10 * i as i32);
    }
}

/// Planes, columns and corners of a body, written through sections of sections.
#[amp_kernel]
fn carve(idx: Index<1>, out: &mut ArrayViewMut<i32, 3>) {
    let i = idx[0];
    let mut body = out.section([i, 1, 1], [1, 3, 4]);
    let mut plane = body.row(0);
    fill_2(&mut plane.section([1, 1], [2, 2]), 1000 * (i as i32 + 1));
    plane.row(0).section(2, 2)[1] = 7;
    plane.section([0, 0], [1, 1])[[0, 0]] += 5;
    let mut edge = body.section([0, 2, 3], [1, 1, 1]).row(0).row(0);
    edge[0] *= 2;
}

#[test]
fn writes_of_rank_3() {
    let extent = [3, 4, 5];
    let before = numbered(60);
    let mut expected = before.clone();
    let mut at = |i: usize, j: usize, k: usize, to: &dyn Fn(i32) -> i32| {
        let place = &mut expected[(i * 4 + j) * 5 + k];
        *place = to(*place);
    };
    for i in 0..3 {
        let from = 1000 * (i as i32 + 1);
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let value = from + 10 * row as i32 + column as i32;
            at(i, 2 + row, 2 + column, &|_| value);
        }
        at(i, 1, 4, &|_| 7);
        at(i, 1, 1, &|old| old + 5);
        at(i, 3, 4, &|old| old * 2);
    }
    becomes(extent, &before, &expected, |view, out| {
        launch(view, 3, carve(out))
    });
}

/// Its body stands in its callers.
#[amp_fn]
fn fill_and_count(c: &mut ArrayViewMut<i32, 1>, a: &ArrayView<i32, 1>, count: &mut i32) {
    let n = c.extent()[0];
    let mut rest = c.section(1, n - 1);
    for i in 0..rest.extent()[0] {
        rest[i] = a[i] + 1;
        *count += 1;
    }
    c[0] = *count;
}

/// What is called in it stands in its place, with views of its own.
#[amp_kernel]
fn count_lines(idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 2>) {
    let i = idx[0];
    let mut count = i as i32;
    fill_and_count(&mut out.row(i), &a.row(i).section(1, 3), &mut count);
    let mut tail = out.section([i, 2], [1, 2]).row(0);
    fill_and_count(&mut tail, &a.row(i), &mut count);
    let scaled = |by: i32| tail[0] * by;
    out[[i, 0]] += scaled(2) + scaled(100);
}

#[test]
fn helpers_that_are_put_where_they_are_called() {
    let a = numbered(12);
    let mut expected = Vec::new();
    for (i, row) in (0..).zip(a.chunks(4)) {
        let count = i + 3;
        let tail = [count + 1, row[0] + 1];
        expected.extend([count + tail[0] * 102, row[1] + 1, tail[0], tail[1]]);
    }
    becomes([3, 4], &[0; 12], &expected, |view, out| {
        let a = ArrayView::new([3, 4], &a)?;
        launch(view, 3, count_lines(&a, out))
    });
}

/// Barriers order what goes through sections, and may stand in loops over them.
#[amp_kernel]
fn pass_round(t_idx: TiledIndex<1, 8>, out: &mut ArrayViewMut<i32, 1>) {
    let i = t_idx.local[0];
    let mut tile = out.section(t_idx.tile_origin, 8);
    for _ in 0..tile.extent()[0] / 2 {
        let next = tile[(i + 1) % 8];
        t_idx.barrier.wait();
        let mut own = tile.section(i, 1);
        own[0] = next + 1;
        t_idx.barrier.wait();
    }
}

#[test]
fn barriers_order_sections() {
    let before = numbered(24);
    let expected: Vec<i32> = (0..24)
        .map(|i| before[i / 8 * 8 + (i + 4) % 8] + 4)
        .collect();
    becomes([24], &before, &expected, |view, out| {
        launch(view, out.extent().tile::<8>(), pass_round(out))
    });
}

#[amp_kernel]
fn tally(idx: Index<1>, out: &mut ArrayViewMut<i32, 2>) {
    let i = idx[0];
    atomic_fetch_add(&mut out.row(1).section(i % 3, 1)[0], 1);
    let mut last = out.section([1, 3], [1, 1]).row(0);
    atomic_fetch_max(&mut last[0], i as i32);
}

#[test]
fn atomics_on_sections() {
    becomes([2, 4], &[5; 8], &[5, 5, 5, 5, 9, 9, 9, 11], |view, out| {
        launch(view, 12, tally(out))
    });
}

#[amp_kernel]
fn quarter_ends(
    idx: Index<1>,
    a: &ArrayView<i32, 1>,
    out: &mut ArrayViewMut<i32, 1>,
    length: usize,
) {
    let quarter = a.section(idx[0] * length, length);
    out[idx] = quarter[quarter.extent()[0] - 1];
}

#[test]
fn sections_of_large_views_reach_the_end() {
    let count = 1 << 20;
    let a: Vec<i32> = (0..count).collect();
    everywhere(|view| {
        let mut data = vec![0; 4];
        let mut out = ArrayViewMut::new(4, &mut data).unwrap();
        let length = count as usize / 4;
        launch(view, 4, quarter_ends(&input(&a), &mut out, length)).unwrap();
        out.synchronize().unwrap();
        drop(out);
        assert_same(
            &data,
            &[1, 2, 3, 4].map(|k| count / 4 * k - 1),
            &view.to_string(),
        );
    });
}
