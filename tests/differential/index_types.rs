//! `Index`, `Extent` and `TiledIndex`: arithmetic, indexing of views by all of them.

use amp::prelude::*;
use testkit::{becomes, gives, launch, twice};

#[amp_kernel]
fn arithmetic(idx: Index<2>, offset: Index<2>, space: Extent<2>, out: &mut ArrayViewMut<u32, 2>) {
    let i = idx[0] * 5 + idx[1];
    let mut k = 0;
    let a = idx + offset;
    let b = a * 3 - idx;
    let c = 100 - offset;
    let d = b / 2 + c % 7;
    let e = 2 * d + [1, 2];
    let f = 1000 / (e + 1) + 17 % (offset + 3);
    let mut g = f;
    g += 5;
    g -= [1, 0];
    g *= 2;
    g /= 3;
    g %= 50;
    g += idx;
    let h = space - offset + idx;
    let mut x = Extent::new([2, 3]);
    x += [1, 1];
    x = x + space * 2;
    let made = Index::new([idx[1], idx[0]]);
    let from = Index::from([1, 2]) + made;
    let parts = [a, b, c, d, e, f, g, made, from];
    for n in 0..9 {
        out[[i, k]] = parts[n][0] as u32;
        out[[i, k + 1]] = parts[n][1] as u32;
        k += 2;
    }
    out[[i, k]] = h[0] as u32 * 100 + h[1] as u32;
    out[[i, k + 1]] = x.size() as u32;
    out[[i, k + 2]] = space.contains(idx) as u32;
    out[[i, k + 3]] = space.contains(a) as u32;
    out[[i, k + 4]] = (idx == made) as u32;
    out[[i, k + 5]] = (x != space) as u32;
    out[[i, k + 6]] = out.extent()[1] as u32;
    out[[i, k + 7]] = space.size() as u32;
    let mut j = idx;
    j[0] += 10;
    j[1] = j[0] * 2;
    let mut w = space;
    w[1] = j[1];
    out[[i, k + 8]] = (j[1] * 1000 + w.size()) as u32;
}

#[test]
fn indices_and_extents_compute_as_on_the_host() {
    let (offset, space) = (Index::new([2, 7]), Extent::new([4, 6]));
    let mut expected: Vec<u32> = Vec::new();
    for row in 0..3 {
        for column in 0..5 {
            let idx = Index::new([row, column]);
            let a = idx + offset;
            let b = a * 3 - idx;
            let c = 100 - offset;
            let d = b / 2 + c % 7;
            let e = 2 * d + [1, 2];
            let f = 1000 / (e + 1) + 17 % (offset + 3);
            let g = ((f + 5 - [1, 0]) * 2 / 3) % 50 + idx;
            let h = space + idx;
            let h = [h[0] - 2, h[1].wrapping_sub(7)];
            let x = Extent::new([3, 4]) + space * 2;
            let made = Index::new([column, row]);
            let from = Index::new([1, 2]) + made;
            let parts = [a, b, c, d, e, f, g, made, from];
            expected.extend(
                parts
                    .iter()
                    .flat_map(|part| [part[0] as u32, part[1] as u32]),
            );
            expected.push((h[0] as u32).wrapping_mul(100).wrapping_add(h[1] as u32));
            expected.push(x.size() as u32);
            expected.push(u32::from(space.contains(idx)));
            expected.push(u32::from(space.contains(a)));
            expected.push(u32::from(idx == made));
            expected.push(1);
            expected.push(27);
            expected.push(24);
            expected.push(((row + 10) * 2 * 1000 + 4 * (row + 10) * 2) as u32);
        }
    }
    becomes([15, 27], &vec![0; 15 * 27], &expected, |view, out| {
        launch(view, [3, 5], arithmetic(offset, space, out))
    });
}

