//! What takes the program's own elements, comparisons and conditions.

use amp::algorithms::{
    all_into, any_into, argsort_by_on, comparison, equality, inclusive_scan_on, lower_bound_by_on,
    operation, partition_on, predicate, run_length_by_on, select_on, sort_by_key_by_on,
    sort_by_key_on, sort_by_on, sort_rows_by_on, transpose_on, unique_by_on, upper_bound_by_on,
};
use amp::prelude::*;

use super::{data, makes, moved};
use crate::scan::Scanned;

/// Elements of the program's own, of twelve bytes.
#[amp_struct]
#[derive(Debug, PartialEq)]
struct Record {
    key: i32,
    values: [u32; 2],
}
testkit::same_by_eq!(Record);

/// Runs of records of one key, and where records belong among them.
fn of_sorted(sorted: &[Record]) {
    let n = sorted.len();
    let mut firsts: Vec<Record> = sorted.to_vec();
    firsts.dedup_by(|a, b| a.key == b.key);
    let mut lengths: Vec<u32> = sorted
        .chunk_by(|a, b| a.key == b.key)
        .map(|run| run.len() as u32)
        .collect();
    lengths.resize(n, 0);
    firsts.extend_from_slice(&sorted[firsts.len()..]);
    makes(
        "unique",
        sorted,
        sorted,
        &firsts,
        |queue, from, scratch, to| {
            let equal = equality!(|a: Record, b: Record| a.key == b.key);
            unique_by_on(queue, from, to, &mut scratch.count, equal)
        },
    );
    makes(
        "lengths of runs",
        sorted,
        &vec![0; n],
        &lengths,
        |queue, from, scratch, to| {
            let equal = equality!(|a: Record, b: Record| a.key == b.key);
            let (copy, count) = (&mut scratch.copy, &mut scratch.count);
            run_length_by_on(queue, from, copy, to, count, equal)
        },
    );
    let bounds = |is_before: fn(i32, i32) -> bool| -> Vec<u32> {
        let place = |x: &Record| sorted.partition_point(|y| is_before(y.key, x.key)) as u32;
        sorted.iter().map(place).collect()
    };
    let (lower, upper) = (bounds(|y, x| y < x), bounds(|y, x| y <= x));
    let places = vec![0; n];
    makes(
        "lower bounds",
        sorted,
        &places,
        &lower,
        |queue, from, _, to| {
            let less = comparison!(|a: Record, b: Record| a.key < b.key);
            lower_bound_by_on(queue, from, from, to, less)
        },
    );
    makes(
        "upper bounds",
        sorted,
        &places,
        &upper,
        |queue, from, _, to| {
            let less = comparison!(|a: Record, b: Record| a.key < b.key);
            upper_bound_by_on(queue, from, from, to, less)
        },
    );
}

/// Records as a matrix whose rows are sorted, and which is transposed.
fn by_rows(input: &[Record]) {
    let columns = 1 + input.len() / 60;
    let rows = input.len() / columns;
    if rows == 0 {
        return;
    }
    let input = &input[..rows * columns];
    let mut sorted = input.to_vec();
    for row in sorted.chunks_mut(columns) {
        row.sort_by_key(|x| x.key);
    }
    makes("sort of rows", input, input, &sorted, |queue, _, _, to| {
        let less = comparison!(|a: Record, b: Record| a.key < b.key);
        sort_rows_by_on(queue, &mut to.view_as([rows, columns])?, less)
    });
    let turned: Vec<Record> = (0..rows * columns)
        .map(|at| input[at % rows * columns + at / rows])
        .collect();
    makes("transpose", input, input, &turned, |queue, from, _, to| {
        let (from, mut to) = (from.view_as([rows, columns])?, to.view_as([columns, rows])?);
        transpose_on(queue, &from, &mut to)
    });
}

