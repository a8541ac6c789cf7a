//! Which fault is told, of several in a thread and of several threads, where it is said to
//! be, and to whom; and what does not fault.

use amp::Error;
use amp::prelude::*;
use amp_test_helpers::row_sum;
use testkit::{assert_silent, becomes, launch, new_views};

use super::bounds::read_outside;
use super::{DATA, faults_in, fine, site};

/// This file, with the markers of its faults.
const SOURCE: (&str, &str) = (file!(), include_str!("told.rs"));

#[amp_fn]
fn quotient(x: i32, y: i32) -> i32 {
    let mut sum = 0;
    for k in 0..2 {
        sum += x / (y + k); //~ in_a_helper: x / (y + k)
    }
    sum
}

#[amp_kernel]
fn in_a_helper(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = quotient(6, idx[0] as i32 - 3);
}

#[test]
fn a_fault_in_a_helper_points_into_the_helper() {
    // Thread 2 divides by -1 and 0, thread 3 by 0 and 1: only the first may be reported
    // first on the CPU, either on a device.
    let (line, column) = site(SOURCE.1, "in_a_helper");
    for view in new_views() {
        let mut data = [0; 5];
        {
            let mut out = ArrayViewMut::new(5, &mut data).unwrap();
            launch(&view, 5, in_a_helper(&mut out)).unwrap();
            let Err(Error::KernelFault(fault)) = out.synchronize() else {
                panic!("{view}: no fault")
            };
            assert_eq!((fault.line, fault.column), (line, column), "{view}");
            assert_eq!(fault.kernel, "in_a_helper");
            assert!(
                fault.thread == [2] || fault.thread == [3],
                "{view}: {:?}",
                fault.thread
            );
        }
        assert_eq!(data, [-5, -9, -6, 6, 9], "{view}");
    }
}

#[amp_kernel]
fn in_another_crate(idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = row_sum(a, idx[0]) + 1;
}

#[test]
fn a_fault_in_another_crate_points_there() {
    let source = include_str!("../../helpers/src/lib.rs");
    let (line, column) = source
        .lines()
        .enumerate()
        .find_map(|(line, text)| Some((line + 1, text.find("a[[row, j]]")? + 1)))
        .unwrap();
    for view in new_views() {
        let mut data = [0; 3];
        {
            let a = ArrayView::new([2, 4], &DATA).unwrap();
            let mut out = ArrayViewMut::new(3, &mut data).unwrap();
            launch(&view, 3, in_another_crate(&a, &mut out)).unwrap();
            let Err(Error::KernelFault(fault)) = out.synchronize() else {
                panic!("{view}: no fault")
            };
            assert_eq!(
                (fault.line, fault.column),
                (line as u32, column as u32),
                "{view}"
            );
            assert!(
                fault.file.ends_with("tests/helpers/src/lib.rs"),
                "{view}: {}",
                fault.file
            );
            assert_eq!(fault.kernel, "in_another_crate", "{view}");
        }
        assert_eq!(data, [47, 63, 1], "{view}");
    }
}

#[amp_kernel]
#[rustfmt::skip]
fn twice_in_a_thread(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut i = idx[0] + 100;
    while a[i] != 0 || i > 100 { //~ twice_in_a_thread: a[i]
        i -= 20;
        out[idx] += 1 / (a[i] - a[i]);
    }
    out[idx] += 5;
}

#[test]
fn the_first_fault_of_a_thread_is_reported() {
    let what = (
        "twice_in_a_thread",
        [0].as_slice(),
        "index out of bounds: the extent is 9 but the index is 100",
    );
    faults_in(SOURCE, what, &[1], &[6], |view, out| {
        launch(view, 1, twice_in_a_thread(&ArrayView::new(9, &DATA)?, out))
    });
}

#[amp_kernel]
fn skipped(idx: Index<1>, a: &ArrayView<i32, 1>, zero: i32, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let lazy = i < 9 && a[i] > 12;
    let other = i >= 9 || a[i] > 12;
    let chosen = if zero == 0 { 7 } else { 7 / zero };
    out[i] = lazy as i32 + other as i32 * 10 + chosen * 100;
}

