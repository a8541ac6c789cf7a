//! Views as Rust makes them of slices, and walks over them.

use amp::Error;
use amp::prelude::*;
use testkit::{everywhere, launch};

#[amp_kernel]
fn double(idx: Index<1>, x: &ArrayView<u32, 1>, y: &mut ArrayViewMut<u32, 1>) {
    y[idx] = 2 * x[idx];
}

#[amp_kernel]
fn fill(idx: Index<2>, a: &mut ArrayViewMut<u32, 2>) {
    a[idx] = (10 * idx[0] + idx[1]) as u32;
}

#[amp_kernel]
fn sum(idx: Index<1>, x: &ArrayView<u32, 1>, sum: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_add(&mut sum[0], x[idx]);
}

#[amp_kernel]
fn lengths(idx: Index<1>, none: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = none.extent()[0] as u32 + 7;
}

#[test]
fn slices_vectors_and_arrays_become_views() {
    everywhere(|view| {
        let numbers = ArrayView::from(&[1, 2, 3, 4]);
        let mut doubled = [0; 4];
        let mut results = ArrayViewMut::from(&mut doubled);
        launch(view, 4, double(&numbers, &mut results)).unwrap();
        results.synchronize().unwrap();
        drop(results);
        let mut again = vec![0; 3];
        let mut results = ArrayViewMut::from(&mut again);
        let numbers = ArrayView::from(&doubled[1..]);
        launch(view, 3, double(&numbers, &mut results)).unwrap();
        drop(results);
        assert_eq!((doubled, &again[..]), ([2, 4, 6, 8], &[8, 12, 16][..]));
    });
}

#[test]
fn a_value_is_the_result_of_a_kernel() {
    everywhere(|view| {
        let numbers = vec![1, 2, 3];
        let numbers = ArrayView::from(&numbers);
        let mut total = 5;
        let mut result = ArrayViewMut::from_mut(&mut total);
        launch(view, 3, sum(&numbers, &mut result)).unwrap();
        launch(view, 1, sum(&ArrayView::from_ref(&100), &mut result)).unwrap();
        result.synchronize().unwrap();
        drop(result);
        assert_eq!(total, 111);
    });
}

#[test]
fn a_view_of_no_elements_is_an_argument() {
    everywhere(|view| {
        let mut out = [0; 3];
        let mut nothing: Vec<u32> = Vec::new();
        let mut none = ArrayViewMut::from(&mut nothing);
        assert_eq!(none.iter_mut().count(), 0);
        let mut results = ArrayViewMut::from(&mut out);
        launch(view, 3, lengths(&none, &mut results)).unwrap();
        launch(view, 3, lengths(&ArrayView::from(&[]), &mut results)).unwrap();
        assert_eq!(results.to_vec().unwrap(), [7; 3]);
        // As every empty domain is refused (C++ AMP §6).
        let empty = none.extent();
        let refused = launch(view, empty, double(&ArrayView::from_ref(&1), &mut none));
        assert!(matches!(refused, Err(Error::InvalidComputeDomain(_))));
        none.synchronize().unwrap();
        assert!(none.to_vec().unwrap().is_empty());
    });
}

#[test]
fn iterators_see_what_kernels_wrote_and_kernels_what_iterators_write() {
    everywhere(|view| {
        let mut data = [0; 12];
        let mut matrix = ArrayViewMut::new([3, 4], &mut data).unwrap();
        launch(view, [3, 4], fill(&mut matrix)).unwrap();
        let mut inner = matrix.section_mut([1, 1], [2, 2]).unwrap();
        assert!(inner.iter().eq(&[11, 12, 21, 22]));
        assert!(inner.iter().rev().skip(1).eq(&[21, 12, 11]));
        assert_eq!(inner.iter().len(), 4);
        inner.iter_mut().for_each(|element| *element += 100);
        let mut sums = [0];
        launch(
            view,
            3,
            sum(
                &matrix.as_view().row(1).unwrap(),
                &mut ArrayViewMut::from(&mut sums),
            ),
        )
        .unwrap();
        assert_eq!(sums, [10 + 111 + 112]);
        let expected = [0, 1, 2, 3, 10, 111, 112, 13, 20, 121, 122, 23];
        assert!((&matrix).into_iter().eq(&expected));
    });
}
