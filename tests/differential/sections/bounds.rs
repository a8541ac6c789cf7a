//! What is outside of a part although its view has it, and parts that a view does not have:
//! those are empty, and a fault.

use amp::prelude::*;
use testkit::{assert_same, gives, input, launch, new_views};

use super::{Pair, fill, numbered, sum};
use crate::faults::faults_in;

/// This file, with the markers of its faults.
const SOURCE: (&str, &str) = (file!(), include_str!("bounds.rs"));

/// A loop in two versions: its accesses are tried against the section's extent.
#[amp_kernel]
fn within(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>, rounds: usize) {
    let part = a.section(idx[0] * 4, 4);
    let mut total = 0;
    for i in 0..rounds {
        total += part[i]; //~ within: part[i]
    }
    for i in 0..3_usize {
        let shorter = part.section(i, 4 - i);
        let mut j = 0;
        while j < shorter.extent()[0] {
            total += shorter[j] * 100;
            j += 1;
        }
        for j in 0..shorter.extent()[0] {
            total += shorter[j] * 100;
        }
    }
    out[idx] = total;
}

#[test]
fn indices_are_checked_against_the_section() {
    let a = numbered(12);
    let expected: Vec<i32> = a
        .chunks(4)
        .map(|part| {
            let tails: i32 = (0..3).map(|i| part[i..].iter().sum::<i32>()).sum();
            part.iter().sum::<i32>() + tails * 200
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 3, within(&input(&a), out, 4))
    });
    let what = (
        "within",
        [0].as_slice(),
        "index out of bounds: the extent is 4 but the index is 4",
    );
    // The element exists, but not in the section.
    faults_in(SOURCE, what, &[0; 1], &expected[..1], |view, out| {
        launch(view, 1, within(&input(&a), out, 5))
    });
}

#[amp_kernel]
fn outside(_idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>, from: usize) {
    let part = a.section([1, from], [2, 3]); //~ outside: a.section
    out[0] = 1 + part[[0, 0]] + part.extent().size() as i32;
    out[1] = 1 + part.row(1)[2];
}

#[test]
fn a_section_outside_of_its_view_is_empty() {
    let a = numbered(15);
    let launches = |from| {
        let a = &a;
        move |view: &AcceleratorView, out: &mut ArrayViewMut<'_, i32, 1>| {
            launch(view, 1, outside(&ArrayView::new([3, 5], a)?, out, from))
        }
    };
    gives(&[1 + a[7] + 6, 1 + a[14]], launches(2));
    let what = (
        "outside",
        [0].as_slice(),
        "section out of bounds: 3 elements from 3 on are not within the view",
    );
    faults_in(SOURCE, what, &[9, 9], &[1, 1], launches(3));
}

#[amp_kernel]
fn edges(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    // Nothing at the end, and nothing at all: not wrong.
    let none = a.section(a.extent()[0], 0);
    out[i] = sum(&none) + sum(&a.section(i, 0)) + none.extent()[0] as i32 + 1;
    // As many as there are from the last on.
    out[i] += sum(&a.section(a.extent()[0] - 1, 1));
}

#[test]
fn sections_may_be_empty() {
    gives(&[8; 3], |view, out| {
        launch(view, 3, edges(&input(&[5, 6, 7]), out))
    });
}

/// The sum of origin and extent wraps around.
#[amp_kernel]
fn wrapping(_idx: Index<1>, out: &mut ArrayViewMut<i32, 1>, back: usize) {
    let mut part = out.section(1 - back, back);
    part[0] = 5;
}

#[test]
fn origins_that_wrap_around_are_outside() {
    for view in new_views() {
        let mut data = [1; 4];
        let mut out = ArrayViewMut::new(4, &mut data).unwrap();
        launch(&view, 1, wrapping(&mut out, 2)).unwrap();
        let error = out.synchronize().unwrap_err().to_string();
        assert!(
            error.contains("section out of bounds: 2 elements"),
            "{view}: {error}"
        );
        drop(out);
        assert_same(&data, &[1; 4], &view.to_string());
    }
}

#[amp_kernel]
fn no_row(idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let row = a.row(i); //~ no_row: a.row(i)
    out[i] = 1 + row.extent()[0] as i32;
    fill(&mut out.section(i, row.extent()[0] / 2), 20);
}

#[test]
fn a_row_that_is_not_there_is_empty() {
    let what = (
        "no_row",
        [2].as_slice(),
        "index out of bounds: the extent is 2 but the index is 2",
    );
    faults_in(SOURCE, what, &[9; 3], &[20, 20, 1], |view, out| {
        launch(view, 3, no_row(&ArrayView::new([2, 2], &[0; 4])?, out))
    });
}

#[amp_kernel]
fn too_large(_idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>, rows: usize) {
    let matrix = a.view_as([rows, 3]); //~ too_large: a.view_as
    out[0] = 1 + matrix[[0, 0]];
}

#[test]
fn a_shape_larger_than_its_view_is_empty() {
    let launches = |rows| {
        move |view: &AcceleratorView, out: &mut ArrayViewMut<'_, i32, 1>| {
            launch(view, 1, too_large(&input(&[4; 8]), out, rows))
        }
    };
    gives(&[5], launches(2));
    let what = (
        "too_large",
        [0].as_slice(),
        "view_as with more elements than the 8 of the view",
    );
    faults_in(SOURCE, what, &[9], &[1], launches(3));
    // Its size wraps around to 2.
    faults_in(SOURCE, what, &[9], &[1], launches(0x5555_5556));
}

#[amp_kernel]
fn uneven(_idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let pairs = a.reinterpret::<Pair>(); //~ uneven: a.reinterpret
    out[0] = 1 + pairs[0].a as i32;
}

#[test]
fn bytes_that_do_not_divide_evenly_are_no_elements() {
    let what = (
        "uneven",
        [0].as_slice(),
        "reinterpret of 5 elements, which is no multiple of 2",
    );
    faults_in(SOURCE, what, &[9], &[1], |view, out| {
        launch(view, 1, uneven(&input(&[8; 5]), out))
    });
    gives(&[9], |view, out| {
        launch(view, 1, uneven(&input(&[8; 4]), out))
    });
}
