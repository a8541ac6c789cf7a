//! Parts of views and arrays that borrow them until their last use, as parts of slices do.

use amp::algorithms::fill as fill_all;
use amp::prelude::*;
use testkit::{everywhere, launch};

#[amp_kernel]
fn fill_1(idx: Index<1>, value: u32, a: &mut ArrayViewMut<u32, 1>) {
    a[idx] = value;
}

#[amp_kernel]
fn fill_2(idx: Index<2>, value: u32, a: &mut ArrayViewMut<u32, 2>) {
    a[idx] = value;
}

#[amp_kernel]
fn fill_words(idx: Index<1>, value: f32, a: &mut ArrayViewMut<f32, 1>) {
    a[idx] = value;
}

#[amp_kernel]
fn sum_rows(idx: Index<1>, a: &ArrayView<u32, 2>, sums: &mut ArrayViewMut<u32, 1>) {
    sums[idx] = a.row(idx[0]).iter().sum::<u32>();
}

#[amp_struct]
struct Canvas<'a> {
    pixels: ArrayViewMut<'a, u32, 2>,
}

#[amp_kernel]
fn paint(idx: Index<2>, canvas: &mut Canvas<'_>) {
    canvas.pixels[idx] += 100;
}

/// A function of the host that knows views only.
fn add(view: &AcceleratorView, part: &mut ArrayViewMut<'_, u32, 2>) {
    launch(
        view,
        part.extent(),
        paint(&mut Canvas {
            pixels: part.as_view_mut(),
        }),
    )
    .unwrap();
}

#[test]
fn parts_of_views_end_with_their_last_use() {
    everywhere(|view| {
        let mut data = vec![0_u32; 24];
        let mut matrix = ArrayViewMut::new([4, 6], &mut data).unwrap();
        let mut corner = matrix.section_mut([0, 0], [2, 2]).unwrap();
        launch(view, [2, 2], fill_2(1, &mut corner)).unwrap();
        let mut last = corner.section_mut([1, 1], [1, 1]).unwrap();
        last[[0, 0]] = 9;
        assert_eq!(corner.to_vec().unwrap(), [1, 1, 1, 9]);
        let mut row = matrix.row_mut(3).unwrap();
        launch(view, 6, fill_1(2, &mut row)).unwrap();
        fill_all(&mut row.section_mut(4, 2).unwrap(), 3).unwrap();
        let (mut left, mut right) = matrix.split_at_mut(1, 3).unwrap();
        copy(&left, &mut right).unwrap();
        left[[2, 0]] = 4;
        for element in &mut right.row_mut(2).unwrap() {
            *element += 5;
        }
        add(view, &mut left);
        let mut sums = vec![0; 4];
        let mut totals = ArrayViewMut::from(&mut sums);
        let mut first = totals.section_mut(0, 2).unwrap();
        launch(view, 2, sum_rows(&right, &mut first)).unwrap();
        let mut second = totals.section_mut(2, 2).unwrap();
        let lower = right.section_mut([2, 0], [2, 3]).unwrap();
        launch(view, 2, sum_rows(&lower, &mut second)).unwrap();
        drop(totals);
        assert_eq!(sums, [2, 10, 15, 6]);
        assert_eq!(matrix.data().unwrap().len(), 24);
        drop(matrix);
        let expected = [
            [101, 101, 100, 1, 1, 0],
            [101, 109, 100, 1, 9, 0],
            [104, 100, 100, 5, 5, 5],
            [102, 102, 102, 2, 2, 2],
        ];
        assert_eq!(data, expected.concat(), "{view}");
    });
}

#[test]
fn parts_of_other_shapes_and_elements_end_with_their_last_use() {
    everywhere(|view| {
        let mut data = vec![0_u32; 6];
        let mut line = ArrayViewMut::from(&mut data);
        let mut table = line.view_as_mut([2, 3]).unwrap();
        launch(view, [2, 3], fill_2(7, &mut table)).unwrap();
        let mut floats = line.reinterpret_mut::<f32>().unwrap();
        let mut one = floats.section_mut(1, 1).unwrap();
        launch(view, 1, fill_words(1.0, &mut one)).unwrap();
        line[5] = 8;
        drop(line);
        assert_eq!(data, [7, 0x3f80_0000, 7, 7, 7, 8], "{view}");
    });
}

#[test]
fn parts_of_arrays_end_with_their_last_use() {
    everywhere(|view| {
        let mut array: Array<u32, 2> = Array::builder([2, 3]).on(view).build().unwrap();
        let mut section = array.section_mut([0, 1], [2, 2]).unwrap();
        assert_eq!(section.source_accelerator_view(), *view);
        parallel_for_each(section.extent(), fill_2(1, &mut section)).unwrap();
        let mut row = array.row_mut(1).unwrap();
        parallel_for_each(2, fill_1(2, &mut row)).unwrap();
        let mut tall = array.view_as_mut([3, 2]).unwrap();
        parallel_for_each([1, 2], fill_2(3, &mut tall)).unwrap();
        let mut floats = array.reinterpret_mut::<f32>().unwrap();
        parallel_for_each(1, fill_words(0.0, &mut floats)).unwrap();
        assert_eq!(array.to_vec().unwrap(), [0, 3, 1, 2, 2, 1], "{view}");
    });
}

/// What is made of a view by value writes back, the parts of it included.
#[test]
fn views_made_of_parts_by_value_write_back_once() {
    everywhere(|view| {
        let mut data = vec![0_u32; 12];
        let whole = ArrayViewMut::new([3, 4], &mut data).unwrap();
        let (upper, lower) = whole.into_split_at(0, 1).unwrap();
        let mut row = upper.into_row(0).unwrap();
        launch(view, 4, fill_1(5, &mut row)).unwrap();
        let mut square = lower.into_section([0, 1], [2, 2]).unwrap();
        let part: ArrayViewMut<'_, u32, 2> = square.section_mut([0, 0], [2, 1]).unwrap().into();
        let mut canvas = Canvas { pixels: part };
        launch(view, [2, 1], paint(&mut canvas)).unwrap();
        drop(canvas);
        let column = square.section_mut([0, 1], [2, 1]).unwrap();
        let mut last = column.into_section([1, 0], [1, 1]).unwrap();
        launch(view, [1, 1], fill_2(6, &mut last)).unwrap();
        drop((square, row));
        assert_eq!(data, [5, 5, 5, 5, 0, 100, 0, 0, 0, 100, 6, 0], "{view}");
    });
}
