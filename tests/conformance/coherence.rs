//! Rows 115 to 137 on the host: parts of views and arrays, and that all that see one body of
//! data agree, on every accelerator and on every two.

use amp::prelude::*;
use amp::{AcceleratorView, Error};
use amp_tests::{everywhere, launch, pairs};

/// Runs a test on every pair of accelerator views, and requires that the validation layer
/// is silent.
fn on_pairs(test: impl Fn(&AcceleratorView, &AcceleratorView)) {
    for [first, second] in pairs() {
        test(&first, &second);
    }
    amp_tests::assert_silent();
}

#[amp_kernel]
fn fill_6(idx: Index<6>, a: &mut ArrayViewMut<i32, 6>) {
    a[idx] = 17 + idx[5] as i32;
}

#[test]
fn row_115_origins_of_nested_sections_add() {
    everywhere(|view| {
        let mut array: Array<i32, 6> = Array::builder([4; 6]).on(view).build().unwrap();
        let mut outer = array
            .section_mut([2, 0, 0, 0, 2, 2], [2, 4, 4, 4, 2, 2])
            .unwrap();
        let mut inner = outer
            .section([0, 1, 3, 0, 0, 0], [2, 3, 1, 4, 2, 2])
            .unwrap();
        launch(view, inner.extent(), fill_6(&mut inner)).unwrap();
        inner[[1, 2, 0, 3, 1, 1]] = -1;
        drop(inner);
        drop(outer);
        let all = array.view();
        let mut written = 0;
        for at in 0..4_usize.pow(6) {
            let index: [usize; 6] = std::array::from_fn(|k| at / 4_usize.pow(5 - k as u32) % 4);
            let [a, b, c, _, e, f] = index;
            let inside = a >= 2 && b >= 1 && c == 3 && e >= 2 && f >= 2;
            let expected = match inside {
                true if index == [3, 3, 3, 3, 3, 3] => -1,
                true => 17 + f as i32 - 2,
                false => 0,
            };
            assert_eq!(all[index], expected, "{view} at {index:?}");
            written += usize::from(inside);
        }
        assert_eq!(written, 2 * 3 * 4 * 2 * 2);
    });
}

#[test]
fn row_117_another_shape_may_be_smaller_but_not_larger() {
    let data: Vec<i32> = (0..15).collect();
    let view = ArrayView::new(10, &data).unwrap();
    let larger = view.view_as([3, 4]);
    assert!(
        matches!(
            larger,
            Err(Error::SourceTooShort {
                elements: 12,
                found: 10,
                ..
            })
        ),
        "{larger:?}"
    );
    assert_eq!(view.view_as([2, 4]).unwrap().to_vec().unwrap(), data[..8]);
    let fifteen = ArrayView::new(15, &data).unwrap();
    assert_eq!(fifteen.view_as(10).unwrap().to_vec().unwrap(), data[..10]);
    everywhere(|view| {
        let array = Array::builder([3, 5]).on(view).data(&data).build().unwrap();
        assert!(matches!(
            array.view_as([4, 4]),
            Err(Error::SourceTooShort { .. })
        ));
        assert_eq!(array.view_as([2, 4]).unwrap()[[1, 3]], 7);
    });
}

#[amp_kernel]
fn put(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>, at: usize, value: i32) {
    a[idx + at] = value;
}

#[amp_kernel]
fn put_2(idx: Index<2>, a: &mut ArrayViewMut<i32, 2>, value: i32) {
    a[idx] = value;
}

#[amp_kernel]
fn add(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>, value: i32) {
    a[idx] += value;
}

#[test]
fn row_119_parts_of_an_array_are_seen_by_all_its_views() {
    everywhere(|view| {
        let mut array: Array<i32, 1> = Array::builder(100).on(view).build().unwrap();
        let mut a = array.view_mut();
        launch(view, 1, put(&mut a.section(15, 85).unwrap(), 10, 17)).unwrap();
        assert_eq!(a.as_view().section(20, 10).unwrap()[5], 17, "{view}");
        drop(a);
        assert_eq!(
            array.section(25, 1).unwrap().to_vec().unwrap(),
            [17],
            "{view}"
        );
    });
}

