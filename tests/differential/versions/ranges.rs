//! Ranges that end inside of a view or run past it.

use amp::prelude::*;
use testkit::launch;

use super::host::{DATA, LAST, agrees, mix};

#[amp_kernel]
fn walk(
    _idx: Index<1>,
    a: &ArrayView<i32, 1>,
    from: usize,
    to: usize,
    scale: usize,
    offset: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    for i in from..to {
        out[0] = out[0] * 31 + a[i * scale + offset]; //~ a[i * scale + offset]
    }
}

#[test]
fn ranges_that_run_past_a_view() {
    for (from, to, scale, offset) in [
        (0, 12, 1, 0),
        (0, 13, 1, 0),
        (3, 9, 1, 3),
        (3, 9, 1, 4),
        (12, 14, 1, 0),
        (0, 4, 3, 2),
        (0, 4, 4, 2),
        (0, 3, 0, 11),
        (0, 3, 0, 12),
        // Nothing happens, whatever the index would be.
        (0, 0, 1, LAST),
        (5, 5, LAST, 9),
        (9, 2, LAST, LAST),
        (LAST, 0, 1, 1),
        (0, 2, 1, LAST - 1),
        (LAST - 2, LAST, 1, 0),
        // The product is just inside of 32 bits, and then it is not computed.
        (0, 2, LAST, 0),
        (0, 1, LAST, 5),
    ] {
        let case = format!("{from}..{to} by {scale} from {offset}");
        agrees(
            ("walk", 0, &case),
            &[1],
            |host, out| {
                for i in from..to {
                    let value = host.read("a[i * scale + offset]", &DATA, i * scale + offset);
                    out[0] = mix(out[0], value);
                }
            },
            |view, out| {
                let a = ArrayView::new(12, &DATA)?;
                launch(view, 1, walk(&a, from, to, scale, offset, out))
            },
        );
    }
}

#[amp_kernel]
fn walk_around(
    _idx: Index<1>,
    a: &ArrayView<i32, 1>,
    from: u32,
    to: u32,
    scale: u32,
    offset: u32,
    out: &mut ArrayViewMut<i32, 1>,
) {
    for i in from..to {
        let at = i * scale + offset;
        out[0] = out[0] * 31 + a[at as usize]; //~ a[at as usize]
    }
}

#[test]
fn indices_that_wrap() {
    for (from, to, scale, offset) in [
        (0, 5, 1, u32::MAX - 1),
        (2, 9, 1, u32::MAX - 1),
        (0, 1, 1, u32::MAX),
        (1, 5, 1, u32::MAX),
        // At the end of the range the index is inside again.
        (0, 4, 0x8000_0000, 3),
        (0, 5, 0x4000_0000, 3),
        (0, 3, 0x8000_0001, 0),
        (0x1_0000, 0x1_0001, 0x1_0000, 2),
        (u32::MAX - 3, u32::MAX, 1, 5),
        (u32::MAX - 3, u32::MAX, 1, 2),
        (u32::MAX - 3, u32::MAX, u32::MAX, 0),
        (0, 0, u32::MAX, u32::MAX),
    ] {
        let case = format!("{from}..{to} by {scale} from {offset}");
        agrees(
            ("walk_around", 0, &case),
            &[1],
            |host, out| {
                for i in from..to {
                    let at = i.wrapping_mul(scale).wrapping_add(offset);
                    out[0] = mix(out[0], host.read("a[at as usize]", &DATA, at as usize));
                }
            },
            |view, out| {
                let a = ArrayView::new(12, &DATA)?;
                launch(view, 1, walk_around(&a, from, to, scale, offset, out))
            },
        );
    }
}

#[amp_kernel]
fn stride(
    _idx: Index<1>,
    a: &ArrayView<i32, 1>,
    from: usize,
    to: usize,
    step: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    for i in (from..to).step_by(step) {
        out[0] = out[0] * 31 + a[i + 1]; //~ a[i + 1]
    }
}

#[test]
fn steps_may_not_reach_the_end_of_the_range() {
    // Only the test before the loop sees the end of the range.
    for (from, to, step) in [
        (0, 11, 5),
        (0, 15, 5),
        (0, 16, 5),
        (1, 12, 11),
        (0, LAST, LAST),
        (0, 40, 20),
        (7, 3, 2),
    ] {
        agrees(
            ("stride", 0, &format!("({from}..{to}).step_by({step})")),
            &[1],
            |host, out| {
                for i in (from..to).step_by(step) {
                    out[0] = mix(out[0], host.read("a[i + 1]", &DATA, i + 1));
                }
            },
            |view, out| {
                launch(
                    view,
                    1,
                    stride(&ArrayView::new(12, &DATA)?, from, to, step, out),
                )
            },
        );
    }
}

#[amp_kernel]
fn fill(_idx: Index<1>, to: usize, offset: usize, out: &mut ArrayViewMut<i32, 1>) {
    for i in 0..to {
        let at = i + offset;
        out[at] = i as i32; //~ out[at]
        out[i] += 100; //~ out[i]
    }
}

#[test]
fn writes_outside_are_dropped() {
    for (to, offset) in [(4, 1), (4, 2), (6, 0), (5, 0), (2, LAST - 1), (0, LAST)] {
        agrees(
            ("fill", 0, &format!("..{to} from {offset}")),
            &[7; 5],
            |host, out| {
                for i in 0..to {
                    if host.element("out[at]", 5, i + offset) {
                        out[i + offset] = i as i32;
                    }
                    if host.element("out[i]", 5, i) {
                        out[i] += 100;
                    }
                }
            },
            |view, out| launch(view, 1, fill(to, offset, out)),
        );
    }
}

#[amp_kernel]
fn tables(
    _idx: Index<1>,
    a: &ArrayView<i32, 2>,
    rows: usize,
    columns: usize,
    top: usize,
    stride: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    for i in 0..rows {
        for j in 0..columns {
            out[0] = out[0] * 31 + a[[top + j, i * stride + j]]; //~ a[[top + j, i * stride + j]]
        }
    }
}

#[test]
fn nested_loops_over_two_dimensions() {
    for (rows, columns, top, stride) in [
        (2, 2, 0, 2),
        (2, 3, 0, 1),
        (2, 3, 1, 1),
        (3, 2, 0, 1),
        (3, 2, 1, 2),
        (2, 0, LAST, LAST),
    ] {
        agrees(
            (
                "tables",
                0,
                &format!("{rows} x {columns} at {top} by {stride}"),
            ),
            &[1],
            |host, out| {
                for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                    let (row, column) = (top + j, i * stride + j);
                    let text = "a[[top + j, i * stride + j]]";
                    let inside = host.element(text, 3, row) && host.element(text, 4, column);
                    out[0] = mix(out[0], if inside { DATA[row * 4 + column] } else { 0 });
                }
            },
            |view, out| {
                let a = ArrayView::new([3, 4], &DATA)?;
                launch(view, 1, tables(&a, rows, columns, top, stride, out))
            },
        );
    }
}

#[test]
fn unchecked_loops_need_no_version_with_checks() {
    agrees(
        ("walk", 0, "unchecked"),
        &[1],
        |_, out| out[0] = DATA.iter().fold(1, |sum, value| mix(sum, *value)),
        |view, out| {
            let a = ArrayView::new(12, &DATA)?;
            // SAFETY: the range is the view's.
            let kernel = unsafe { walk(&a, 0, 12, 1, 0, out).unchecked() };
            launch(view, 1, kernel)
        },
    );
}
