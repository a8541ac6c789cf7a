//! Accesses outside of views, of their elements' parts, of local arrays and of tile memory.

use amp::Element;
use amp::prelude::*;
use amp_test_helpers::shapes::Point;
use testkit::{Same, launch, same_by_eq};

use super::{DATA, faults_in};

same_by_eq!(Small);

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Small {
    a: i32,
    b: [u32; 2],
}

/// Launches over `before` on every accelerator; expects the fault that stands at the
/// marker of the kernel's name, and `after` in memory.
fn faults<T: Element + Same>(
    (kernel, thread, message): (&str, &[usize], &str),
    before: &[T],
    after: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let source = (file!(), include_str!("bounds.rs"));
    faults_in(source, (kernel, thread, message), before, after, launches);
}

#[amp_kernel]
pub(super) fn read_outside(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
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
fn own_element(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] += 1 + a[idx]; //~ own_element: a[idx]
}

#[test]
fn an_own_element_outside_of_a_view_is_zero() {
    let what = (
        "own_element",
        [4].as_slice(),
        "index out of bounds: the extent is 4 but the index is 4",
    );
    let after: Vec<i32> = (0..6)
        .map(|i| if i < 4 { 8 + DATA[i] } else { 8 })
        .collect();
    faults(what, &[7; 6], &after, |view, out| {
        launch(view, 6, own_element(&ArrayView::new(4, &DATA[..4])?, out))
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
    let falls = idx[0] >= idx[1] && idx[1] >= idx[2] && idx[2] >= idx[3];
    if falls && n > 0 {
        out[n] = 4;
    }
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

#[amp_kernel]
fn swapped(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut a = [1, 2, 3];
    a.swap(0, idx[0]); //~ swapped: swap(0, idx[0])
    out[idx] = a[0] * 10 + a[1];
}

#[test]
fn a_swap_outside_of_an_array_changes_nothing() {
    let what = (
        "swapped",
        [3].as_slice(),
        "index out of bounds: the length is 3 but the index is 3",
    );
    faults(what, &[0; 4], &[12, 21, 32, 12], |view, out| {
        launch(view, 4, swapped(out))
    });
}

#[amp_kernel]
fn turned(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut a = [1, 2, 3];
    a.rotate_left(idx[0] + 2); //~ turned: rotate_left(idx[0] + 2)
    out[idx] = a[0] * 10 + a[1];
}

#[test]
fn an_array_is_not_turned_by_more_than_its_length() {
    let what = (
        "turned",
        [2].as_slice(),
        "assertion failed: mid <= self.len()",
    );
    faults(what, &[0; 3], &[31, 12, 12], |view, out| {
        launch(view, 3, turned(out))
    });
}
