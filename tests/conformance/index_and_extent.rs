//! Rows 93 to 101: arithmetic of indices and extents, on the host and in kernels.

use amp::Error;
use amp::prelude::*;
use testkit::{becomes, everywhere, gives, launch};

/// A signed component: indices are `usize` here, and wrap.
fn wrapped<const N: usize>(components: [i64; N]) -> Index<N> {
    Index::new(components.map(|component| component as usize))
}

#[amp_kernel]
fn add_and_subtract(idx: Index<1>, table: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let mut start = Index::new([0, 0, 0, 0, 0, 0, 0]);
    let mut step = start;
    for k in 0..7 {
        start[k] = table[[0, k]] as usize;
        step[k] = table[[1, k]] as usize;
    }
    let mut sum = start;
    sum += step;
    let mut difference = start;
    difference -= step;
    if idx[0] < 7 {
        out[idx] = sum[idx[0]] as i32;
    } else {
        out[idx] = difference[idx[0] - 7] as i32;
    }
}

const START: [i32; 7] = [-100, -10, -1, 0, 1, 10, 100];
const STEP: [i32; 7] = [99, 10, 1, 1, -1, -10, -9];
const SUM: [i32; 7] = [-1, 0, 0, 1, 0, 0, 91];
const DIFFERENCE: [i32; 7] = [-199, -20, -2, -1, 2, 20, 109];

#[test]
fn row_093_indices_of_rank_7_add_and_subtract() {
    let mut sum = wrapped(START.map(i64::from));
    let mut difference = sum;
    sum += wrapped(STEP.map(i64::from));
    difference -= wrapped(STEP.map(i64::from));
    assert_eq!(sum, wrapped(SUM.map(i64::from)));
    assert_eq!(difference, wrapped(DIFFERENCE.map(i64::from)));
    let expected = [SUM, DIFFERENCE].concat();
    let table = [START, STEP].concat();
    gives(&expected, |view, out| {
        launch(
            view,
            14,
            add_and_subtract(&ArrayView::new([2, 7], &table)?, out),
        )
    });
}

#[amp_kernel]
fn free_operators(idx: Index<1>, a: Index<3>, b: Index<3>, out: &mut ArrayViewMut<u32, 1>) {
    let (sum, difference) = (a + b, a - b);
    out[idx] = if idx[0] < 3 {
        sum[idx[0]]
    } else {
        difference[idx[0] - 3]
    } as u32;
}

#[test]
fn row_095_sum_and_difference() {
    let (a, b) = (Index::new([4, 4, 4]), Index::new([2, 2, 2]));
    assert_eq!(a + b, Index::new([6, 6, 6]));
    assert_eq!(a - b, Index::new([2, 2, 2]));
    gives(&[6, 6, 6, 2, 2, 2], |view, out| {
        launch(view, 6, free_operators(a, b, out))
    });
}

/// Padding and truncation as a kernel writes them: unlike C++ AMP's, its language has no tiled
/// extents.
#[amp_kernel]
fn pad_and_truncate(idx: Index<1>, space: Extent<3>, out: &mut ArrayViewMut<u32, 2>) {
    let tile = [4, 8, 16];
    let k = idx[0];
    out[[0, k]] = (space[k].div_ceil(tile[k]) * tile[k]) as u32;
    out[[1, k]] = (space[k] - space[k] % tile[k]) as u32;
}

#[test]
fn row_099_pad_and_truncate() {
    let one = Extent::new([25]).tile::<4>();
    assert_eq!(one.pad().extent(), Extent::new([28]));
    assert_eq!(one.truncate().extent(), Extent::new([24]));
    let two = Extent::new([25, 51]).tile::<4, 8>();
    assert_eq!(two.pad().extent(), Extent::new([28, 56]));
    assert_eq!(two.truncate().extent(), Extent::new([24, 48]));
    let three = Extent::new([25, 51, 85]).tile::<4, 8, 16>();
    assert_eq!(three.pad().extent(), Extent::new([28, 56, 96]));
    assert_eq!(three.truncate().extent(), Extent::new([24, 48, 80]));
    becomes([2, 3], &[0; 6], &[28, 56, 96, 24, 48, 80], |view, out| {
        launch(view, 3, pad_and_truncate(three.extent(), out))
    });
    becomes([2, 2], &[0; 4], &[28, 56, 24, 48], |view, out| {
        launch(view, 2, pad_and_truncate(Extent::new([25, 51, 1]), out))
    });
    becomes([2, 1], &[0; 2], &[28, 24], |view, out| {
        launch(view, 1, pad_and_truncate(Extent::new([25, 1, 1]), out))
    });
}

/// C++'s `INT_MAX`, from which a length wraps, is `usize::MAX` here, which stays what it is: so
/// that a launch can say what is wrong with it.
#[test]
fn row_101_padding_the_largest_extent_saturates_and_makes_no_array() {
    const MAX: usize = usize::MAX;
    let one = Extent::new([MAX]).tile::<4>().pad().extent();
    let two = Extent::new([MAX, 5]).tile::<4, 4>().pad().extent();
    let three = Extent::new([5, MAX, 5]).tile::<4, 4, 4>().pad().extent();
    assert_eq!(one, Extent::new([MAX]));
    assert_eq!(two, Extent::new([MAX, 8]));
    assert_eq!(three, Extent::new([8, MAX, 8]));
    everywhere(|view| {
        let one = Array::<i32, 1>::builder(one).on(view).build();
        assert!(matches!(one, Err(Error::InvalidExtent(_))), "{one:?}");
        let two = Array::<i32, 2>::builder(two).on(view).build();
        assert!(matches!(two, Err(Error::InvalidExtent(_))), "{two:?}");
        let three = Array::<i32, 3>::builder(three).on(view).build();
        assert!(matches!(three, Err(Error::InvalidExtent(_))), "{three:?}");
    });
}
