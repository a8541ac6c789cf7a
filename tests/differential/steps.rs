//! Loops that add up elements, whose step only the launch knows: the compiler counts their rounds.

use amp::prelude::*;
use testkit::{gives, launch};

/// Rounds after which a loop is left that would wrap, or not move.
const MOST: u32 = 12;

/// Start, end and step.
const RANGES: [[u32; 3]; 10] = [
    [0, 40, 7],
    [3, 3, 5],
    [9, 4, 1],
    [0, 1, 100],
    [5, 21, 4],
    [2, 9, 0],
    [u32::MAX - 9, u32::MAX, 4],
    [u32::MAX - 1, u32::MAX, 1],
    [7, u32::MAX, 1 << 30],
    [0, u32::MAX, u32::MAX],
];

fn data() -> Vec<u32> {
    (0..8).map(|i| i * 2654435 + 11).collect()
}

#[amp_kernel]
fn by_while(
    idx: Index<1>,
    v: &ArrayView<u32, 1>,
    ranges: &ArrayView<u32, 2>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    let (end, step) = (ranges[[idx[0], 1]], ranges[[idx[0], 2]]);
    let mut i = ranges[[idx[0], 0]];
    let (mut h, mut rounds): (u32, u32) = (17, 0);
    while i < end {
        rounds += 1;
        if rounds > MOST {
            h ^= 1;
            break;
        }
        h = h * 31 + v[(i % 8) as usize] + i;
        if h % 3 == 0 {
            i += step;
            continue;
        }
        h += 5;
        i += step;
    }
    out[idx] = h ^ i;
}

#[amp_kernel]
fn by_for(
    idx: Index<1>,
    v: &ArrayView<u32, 1>,
    ranges: &ArrayView<u32, 2>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    let step = ranges[[idx[0], 2]] as usize;
    let mut h: u32 = 17;
    if step > 0 {
        for i in (ranges[[idx[0], 0]]..ranges[[idx[0], 1]]).step_by(step) {
            h = h * 31 + v[(i % 8) as usize] + i;
            if h % 13 == 0 {
                break;
            }
        }
    }
    out[idx] = h;
}

/// As `by_while` does it.
fn walked([start, end, step]: [u32; 3]) -> u32 {
    let v = data();
    let (mut i, mut h, mut rounds) = (start, 17_u32, 0);
    while i < end {
        rounds += 1;
        if rounds > MOST {
            h ^= 1;
            break;
        }
        h = h.wrapping_mul(31).wrapping_add(v[(i % 8) as usize]);
        h = h.wrapping_add(i);
        if h % 3 != 0 {
            h = h.wrapping_add(5);
        }
        i = i.wrapping_add(step);
    }
    h ^ i
}

/// As `by_for` does it.
fn stepped([start, end, step]: [u32; 3]) -> u32 {
    let v = data();
    let mut h = 17_u32;
    for i in (start..end).step_by((step as usize).max(1)) {
        if step == 0 {
            break;
        }
        h = h.wrapping_mul(31).wrapping_add(v[(i % 8) as usize]);
        h = h.wrapping_add(i);
        if h.is_multiple_of(13) {
            break;
        }
    }
    h
}

#[test]
fn a_while_wraps_or_stands_still_as_its_sum_does() {
    let (v, expected) = (data(), RANGES.map(walked));
    gives(&expected, |view, out| {
        let (v, ranges) = (
            ArrayView::new(8, &v)?,
            ArrayView::new([10, 3], RANGES.as_flattened())?,
        );
        launch(view, RANGES.len(), by_while(&v, &ranges, out))
    });
}

#[test]
fn a_for_stops_rather_than_wrap() {
    let (v, expected) = (data(), RANGES.map(stepped));
    gives(&expected, |view, out| {
        let (v, ranges) = (
            ArrayView::new(8, &v)?,
            ArrayView::new([10, 3], RANGES.as_flattened())?,
        );
        launch(view, RANGES.len(), by_for(&v, &ranges, out))
    });
}