#[test]
fn row_121_the_host_works_on_a_section_of_what_a_kernel_wrote() {
    everywhere(|view| {
        let mut data = vec![0; 100];
        let mut av = ArrayViewMut::new(100, &mut data).unwrap();
        launch(view, 1, put(&mut av.section(0, 15).unwrap(), 10, 17)).unwrap();
        let mut local = av.section(10, 10).unwrap();
        local[3] = local[0];
        local[0] = 13;
        drop(local);
        assert_eq!((av[10], av[13]), (13, 17), "{view}");
        drop(av);
        assert_eq!((data[10], data[13], data[14]), (13, 17, 0), "{view}");
    });
}

#[test]
fn row_123_two_accelerators_and_the_host_take_turns() {
    on_pairs(|first, second| {
        let mut data = vec![0; 25 * 25];
        let mut av = ArrayViewMut::new([25, 25], &mut data).unwrap();
        launch(
            first,
            [1, 1],
            put_2(&mut av.section([0, 0], [5, 5]).unwrap(), 13),
        )
        .unwrap();
        launch(
            first,
            [1, 1],
            put_2(&mut av.section([1, 1], [4, 4]).unwrap(), 12),
        )
        .unwrap();
        let mut far = av.section([20, 20], [5, 5]).unwrap();
        launch(second, [1, 1], put_2(&mut far, 14)).unwrap();
        drop(far);
        let near = av.section([0, 0], [5, 5]).unwrap()[[0, 0]];
        av[[22, 22]] = near;
        launch(
            second,
            [1, 1],
            put_2(&mut av.section([21, 21], [2, 2]).unwrap(), 15),
        )
        .unwrap();
        assert_eq!((av[[0, 0]], av[[1, 1]]), (13, 12), "{first}, {second}");
        assert_eq!(
            (av[[20, 20]], av[[21, 21]], av[[22, 22]]),
            (14, 15, 13),
            "{first}, {second}"
        );
        for _ in 0..30 {
            launch(
                first,
                [5, 5],
                put_2(&mut av.section([3, 3], [5, 5]).unwrap(), 14),
            )
            .unwrap();
            av.section([4, 4], [3, 3]).unwrap()[[0, 0]] = 15;
            launch(
                second,
                [4, 4],
                put_2(&mut av.section([4, 4], [4, 4]).unwrap(), 16),
            )
            .unwrap();
        }
        assert_eq!(
            (av[[4, 4]], av[[3, 3]], av[[7, 7]]),
            (16, 14, 16),
            "{first}, {second}"
        );
        drop(av);
        let corner = |i: usize, j: usize| data[i * 25 + j];
        assert_eq!((corner(4, 4), corner(20, 20), corner(8, 8)), (16, 14, 0));
    });
}

#[test]
fn row_125_overlapping_parts_see_each_other() {
    on_pairs(|first, second| {
        let data = vec![1; 99];
        let mut array = Array::builder(99).on(first).data(&data).build().unwrap();
        let mut av = array.view_mut();
        launch(second, 66, add(&mut av.section(0, 66).unwrap(), 1)).unwrap();
        // Rust has one name at a time for what is written: one kernel after the other.
        launch(second, 66, add(&mut av.section(0, 66).unwrap(), 1)).unwrap();
        launch(first, 66, add(&mut av.section(33, 66).unwrap(), 1)).unwrap();
        drop(av);
        launch(first, 99, add(&mut array, 1)).unwrap();
        let thirds = array.to_vec().unwrap();
        let expected = [[4; 33], [5; 33], [3; 33]].concat();
        assert_eq!(thirds, expected, "{first}, {second}");
    });
}

#[test]
fn row_127_discarded_parts_do_not_come_back() {
    everywhere(|view| {
        let mut data = vec![20; 30];
        let mut av = ArrayViewMut::new(30, &mut data).unwrap();
        launch(view, 10, add(&mut av.section(0, 10).unwrap(), 1)).unwrap();
        launch(view, 10, add(&mut av.section(10, 10).unwrap(), 2)).unwrap();
        av.section(0, 10).unwrap().discard_data();
        av.synchronize().unwrap();
        // What was written is discarded; the CPU accelerator has written in place.
        let expected = if view.accelerator() == Accelerator::cpu() {
            21
        } else {
            20
        };
        assert_eq!(av[0], expected, "{view}");
        assert_eq!((av[10], av[20]), (22, 20), "{view}");
        av.discard_data();
        launch(view, 30, put(&mut av, 0, 5)).unwrap();
        drop(av);
        assert_eq!(data, [5; 30], "{view}");
    });
}

