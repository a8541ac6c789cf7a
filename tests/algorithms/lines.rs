use amp::algorithms::{
    Add, Max, Mul, Operation, Workspace, exclusive_scan_columns, exclusive_scan_rows,
    inclusive_scan_columns, inclusive_scan_columns_on, inclusive_scan_rows, inclusive_scan_rows_on,
    operation, reduce_columns, reduce_columns_on, reduce_rows, reduce_rows_on, transpose,
};
use amp::prelude::*;
use half::{bf16, f16};

use crate::data::{Random, places, random};

/// Extents of matrices with few and many rows and columns.
const EXTENTS: &[[usize; 2]] = &[
    [1, 1],
    [1, 300],
    [31, 7],
    [33, 8],
    [70, 100],
    [3, 900],
    [2000, 3],
    [150, 200],
];

/// The reduction of a line in the order that the documentation defines.
pub fn in_order<T: Copy>(line: &[T], combine: impl Fn(T, T) -> T) -> T {
    let (first, rest) = line.split_at(line.len().min(8));
    let mut lanes = first.to_vec();
    for (i, x) in rest.iter().enumerate() {
        lanes[i % 8] = combine(lanes[i % 8], *x);
    }
    for half in [4, 2, 1] {
        for i in half..lanes.len().min(2 * half) {
            lanes[i - half] = combine(lanes[i - half], lanes[i]);
        }
    }
    lanes[0]
}

/// The scan of a line in the order that the documentation defines, and what comes before each of its parts of 64.
pub fn scanned<T: Copy>(line: &[T], combine: impl Fn(T, T) -> T) -> (Vec<T>, Vec<Option<T>>) {
    let behind = |before: Option<T>, x: T| before.map_or(x, |before| combine(before, x));
    let total = |group: &[T]| group.iter().copied().reduce(&combine);
    let (mut results, mut carries, mut carry) = (Vec::new(), Vec::new(), None);
    for part in line.chunks(64) {
        carries.push(carry);
        let mut in_part = None;
        for group in part.chunks(8) {
            let before = in_part.map_or(carry, |in_part| Some(behind(carry, in_part)));
            for end in 1..=group.len() {
                results.extend(total(&group[..end]).map(|x| behind(before, x)));
            }
            in_part = total(group).map(|x| behind(in_part, x));
        }
        carry = in_part.map(|in_part| behind(carry, in_part));
    }
    (results, carries)
}

/// That which leaves out each element.
pub fn before_each<T: Copy>(line: &[T], initial: T, combine: impl Fn(T, T) -> T) -> Vec<T> {
    let (results, carries) = scanned(line, &combine);
    let before = |at: usize| match at % 64 {
        0 => carries[at / 64],
        _ => Some(results[at - 1]),
    };
    (0..line.len())
        .map(|at| before(at).map_or(initial, |x| combine(initial, x)))
        .collect()
}

/// Extents of matrices, and how many rows are above them and columns on the left in a larger one.
pub fn matrices(extents: &[[usize; 2]]) -> impl Iterator<Item = ([usize; 2], [usize; 2])> {
    let within = |extent: &[usize; 2]| [[0, 0], [1, 2]].map(|place| (*extent, place));
    extents.iter().flat_map(within)
}

/// Scans of rows and columns of whole matrices and sections, on every accelerator.
fn check_scans<T: Random, O: Operation<T>>(operation: impl Fn() -> O, combine: fn(T, T) -> T) {
    for ([rows, columns], [above, left]) in matrices(EXTENTS) {
        let (high, wide) = (rows + 2 * above, columns + left + left / 2);
        let data: Vec<T> = random(rows as u64, high * wide);
        let initial = data[0];
        let rows_of_data = || (0..rows).map(|row| &data[(row + above) * wide + left..][..columns]);
        let inclusive: Vec<T> = rows_of_data()
            .flat_map(|row| scanned(row, combine).0)
            .collect();
        let exclusive: Vec<T> = rows_of_data()
            .flat_map(|row| before_each(row, initial, combine))
            .collect();
        // The same of the transpose.
        let turned: Vec<T> = (0..rows * columns)
            .map(|at| data[(at % rows + above) * wide + at / rows + left])
            .collect();
        for (accelerator, view) in places() {
            let what = format!("scan of {rows}×{columns} on {accelerator}");
            let matrix = Array::builder([high, wide]).on(&view).data(&data).build();
            let matrix = matrix.expect(&what);
            let section = matrix.section([above, left], [rows, columns]).expect(&what);
            let results = Array::builder([rows, columns]).on(&view).build();
            let mut results = results.expect(&what);
            inclusive_scan_rows(&section, &mut results, operation()).expect(&what);
            testkit::assert_same(&results.to_vec().expect(&what), &inclusive, &what);
            exclusive_scan_rows(&section, &mut results, initial, operation()).expect(&what);
            testkit::assert_same(&results.to_vec().expect(&what), &exclusive, &what);

            let turned_matrix = Array::builder([columns, rows])
                .on(&view)
                .data(&turned)
                .build();
            let turned_matrix = turned_matrix.expect(&what);
            let sums = Array::builder([columns, rows]).on(&view).build();
            let mut sums = sums.expect(&what);
            inclusive_scan_columns(&turned_matrix, &mut sums, operation()).expect(&what);
            transpose(&sums, &mut results).expect(&what);
            testkit::assert_same(&results.to_vec().expect(&what), &inclusive, &what);
            exclusive_scan_columns(&turned_matrix, &mut sums, initial, operation()).expect(&what);
            transpose(&sums, &mut results).expect(&what);
            testkit::assert_same(&results.to_vec().expect(&what), &exclusive, &what);
        }
    }
}

