//! Rows 73, 75, 103 to 127: what arrays and views hold and how kernels capture them.
//! Parts of them on the host are in `coherence`, copies in `copies`.

use amp::Error;
use amp::prelude::*;
use testkit::{everywhere, gives, launch};

#[amp_kernel]
fn read_one(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = a[2011];
}

#[test]
fn row_073_a_captured_array_is_read() {
    everywhere(|view| {
        let data: Vec<i32> = (1..=2012).collect();
        let a: Array<i32, 1> = Array::builder(2012).on(view).data(&data).build().unwrap();
        let mut out: Array<i32, 1> = Array::builder(4).on(view).build().unwrap();
        launch(view, 4, read_one(&a, &mut out)).unwrap();
        assert_eq!(out.to_vec().unwrap(), [2012; 4], "{view}");
    });
}

/// What leads to an array, and is captured in its stead.
#[amp_struct]
struct Captured<'a> {
    array: ArrayView<'a, i32, 1>,
}

#[amp_kernel]
fn read_through(idx: Index<1>, a: Captured<'_>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = a.array[2011];
}

#[test]
fn rows_073_and_074_a_view_in_a_captured_struct() {
    everywhere(|view| {
        let data: Vec<i32> = (1..=2012).collect();
        let a: Array<i32, 1> = Array::builder(2012).on(view).data(&data).build().unwrap();
        let mut out: Array<i32, 1> = Array::builder(4).on(view).build().unwrap();
        let captured = || Captured { array: a.view() };
        launch(view, 4, read_through(captured(), &mut out)).unwrap();
        assert_eq!(out.to_vec().unwrap(), [2012; 4], "{view}");
    });
}

#[amp_kernel]
fn alternate(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let alternating = |i: i32| if i % 2 != 0 { i } else { -i };
    out[idx] = alternating(idx[0] as i32);
}

#[amp_kernel]
fn add_twenty(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let twenty = 20;
    let plus = |i| i + twenty;
    out[idx] = plus(idx[0] as i32);
}

#[amp_kernel]
fn flag(idx: Index<1>, value: bool, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = if value { 1 } else { 0 };
}

#[test]
fn row_075_nested_lambdas_and_a_captured_bool() {
    let expected: Vec<i32> = (0..2020).map(|i| if i % 2 != 0 { i } else { -i }).collect();
    gives(&expected, |view, out| launch(view, 2020, alternate(out)));
    let expected: Vec<i32> = (20..30).collect();
    gives(&expected, |view, out| launch(view, 10, add_twenty(out)));
    gives(&[1; 2048], |view, out| launch(view, 2048, flag(true, out)));
    gives(&[0; 2048], |view, out| launch(view, 2048, flag(false, out)));
}

/// A negative component is one near `usize::MAX` here.
#[test]
fn row_103_an_extent_with_a_zero_or_a_negative_has_no_array() {
    const MINUS_ONE: usize = usize::MAX;
    let refused = [
        [0, 5],
        [5, 0],
        [0, 0],
        [MINUS_ONE, 2],
        [2, MINUS_ONE],
        [MINUS_ONE, MINUS_ONE],
        [MINUS_ONE - 9, 1],
    ];
    everywhere(|view| {
        for extent in refused {
            let builder = || Array::<i32, 2>::builder(extent).data(&[7; 20]);
            for array in [builder().on(view), builder().associated(view)] {
                let array = array.build();
                assert!(
                    matches!(array, Err(Error::InvalidExtent(_))),
                    "{view}: {extent:?}: {array:?}"
                );
            }
            let collected = Array::builder(extent).on(view).build_from(0..);
            assert!(matches!(collected, Err(Error::InvalidExtent(_))), "{view}");
        }
    });
    for extent in refused {
        let view = ArrayViewMut::<i32, 2>::uninit(extent);
        assert!(
            matches!(view, Err(Error::InvalidExtent(_))),
            "{extent:?}: {view:?}"
        );
    }
}

#[test]
fn row_105_a_longer_source_is_cut() {
    let data: Vec<i32> = (0..100).collect();
    let view = ArrayView::new([3, 4], &data).unwrap();
    assert_eq!(view.to_vec().unwrap(), data[..12]);
    assert!(matches!(
        ArrayView::new([3, 4], &data[..11]),
        Err(Error::SourceTooShort { .. })
    ));
}

