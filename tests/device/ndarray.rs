//! Views and arrays from and into those of ndarray.

use amp::prelude::*;
use amp::{Element, Error};
use ndarray::{Array1, Array2, Array3, s};
use testkit::{everywhere, launch};

#[amp_kernel]
fn number(idx: Index<3>, x: &mut ArrayViewMut<i32, 3>) {
    x[idx] += (100 * idx[0] + 10 * idx[1] + idx[2]) as i32;
}

fn numbers() -> Array3<i32> {
    Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as i32)
}

#[test]
fn views_are_over_arrays_of_ndarray() {
    everywhere(|view| {
        let mut data = Array3::<i32>::zeros((2, 3, 4));
        let mut x = ArrayViewMut::from_ndarray(data.view_mut()).unwrap();
        assert_eq!(x.extent(), Extent::new([2, 3, 4]));
        launch(view, x.extent(), number(&mut x)).unwrap();
        assert_eq!(x.as_ndarray().unwrap(), numbers(), "{view}");
        // What is written through ndarray is there for the next kernel.
        let mut there = x.as_ndarray_mut().unwrap();
        there.slice_mut(s![.., 1, ..]).fill(0);
        launch(view, x.extent(), number(&mut x)).unwrap();
        let mut expected = numbers() * 2;
        let line = numbers();
        let line = line.slice(s![.., 1, ..]);
        expected.slice_mut(s![.., 1, ..]).assign(&line);
        assert_eq!(x.to_ndarray().unwrap(), expected, "{view}");
        drop(x);
        assert_eq!(data, expected, "{view}");
        let read = ArrayView::from_ndarray(data.view()).unwrap();
        assert_eq!(read[[1, 2, 3]], 246, "{view}");
        assert_eq!(read.as_ndarray().unwrap(), expected, "{view}");
    });
}

/// Whole rows are in standard layout, and part of the array.
#[test]
fn views_are_over_parts_of_arrays() {
    let mut data = Array2::from_shape_fn((4, 5), |(i, j)| 10 * i + j).mapv(|x| x as u32);
    let rows = ArrayView::from_ndarray(data.slice(s![1..3, ..])).unwrap();
    assert_eq!((rows.extent(), rows[[1, 4]]), (Extent::new([2, 5]), 24));
    let section = rows.section([0, 1], [2, 2]).unwrap();
    assert!(matches!(
        section.as_ndarray(),
        Err(Error::NotContiguous { .. })
    ));
    assert_eq!(
        section.to_ndarray().unwrap(),
        ndarray::array![[11, 12], [21, 22]]
    );
    let mut row = ArrayViewMut::from_ndarray(data.row_mut(3)).unwrap();
    row[0] = 7;
    drop(row);
    assert_eq!(data[[3, 0]], 7);
}

fn strides<T: Element, const N: usize>(made: amp::Result<ArrayView<'_, T, N>>) -> Vec<isize> {
    match made {
        Err(Error::NotStandardLayout { strides, .. }) => strides,
        other => panic!("{other:?}"),
    }
}

#[test]
fn other_layouts_are_refused_and_can_be_copied() {
    let mut data = Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as u32);
    assert_eq!(strides(ArrayView::from_ndarray(data.t())), [1, 4]);
    assert_eq!(strides(ArrayView::from_ndarray(data.column(1))), [4]);
    assert_eq!(
        strides(ArrayView::from_ndarray(data.slice(s![..;-1, ..]))),
        [-4, 1]
    );
    let error = ArrayViewMut::from_ndarray(data.view_mut().reversed_axes()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("an ndarray of 4×3 with strides [1, 4] is not"),
        "{text}"
    );
    assert!(text.contains("`as_standard_layout()`"), "{text}");
    let copy = data.t().as_standard_layout().into_owned();
    assert_eq!(ArrayView::from_ndarray(copy.view()).unwrap()[[3, 2]], 23);
    everywhere(|view| {
        let array = Array::from_ndarray_on(view, data.t()).unwrap();
        assert_eq!(array.to_ndarray().unwrap(), data.t(), "{view}");
        let array = Array::from_ndarray_on(view, data.slice(s![.., 1..3])).unwrap();
        assert_eq!(
            array.to_ndarray().unwrap(),
            data.slice(s![.., 1..3]),
            "{view}"
        );
    });
    assert_eq!(
        Array::from_ndarray(data.view())
            .unwrap()
            .to_ndarray()
            .unwrap(),
        data
    );
}

#[test]
fn arrays_without_elements_are_no_extent() {
    let none = Array1::<f32>::zeros(0);
    let view = ArrayView::from_ndarray(none.view());
    assert!(matches!(view, Err(Error::InvalidExtent(_))));
    let none = Array2::<f32>::zeros((3, 0));
    assert!(matches!(
        Array::from_ndarray(none.view()),
        Err(Error::InvalidExtent(_))
    ));
}