#[test]
fn conditions_that_are_not_evaluated_do_not_fault() {
    let expected: Vec<i32> = (0..12)
        .map(|i| 700 + i32::from((3..9).contains(&i)) + i32::from(i >= 3) * 10)
        .collect();
    becomes([12], &[0; 12], &expected, |view, out| {
        launch(view, 12, skipped(&ArrayView::new(9, &DATA)?, 0, out))
    });
}

#[amp_kernel]
fn all_at_once(idx: Index<2>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx[0] * 100 + idx[1]] = a[idx[0] + idx[1] + 9] + 3; //~ all_at_once: a[idx[0] + idx[1] + 9]
}

#[test]
fn one_of_many_faults_is_reported_whole() {
    let (line, column) = site(SOURCE.1, "all_at_once");
    for view in new_views() {
        let mut data = vec![0; 5000];
        {
            let a = ArrayView::new(9, &DATA).unwrap();
            let mut out = ArrayViewMut::new(5000, &mut data).unwrap();
            launch(&view, [50, 100], all_at_once(&a, &mut out)).unwrap();
            launch(&view, [50, 100], all_at_once(&a, &mut out)).unwrap();
            let Err(Error::KernelFault(fault)) = view.wait() else {
                panic!("{view}: no fault")
            };
            assert_eq!((fault.line, fault.column), (line, column), "{view}");
            let index = fault.thread[0] + fault.thread[1] + 9;
            let message = format!("index out of bounds: the extent is 9 but the index is {index}");
            assert_eq!(fault.message, message, "{view}");
        }
        assert!(data.iter().all(|&value| value == 3), "{view}");
        let text = {
            let mut out = ArrayViewMut::new(1, &mut data).unwrap();
            launch(&view, 1, write_far(&mut out)).unwrap();
            view.wait().unwrap_err().to_string()
        };
        let (line, column) = site(SOURCE.1, "write_far");
        let expected = format!(
            "kernel `write_far` faulted at {}:{line}:{column} in thread [0]: index out of bounds: \
             the extent is 1 but the index is 4294967295",
            file!()
        );
        assert_eq!(text, expected, "{view}");
    }
    assert_silent();
}

#[amp_kernel]
fn write_far(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[u32::MAX as usize - idx[0]] = 1; //~ write_far: out[u32::MAX as usize - idx[0]]
}

#[test]
fn unchecked_kernels_run() {
    becomes([4], &[0; 4], &[14, 0, 0, 0], |view, out| {
        let a = ArrayView::new(9, &DATA)?;
        // SAFETY: both indices are inside.
        let kernel = unsafe { one_sum(&a, out).unchecked() };
        launch(view, 1, kernel)
    });
}

#[amp_kernel]
fn one_sum(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let table = [1, 2, 3];
    out[idx] = a[idx[0] + 1] + table[idx[0] + 2];
}

#[test]
fn a_fault_waits_for_whoever_asks_first() {
    for view in new_views() {
        let mut data = [0; 4];
        {
            let a = ArrayView::new(9, &DATA).unwrap();
            let mut out = ArrayViewMut::new(4, &mut data).unwrap();
            launch(&view, 4, read_outside(&a, &mut out)).unwrap();
            // Later launches run although no call has returned the fault yet.
            let mut sums = [1, 1, 1];
            let mut second = ArrayViewMut::new(3, &mut sums).unwrap();
            launch(&view, 3, fine(&mut second)).unwrap();
            assert!(matches!(view.wait(), Err(Error::KernelFault(_))), "{view}");
            out.synchronize().unwrap();
            second.synchronize().unwrap();
            drop(second);
            assert_eq!(sums, [1, 2, 3], "{view}");
        }
        assert_eq!(data, [11, 14, 17, 1], "{view}");
    }
}
