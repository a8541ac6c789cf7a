//! Data of random lengths and kinds, on which every accelerator agrees with plain Rust: where an
//! algorithm is called, and where it is replayed.

mod numbers;
mod own;

use amp::Element;
use amp::algorithms::{
    Add, Max, Numeric, Operation, Queue, Workspace, argsort_on, exclusive_scan_columns_on,
    exclusive_scan_on, gather_on, inclusive_scan_on, inclusive_scan_rows_on, max_element_into,
    reduce_columns_on, reduce_into, reduce_rows_on, reverse_on, rotate_on, run_length_on,
    scatter_on, segmented_exclusive_scan_on, segmented_inclusive_scan_on, segmented_reduce_on,
    sort_by_key_on, sort_on, sort_rows_on, top_k_on, unique_on,
};
use amp::prelude::*;
use half::{bf16, f16};
use testkit::{Same, assert_same};

use crate::data::{Part, Random, mild, places, random};
use crate::lines::{before_each, in_order as reduced, scanned};
use crate::reduce::{in_one_block, in_order};
use crate::runs::runs;
use crate::scan::Scanned;
use crate::sort::{Total, order};

/// Data of random lengths, none to many, of extreme elements, of usual ones, or of few.
fn data<T: Random>(seed: u64) -> Vec<Vec<T>> {
    let mut choice = fastrand::Rng::with_seed(seed);
    let longest = match testkit::large_is_asked_for() {
        true => 1 << 20,
        false => 1 << 14,
    };
    let magnitudes = [0, 2, 128, 2100, longest];
    let of_magnitude = |most: usize| {
        let length = choice.usize(most / 2..=most);
        let seed = choice.u64(..);
        match choice.u8(..3) {
            0 => random(seed, length),
            1 => mild(seed, length),
            _ => {
                let few: Vec<T> = random(seed, 3);
                (0..length).map(|_| few[choice.usize(..3)]).collect()
            }
        }
    };
    magnitudes.map(of_magnitude).into()
}

/// What an algorithm may need besides its elements and results.
struct Scratch<'a, T: Element> {
    /// At first, the elements.
    copy: ArrayViewMut<'a, T, 1>,
    count: ArrayViewMut<'a, u32, 1>,
}

/// Elements, results, and what becomes scratch.
type Parts<T, U> = (Part<T>, Part<U>, (Part<T>, Part<u32>));

/// Requires that an algorithm, called and replayed, makes of some elements and results what is expected.
#[track_caller]
fn makes<T: Element, U: Element + Same>(
    what: &str,
    from: &[T],
    to: &[U],
    expected: &[U],
    algorithm: impl Fn(
        &mut Queue<'_>,
        &ArrayView<'_, T, 1>,
        &mut Scratch<'_, T>,
        &mut ArrayViewMut<'_, U, 1>,
    ) -> amp::Result<()>,
) {
    for (accelerator, view) in places() {
        let what = format!("{what} of {} elements on {accelerator}", from.len());
        let parts = || {
            let scratch = (Part::new(&view, from), Part::new(&view, &[0]));
            (Part::new(&view, from), Part::new(&view, to), scratch)
        };
        let run = |queue: &mut Queue<'_>, parts: &mut Parts<T, U>| {
            let (from, to, (copy, count)) = parts;
            let (copy, count) = (copy.view_mut(), count.view_mut());
            algorithm(
                queue,
                &from.view(),
                &mut Scratch { copy, count },
                &mut to.view_mut(),
            )
        };
        let mut called = parts();
        run(&mut Workspace::default().on(&view), &mut called).expect(&what);
        assert_same(&called.1.to_vec(), expected, &what);

        let captures = (parts(), Workspace::default());
        let graph = view.record_with(captures, |recording, (parts, workspace)| {
            run(&mut workspace.within(recording), parts)
        });
        let mut graph = graph.expect(&what);
        graph.replay().expect(&what);
        let found = graph.captures().0.1.to_vec();
        assert_same(&found, expected, &format!("{what}, replayed"));
    }
}