#[test]
fn records() {
    for numbers in data::<u32>(11) {
        let record = |x: &u32| Record {
            key: *x as i32 >> 20,
            values: [*x, x.wrapping_mul(7)],
        };
        let input: Vec<Record> = numbers.iter().map(record).collect();
        let n = input.len();
        moved(&input);
        let zeroes = vec![record(&0); n];
        let later = |a: Record, b: Record| Record {
            key: a.key.max(b.key),
            values: [a.values[0].wrapping_add(b.values[0]), b.values[1]],
        };
        let sums = Scanned::of(&input, later).inclusive;
        makes("scan", &input, &zeroes, &sums, |queue, from, _, to| {
            let later = operation!(|a: Record, b: Record| Record {
                key: a.key.max(b.key),
                values: [a.values[0] + b.values[0], b.values[1]],
            });
            inclusive_scan_on(queue, from, to, later)
        });
        let (mut chosen, others): (Vec<Record>, Vec<Record>) =
            input.iter().partition(|x| x.key > 100);
        chosen.extend(others);
        makes(
            "partition",
            &input,
            &zeroes,
            &chosen,
            |queue, from, scratch, to| {
                let high = predicate!(|x: Record| x.key > 100);
                partition_on(queue, from, to, &mut scratch.count, high)
            },
        );
        let mut sorted = input.clone();
        sorted.sort_by_key(|x| x.key);
        makes("sort", &input, &input, &sorted, |queue, _, _, to| {
            sort_by_on(queue, to, comparison!(|a: Record, b: Record| a.key < b.key))
        });
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|place| input[*place as usize].key);
        let places: Vec<u32> = (0..n as u32).collect();
        makes("order", &input, &places, &order, |queue, from, _, to| {
            let less = comparison!(|a: Record, b: Record| a.key < b.key);
            argsort_by_on(queue, from, to, less)
        });
        makes(
            "values of records",
            &input,
            &places,
            &order,
            |queue, _, keys, to| {
                let less = comparison!(|a: Record, b: Record| a.key < b.key);
                sort_by_key_by_on(queue, &mut keys.copy, to, less)
            },
        );
        of_sorted(&sorted);
        by_rows(&input);
        let keys: Vec<i32> = input.iter().map(|x| x.key).collect();
        makes(
            "sort by key",
            &keys,
            &input,
            &sorted,
            |queue, _, keys, to| sort_by_key_on(queue, &mut keys.copy, to),
        );
    }
}

#[test]
fn conditions() {
    for input in data::<f32>(12) {
        let (mut chosen, others): (Vec<f32>, Vec<f32>) = input.iter().partition(|x| **x > 0.25);
        let count = chosen.len();
        let mut partitioned = chosen.clone();
        partitioned.extend(others);
        makes(
            "partition",
            &input,
            &input,
            &partitioned,
            |queue, from, scratch, to| {
                let high = predicate!(|x: f32| x > 0.25);
                partition_on(queue, from, to, &mut scratch.count, high)
            },
        );
        chosen.resize(input.len(), 0.0);
        let zeroes = vec![0.0; input.len()];
        makes(
            "select",
            &input,
            &zeroes,
            &chosen,
            |queue, from, scratch, to| {
                let high = predicate!(|x: f32| x > 0.25);
                select_on(queue, from, to, &mut scratch.count, high)
            },
        );
        makes(
            "count",
            &input,
            &[0],
            &[count as u32],
            |queue, from, scratch, to| {
                let high = predicate!(|x: f32| x > 0.25);
                select_on(queue, from, &mut scratch.copy, to, high)
            },
        );
        let any = u32::from(count > 0);
        makes("any", &input, &[0], &[any], |queue, from, _, to| {
            any_into(queue, from, to, predicate!(|x: f32| x > 0.25))
        });
        let all = u32::from(count == input.len());
        makes("all", &input, &[0], &[all], |queue, from, _, to| {
            all_into(queue, from, to, predicate!(|x: f32| x > 0.25))
        });
    }
}