/// Discarding clears nothing: a kernel on the same view still reads what is there.
#[test]
fn row_137_discarded_data_stays_where_it_is() {
    everywhere(|view| {
        let mut av = ArrayViewMut::<i32, 1>::uninit(64).unwrap();
        launch(view, 64, put(&mut av, 0, 3)).unwrap();
        av.discard_data();
        launch(view, 64, add(&mut av, 4)).unwrap();
        assert_eq!(av.to_vec().unwrap(), [7; 64], "{view}");
    });
}

#[test]
fn row_129_refreshed_views_agree() {
    everywhere(|view| {
        let mut data = vec![1; 64];
        let mut av = ArrayViewMut::new(64, &mut data).unwrap();
        launch(view, 32, add(&mut av.section(0, 32).unwrap(), 4)).unwrap();
        // Nothing has changed behind the views; what is pending stays.
        av.as_view().section(16, 32).unwrap().refresh();
        launch(view, 64, add(&mut av, 1)).unwrap();
        av.refresh();
        let (one, other) = (av.as_view(), av.as_view());
        other.refresh();
        assert_eq!((one[0], other[31], one[32]), (6, 6, 2), "{view}");
    });
}

/// A kernel fills `remote`, the host reads an element of `local`, which is of `rank`
/// dimensions too: where they overlap the host sees the kernel's values.
fn overlap<const N: usize>(
    whole: [usize; N],
    remote: ([usize; N], [usize; N]),
    local: ([usize; N], [usize; N]),
    fill: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, i32, N>) -> amp::Result<()>,
) {
    let size = whole.iter().product();
    let within = |(origin, extent): ([usize; N], [usize; N]), at: [usize; N]| {
        (0..N).all(|k| (origin[k]..origin[k] + extent[k]).contains(&at[k]))
    };
    everywhere(|view| {
        let mut data = vec![7; size];
        let mut av = ArrayViewMut::new(whole, &mut data).unwrap();
        fill(view, &mut av.section(remote.0, remote.1).unwrap()).unwrap();
        let local_view = av.as_view().section(local.0, local.1).unwrap();
        let expected = |at| if within(remote, at) { 9 } else { 7 };
        assert_eq!(local_view[[0; N]], expected(local.0), "{view}");
        let indices = |extent: [usize; N]| {
            (0..extent.iter().product()).map(move |mut at: usize| {
                let mut index = [0; N];
                for k in (0..N).rev() {
                    index[k] = at % extent[k];
                    at /= extent[k];
                }
                index
            })
        };
        for (index, found) in indices(local.1).zip(local_view.to_vec().unwrap()) {
            let at = std::array::from_fn(|k| index[k] + local.0[k]);
            assert_eq!(found, expected(at), "{view} at {at:?}");
        }
        drop(av);
        for (at, found) in indices(whole).zip(data) {
            assert_eq!(found, expected(at), "{view}, storage at {at:?}");
        }
    });
}

macro_rules! fills {
    ($($name:ident: $rank:literal;)*) => {$(
        #[amp_kernel]
        fn $name(idx: Index<$rank>, a: &mut ArrayViewMut<i32, $rank>) {
            a[idx] = 9;
        }
    )*};
}
fills! {
    fill_1: 1;
    fill_3: 3;
    fill_4: 4;
    fill_5: 5;
}

