//! What Rust would panic at: the first fault is reported with its place, thread and
//! words, alike on all accelerators; what did not happen leaves no trace; the
//! accelerator view works on.
//!
//! A comment `//~ name: text` in a kernel says where the fault of that name is: at
//! `text` in that line.

use amp::prelude::*;
use amp::{Element, Error, KernelFault};
use amp_test_helpers::row_sum;
use amp_test_helpers::shapes::Point;
use amp_tests::{Same, assert_same, assert_silent, becomes, launch, new_views, same_by_eq};

same_by_eq!(Small);

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Small {
    a: i32,
    b: [u32; 2],
}

/// Line and column of the fault called `name` in a source file.
pub fn site(source: &str, name: &str) -> (u32, u32) {
    let marker = format!("//~ {name}: ");
    let (line, text) = source
        .lines()
        .enumerate()
        .find(|(_, text)| text.contains(&marker))
        .unwrap_or_else(|| panic!("no marker for {name}"));
    let (code, wanted) = text.split_once(&marker).expect("the line has the marker");
    let column = code
        .find(wanted)
        .unwrap_or_else(|| panic!("`{wanted}` is not in its line"));
    (line as u32 + 1, column as u32 + 1)
}

/// Launches over `before` on every accelerator; expects the fault that stands at the
/// marker of the kernel's name, and `after` in memory.
fn faults<T: Element + Same>(
    (kernel, thread, message): (&str, &[usize], &str),
    before: &[T],
    after: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let source = (file!(), include_str!("faults.rs"));
    faults_in(source, (kernel, thread, message), before, after, launches);
}

/// The same for the kernels of another source file, given by name and text.
pub fn faults_in<T: Element + Same>(
    (file, source): (&str, &str),
    (kernel, thread, message): (&str, &[usize], &str),
    before: &[T],
    after: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let (line, column) = site(source, kernel);
    let expected = KernelFault {
        kernel: kernel.to_owned(),
        file: file.to_owned(),
        line,
        column,
        thread: thread.to_vec(),
        message: message.to_owned(),
    };
    for view in new_views() {
        let mut data = before.to_vec();
        {
            let mut out = ArrayViewMut::new(data.len(), &mut data).unwrap();
            launches(&view, &mut out).unwrap_or_else(|error| panic!("{view}: {error}"));
            match out.synchronize() {
                Err(Error::KernelFault(fault)) => assert_eq!(*fault, expected, "{view}"),
                other => panic!("{view}: no fault but {other:?}"),
            }
            view.wait()
                .unwrap_or_else(|error| panic!("{view}: a second report: {error}"));
        }
        assert_same(&data, after, &view.to_string());
        works(&view);
    }
    assert_silent();
}

#[amp_kernel]
fn fine(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] += idx[0] as u32;
}

/// Requires that a view still runs kernels.
pub fn works(view: &AcceleratorView) {
    let mut data = [1, 1, 1];
    let mut out = ArrayViewMut::new(3, &mut data).unwrap();
    launch(view, 3, fine(&mut out)).unwrap();
    out.synchronize()
        .unwrap_or_else(|error| panic!("{view}: after a fault: {error}"));
    drop(out);
    assert_eq!(data, [1, 2, 3], "{view}");
}

const DATA: [i32; 9] = [10, 11, 12, 13, 14, 15, 16, 17, 18];

#[amp_kernel]
fn read_outside(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    out[i] = 1 + a[i * 3]; //~ read_outside: a[i * 3]
}

#[test]
fn a_read_outside_of_a_view_gives_zero() {
    let what = (
        "read_outside",
        [3].as_slice(),
        "index out of bounds: the extent is 9 but the index is 9",
    );
    faults(what, &[7; 4], &[11, 14, 17, 1], |view, out| {
        launch(view, 4, read_outside(&ArrayView::new(9, &DATA)?, out))
    });
}

#[amp_kernel]
fn write_outside(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    out[(i + 6) % 8] = i as i32; //~ write_outside: out[(i + 6) % 8]
    out[i] += 10;
}

#[test]
fn a_write_outside_of_a_view_is_dropped() {
    let what = (
        "write_outside",
        [1].as_slice(),
        "index out of bounds: the extent is 7 but the index is 7",
    );
    faults(what, &[0; 7], &[10, 10, 0, 0, 0, 0, 0], |view, out| {
        launch(view, 2, write_outside(out))?;
        Ok(())
    });
}

#[amp_kernel]
fn in_two_dimensions(idx: Index<2>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let (i, j) = (idx[0], idx[1]);
    let far = if i == 1 && j == 2 { 5 } else { 0 };
    out[i * 3 + j] = a[[i, j + far]] + 1; //~ in_two_dimensions: a[[i, j + far]]
}

#[test]
fn an_index_is_checked_in_each_dimension() {
    let what = (
        "in_two_dimensions",
        [1, 2].as_slice(),
        "index out of bounds: the extent is 3 but the index is 7",
    );
    // Flat, the index would be inside: 1 * 3 + 7 < 9 + 3.
    let a: Vec<i32> = (0..12).collect();
    faults(what, &[9; 6], &[1, 2, 3, 4, 5, 1], |view, out| {
        launch(
            view,
            [2, 3],
            in_two_dimensions(&ArrayView::new([4, 3], &a)?, out),
        )
    });
}

#[amp_kernel]
fn through_rows(idx: Index<4>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let n = idx[0] + idx[1] + idx[2] + idx[3];
    out[n % 5] = 4;
    if n == 4 {
        out[0] = a.row(1)[n] + 2; //~ through_rows: a.row(1)[n]
    }
}

