use amp::algorithms::{
    Add, Max, Mul, Operation, exclusive_scan, inclusive_scan, inclusive_scan_rows, operation,
    segmented_inclusive_scan,
};
use amp::prelude::*;
use half::{bf16, f16};

use crate::data::{LENGTHS, Random, gives, mild, random};

/// A scan in the order that its documentation defines.
pub struct Scanned<T> {
    pub inclusive: Vec<T>,
    /// Of the totals of blocks.
    totals: Vec<T>,
}

impl<T: Copy> Scanned<T> {
    pub fn of(input: &[T], combine: impl Fn(T, T) -> T + Copy) -> Self {
        let behind = |before: Option<T>, x: T| before.map_or(x, |before| combine(before, x));
        let total = |parts: &[T]| parts.iter().copied().reduce(combine);
        let total_of_row = |row: &[T]| {
            let groups: Vec<T> = row.chunks(8).filter_map(total).collect();
            total(&groups)
        };
        let total_of_block = |block: &[T]| {
            let rows: Vec<T> = block.chunks(128).filter_map(total_of_row).collect();
            total(&rows)
        };
        let totals: Vec<T> = input.chunks(2048).filter_map(total_of_block).collect();
        let totals = match totals.len() {
            0 | 1 => totals,
            _ => Self::of(&totals, combine).inclusive,
        };
        let mut inclusive = Vec::new();
        for (number, block) in input.chunks(2048).enumerate() {
            let carry = number.checked_sub(1).map(|before| totals[before]);
            let mut rows = None;
            for row in block.chunks(128) {
                let mut groups = None;
                for group in row.chunks(8) {
                    let before = groups.map_or(rows, |groups| Some(behind(rows, groups)));
                    let before = before.map_or(carry, |before| Some(behind(carry, before)));
                    for end in 1..=group.len() {
                        inclusive.extend(total(&group[..end]).map(|x| behind(before, x)));
                    }
                    groups = total(group).map(|x| behind(groups, x));
                }
                rows = total_of_row(row).map(|x| behind(rows, x));
            }
        }
        Self { inclusive, totals }
    }

    /// What comes before a place that is not the first.
    pub fn before(&self, at: usize) -> T {
        match at % 2048 {
            0 => self.totals[at / 2048 - 1],
            _ => self.inclusive[at - 1],
        }
    }
}

fn check<T: Random>(what: &str, operation: impl Operation<T> + Copy, combine: fn(T, T) -> T) {
    for (seed, &n) in LENGTHS.iter().enumerate() {
        let input: Vec<T> = match seed % 2 {
            0 => mild(seed as u64, n),
            _ => random(seed as u64, n),
        };
        let scanned = Scanned::of(&input, combine);
        gives(&input, &scanned.inclusive, what, |from, to| {
            inclusive_scan(from, to, operation)
        });
        let initial = input[n / 2];
        let mut exclusive = vec![initial];
        exclusive.extend((1..n).map(|at| combine(initial, scanned.before(at))));
        gives(&input, &exclusive, what, |from, to| {
            exclusive_scan(from, to, initial, operation)
        });
    }
}

#[test]
fn integers() {
    check::<i8>("sums", Add, i8::wrapping_add);
    check::<u16>("products", Mul, u16::wrapping_mul);
    check::<i32>("sums", Add, i32::wrapping_add);
    check::<u32>("maxima", Max, u32::max);
    check::<u64>("sums", Add, u64::wrapping_add);
}

#[test]
fn floats() {
    check::<f32>("sums", Add, |a, b| a + b);
    check::<f32>("products", Mul, |a, b| a * b);
    check::<f64>("sums", Add, |a, b| a + b);
    check::<f16>("sums", Add, |a, b| a + b);
    check::<bf16>(
        "maxima",
        Max,
        |a, b| if a > b || b.is_nan() { a } else { b },
    );
}

#[test]
fn three_levels() {
    let input: Vec<f32> = mild(9, (1 << 22) + 5);
    let expected = Scanned::of(&input, |a, b| a + b).inclusive;
    gives(&input, &expected, "sums", |from, to| {
        inclusive_scan(from, to, Add)
    });
}

#[test]
fn own_operations() {
    for &n in LENGTHS {
        let input: Vec<f32> = mild(11, n);
        let expected = Scanned::of(&input, |a, b| a * 0.5 + b).inclusive;
        gives(&input, &expected, "decays", |from, to| {
            inclusive_scan(from, to, operation!(|a: f32, b: f32| a * 0.5 + b))
        });
    }
}

/// What operations of the program's own may rely on.
#[amp_struct]
#[derive(Debug, PartialEq)]
struct Interval {
    start: u32,
    end: u32,
}
testkit::same_by_eq!(Interval);

/// Threads without elements combine none: an operation is only given what stands side by side.
#[test]
fn neighbours_are_combined() {
    let joined = || {
        operation!(|a: Interval, b: Interval| {
            assert!(a.end == b.start, "from {} to {}", a.end, b.start);
            Interval {
                start: a.start,
                end: b.end,
            }
        })
    };
    for &n in LENGTHS {
        let interval = |start: u32| Interval {
            start,
            end: start + 1,
        };
        let input: Vec<Interval> = (0..n as u32).map(interval).collect();
        let inclusive: Vec<Interval> = (1..=n as u32)
            .map(|end| Interval { start: 0, end })
            .collect();
        gives(&input, &inclusive, "inclusive", |from, to| {
            inclusive_scan(from, to, joined())
        });
        let exclusive: Vec<Interval> = (0..n as u32)
            .map(|end| Interval { start: 0, end })
            .collect();
        gives(&input, &exclusive, "exclusive", |from, to| {
            exclusive_scan(from, to, Interval { start: 0, end: 0 }, joined())
        });
        let offsets = [0, n as u32 / 3, n as u32];
        let places = ArrayView::from(&offsets);
        let of_segment = |at: &Interval| match at.start < offsets[1] {
            true => Interval { start: 0, ..*at },
            false => Interval {
                start: offsets[1],
                ..*at
            },
        };
        let of_segments: Vec<Interval> = input.iter().map(of_segment).collect();
        gives(&input, &of_segments, "segments", |from, to| {
            segmented_inclusive_scan(from, &places, to, joined())
        });
        let columns = (n / 3).max(1);
        let rows = n / columns;
        let of_row = |at: &Interval| Interval {
            start: at.start - at.start % columns as u32,
            ..*at
        };
        let of_rows: Vec<Interval> = input[..rows * columns].iter().map(of_row).collect();
        gives(&input[..rows * columns], &of_rows, "rows", |from, to| {
            let from = from.view_as([rows, columns])?;
            inclusive_scan_rows(&from, &mut to.view_as([rows, columns])?, joined())
        });
    }
}