macro_rules! of_rank {
    ($name:ident, $rank:literal, $extent:expr) => {
        mod $name {
            use super::*;

            #[amp_kernel]
            fn positions(idx: Index<$rank>, out: &mut ArrayViewMut<u32, $rank>) {
                let extent = out.extent();
                let mut flat = 0;
                for k in 0..$rank {
                    flat = flat * extent[k] + idx[k];
                }
                out[idx] = flat as u32 * 3;
                let mirrored = out.extent() - idx;
                out[idx] += mirrored[0] as u32;
            }

            #[test]
            fn every_thread_has_its_point() {
                let extent: [usize; $rank] = $extent;
                let size: usize = extent.iter().product();
                let rest: usize = extent[1..].iter().product();
                let expected: Vec<u32> = (0..size)
                    .map(|i| (i * 3 + extent[0] - i / rest) as u32)
                    .collect();
                becomes(extent, &vec![0; size], &expected, |view, out| {
                    launch(view, extent, positions(out))
                });
            }
        }
    };
}

of_rank!(rank_1, 1, [1003]);
of_rank!(rank_2, 2, [33, 35]);
of_rank!(rank_3, 3, [5, 17, 9]);
of_rank!(rank_4, 4, [3, 5, 7, 11]);
of_rank!(rank_5, 5, [2, 3, 4, 5, 6]);
of_rank!(rank_8, 8, [2, 1, 3, 2, 1, 2, 3, 2]);

#[amp_kernel]
fn rows(
    idx: Index<2>,
    a: &ArrayView<i32, 3>,
    flat: &ArrayView<i32, 1>,
    out: &mut ArrayViewMut<i32, 2>,
) {
    let (i, j) = (idx[0], idx[1]);
    let mut sum = 0;
    for k in 0..a.extent()[2] {
        sum += a.row(i).row(j)[k] * a.row(i)[[j, k]] + a[[i, j, k]];
    }
    sum += a.row(i).extent()[0] as i32 + a.row(1).row(0).extent().size() as i32;
    let place = Index::new([1, 0]);
    sum += a.row(1)[place] + flat[i] + flat[[j]] + flat[Index::new([i + j])];
    out.row(i)[j] = sum;
    out.row(i)[[j]] *= 2;
    out.row(i)[Index::from([j])] += out.row(i)[j] + 1;
}

#[test]
fn views_are_indexed_by_rows_and_points() {
    let a: Vec<i32> = (0..24).map(|i| i * 7 % 11 - 3).collect();
    let flat: Vec<i32> = (0..6).map(|i| i * i * 100).collect();
    let at = |i: usize, j: usize, k: usize| a[(i * 3 + j) * 4 + k];
    let mut expected = Vec::new();
    for i in 0..2 {
        for j in 0..3 {
            let sum: i32 = (0..4)
                .map(|k| at(i, j, k) * at(i, j, k) + at(i, j, k))
                .sum();
            let sum = sum + 3 + 4 + at(1, 1, 0) + flat[i] + flat[j] + flat[i + j];
            expected.push(sum * 4 + 1);
        }
    }
    // The row of a row: `a.row(1)` has rank 2, so `[1, 0]` is element 1, 0 of it.
    becomes([2, 3], &[0; 6], &expected, |view, out| {
        let a = ArrayView::new([2, 3, 4], &a)?;
        let flat = ArrayView::new(6, &flat)?;
        launch(view, [2, 3], rows(&a, &flat, out))
    });
}

#[amp_kernel]
fn describe(
    t_idx: TiledIndex<3, 2, 3, 4>,
    out: &mut ArrayViewMut<u32, 3>,
    parts: &mut ArrayViewMut<u32, 4>,
) {
    let g = t_idx.global;
    out[t_idx] = (g[0] * 10_000 + g[1] * 100 + g[2]) as u32;
    out[t_idx.global] += 1;
    for k in 0..3 {
        parts[[g[0], g[1], g[2], k]] = t_idx.local[k] as u32
            + 10 * t_idx.tile[k] as u32
            + 100 * t_idx.tile_origin[k] as u32
            + 10_000 * (t_idx.tile_origin + t_idx.local == g) as u32;
    }
}

