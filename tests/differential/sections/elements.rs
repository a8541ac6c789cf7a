//! The same elements in other shapes (`view_as`), and their bytes as other elements
//! (`reinterpret`).

use amp::prelude::*;
use glam::{Vec2, Vec3, Vec4};
use testkit::{gives, input, launch};

use super::{Pair, numbered, sum, sum_2};

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
