//! Ranges that threads read: the host does not know them before the launch.

use amp::prelude::*;
use testkit::launch;

use super::host::{DATA, agrees, mix};

const LAST: u32 = u32::MAX;

#[amp_kernel]
fn between(
    _idx: Index<1>,
    ends: &ArrayView<u32, 1>,
    a: &ArrayView<i32, 1>,
    offset: u32,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let mut sum = 1;
    for k in ends[0]..ends[1] {
        sum = sum * 31 + a[k as usize]; //~ a[k as usize] @ between
        if sum % 64 == 50 {
            break;
        }
        sum = sum * 31 + a[(k + offset) as usize]; //~ a[(k + offset) as usize]
        out[(k - 2) as usize] = sum; //~ out[(k - 2) as usize]
    }
    out[0] += sum;
}

#[test]
fn ranges_from_data_that_run_past_a_view() {
    for (from, to, offset) in [
        (2, 12, 0),
        (2, 11, 1),
        // Past one of the views, in the last round or at once.
        (2, 13, 0),
        (2, 12, 1),
        (3, 10, 3),
        (12, 13, 0),
        (1, 9, 0),
        (0, 4, LAST),
        // Offsets that wrap, with which all are inside.
        (2, 9, LAST),
        (7, 12, LAST - 4),
        (6, 12, LAST - 6),
        // The numbers of the range are far away, or there are none.
        (LAST - 3, LAST, 4),
        (5, 5, LAST),
        (9, 2, 0),
        (LAST, 0, 1),
    ] {
        agrees(
            ("between", 0, &format!("{from}..{to} and {offset} on")),
            &[1; 10],
            |host, out| {
                let mut sum: i32 = 1;
                for k in from..to {
                    sum = mix(sum, host.read("a[k as usize] @ between", &DATA, k as usize));
                    if sum % 64 == 50 {
                        break;
                    }
                    let other = k.wrapping_add(offset) as usize;
                    sum = mix(sum, host.read("a[(k + offset) as usize]", &DATA, other));
                    let to = k.wrapping_sub(2) as usize;
                    if host.element("out[(k - 2) as usize]", 10, to) {
                        out[to] = sum;
                    }
                }
                out[0] = out[0].wrapping_add(sum);
            },
            |view, out| {
                let ends = [from, to];
                let (ends, a) = (ArrayView::new(2, &ends)?, ArrayView::new(12, &DATA)?);
                launch(view, 1, between(&ends, &a, offset, out))
            },
        );
    }
}

#[amp_kernel]
fn rows(
    idx: Index<1>,
    starts: &ArrayView<u32, 1>,
    table: &ArrayView<i32, 2>,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let mut sum = 1;
    for k in starts[idx[0]]..starts[idx[0] + 1] {
        sum = sum * 31 + table[[idx[0] % 2, k as usize]]; //~ table[[idx[0] % 2, k as usize]]
    }
    out[idx] = sum;
}

#[test]
fn neighbours_of_which_one_runs_past_a_view() {
    for (starts, faulty) in [
        ([0, 3, 3, 6, 2, 5, 6], 0),
        ([1, 3, 5, 7, 0, 6, 1], 2),
        ([6, 0, 9, 2, 0, 0, 6], 1),
        ([0, 1, 2, 3, 4, 5, 8], 5),
    ] {
        agrees(
            ("rows", faulty, &format!("{starts:?}")),
            &[0; 6],
            |host, out| {
                for (row, out) in out.iter_mut().enumerate() {
                    *out = (starts[row]..starts[row + 1]).fold(1, |sum, k| {
                        let (text, k) = ("table[[idx[0] % 2, k as usize]]", k as usize);
                        let inside = host.element(text, 6, k);
                        mix(sum, if inside { DATA[row % 2 * 6 + k] } else { 0 })
                    });
                }
            },
            |view, out| {
                let starts = ArrayView::new(7, &starts)?;
                let table = ArrayView::new([2, 6], &DATA)?;
                launch(view, 6, rows(&starts, &table, out))
            },
        );
    }
}
