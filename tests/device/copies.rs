//! `copy` in every direction: between slices, arrays and views, sections of them, on every
//! accelerator and between every two.

use amp::prelude::*;
use amp::{AcceleratorView, AnyRank, CopySource, Error, FitsRank, Rank};
use testkit::{assert_silent, everywhere, launch, new_views, pairs};

#[amp_kernel]
fn double(idx: Index<2>, a: &mut ArrayViewMut<i32, 2>) {
    a[idx] *= 2;
}

#[amp_kernel]
fn count(idx: Index<2>, a: &mut ArrayViewMut<i32, 2>) {
    a[idx] = idx[0] as i32 * 100 + idx[1] as i32;
}

/// What `count` writes, twice `factor` halved.
fn counted(rows: usize, columns: usize, factor: i32) -> Vec<i32> {
    let of = |i| (i / columns * 100 + i % columns) as i32 * factor;
    (0..rows * columns).map(of).collect()
}

const EXTENT: [usize; 2] = [13, 29];

fn on(view: &AcceleratorView) -> Array<i32, 2> {
    Array::builder(EXTENT).on(view).build().unwrap()
}

/// Copies a source, with the values of `count`, to every kind of destination, with kernels
/// of `view` on it before and behind the copy.
fn to_all<S>(source: &S, view: &AcceleratorView, what: &str)
where
    S: CopySource<Element = i32, Rank: FitsRank<Rank<2>> + FitsRank<AnyRank>>,
{
    let [rows, columns] = EXTENT;
    let (same, doubled) = (counted(rows, columns, 1), counted(rows, columns, 2));

    let mut slice = vec![-1; rows * columns];
    copy(source, &mut slice[..]).unwrap();
    assert_eq!(slice, same, "{what} to a slice");

    let mut array = on(view);
    launch(view, EXTENT, double(&mut array)).unwrap();
    copy(source, &mut array).unwrap();
    launch(view, EXTENT, double(&mut array)).unwrap();
    assert_eq!(array.to_vec().unwrap(), doubled, "{what} to an array");

    let mut whole = on(view).view_mut().to_vec().unwrap();
    let mut fresh = ArrayViewMut::new(EXTENT, &mut whole).unwrap();
    copy(source, &mut fresh).unwrap();
    assert_eq!(fresh[[12, 28]], 1228, "{what} to a view");
    launch(view, EXTENT, double(&mut fresh)).unwrap();
    copy(source, &mut fresh).unwrap();
    launch(view, EXTENT, double(&mut fresh)).unwrap();
    drop(fresh);
    assert_eq!(whole, doubled, "{what} to a view that kernels use");

    let mut nowhere = ArrayViewMut::uninit(EXTENT).unwrap();
    copy(source, &mut nowhere).unwrap();
    launch(view, EXTENT, double(&mut nowhere)).unwrap();
    assert_eq!(nowhere.to_vec().unwrap(), doubled, "{what} to no source");
    assert_eq!(nowhere[[1, 1]], 202, "{what} to no source");

    let mut wide: Array<i32, 2> = Array::builder([rows + 2, columns + 5])
        .on(view)
        .build()
        .unwrap();
    launch(view, wide.extent(), double(&mut wide)).unwrap();
    copy(source, &mut wide.section_mut([1, 3], EXTENT).unwrap()).unwrap();
    launch(view, wide.extent(), double(&mut wide)).unwrap();
    for (i, found) in wide.to_vec().unwrap().into_iter().enumerate() {
        let (row, column) = (i / (columns + 5), i % (columns + 5));
        let inside = (1..=rows).contains(&row) && (3..columns + 3).contains(&column);
        let expected = match inside {
            true => doubled[(row - 1) * columns + column - 3],
            false => 0,
        };
        assert_eq!(found, expected, "{what} to a section, at {row}, {column}");
    }
}