#[test]
fn rows_are_checked() {
    let what = (
        "through_rows",
        [1, 1, 1, 1].as_slice(),
        "index out of bounds: the extent is 4 but the index is 4",
    );
    faults(what, &[0; 5], &[2, 4, 4, 4, 4], |view, out| {
        launch(view, [1, 1, 1, 1], zeroth(out))?;
        launch(
            view,
            [2, 2, 2, 2],
            through_rows(&ArrayView::new([2, 4], &DATA)?, out),
        )
    });
}

#[amp_kernel]
fn zeroth(idx: Index<4>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx[3]] = 1;
}

#[amp_kernel]
fn row_that_is_not(idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = a.row(idx[0] + 1)[0] + 2; //~ row_that_is_not: a.row(idx[0] + 1)
}

#[test]
fn a_row_that_does_not_exist_faults() {
    let what = (
        "row_that_is_not",
        [1].as_slice(),
        "index out of bounds: the extent is 2 but the index is 2",
    );
    faults(what, &[0; 2], &[16, 2], |view, out| {
        launch(
            view,
            2,
            row_that_is_not(&ArrayView::new([2, 4], &DATA)?, out),
        )
    });
}

#[amp_kernel]
fn assign_in_part(idx: Index<1>, out: &mut ArrayViewMut<Small, 1>) {
    let i = idx[0];
    out[i].a += 1;
    out[i * 2].b[1] += 5; //~ assign_in_part: out[i * 2]
    out[i].b[0] = 2;
}

#[test]
fn parts_of_elements_outside_are_dropped() {
    let what = (
        "assign_in_part",
        [1].as_slice(),
        "index out of bounds: the extent is 2 but the index is 2",
    );
    let after = [Small { a: 1, b: [2, 5] }, Small { a: 1, b: [2, 0] }];
    faults(what, &[Small::default(); 2], &after, |view, out| {
        launch(view, 2, assign_in_part(out))
    });
}

#[amp_kernel]
fn struct_outside(idx: Index<1>, points: &ArrayView<Point, 1>, out: &mut ArrayViewMut<f32, 1>) {
    let point = points[idx[0] + 1]; //~ struct_outside: points[idx[0] + 1]
    out[idx] = point.x + point.y + 0.5;
}

#[test]
fn a_struct_outside_is_zero() {
    let what = (
        "struct_outside",
        [1].as_slice(),
        "index out of bounds: the extent is 2 but the index is 2",
    );
    let points = [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }];
    faults(what, &[0.0; 2], &[7.5, 0.5], |view, out| {
        launch(view, 2, struct_outside(&ArrayView::new(2, &points)?, out))
    });
}

#[amp_kernel]
fn local_read(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let table = [[1, 2, 3], [4, 5, 6]];
    let flags = [true; 4];
    out[idx] = table[1][idx[0]] + 10; //~ local_read: table[1][idx[0]]
    if flags[idx[0]] {
        out[idx] += 100;
    }
}

#[test]
fn a_read_outside_of_a_local_array_gives_zero() {
    let what = (
        "local_read",
        [3].as_slice(),
        "index out of bounds: the length is 3 but the index is 3",
    );
    faults(what, &[0; 4], &[114, 115, 116, 110], |view, out| {
        launch(view, 4, local_read(out))
    });
}

#[amp_kernel]
fn local_write(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut table = [[0; 2]; 2];
    let mut after = [5; 2];
    table[idx[0]][1] = 3; //~ local_write: table[idx[0]]
    after[0] += table[0][1] + table[1][1];
    out[idx] = after[0] + after[1];
}

#[test]
fn a_write_outside_of_a_local_array_is_dropped() {
    let what = (
        "local_write",
        [2].as_slice(),
        "index out of bounds: the length is 2 but the index is 2",
    );
    faults(what, &[0; 3], &[13, 13, 10], |view, out| {
        launch(view, 3, local_write(out))
    });
}

#[amp_kernel]
fn of_tile_memory(t_idx: TiledIndex<2, 2, 4>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut shared: [i32; 8];
    let (i, j) = (t_idx.local[0], t_idx.local[1]);
    let flat = i * 4 + j;
    shared[flat] = flat as i32;
    t_idx.barrier.wait();
    let far = if t_idx.global == Index::new([3, 6]) {
        900
    } else {
        0
    };
    let found = shared[(flat + 1) % 8 + far]; //~ of_tile_memory: shared[(flat + 1) % 8 + far]
    t_idx.barrier.wait();
    shared[flat + far] = found * 2;
    t_idx.barrier.wait();
    let g = t_idx.global;
    out[g[0] * 8 + g[1]] = shared[flat] + 1;
}

#[test]
fn tile_memory_is_checked_and_no_thread_is_left_waiting() {
    let what = (
        "of_tile_memory",
        [3, 6].as_slice(),
        "index out of bounds: the length is 8 but the index is 907",
    );
    let after: Vec<i32> = (0..32)
        .map(|n| {
            let flat = n / 8 % 2 * 4 + n % 4;
            // The faulting thread's write is dropped as well: its element keeps 6.
            if n == 30 { 7 } else { (flat + 1) % 8 * 2 + 1 }
        })
        .collect();
    faults(what, &[0; 32], &after, |view, out| {
        launch(
            view,
            Extent::new([4, 8]).tile::<2, 4>(),
            of_tile_memory(out),
        )
    });
}

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
    let (line, column) = site(include_str!("faults.rs"), "in_a_helper");
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
    let source = include_str!("../helpers/src/lib.rs");
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
    faults(what, &[1], &[6], |view, out| {
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
fn what_is_not_evaluated_does_not_fault() {
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
    let (line, column) = site(include_str!("faults.rs"), "all_at_once");
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
        let (line, column) = site(include_str!("faults.rs"), "write_far");
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
            // Later launches run although nobody was told yet.
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
