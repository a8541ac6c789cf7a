//! Views made from views in kernels: sections, rows, other shapes and other elements, by
//! name, in place, and handed to helpers.

use amp::prelude::*;
use amp_tests::{assert_same, becomes, everywhere, gives, input, launch, same_by_eq};
use glam::{Vec2, Vec3, Vec4};

use super::faults::faults_in;

same_by_eq!(Pair);

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Pair {
    a: u32,
    b: f32,
}

#[amp_fn]
fn sum(a: &ArrayView<i32, 1>) -> i32 {
    let mut sum = 0;
    for i in 0..a.extent()[0] {
        sum += a[i] * (i as i32 + 1);
    }
    sum
}

#[amp_fn]
fn sum_2(a: &ArrayView<i32, 2>) -> i32 {
    let mut total = 0;
    for i in 0..a.extent()[0] {
        total = total * 31 + sum(&a.row(i));
    }
    total
}

#[amp_fn]
fn fill(c: &mut ArrayViewMut<i32, 1>, from: i32) {
    for i in 0..c.extent()[0] {
        c[i] = from + i as i32;
    }
}

#[amp_fn]
fn fill_2(c: &mut ArrayViewMut<i32, 2>, from: i32) {
    for i in 0..c.extent()[0] {
        let mut row = c.row(i);
        fill(&mut row, from + 10 * i as i32);
    }
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

/// Data whose elements are all different, and tell where they stand.
fn numbered(count: usize) -> Vec<i32> {
    (0..count as i32).map(|i| i * i + 3 * i + 1).collect()
}

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

#[amp_kernel]
fn shapes(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>, n: usize) {
    let i = idx[0];
    let matrix = a.view_as([2, n]);
    let body = a.section(1, 12).view_as(Extent::new([2, 3, 2]));
    let line = matrix.row(1).view_as(n - 1);
    let mut total = sum_2(&matrix) + sum_2(&body.row(i % 2)) * 3 + sum(&line) * 5;
    total += body[[1, i % 3, 1]] * 1000 + line.extent()[0] as i32;
    out.view_as([1, 3, 2])[[0, i / 2, i % 2]] = total;
}

#[test]
fn other_shapes() {
    let a = numbered(13);
    let weighted = |values: &[i32]| -> i32 { values.iter().zip(1..).map(|(x, w)| x * w).sum() };
    let joined = |rows: &[&[i32]]| rows.iter().fold(0, |sum, row| sum * 31 + weighted(row));
    let expected: Vec<i32> = (0..6)
        .map(|i: usize| {
            let plane = &a[1 + 6 * (i % 2)..][..6];
            let rows = [&plane[..2], &plane[2..4], &plane[4..]];
            let total = joined(&[&a[..4], &a[4..8]]) + joined(&rows) * 3 + weighted(&a[4..7]) * 5;
            total + a[1 + 6 + 2 * (i % 3) + 1] * 1000 + 3
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 6, shapes(&input(&a), out, 4))
    });
}

#[amp_kernel]
fn bits(idx: Index<1>, a: &ArrayView<f32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0];
    let words = a.reinterpret::<u32>();
    out[i] = words[i] ^ a.section(i, 1).reinterpret::<i32>()[0] as u32 >> 16;
    let mut floats = out.reinterpret::<f32>();
    floats[i + 4] = a[i] * 2.0;
    out.section(i + 8, 1).reinterpret::<i32>()[0] = -1 - i as i32;
}

#[test]
fn words_of_other_types() {
    let a = [1.5_f32, -0.0, f32::INFINITY, 1e-40];
    let words = a.map(f32::to_bits);
    let mut expected: Vec<u32> = words.map(|word| word ^ (word >> 16)).to_vec();
    expected.extend(a.map(|x| (x * 2.0).to_bits()));
    expected.extend([!0, !1, !2, !3]);
    gives(&expected, |view, out| {
        launch(view, 4, bits(&input(&a), out))
    });
}

#[amp_kernel]
fn structs(idx: Index<1>, pairs: &ArrayView<Pair, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0];
    let words = pairs.reinterpret::<u32>();
    let again = words.section(2, 4).reinterpret::<Pair>();
    let mut target = out.reinterpret::<Pair>();
    target[i] = Pair {
        a: words[2 * i + 1] + again.extent()[0] as u32,
        b: again[i % 2].b + pairs[i].a as f32,
    };
}