#[test]
fn row_131_overlaps_of_sections_of_every_rank() {
    for (local, length) in [(0, 10), (5, 10), (10, 10), (20, 10), (30, 10), (0, 40)] {
        overlap([40], ([10], [20]), ([local], [length]), |view, a| {
            launch(view, a.extent(), fill_1(a))
        });
    }
    let remote = ([2, 3], [4, 5]);
    for local in [
        ([0, 0], [2, 3]),
        ([1, 2], [3, 3]),
        ([3, 4], [2, 2]),
        ([2, 8], [4, 2]),
        ([0, 4], [8, 1]),
    ] {
        overlap([8, 10], remote, local, |view, a| {
            launch(view, a.extent(), put_2(a, 9))
        });
    }
    for local in [
        ([0, 0, 0], [3, 2, 5]),
        ([2, 2, 2], [2, 2, 2]),
        ([1, 0, 4], [1, 4, 1]),
    ] {
        overlap([4, 4, 5], ([1, 2, 1], [2, 2, 3]), local, |view, a| {
            launch(view, a.extent(), fill_3(a))
        });
    }
    overlap(
        [3; 4],
        ([1; 4], [2; 4]),
        ([0, 1, 2, 0], [3, 2, 1, 3]),
        |view, a| launch(view, a.extent(), fill_4(a)),
    );
    for local in [
        ([0; 5], [2, 3, 3, 3, 3]),
        ([2, 2, 0, 0, 2], [1, 1, 3, 1, 1]),
    ] {
        overlap(
            [3; 5],
            ([2, 0, 1, 0, 2], [1, 3, 2, 3, 1]),
            local,
            |view, a| launch(view, a.extent(), fill_5(a)),
        );
    }
}