fn check<T: Total + Numeric>(seed: u64, add: fn(T, T) -> T, max: fn(T, T) -> T)
where
    Add: Operation<T>,
    Max: Operation<T>,
{
    for input in data::<T>(seed) {
        moved(&input);
        let n = input.len();
        let zeroes = vec![T::zeroed(); n];
        let initial = input.first().copied().unwrap_or(T::zeroed());
        if n > 0 {
            let sum = [in_order(&input, add)];
            makes("sum", &input, &zeroes[..1], &sum, |queue, from, _, to| {
                reduce_into(queue, from, to, Add)
            });
            let greatest = in_order(&input, max);
            // What is no number is equal to nothing, and the greatest only if nothing else is there.
            let place = input.iter().position(|x| *x == greatest).unwrap_or(0);
            makes(
                "greatest element",
                &input,
                &zeroes[..1],
                &[greatest],
                |queue, from, scratch, to| max_element_into(queue, from, to, &mut scratch.count),
            );
            makes(
                "its place",
                &input,
                &[0],
                &[place as u32],
                |queue, from, scratch, to| max_element_into(queue, from, &mut scratch.copy, to),
            );
        }
        let sums = Scanned::of(&input, add).inclusive;
        makes("scan", &input, &zeroes, &sums, |queue, from, _, to| {
            inclusive_scan_on(queue, from, to, Add)
        });
        let greatest = Scanned::of(&input, max);
        let before = |at: usize| match at {
            0 => initial,
            at => max(initial, greatest.before(at)),
        };
        let before: Vec<T> = (0..n).map(before).collect();
        makes(
            "exclusive scan",
            &input,
            &zeroes,
            &before,
            |queue, from, _, to| exclusive_scan_on(queue, from, to, initial, Max),
        );
        of_segments(seed, &input, add);

        let order = order(&input);
        let sorted: Vec<T> = order.iter().map(|place| input[*place as usize]).collect();
        makes("sort", &input, &input, &sorted, |queue, _, _, to| {
            sort_on(queue, to)
        });
        let columns = 1 + n / 60;
        let whole = n / columns * columns;
        let mut sorted_rows = input[..whole].to_vec();
        for row in sorted_rows.chunks_mut(columns) {
            row.sort_by(T::total);
        }
        let rows = &input[..whole];
        makes(
            "sort of rows",
            rows,
            rows,
            &sorted_rows,
            |queue, _, _, to| match whole {
                0 => Ok(()),
                _ => sort_rows_on(queue, &mut to.view_as([whole / columns, columns])?),
            },
        );
        let scanned: Vec<T> = rows
            .chunks(columns)
            .flat_map(|row| scanned(row, add).0)
            .collect();
        makes(
            "scan of rows",
            rows,
            rows,
            &scanned,
            |queue, from, _, to| match whole {
                0 => Ok(()),
                _ => {
                    let extent = [whole / columns, columns];
                    inclusive_scan_rows_on(
                        queue,
                        &from.view_as(extent)?,
                        &mut to.view_as(extent)?,
                        Add,
                    )
                }
            },
        );
        of_columns(rows, columns, initial, add);
        let places: Vec<u32> = (0..n as u32).collect();
        makes("order", &input, &places, &order, |queue, from, _, to| {
            argsort_on(queue, from, to)
        });
        makes(
            "sort by key",
            &input,
            &places,
            &order,
            |queue, _, keys, to| sort_by_key_on(queue, &mut keys.copy, to),
        );
        makes(
            "gather",
            &order,
            &sorted,
            &sorted,
            |queue, places, _, to| {
                let elements = ArrayView::from(&input);
                gather_on(queue, &elements, places, to)
            },
        );

        let mut greatest: Vec<u32> = (0..n as u32).collect();
        greatest.sort_by(|a, b| input[*b as usize].total(&input[*a as usize]));
        greatest.truncate(100);
        if n > 0 {
            let some = vec![0; greatest.len()];
            makes(
                "greatest",
                &input,
                &some,
                &greatest,
                |queue, from, scratch, to| {
                    let mut values = scratch.copy.section(0, to.extent())?;
                    top_k_on(queue, from, &mut values, to)
                },
            );
        }

        let runs = runs(&input);
        let mut firsts: Vec<T> = runs.iter().map(|run| run.0).collect();
        firsts.resize(n, T::zeroed());
        makes(
            "unique",
            &input,
            &zeroes,
            &firsts,
            |queue, from, scratch, to| unique_on(queue, from, to, &mut scratch.count),
        );
        let mut lengths: Vec<u32> = runs.iter().map(|run| run.1).collect();
        lengths.resize(n, 0);
        makes(
            "lengths of runs",
            &input,
            &vec![0; n],
            &lengths,
            |queue, from, scratch, to| {
                run_length_on(queue, from, &mut scratch.copy, to, &mut scratch.count)
            },
        );
    }
}