#[test]
fn words_of_structs_and_structs_of_words() {
    let pairs: Vec<Pair> = [(3, 0.5), (5, 1.25), (7, -2.0), (11, 1e9)]
        .map(|(a, b)| Pair { a, b })
        .to_vec();
    let expected: Vec<u32> = (0..4)
        .flat_map(|i| {
            let b = pairs[1 + i % 2].b + pairs[i].a as f32;
            [pairs[i].b.to_bits() + 2, b.to_bits()]
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 4, structs(&input(&pairs), out))
    });
}

#[amp_kernel]
fn vectors(idx: Index<1>, a: &ArrayView<Vec4, 1>, out: &mut ArrayViewMut<Vec3, 1>) {
    let i = idx[0];
    let tail = a.section(1, 2);
    let pair = tail.reinterpret::<Vec2>()[i];
    let words = tail.reinterpret::<f32>();
    let triple = words.section(1, 6).reinterpret::<Vec3>()[i % 2];
    out[i] = triple * pair.x;
    out.reinterpret::<f32>()[3 * i] += pair.y;
}

#[test]
fn vectors_and_words() {
    let a: Vec<Vec4> = (0..3_u8)
        .map(|i| Vec4::new(1.5, 2.0, -3.0, 0.25) * f32::from(i + 1))
        .collect();
    let words: Vec<f32> = a[1..].iter().flat_map(|v| v.to_array()).collect();
    let expected: Vec<Vec3> = (0..4)
        .map(|i| {
            let triple = Vec3::from_slice(&words[1 + 3 * (i % 2)..]) * words[2 * i];
            triple + Vec3::X * words[2 * i + 1]
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 4, vectors(&input(&a), out))
    });
}

#[amp_kernel]
fn widths(idx: Index<1>, a: &ArrayView<u64, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0];
    let halves = a.section(1, 2).reinterpret::<u32>();
    let bytes = halves.section(1, 2).reinterpret::<u8>();
    let mut shorts = out.reinterpret::<u16>();
    shorts[2 * i] = bytes[2 * i] as u16;
    shorts[2 * i + 1] = (halves[i] >> 8) as u16;
}

#[test]
fn wide_and_narrow_elements() {
    let a = [3_u64, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];
    let halves = [0x89ab_cdef_u32, 0x0123_4567, 0x7654_3210, 0xfedc_ba98];
    let bytes = [0x67, 0x23, 0x10, 0x54];
    let expected: Vec<u32> = halves
        .iter()
        .zip(bytes)
        .map(|(half, byte)| (half >> 8 & 0xffff) << 16 | byte)
        .collect();
    gives(&expected, |view, out| {
        launch(view, 4, widths(&input(&a), out))
    });
}

/// A loop in two versions: its accesses are tried against the section's extent.
#[amp_kernel]
fn within(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>, rounds: usize) {
    let part = a.section(idx[0] * 4, 4);
    let mut total = 0;
    for i in 0..rounds {
        total += part[i]; //~ within: part[i]
    }
    for i in 0..3_usize {
        let shorter = part.section(i, 4 - i);
        let mut j = 0;
        while j < shorter.extent()[0] {
            total += shorter[j] * 100;
            j += 1;
        }
        for j in 0..shorter.extent()[0] {
            total += shorter[j] * 100;
        }
    }
    out[idx] = total;
}

#[test]
fn indices_are_checked_against_the_section() {
    let a = numbered(12);
    let expected: Vec<i32> = a
        .chunks(4)
        .map(|part| {
            let tails: i32 = (0..3).map(|i| part[i..].iter().sum::<i32>()).sum();
            part.iter().sum::<i32>() + tails * 200
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 3, within(&input(&a), out, 4))
    });
    let what = (
        "within",
        [0].as_slice(),
        "index out of bounds: the extent is 4 but the index is 4",
    );
    let source = (file!(), include_str!("sections.rs"));
    // The element exists, but not in the section.
    faults_in(source, what, &[0; 1], &expected[..1], |view, out| {
        launch(view, 1, within(&input(&a), out, 5))
    });
}

#[amp_kernel]
fn outside(_idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>, from: usize) {
    let part = a.section([1, from], [2, 3]); //~ outside: a.section
    out[0] = 1 + part[[0, 0]] + part.extent().size() as i32;
    out[1] = 1 + part.row(1)[2];
}