/// Parts of different ranks over one body of data.
#[test]
fn row_131_overlaps_of_different_ranks() {
    everywhere(|view| {
        let mut data = vec![0; 120];
        let mut av = ArrayViewMut::new(120, &mut data).unwrap();
        let mut space = av.view_as([4, 5, 6]).unwrap();
        let mut part = space.section([1, 1, 2], [2, 3, 2]).unwrap();
        launch(view, part.extent(), fill_3(&mut part)).unwrap();
        drop(part);
        drop(space);
        let plane = av.as_view().view_as([20, 6]).unwrap();
        assert_eq!(
            plane.row(6).unwrap().to_vec().unwrap(),
            [0, 0, 9, 9, 0, 0],
            "{view}"
        );
        assert_eq!((av[29], av[30], av[32]), (0, 0, 0), "{view}");
        assert_eq!((av[38], av[39], av[40]), (9, 9, 0), "{view}");
        // A projection of a projection.
        let mut space = av.view_as([4, 5, 6]).unwrap();
        space.row(3).unwrap().row(4).unwrap()[5] = 4;
        drop(space);
        assert_eq!(av[119], 4, "{view}");
    });
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Two {
    a: i32,
    b: i32,
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Three {
    a: i32,
    b: i32,
    c: i32,
}

#[amp_kernel]
fn put_three(idx: Index<3>, a: &mut ArrayViewMut<Three, 3>) {
    a[idx] = Three { a: 1, b: 2, c: 3 };
}

#[test]
fn row_133_overlap_is_by_bytes_whatever_the_elements() {
    everywhere(|view| {
        for at in [1, 2, 3] {
            let mut storage = vec![5; 100];
            let mut av = ArrayViewMut::new(100, &mut storage).unwrap();
            let mut words = av
                .section(0, 54)
                .unwrap()
                .into_reinterpret::<Three>()
                .unwrap();
            let mut a = words.view_as([2, 2, 3]).unwrap();
            launch(view, [1, 1, 1], put_three(&mut a)).unwrap();
            drop(a);
            drop(words);
            let b = av.as_view().section(at, 8).unwrap();
            let b = b.reinterpret::<Two>().unwrap().view_as([2, 2]).unwrap();
            let of = |i: usize| [1, 2, 3, 5, 5][i];
            assert_eq!(
                b[[0, 0]],
                Two {
                    a: of(at),
                    b: of(at + 1)
                },
                "{view}"
            );
            drop(av);
            assert_eq!(storage[..4], [1, 2, 3, 5], "{view}");
        }
    });
}

#[test]
fn row_135_what_is_not_there_is_refused() {
    let mut data = vec![0.0f32; 625];
    let mut view = ArrayViewMut::new([25, 25], &mut data).unwrap();
    for (origin, extent) in [
        ([0, 0], [26, 1]),
        ([0, 25], [1, 1]),
        ([20, 20], [5, 6]),
        ([usize::MAX, 0], [1, 1]),
        ([1, 1], [usize::MAX, 1]),
    ] {
        let section = view.as_view().section(origin, extent);
        assert!(
            matches!(
                section,
                Err(Error::SectionOutOfBounds { .. } | Error::InvalidExtent(_))
            ),
            "{section:?}"
        );
    }
    assert!(matches!(
        view.section([0, 0], [0, 4]),
        Err(Error::InvalidExtent(_))
    ));
    assert!(matches!(
        view.row(25),
        Err(Error::RowOutOfBounds { row: 25, rows: 25 })
    ));
    assert!(matches!(
        view.split_at_mut(0, 25),
        Err(Error::InvalidSplit { .. })
    ));
    assert!(matches!(
        view.split_at_mut(2, 1),
        Err(Error::InvalidSplit { .. })
    ));
    assert!(matches!(
        view.section([0, 0], [2, 2]).unwrap().data(),
        Err(Error::NotContiguous { .. })
    ));
    let mut row = view.row(3).unwrap();
    let odd = row.as_view().reinterpret::<u64>();
    assert!(
        matches!(
            odd,
            Err(Error::IndivisibleBytes {
                bytes: 100,
                element: 8
            })
        ),
        "{odd:?}"
    );
    assert!(matches!(
        row.view_as([5, 6]),
        Err(Error::SourceTooShort { .. })
    ));
    assert!(row.view_as([4, 6]).is_ok());
    let array: Array<f32, 2> = Array::builder([3, 3])
        .on(&Accelerator::cpu().default_view().unwrap())
        .build()
        .unwrap();
    assert!(matches!(array.row(3), Err(Error::RowOutOfBounds { .. })));
    assert!(matches!(
        array.reinterpret::<f64>(),
        Err(Error::IndivisibleBytes { .. })
    ));
    assert!(matches!(
        array.section([2, 2], [1, 2]),
        Err(Error::SectionOutOfBounds { .. })
    ));
}

#[amp_kernel]
fn sum_and_difference(
    idx: Index<1>,
    a: &ArrayView<f32, 1>,
    b: &ArrayView<f32, 1>,
    sum: &mut ArrayViewMut<f32, 1>,
    difference: &mut ArrayViewMut<f32, 1>,
) {
    sum[idx] = a[idx] + b[idx];
    difference[idx] = a[idx] - b[idx];
}

#[amp_kernel]
fn iota(idx: Index<2>, a: &mut ArrayViewMut<f32, 2>, factor: f32) {
    a[idx] = factor * (idx[0] * 256 + idx[1]) as f32;
}

#[test]
fn row_137_views_without_a_source_by_rows_sections_and_other_elements() {
    let n = 256;
    on_pairs(|first, second| {
        let [mut a, mut b, mut sum, mut difference] =
            std::array::from_fn(|_| ArrayViewMut::<f32, 2>::uninit([n, n]).unwrap());
        a.refresh();
        b.discard_data();
        launch(first, [n, n], iota(&mut a, 3.0)).unwrap();
        launch(second, [n, n], iota(&mut b, 1.0)).unwrap();
        for row in 0..4 {
            let (a, b) = (a.as_view().row(row).unwrap(), b.as_view().row(row).unwrap());
            let mut out = (sum.row(row).unwrap(), difference.row(row).unwrap());
            let view = if row % 2 == 0 { first } else { second };
            launch(view, n, sum_and_difference(&a, &b, &mut out.0, &mut out.1)).unwrap();
        }
        for row in 0..4 {
            let (i, j) = (row, 5 * row + 3);
            let at = (i * n + j) as f32;
            let found = (sum[[i, j]], difference[[i, j]]);
            assert_eq!(found, (4.0 * at, 2.0 * at), "{first}, {second}");
        }
        // A row as other elements, which the host writes and a kernel reads.
        let two = u64::from(2.0f32.to_bits());
        let mut line = sum.row(7).unwrap();
        line.reinterpret::<u64>()
            .unwrap()
            .data_mut()
            .unwrap()
            .fill(two << 32 | two);
        let line = line.as_view();
        {
            let mut out = (b.row(7).unwrap(), difference.row(7).unwrap());
            let kernel = sum_and_difference(&line, &line, &mut out.0, &mut out.1);
            launch(second, n, kernel).unwrap();
        }
        assert_eq!(
            (b[[7, 255]], difference[[7, 0]]),
            (4.0, 0.0),
            "{first}, {second}"
        );
    });
}

/// The kernel runs where the array behind a captured view lives, and finds its data there.
#[test]
fn row_137_a_launch_goes_to_the_array_behind_its_views() {
    everywhere(|view| {
        let data: Vec<i32> = (0..100).collect();
        let mut array = Array::builder(100).on(view).data(&data).build().unwrap();
        let mut part = array.section_mut(10, 50).unwrap();
        assert_eq!(part.source_accelerator_view(), *view);
        let before = part.as_view().to_vec().unwrap();
        parallel_for_each(50, add(&mut part, 1000)).unwrap();
        let after: Vec<i32> = before.iter().map(|value| value + 1000).collect();
        drop(part);
        assert_eq!(array.to_vec().unwrap()[10..60], after, "{view}");
        let square = array.view_as([10, 10]).unwrap();
        assert_eq!(square.row(0).unwrap()[9], 9, "{view}");
    });
}

#[test]
fn split_views_are_written_in_several_places_at_a_time() {
    on_pairs(|first, second| {
        for dimension in [0, 1] {
            let mut data = vec![1; 40 * 30];
            let whole = ArrayViewMut::new([40, 30], &mut data).unwrap();
            let (mut a, rest) = whole.into_split_at(dimension, 10).unwrap();
            let (mut b, mut c) = rest.into_split_at(dimension, 7).unwrap();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for round in 0..20 {
                        launch(first, a.extent(), put_2(&mut a, round)).unwrap();
                        assert_eq!(a[[3, 3]], round);
                    }
                });
                scope.spawn(|| {
                    for round in 0..20 {
                        launch(second, b.extent(), put_2(&mut b, 2 * round)).unwrap();
                        assert_eq!(b[[2, 2]], 2 * round);
                    }
                });
                scope.spawn(|| {
                    for round in 0..20 {
                        let [rows, columns] = c.extent().to_array();
                        for i in 0..rows {
                            for j in 0..columns {
                                c[[i, j]] += round;
                            }
                        }
                    }
                });
            });
            drop((a, b, c));
            for (at, &found) in data.iter().enumerate() {
                let place = [at / 30, at % 30][dimension];
                let expected = match place {
                    0..10 => 19,
                    10..17 => 38,
                    _ => 191,
                };
                assert_eq!(found, expected, "{first}, {second} at {at}");
            }
        }
    });
}