#[test]
fn tiled_indices_know_their_tile() {
    let extent = [4, 9, 8];
    let tile = [2, 3, 4];
    let points: Vec<[usize; 3]> = (0..4 * 9 * 8).map(|i| [i / 72, i / 8 % 9, i % 8]).collect();
    let flat: Vec<u32> = points
        .iter()
        .map(|g| (g[0] * 10_000 + g[1] * 100 + g[2]) as u32 + 1)
        .collect();
    let parts: Vec<u32> = points
        .iter()
        .flat_map(|g| {
            let g = *g;
            (0..3).map(move |k| {
                let tile_of = g[k] / tile[k];
                (g[k] % tile[k] + 10 * tile_of + 100 * tile_of * tile[k] + 10_000) as u32
            })
        })
        .collect();
    gives(&parts, |view, found| {
        let mut first = vec![0; flat.len()];
        let mut second = vec![0; parts.len()];
        {
            let mut out = ArrayViewMut::new(extent, &mut first)?;
            let mut parts = ArrayViewMut::new([4, 9, 8, 3], &mut second)?;
            let domain = Extent::new(extent).tile::<2, 3, 4>();
            launch(view, domain, describe(&mut out, &mut parts))?;
            out.synchronize()?;
            parts.synchronize()?;
        }
        assert_eq!(first, flat, "{view}");
        for (i, part) in second.into_iter().enumerate() {
            found[i] = part;
        }
        Ok(())
    });
}

#[amp_kernel]
fn of_arrays(
    idx: Index<1>,
    a: &ArrayView<i32, 1>,
    b: &ArrayView<i32, 1>,
    c: &mut ArrayViewMut<i32, 1>,
) {
    c[idx] += a[idx] * b[idx];
}

#[test]
fn arrays_and_views_are_captured_alike() {
    testkit::everywhere(|view| {
        let host = [1, 2, 3, 4];
        let a: Array<i32, 1> = Array::builder(4).on(view).data(&host).build().unwrap();
        let mut c: Array<i32, 1> = Array::builder(4).on(view).build().unwrap();
        let mut data = [5, 6, 7, 8];
        let mut b = ArrayViewMut::new(4, &mut data).unwrap();
        launch(view, 4, of_arrays(&a, &b, &mut c)).unwrap();
        launch(view, 4, of_arrays(&a, &c, &mut b)).unwrap();
        launch(view, 4, of_arrays(&b, &b, &mut c)).unwrap();
        let expected_b = [5 + 5, 6 + 24, 7 + 63, 8 + 128];
        assert_eq!(b.to_vec().unwrap(), expected_b, "{view}");
        let expected_c = [5 + 100, 12 + 900, 21 + 4900, 32 + 136 * 136];
        assert_eq!(c.to_vec().unwrap(), expected_c, "{view}");
        drop(b);
        assert_eq!(data, expected_b, "{view}");
    });
}

#[amp_kernel]
fn last_component(idx: Index<128>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx[127]] = (idx[127] * 10 + idx[3]) as u32;
}

#[test]
fn kernels_have_ranks_up_to_128() {
    let mut extent = [1; 128];
    extent[127] = 6;
    gives(&[0, 10, 20, 30, 40, 50], |view, out| {
        launch(view, Extent::new(extent), last_component(out))
    });
}

#[amp_kernel]
fn made_and_taken_apart(idx: Index<2>, out: &mut ArrayViewMut<u32, 2>) {
    let place: Index<2> = [1, 2].into();
    let size: Extent<2> = [idx[0], 5].into();
    let parts: [usize; 2] = idx.into();
    let sides: [usize; 2] = size.into();
    let nowhere = Index::<2>::default()[1] + Extent::<3>::default().size();
    out[idx] = (parts[0] * 10 + parts[1] + sides[1] * 100 + place[1] * 1000 + nowhere) as u32;
}

#[test]
fn arrays_turn_into_indices_and_extents_and_back() {
    gives(&[2500, 2501, 2502, 2510, 2511, 2512], |view, out| {
        let mut out = out.view_as([2, 3])?;
        launch(view, [2, 3], made_and_taken_apart(&mut out))
    });
}

const NONE: usize = usize::MAX;

twice! {
    the_greatest_usize_is_a_mark(x: u32) -> u32 = ((0..40).collect(),);
    {
        let mut best = NONE;
        for i in 0..5_usize {
            if x as usize % 7 == i + 1 {
                best = i;
            }
        }
        let found = [3_u32, 1, 4].iter().position(|&n| n == x).unwrap_or(usize::MAX);
        let last = match best {
            usize::MAX => 100,
            i => i as u32,
        };
        last + (found == NONE) as u32 * 1000 + best.wrapping_add(1) as u32 * 10_000
            + best.min(found).min(50) as u32 * 100_000
    }
}
