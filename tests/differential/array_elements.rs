//! Arrays as elements of arrays and views: read and written as a whole and by component, taken apart,
//! referred to, passed to helpers, in tiles, and reinterpreted.

use amp::prelude::*;
use testkit::{becomes, everywhere, gives, input, launch, new_views};

const CHANNELS: usize = 3;

type Pixel = [u8; 4];

fn pixels(count: usize) -> Vec<Pixel> {
    let bytes: Vec<u8> = (0..4 * count).map(|i| (i * 37 + 11) as u8).collect();
    bytes
        .chunks_exact(4)
        .map(|b| [b[0], b[1], b[2], b[3]])
        .collect()
}

fn points(count: usize) -> Vec<[f32; CHANNELS]> {
    let at = |i: usize| i as f32 * 0.75 - 20.0;
    (0..count)
        .map(|i| [at(i), at(i * 7 % 40), -at(i)])
        .collect()
}

#[amp_kernel]
fn reorder(idx: Index<1>, pixels: &ArrayView<[u8; 4], 1>, out: &mut ArrayViewMut<Pixel, 1>) {
    let [r, g, b, a] = pixels[idx];
    out[idx] = [a, b, g, r];
    out[idx][2] = r ^ pixels[idx][1];
    out[idx][idx[0] % 4] += 3;
}

#[test]
fn are_taken_apart_and_written_by_component() {
    let pixels = pixels(61);
    let mut expected: Vec<Pixel> = pixels
        .iter()
        .map(|&[r, g, b, a]| [a, b, r ^ g, r])
        .collect();
    for (i, pixel) in expected.iter_mut().enumerate() {
        pixel[i % 4] = pixel[i % 4].wrapping_add(3);
    }
    gives(&expected, |view, out| {
        launch(view, out.extent(), reorder(&input(&pixels), out))
    });
}

#[amp_fn]
fn length<const N: usize>(of: &[f32; N]) -> f32 {
    of.iter().map(|x| x * x).sum::<f32>().sqrt()
}

#[amp_fn]
fn total(of: &[f32]) -> f32 {
    of.iter().sum()
}

#[amp_fn]
fn move_by(place: &mut [f32; CHANNELS], by: [f32; CHANNELS]) {
    for (x, y) in place.iter_mut().zip(by) {
        *x += y;
    }
}

#[amp_fn]
fn nearest(points: &ArrayView<[f32; CHANNELS], 1>, to: f32) -> [f32; CHANNELS] {
    let mut best = points[0];
    for point in points.iter() {
        if (point[0] - to).abs() < (best[0] - to).abs() {
            best = *point;
        }
    }
    best
}

#[amp_kernel]
fn travel(
    idx: Index<1>,
    points: &ArrayView<[f32; CHANNELS], 1>,
    out: &mut ArrayViewMut<[f32; CHANNELS], 1>,
) {
    let own = &points[idx];
    let scaled = own.map(|x| x * 0.5);
    let place = &mut out[idx];
    *place = scaled;
    place[1] = length(&points[idx]) + total(&points[idx][1..]);
    move_by(&mut out[idx], nearest(points, own[2]));
    for x in out[idx].iter_mut() {
        *x -= 1.0;
    }
    let spread: f32 = points.iter().map(|[x, .., z]| x * z).sum();
    if let [x, _, z] = out[idx]
        && x < z
    {
        out[idx] = [x, spread, z];
    }
}

#[test]
fn are_referred_to_passed_and_iterated() {
    let points = points(47);
    let spread: f32 = points.iter().map(|[x, .., z]| x * z).sum();
    let travelled = |own: &[f32; CHANNELS]| {
        let length = own.iter().map(|x| x * x).sum::<f32>().sqrt();
        let mut place = own.map(|x| x * 0.5);
        place[1] = length + own[1..].iter().sum::<f32>();
        let mut best = points[0];
        for point in &points {
            if (point[0] - own[2]).abs() < (best[0] - own[2]).abs() {
                best = *point;
            }
        }
        for (x, y) in place.iter_mut().zip(best) {
            *x = *x + y - 1.0;
        }
        match place {
            [x, _, z] if x < z => [x, spread, z],
            _ => place,
        }
    };
    let expected: Vec<[f32; CHANNELS]> = points.iter().map(travelled).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), travel(&input(&points), out))
    });
}