#[amp_kernel]
fn swap(idx: Index<2>, a: &mut ArrayViewMut<i32, 2>, b: &mut ArrayViewMut<i32, 2>) {
    let kept = a[idx];
    a[idx] = b[idx];
    b[idx] = kept;
}

#[test]
fn one_kernel_writes_both_halves() {
    everywhere(|view| {
        let mut data: Vec<i32> = (0..24).collect();
        let whole = ArrayViewMut::new([4, 6], &mut data).unwrap();
        let (mut left, mut right) = whole.into_split_at(1, 3).unwrap();
        launch(view, [4, 3], swap(&mut left, &mut right)).unwrap();
        assert_eq!(left.to_vec().unwrap()[..4], [3, 4, 5, 9], "{view}");
        drop(left);
        drop(right);
        let expected: Vec<i32> = (0..24)
            .map(|i| if i % 6 < 3 { i + 3 } else { i - 3 })
            .collect();
        assert_eq!(data, expected, "{view}");
    });
}

#[test]
fn data_is_brought_where_it_is_asked_for() {
    on_pairs(|first, second| {
        let mut array: Array<i32, 1> = Array::builder(64).on(first).build().unwrap();
        let mut av = array.view_mut();
        av.section(8, 16).unwrap().data_mut().unwrap().fill(3);
        av.synchronize_to(second).unwrap();
        launch(second, 32, add(&mut av.section(16, 32).unwrap(), 1)).unwrap();
        av.synchronize().unwrap();
        drop(av);
        launch(first, 64, add(&mut array, 1)).unwrap();
        let expected: Vec<i32> = (0..64)
            .map(|i| match i {
                8..16 => 4,
                16..24 => 5,
                24..48 => 2,
                _ => 1,
            })
            .collect();
        assert_eq!(array.to_vec().unwrap(), expected, "{first}, {second}");
    });
}
