//! Rows 115, 117, 127 and 135 on the host: parts of views and arrays, and that all that see one
//! body of data agree, on every accelerator and on every two.

use amp::Error;
use amp::prelude::*;
use testkit::{everywhere, launch};

use crate::on_pairs;

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
            .section_mut([0, 1, 3, 0, 0, 0], [2, 3, 1, 4, 2, 2])
            .unwrap();
        launch(view, inner.extent(), fill_6(&mut inner)).unwrap();
        inner[[1, 2, 0, 3, 1, 1]] = -1;
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
        let array = |extent: usize| Array::builder(extent).on(view).data(&data).build().unwrap();
        let (ten, fifteen) = (array(10), array(15));
        assert!(matches!(
            ten.view_as([3, 4]),
            Err(Error::SourceTooShort { .. })
        ));
        assert_eq!(ten.view_as([2, 4]).unwrap().to_vec().unwrap(), data[..8]);
        assert_eq!(fifteen.view_as(10).unwrap().to_vec().unwrap(), data[..10]);
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
    everywhere(|view| {
        let array: Array<f32, 2> = Array::builder([3, 3]).on(view).build().unwrap();
        assert!(matches!(array.row(3), Err(Error::RowOutOfBounds { .. })));
        assert!(matches!(
            array.reinterpret::<f64>(),
            Err(Error::IndivisibleBytes { .. })
        ));
        assert!(matches!(
            array.view_as([2, 5]),
            Err(Error::SourceTooShort { .. })
        ));
        assert!(matches!(
            array.section([2, 2], [1, 2]),
            Err(Error::SectionOutOfBounds { .. })
        ));
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