#[amp_struct]
#[derive(Debug, PartialEq, Default)]
struct Sample {
    place: [f32; 2],
    weight: i32,
}

#[amp_struct]
struct Field<'a> {
    samples: ArrayView<'a, [Sample; 2], 1>,
    sums: ArrayViewMut<'a, [[i32; 2]; 2], 2>,
}

#[amp_kernel]
fn accumulate(idx: Index<2>, field: &mut Field) {
    let [first, Sample { place, weight }] = field.samples[idx[1]];
    let other = field.samples[idx[0]][1].weight;
    field.sums[idx] = [[first.weight, weight], [place[0] as i32, other]];
    field.sums[idx][1][idx[1] % 2] *= 3;
    atomic_fetch_add(&mut field.sums[idx][0][1], 5);
}

#[test]
fn hold_structs_and_arrays() {
    let sample = |i: usize| Sample {
        place: [i as f32 * 1.5, 0.0],
        weight: 10 - i as i32,
    };
    let samples: Vec<[Sample; 2]> = (0..9).map(|i| [sample(i), sample(2 * i + 1)]).collect();
    let mut expected = Vec::new();
    for row in 0..4 {
        for (column, [first, second]) in samples.iter().enumerate() {
            let mut last = [second.place[0] as i32, samples[row][1].weight];
            last[column % 2] *= 3;
            expected.push([[first.weight, second.weight + 5], last]);
        }
    }
    everywhere(|view| {
        let mut found = vec![[[0; 2]; 2]; expected.len()];
        let mut field = Field {
            samples: input(&samples),
            sums: ArrayViewMut::new([4, 9], &mut found).unwrap(),
        };
        launch(view, [4, 9], accumulate(&mut field)).unwrap();
        field.sums.synchronize().unwrap();
        drop(field);
        assert_eq!(found, expected, "{view}");
    });
}

#[amp_fn]
fn product<const N: usize>(all: &ArrayView<[i32; N], 1>, i: usize) -> i32 {
    all[i].iter().product()
}

#[amp_kernel]
fn products(
    idx: Index<1>,
    pairs: &ArrayView<[i32; 2], 1>,
    triples: &ArrayView<[i32; 3], 1>,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let i = idx[0];
    out[idx] = product(pairs, i) + product::<3>(triples, i);
}

#[test]
fn have_lengths_that_helpers_are_generic_over() {
    let pairs: Vec<[i32; 2]> = (0..20).map(|i| [i, 3 - i]).collect();
    let triples: Vec<[i32; 3]> = (0..20).map(|i| [i, 2, i + 1]).collect();
    let sum = |i: usize| pairs[i].iter().product::<i32>() + triples[i].iter().product::<i32>();
    let expected: Vec<i32> = (0..20).map(sum).collect();
    gives(&expected, |view, out| {
        launch(view, 20, products(&input(&pairs), &input(&triples), out))
    });
}

#[amp_fn]
fn doubled<const N: usize>(x: [f32; N]) -> [f32; N] {
    x.map(|x| x * 2.0)
}

#[amp_kernel]
fn apart_by_lengths(idx: Index<1>, all: &mut ArrayViewMut<[f32; 4], 1>) {
    let own = all[idx];
    let [r, g, ..] = own.map(f32::round);
    let [x, rest @ ..] = doubled(own);
    let [u, .., w] = doubled(rest).map(|x| x + 1.0);
    all[idx] = match doubled([r, g]) {
        [p, q] if p == 0.0 => [q, u, w, x],
        [p, _] => [p, u, x, rest[1]],
    };
}