/// Rows and columns of whole matrices and sections, on every accelerator.
fn check<T: Random, O: Operation<T>>(operation: impl Fn() -> O, combine: fn(T, T) -> T) {
    for ([rows, columns], [above, left]) in matrices(EXTENTS) {
        let (high, wide) = (rows + 2 * above, columns + left + left / 2);
        let data: Vec<T> = random(rows as u64, high * wide);
        let at = |row: usize, column: usize| data[(row + above) * wide + column + left];
        let row = |row: usize| (0..columns).map(|column| at(row, column)).collect();
        let column = |column: usize| (0..rows).map(|row| at(row, column)).collect();
        let lines: Vec<Vec<T>> = (0..rows).map(row).collect();
        let of_rows: Vec<T> = lines.iter().map(|line| in_order(line, combine)).collect();
        let lines: Vec<Vec<T>> = (0..columns).map(column).collect();
        let of_columns: Vec<T> = lines.iter().map(|line| in_order(line, combine)).collect();
        for (accelerator, view) in places() {
            let what = format!("{rows}×{columns} on {accelerator}");
            let matrix = Array::builder([high, wide]).on(&view).data(&data).build();
            let matrix = matrix.expect(&what);
            let section = matrix.section([above, left], [rows, columns]).expect(&what);
            let results = |length: usize| Array::builder(length).on(&view).build();
            let (mut by_rows, mut by_columns) =
                (results(rows).expect(&what), results(columns).expect(&what));
            reduce_rows(&section, &mut by_rows, operation()).expect(&what);
            reduce_columns(&section, &mut by_columns, operation()).expect(&what);
            testkit::assert_same(&by_rows.to_vec().expect(&what), &of_rows, &what);
            testkit::assert_same(&by_columns.to_vec().expect(&what), &of_columns, &what);
        }
    }
}

macro_rules! sums {
    ($check:ident: $($integer:ident)*) => {$($check::<$integer, _>(|| Add, $integer::wrapping_add);)*};
}

#[test]
fn ready_made_operations() {
    sums!(check: i8 u8 i16 u16 i32 u32 i64 u64);
    check::<f32, _>(|| Add, |a, b| a + b);
    check::<f64, _>(|| Add, |a, b| a + b);
    check::<f16, _>(|| Mul, |a, b| a * b);
    check::<bf16, _>(|| Add, |a, b| a + b);
    check::<f32, _>(|| Max, |a, b| if a > b || b.is_nan() { a } else { b });
}

#[test]
fn scans() {
    sums!(check_scans: i8 u8 i16 u16 i32 u32 i64 u64);
    check_scans::<f32, _>(|| Add, |a, b| a + b);
    check_scans::<f64, _>(|| Mul, |a, b| a * b);
    check_scans::<f16, _>(|| Add, |a, b| a + b);
    check_scans::<bf16, _>(|| Mul, |a, b| a * b);
}

#[test]
fn own_operations() {
    let factor = 0.5;
    check_scans(
        || operation!(|a: f32, b: f32| [factor: f32] a * factor + b),
        |a, b| a * 0.5 + b,
    );
    let factor = 0.5;
    check(
        || operation!(|a: f64, b: f64| [factor: f64] a * factor + b),
        |a, b| a * 0.5 + b,
    );
}

/// A table of the sums of all parts that begin in a corner.
#[test]
fn replayed_scans() -> amp::Result<()> {
    for (_, view) in places() {
        let matrix = Array::builder([2, 3])
            .on(&view)
            .data(&[1, 2, 3, 4, 5, 6])
            .build()?;
        let captures = (
            matrix,
            Array::builder([2, 3]).on(&view).build()?,
            Workspace::default(),
        );
        let mut graph = view.record_with(captures, |recording, (matrix, sums, workspace)| {
            let queue = &mut workspace.within(recording);
            inclusive_scan_rows_on(queue, matrix, sums, Add)?;
            inclusive_scan_columns_on(queue, sums, matrix, Add)
        })?;
        graph.replay()?;
        assert_eq!(graph.captures().0.to_vec()?, [1, 3, 6, 5, 12, 21]);
    }
    Ok(())
}

#[test]
fn replayed() -> amp::Result<()> {
    for (_, view) in places() {
        let captures = (
            Array::builder([2, 3])
                .on(&view)
                .data(&[1, 2, 3, 4, 5, 6])
                .build()?,
            (
                Array::builder(2).on(&view).build()?,
                Array::builder(3).on(&view).build()?,
            ),
            Workspace::default(),
        );
        let mut graph = view.record_with(captures, |recording, (matrix, sums, workspace)| {
            let queue = &mut workspace.within(recording);
            reduce_rows_on(queue, matrix, &mut sums.0, Add)?;
            reduce_columns_on(queue, matrix, &mut sums.1, Add)
        })?;
        graph.replay()?;
        let (of_rows, of_columns) = &graph.captures().1;
        assert_eq!(
            (of_rows.to_vec()?, of_columns.to_vec()?),
            (vec![6, 15], vec![5, 7, 9])
        );
    }
    Ok(())
}

#[test]
fn lengths_that_do_not_fit_are_refused() -> amp::Result<()> {
    let matrix = Array::new([2, 3], &[1, 2, 3, 4, 5, 6])?;
    let mut results = Array::zeroed(2)?;
    reduce_rows(&matrix, &mut results, Add)?;
    let error = inclusive_scan_rows(&matrix, &mut Array::zeroed([3, 2])?, Add);
    let error = error.expect_err("there is room for three rows");
    assert!(error.to_string().contains("room for 3×2"), "{error}");
    let error = reduce_columns(&matrix, &mut results, Add).expect_err("there are three columns");
    assert!(
        error.to_string().contains("arrays of 3 and 2 elements"),
        "{error}"
    );
    Ok(())
}