#[test]
fn every_source_reaches_every_destination() {
    for [first, second] in pairs() {
        let [rows, columns] = EXTENT;
        let same = counted(rows, columns, 1);

        let mut array = on(&first);
        launch(&first, EXTENT, count(&mut array)).unwrap();
        to_all(&array, &second, "an array");
        to_all(&array.view(), &second, "a view of an array");

        let read = ArrayView::new(EXTENT, &same).unwrap();
        to_all(&read, &second, "a view");
        read.synchronize_to(&first).unwrap();
        to_all(&read, &second, "a view that is there twice");

        let mut data = vec![7; rows * columns];
        let mut written = ArrayViewMut::new(EXTENT, &mut data).unwrap();
        launch(&first, EXTENT, count(&mut written)).unwrap();
        to_all(&written, &second, "a view that a kernel wrote");
        // Some rows are current on the host alone, some on the device alone.
        let mut upper = written.section([0, 0], [5, columns]).unwrap();
        upper.data_mut().unwrap()[0] = 0;
        drop(upper);
        to_all(&written, &second, "a view in two places");
        drop(written);
        assert_eq!(data, same);

        let mut nowhere = ArrayViewMut::uninit(EXTENT).unwrap();
        launch(&first, EXTENT, count(&mut nowhere)).unwrap();
        to_all(&nowhere, &second, "a view without source");

        let mut wide: Array<i32, 2> = Array::builder([rows + 4, columns + 1])
            .on(&first)
            .build()
            .unwrap();
        let mut inner = wide.section_mut([4, 0], EXTENT).unwrap();
        launch(&first, EXTENT, count(&mut inner)).unwrap();
        to_all(&inner, &second, "a section");
        to_all(
            &wide.section([4, 0], EXTENT).unwrap(),
            &second,
            "a section that is read",
        );
    }
    assert_silent();
}

#[test]
fn slices_reach_every_destination() {
    everywhere(|view| {
        let data: Vec<i32> = (0..60).collect();
        let mut array: Array<i32, 2> = Array::builder([6, 10]).on(view).build().unwrap();
        copy(&data, &mut array).unwrap();
        assert_eq!(array.to_vec().unwrap(), data);
        launch(view, array.extent(), double(&mut array)).unwrap();
        let mut corner = array.section_mut([4, 7], [2, 3]).unwrap();
        copy(&[1, 2, 3, 4, 5, 6], &mut corner).unwrap();
        launch(view, corner.extent(), double(&mut corner)).unwrap();
        let mut expected: Vec<i32> = data.iter().map(|x| 2 * x).collect();
        expected[47..50].copy_from_slice(&[2, 4, 6]);
        expected[57..60].copy_from_slice(&[8, 10, 12]);
        let mut out = [0; 60];
        copy(&array, &mut out).unwrap();
        assert_eq!(out[..], expected[..]);
        let mut vec = vec![0; 60];
        copy(&out, &mut vec).unwrap();
        assert_eq!(vec, expected);
    });
}

/// Both halves of one array, on the device, in both orders of what they share.
#[test]
fn halves_of_one_body_of_data_are_copied_to_each_other() {
    everywhere(|view| {
        let mut array: Array<i32, 2> = Array::builder([8, 10]).on(view).build().unwrap();
        launch(view, array.extent(), count(&mut array)).unwrap();
        let (left, mut right) = array.split_at_mut(1, 5).unwrap();
        copy(&left, &mut right).unwrap();
        launch(view, right.extent(), double(&mut right)).unwrap();
        let (mut upper, lower) = array.split_at_mut(0, 4).unwrap();
        copy(&lower, &mut upper).unwrap();
        for (i, found) in array.to_vec().unwrap().into_iter().enumerate() {
            let (row, column) = ((i / 10 % 4 + 4) as i32 * 100, i % 10);
            let expected = match column {
                0..5 => row + column as i32,
                _ => 2 * (row + column as i32 - 5),
            };
            assert_eq!(found, expected, "{view} at {i}");
        }
    });
}

