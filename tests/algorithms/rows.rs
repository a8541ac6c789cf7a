use amp::algorithms::{Workspace, comparison, sort_rows, sort_rows_by, sort_rows_on};
use amp::prelude::*;
use half::{bf16, f16};
use testkit::assert_same;

use crate::data::{places, random};
use crate::lines::matrices;
use crate::sort::Total;

/// Extents of matrices, with few and many columns.
const EXTENTS: &[[usize; 2]] = &[[1, 1], [3, 2], [40, 7], [2, 1000], [300, 64], [5, 4099]];

/// The rows of a matrix, sorted by a comparison, alone and in a matrix with a frame.
fn check<T: Total>(
    sort: impl Fn(&mut ArrayViewMut<'_, T, 2>) -> amp::Result<()>,
    compare: fn(&T, &T) -> std::cmp::Ordering,
) {
    for ([rows, columns], [above, left]) in matrices(EXTENTS) {
        let (high, wide) = (rows + 2 * above, columns + left + left / 2);
        let data: Vec<T> = random(columns as u64, high * wide);
        let mut expected = data.clone();
        for row in above..above + rows {
            expected[row * wide + left..][..columns].sort_by(compare);
        }
        for (accelerator, view) in places() {
            let what = format!("{rows}×{columns} on {accelerator}");
            let matrix = Array::builder([high, wide]).on(&view).data(&data).build();
            let mut matrix = matrix.expect(&what);
            let section = matrix.section_mut([above, left], [rows, columns]);
            sort(&mut section.expect(&what)).expect(&what);
            assert_same(&matrix.to_vec().expect(&what), &expected, &what);
        }
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {$(check::<$number>(|rows| sort_rows(rows), Total::total);)*};
}

#[test]
fn rows_of_numbers() {
    numbers!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 f16 bf16);
}

#[test]
fn rows_by_a_comparison() {
    check::<i32>(
        |rows| sort_rows_by(rows, comparison!(|a: i32, b: i32| a > b)),
        |a, b| b.cmp(a),
    );
    // Equal ones keep their order.
    check::<u8>(
        |rows| sort_rows_by(rows, comparison!(|a: u8, b: u8| a % 4 < b % 4)),
        |a, b| (a % 4).cmp(&(b % 4)),
    );
}

#[test]
fn replayed() -> amp::Result<()> {
    for (_, view) in places() {
        let matrix = Array::builder([2, 3])
            .on(&view)
            .data(&[3, 1, 2, 6, 5, 4])
            .build()?;
        let captures = (matrix, Workspace::default());
        let mut graph = view.record_with(captures, |recording, (matrix, workspace)| {
            sort_rows_on(&mut workspace.within(recording), matrix)
        })?;
        graph.replay()?;
        assert_eq!(graph.captures().0.to_vec()?, [1, 2, 3, 4, 5, 6]);
    }
    Ok(())
}