#[test]
fn a_section_outside_of_its_view_is_empty() {
    let a = numbered(15);
    let launches = |from| {
        let a = &a;
        move |view: &AcceleratorView, out: &mut ArrayViewMut<'_, i32, 1>| {
            launch(view, 1, outside(&ArrayView::new([3, 5], a)?, out, from))
        }
    };
    gives(&[1 + a[7] + 6, 1 + a[14]], launches(2));
    let what = (
        "outside",
        [0].as_slice(),
        "section out of bounds: 3 elements from 3 on are not within the view",
    );
    let source = (file!(), include_str!("sections.rs"));
    faults_in(source, what, &[9, 9], &[1, 1], launches(3));
}

#[amp_kernel]
fn edges(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    // Nothing at the end, and nothing at all: not wrong.
    let none = a.section(a.extent()[0], 0);
    out[i] = sum(&none) + sum(&a.section(i, 0)) + none.extent()[0] as i32 + 1;
    // As many as there are from the last on.
    out[i] += sum(&a.section(a.extent()[0] - 1, 1));
}

#[test]
fn sections_may_be_empty() {
    gives(&[8; 3], |view, out| {
        launch(view, 3, edges(&input(&[5, 6, 7]), out))
    });
}

/// The sum of origin and extent wraps around.
#[amp_kernel]
fn wrapping(_idx: Index<1>, out: &mut ArrayViewMut<i32, 1>, back: usize) {
    let mut part = out.section(1 - back, back);
    part[0] = 5;
}

#[test]
fn origins_that_wrap_around_are_outside() {
    for view in amp_tests::new_views() {
        let mut data = [1; 4];
        let mut out = ArrayViewMut::new(4, &mut data).unwrap();
        launch(&view, 1, wrapping(&mut out, 2)).unwrap();
        let error = out.synchronize().unwrap_err().to_string();
        assert!(
            error.contains("section out of bounds: 2 elements"),
            "{view}: {error}"
        );
        drop(out);
        assert_same(&data, &[1; 4], &view.to_string());
    }
}

#[amp_kernel]
fn no_row(idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let row = a.row(i); //~ no_row: a.row(i)
    out[i] = 1 + row.extent()[0] as i32;
    fill(&mut out.section(i, row.extent()[0] / 2), 20);
}

#[test]
fn a_row_that_is_not_there_is_empty() {
    let what = (
        "no_row",
        [2].as_slice(),
        "index out of bounds: the extent is 2 but the index is 2",
    );
    let source = (file!(), include_str!("sections.rs"));
    faults_in(source, what, &[9; 3], &[20, 20, 1], |view, out| {
        launch(view, 3, no_row(&ArrayView::new([2, 2], &[0; 4])?, out))
    });
}

#[amp_kernel]
fn too_large(_idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>, rows: usize) {
    let matrix = a.view_as([rows, 3]); //~ too_large: a.view_as
    out[0] = 1 + matrix[[0, 0]];
}

#[test]
fn a_shape_larger_than_its_view_is_empty() {
    let launches = |rows| {
        move |view: &AcceleratorView, out: &mut ArrayViewMut<'_, i32, 1>| {
            launch(view, 1, too_large(&input(&[4; 8]), out, rows))
        }
    };
    gives(&[5], launches(2));
    let what = (
        "too_large",
        [0].as_slice(),
        "view_as with more elements than the 8 of the view",
    );
    let source = (file!(), include_str!("sections.rs"));
    faults_in(source, what, &[9], &[1], launches(3));
    // Its size wraps around to 2.
    faults_in(source, what, &[9], &[1], launches(0x5555_5556));
}

#[amp_kernel]
fn uneven(_idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let pairs = a.reinterpret::<Pair>(); //~ uneven: a.reinterpret
    out[0] = 1 + pairs[0].a as i32;
}

#[test]
fn bytes_that_do_not_divide_evenly_are_no_elements() {
    let what = (
        "uneven",
        [0].as_slice(),
        "reinterpret of 5 elements, which is no multiple of 2",
    );
    let source = (file!(), include_str!("sections.rs"));
    faults_in(source, what, &[9], &[1], |view, out| {
        launch(view, 1, uneven(&input(&[8; 5]), out))
    });
    gives(&[9], |view, out| {
        launch(view, 1, uneven(&input(&[8; 4]), out))
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