/// The columns of a matrix, and its rows where the order is that of columns.
fn of_columns<T: Random>(matrix: &[T], columns: usize, initial: T, add: fn(T, T) -> T)
where
    Add: Operation<T>,
{
    let rows = matrix.len() / columns;
    if rows == 0 {
        return;
    }
    let extent = [rows, columns];
    let column =
        |column: usize| -> Vec<T> { matrix[column..].iter().step_by(columns).copied().collect() };
    let lines: Vec<Vec<T>> = (0..columns).map(column).collect();
    let sums: Vec<T> = lines.iter().map(|line| reduced(line, add)).collect();
    makes(
        "sums of columns",
        matrix,
        &sums,
        &sums,
        |queue, from, _, to| reduce_columns_on(queue, &from.view_as(extent)?, to, Add),
    );
    let sums: Vec<T> = matrix
        .chunks(columns)
        .map(|row| reduced(row, add))
        .collect();
    makes(
        "sums of rows",
        matrix,
        &sums,
        &sums,
        |queue, from, _, to| reduce_rows_on(queue, &from.view_as(extent)?, to, Add),
    );
    let scanned: Vec<Vec<T>> = lines
        .iter()
        .map(|line| before_each(line, initial, add))
        .collect();
    let scanned: Vec<T> = (0..matrix.len())
        .map(|at| scanned[at % columns][at / columns])
        .collect();
    makes(
        "scan of columns",
        matrix,
        matrix,
        &scanned,
        |queue, from, _, to| {
            exclusive_scan_columns_on(
                queue,
                &from.view_as(extent)?,
                &mut to.view_as(extent)?,
                initial,
                Add,
            )
        },
    );
}

fn of_segments<T: Random>(seed: u64, input: &[T], add: fn(T, T) -> T)
where
    Add: Operation<T>,
{
    let n = input.len();
    let mut choice = fastrand::Rng::with_seed(seed);
    let mut offsets: Vec<u32> = (0..n / 50).map(|_| choice.u32(..=n as u32)).collect();
    offsets.extend([0, n as u32]);
    offsets.sort_unstable();
    let places = ArrayView::new(offsets.len(), &offsets).expect("there are offsets");
    let empty = T::zeroed();
    let sum = |at: &[u32]| match &input[at[0] as usize..at[1] as usize] {
        [] => empty,
        segment => in_one_block(segment, add),
    };
    let sums: Vec<T> = offsets.windows(2).map(sum).collect();
    let zeroes = vec![empty; sums.len()];
    makes(
        "sums of segments",
        input,
        &zeroes,
        &sums,
        |queue, from, _, to| segmented_reduce_on(queue, from, &places, to, empty, Add),
    );
    let mut marked: Vec<(bool, T)> = input.iter().map(|x| (false, *x)).collect();
    for offset in &offsets {
        if let Some(first) = marked.get_mut(*offset as usize) {
            first.0 = true;
        }
    }
    let scanned = Scanned::of(&marked, |a, b| match b.0 {
        true => b,
        false => (a.0, add(a.1, b.1)),
    });
    let initial = input.first().copied().unwrap_or(empty);
    let before = |at: usize| match at == 0 || marked[at].0 {
        true => initial,
        false => add(initial, scanned.before(at).1),
    };
    let exclusive: Vec<T> = (0..n).map(before).collect();
    makes(
        "exclusive scan of segments",
        input,
        &vec![empty; n],
        &exclusive,
        |queue, from, _, to| segmented_exclusive_scan_on(queue, from, &places, to, initial, Add),
    );
    let scanned: Vec<T> = scanned.inclusive.iter().map(|x| x.1).collect();
    makes(
        "scan of segments",
        input,
        &vec![empty; n],
        &scanned,
        |queue, from, _, to| segmented_inclusive_scan_on(queue, from, &places, to, Add),
    );
}

/// What only moves elements.
fn moved<T: Element + Same>(input: &[T]) {
    let n = input.len();
    let mut reversed = input.to_vec();
    reversed.reverse();
    makes("reverse", input, input, &reversed, |queue, _, _, to| {
        reverse_on(queue, to)
    });
    let mut rotated = input.to_vec();
    rotated.rotate_left(n / 3);
    makes("rotate", input, input, &rotated, |queue, from, _, to| {
        rotate_on(queue, from, to, n / 3)
    });
    let places: Vec<u32> = (0..n as u32).rev().collect();
    makes(
        "scatter",
        &places,
        input,
        &reversed,
        |queue, places, _, to| scatter_on(queue, &ArrayView::from(input), places, to),
    );
}

macro_rules! integers {
    ($($integer:ident: $seed:literal;)*) => {$(
        #[test]
        fn $integer() {
            check::<$integer>($seed, $integer::wrapping_add, $integer::max);
        }
    )*};
}
integers! {
    i8: 1;
    u8: 2;
    i16: 3;
    u16: 4;
    i32: 5;
    u32: 6;
    i64: 7;
    u64: 8;
}

macro_rules! floats {
    ($($float:ident: $seed:literal;)*) => {$(
        #[test]
        fn $float() {
            let max = |a: $float, b: $float| if a > b || b.is_nan() { a } else { b };
            check::<$float>($seed, |a, b| a + b, max);
        }
    )*};
}
floats! {
    f32: 9;
    f64: 10;
    f16: 13;
    bf16: 14;
}