#[amp_kernel]
fn add_one(idx: Index<3>, a: &mut ArrayViewMut<i32, 3>) {
    a[idx] += 1;
}

#[test]
fn row_113_an_array_is_copied_out_in_row_major_order() {
    everywhere(|view| {
        let data: Vec<i32> = (0..60).collect();
        let mut a: Array<i32, 3> = Array::builder([3, 4, 5])
            .on(view)
            .data(&data)
            .build()
            .unwrap();
        let before = a.to_vec().unwrap();
        launch(view, a.extent(), add_one(&mut a)).unwrap();
        assert_eq!(before, data, "{view}: the copy is deep");
        assert_eq!(a.to_vec().unwrap(), (1..=60).collect::<Vec<_>>(), "{view}");
        let mut part = [0; 60];
        a.copy_to(&mut part).unwrap();
        assert_eq!(part[59], 60, "{view}");
    });
}

#[amp_kernel]
fn write_seventeen(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>) {
    a[idx[0] + 25] = 17;
}

#[test]
fn row_119_a_view_over_an_array_is_synchronised_by_reading_it() {
    everywhere(|view| {
        let mut array: Array<i32, 1> = Array::builder(100).on(view).build().unwrap();
        {
            let mut a = array.view_mut();
            launch(view, 1, write_seventeen(&mut a)).unwrap();
            assert_eq!(a[25], 17, "{view}");
            assert_eq!(a[26], 0, "{view}");
        }
        assert_eq!(array.to_vec().unwrap()[25], 17, "{view}");
    });
}

#[test]
fn host_and_kernels_take_turns_on_a_view() {
    #[amp_kernel]
    fn double(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>) {
        a[idx] *= 2;
    }
    everywhere(|view| {
        let mut data = vec![1; 10];
        let mut a = ArrayViewMut::new(10, &mut data).unwrap();
        for round in 0..5 {
            launch(view, 10, double(&mut a)).unwrap();
            a[round] += 1;
            assert_eq!(a[9], 2 << round, "{view}");
        }
        drop(a);
        let expected: Vec<i32> = (0..10)
            .map(|i| if i < 5 { 32 + (16 >> i) } else { 32 })
            .collect();
        assert_eq!(data, expected, "{view}");
    });
}

#[amp_kernel]
fn fill(idx: Index<2>, a: &mut ArrayViewMut<i32, 2>) {
    a[idx] = 5;
}

#[test]
fn row_127_discarded_then_written_everywhere() {
    everywhere(|view| {
        let mut data = vec![1; 64];
        let mut a = ArrayViewMut::new([8, 8], &mut data).unwrap();
        a.discard_data();
        launch(view, [8, 8], fill(&mut a)).unwrap();
        a.synchronize().unwrap();
        drop(a);
        assert_eq!(data, [5; 64], "{view}");
    });
}

#[test]
fn arrays_of_two_accelerator_views_are_refused() {
    let views = testkit::views();
    let (Some(first), Some(second)) = (views.first(), views.get(1)) else {
        return;
    };
    let a: Array<i32, 1> = Array::builder(2012).on(first).build().unwrap();
    let mut out: Array<i32, 1> = Array::builder(4).on(second).build().unwrap();
    let error = parallel_for_each(4, read_one(&a, &mut out)).unwrap_err();
    assert!(matches!(error, Error::ViewMismatch { .. }), "{error}");
}

#[test]
fn two_views_of_one_accelerator_are_told_apart() {
    for (first, second) in testkit::views().iter().zip(testkit::new_views()) {
        let a: Array<i32, 1> = Array::builder(2012).on(first).build().unwrap();
        let mut out: Array<i32, 1> = Array::builder(4).on(&second).build().unwrap();
        let error = parallel_for_each(4, read_one(&a, &mut out)).unwrap_err();
        assert_ne!(first.to_string(), second.to_string());
        let expected = format!("was to run on {first} and was given an array on {second};");
        assert!(error.to_string().contains(&expected), "{error}");
        assert!(
            second.memory().to_string().starts_with(&second.to_string()) || {
                // It has one memory, the host's.
                second.accelerator() == Accelerator::cpu()
            }
        );
    }
}
