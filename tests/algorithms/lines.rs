use amp::algorithms::{
    Add, Max, Operation, Workspace, operation, reduce_columns, reduce_columns_on, reduce_rows,
    reduce_rows_on,
};
use amp::prelude::*;

use crate::data::{Random, places, random};

/// The reduction of a line in the order that the documentation defines.
fn in_order<T: Copy>(line: &[T], combine: impl Fn(T, T) -> T) -> T {
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

/// Rows and columns of matrices that are sections, on every accelerator.
fn check<T: Random, O: Operation<T>>(operation: impl Fn() -> O, combine: fn(T, T) -> T) {
    for [rows, columns] in [[1, 1], [1, 300], [31, 7], [33, 8], [70, 100], [2000, 3]] {
        let (high, wide) = (rows + 2, columns + 3);
        let data: Vec<T> = random(rows as u64, high * wide);
        let at = |row: usize, column: usize| data[(row + 1) * wide + column + 2];
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
            let section = matrix.section([1, 2], [rows, columns]).expect(&what);
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
    ($($integer:ident)*) => {$(check::<$integer, _>(|| Add, $integer::wrapping_add);)*};
}

#[test]
fn ready_made_operations() {
    sums!(i8 u8 i16 u16 i32 u32 i64 u64);
    check::<f32, _>(|| Add, |a, b| a + b);
    check::<f64, _>(|| Add, |a, b| a + b);
    check::<f32, _>(|| Max, |a, b| if a > b || b.is_nan() { a } else { b });
}

#[test]
fn own_operations() {
    let factor = 0.5;
    check(
        || operation!(|a: f64, b: f64| [factor: f64] a * factor + b),
        |a, b| a * 0.5 + b,
    );
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
    let error = reduce_columns(&matrix, &mut results, Add).expect_err("there are three columns");
    assert!(
        error.to_string().contains("arrays of 3 and 2 elements"),
        "{error}"
    );
    Ok(())
}