/// A chain of copies between two views of each accelerator, with kernels in between.
#[test]
fn views_of_one_accelerator_hand_data_to_each_other() {
    for (one, other) in new_views().into_iter().zip(new_views()) {
        let mut here = on(&one);
        let mut there = on(&other);
        launch(&one, EXTENT, count(&mut here)).unwrap();
        for _ in 0..4 {
            copy(&here, &mut there).unwrap();
            // What is copied is not what is written behind the copy.
            launch(&one, EXTENT, count(&mut here)).unwrap();
            launch(&other, EXTENT, double(&mut there)).unwrap();
            copy(&there, &mut here).unwrap();
            launch(&other, EXTENT, count(&mut there)).unwrap();
            launch(&one, EXTENT, double(&mut here)).unwrap();
        }
        assert_eq!(here.to_vec().unwrap(), counted(EXTENT[0], EXTENT[1], 256));
    }
    assert_silent();
}

#[test]
fn two_threads_may_copy_in_opposite_directions() {
    for [first, second] in pairs() {
        let (a, b) = (on(&first), on(&second));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                for (from, view) in [(&a, &second), (&b, &first)] {
                    scope.spawn(move || {
                        let mut to = on(view);
                        for _ in 0..20 {
                            copy(from, &mut to).unwrap();
                        }
                        assert_eq!(to.to_vec().unwrap(), vec![0; EXTENT[0] * EXTENT[1]]);
                    });
                }
            }
        });
    }
    assert_silent();
}

#[test]
fn ends_that_do_not_fit_are_refused_and_left_alone() {
    everywhere(|view| {
        let mut array: Array<i32, 2> = Array::builder([2, 3]).on(view).build().unwrap();
        let data = [1, 2, 3, 4, 5, 6];
        let flat = ArrayView::new(6, &data).unwrap();
        let turned = flat.view_as([3, 2]).unwrap();
        assert_eq!(
            copy(&turned, &mut array).unwrap_err().to_string(),
            "a copy needs ends of one extent, but the source has 3×2 and the destination 2×3; \
             take a section of the larger, or `view_as` for another shape"
        );
        let short = Err(Error::LengthMismatch {
            wanted: 6,
            found: 5,
        });
        assert_eq!(copy(&data[..5], &mut array), short);
        assert_eq!(copy(&array, &mut [9; 5]), short);
        let mut seven = [9; 7];
        assert_eq!(
            copy(&data, &mut seven),
            Err(Error::LengthMismatch {
                wanted: 7,
                found: 6
            })
        );
        assert_eq!(seven, [9; 7]);
        assert_eq!(array.to_vec().unwrap(), [0; 6]);
        copy(&flat.view_as([2, 3]).unwrap(), &mut array).unwrap();
        assert_eq!(array.to_vec().unwrap(), data);
    });
}

#[amp_kernel]
fn behind_the_end(idx: Index<2>, a: &mut ArrayViewMut<i32, 2>) {
    a[[idx[0] + 1, idx[1]]] = 1;
}

/// A fault is told once: by the copy if that waits for it, else by what looks at the copy.
#[test]
fn a_fault_behind_a_copy_is_told_where_the_copy_is_seen() {
    for view in new_views() {
        let mut array = on(&view);
        launch(&view, EXTENT, behind_the_end(&mut array)).unwrap();
        let mut out = vec![0; EXTENT[0] * EXTENT[1]];
        let told = copy(&array, &mut out);
        assert!(matches!(told, Err(Error::KernelFault(_))), "{told:?}");
        copy(&array, &mut out).unwrap();
        assert_eq!((out[0], out[29]), (0, 1));

        launch(&view, EXTENT, behind_the_end(&mut array)).unwrap();
        let mut second = on(&view);
        let told = copy(&array, &mut second).and_then(|()| second.to_vec());
        assert!(matches!(told, Err(Error::KernelFault(_))), "{told:?}");
        view.wait().unwrap();
    }
    assert_silent();
}