#[test]
fn are_taken_apart_where_arguments_tell_their_length() {
    let before: Vec<[f32; 4]> = (0..9)
        .map(|i| [i as f32 * 0.4, 1.0, 2.0, i as f32])
        .collect();
    let of = |&[a, b, c, d]: &[f32; 4]| match a.round() * 2.0 {
        0.0 => [b.round() * 2.0, b * 4.0 + 1.0, d * 4.0 + 1.0, a * 2.0],
        p => [p, b * 4.0 + 1.0, a * 2.0, c * 2.0],
    };
    let expected: Vec<[f32; 4]> = before.iter().map(of).collect();
    becomes([9], &before, &expected, |view, all| {
        launch(view, 9, apart_by_lengths(all))
    });
}

#[amp_kernel]
fn reverse_in_tile(t_idx: TiledIndex<1, 16>, data: &mut ArrayViewMut<[u16; 3], 1>) {
    #[tile_static]
    let mut kept: [[u16; 3]; 16];
    let i = t_idx.local[0];
    kept[i] = data[t_idx.global];
    t_idx.barrier.wait();
    let [x, rest @ ..] = kept[15 - i];
    data[t_idx.global] = [rest[0], rest[1], x + i as u16];
}

#[test]
fn go_through_tile_memory() {
    let before: Vec<[u16; 3]> = (0..64).map(|i| [i, 1000 - i, 7 * i]).collect();
    let expected: Vec<[u16; 3]> = (0..64)
        .map(|i| {
            let [x, y, z] = before[i / 16 * 16 + 15 - i % 16];
            [y, z, x + (i % 16) as u16]
        })
        .collect();
    becomes([64], &before, &expected, |view, data| {
        launch(view, data.extent().tile::<16>(), reverse_in_tile(data))
    });
}

#[amp_kernel]
fn regroup(idx: Index<1>, flat: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>) {
    let points = flat.reinterpret::<[f32; 3]>();
    let [x, y, z] = points[idx];
    out[idx] = x * y - z;
    if idx[0] == 0 {
        let all = flat.view_as([2, 9]);
        out[idx] += all.row(1)[0];
    }
}

#[test]
fn are_other_views_of_numbers() {
    let flat: Vec<f32> = (0..18).map(|i| i as f32).collect();
    let points = flat.chunks_exact(3);
    let mut expected: Vec<f32> = points.map(|p| p[0] * p[1] - p[2]).collect();
    expected[0] += 9.0;
    gives(&expected, |view, out| {
        launch(view, out.extent(), regroup(&input(&flat), out))
    });
    let view = input(&flat);
    let points = view.reinterpret::<[f32; 3]>().unwrap();
    assert_eq!(points.to_vec().unwrap()[5], [15.0, 16.0, 17.0]);
    assert!(view.reinterpret::<[f32; 4]>().is_err());
}

#[amp_kernel]
fn beyond(idx: Index<1>, at: usize, part: usize, data: &mut ArrayViewMut<[i32; 2], 1>) {
    let found = data[at + idx[0]];
    data[at + idx[0]] = [9, 9];
    data[idx][part] = 1 + found[0] + found[1];
}

#[test]
fn fault_out_of_bounds() {
    for (at, part, expected) in [(1, 1, [[7, 1], [7, 7]]), (0, 2, [[9, 9], [7, 7]])] {
        for view in new_views() {
            let mut data = vec![[7, 7]; 2];
            let mut array = Array::builder(2).on(&view).data(&data).build().unwrap();
            let kernel = beyond(at + usize::from(at > 0), part, &mut array);
            launch(&view, 1, kernel).unwrap();
            let fault = view.wait().unwrap_err();
            assert!(
                matches!(fault, amp::Error::KernelFault { .. }),
                "{view}: {fault}"
            );
            data = array.to_vec().unwrap();
            assert_eq!(data, expected, "{view}");
        }
    }
}

#[test]
fn are_elements_of_arrays_and_images() {
    let mut array = Array::new(3, &pixels(3)).unwrap();
    assert_eq!(array.to_vec().unwrap(), pixels(3));
    array.copy_from(&pixels(4)[1..]).unwrap();
    assert_eq!(
        array.view().iter().copied().collect::<Vec<_>>(),
        pixels(4)[1..]
    );
    let zeroed = Array::<[f64; 2], 2>::zeroed([2, 2]).unwrap();
    assert_eq!(zeroed.to_vec().unwrap(), [[0.0; 2]; 4]);
}
