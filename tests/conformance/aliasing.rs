//! Programs P7 and P8: the book's samples about memory. Arrays that a kernel sees twice,
//! transposition through tiles with a column of padding, averages over wide neighbourhoods
//! by several accelerators.

use amp::prelude::*;
use testkit::numbers::random_unit;
use testkit::{becomes, everywhere, gives, input, launch, new_views};

#[amp_kernel]
fn sum_of_both(
    idx: Index<1>,
    a: &ArrayView<f32, 1>,
    b: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    out[idx] = a[idx] + b[a.extent()[0] - 1 - idx[0]];
}

#[test]
fn program_07_an_array_under_two_names() {
    everywhere(|view| {
        let data: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let a = Array::builder(1000)
            .on(view)
            .data(&data)
            .build()
            .expect("there is memory");
        let mut out = Array::builder(1000)
            .on(view)
            .build()
            .expect("there is memory");
        launch(view, 1000, sum_of_both(&a, &a, &mut out)).expect("a valid launch");
        assert_eq!(out.to_vec().expect("no fault"), [999.0; 1000], "{view}");
    });
}

/// A `const` struct with the array, beside the array itself.
#[amp_struct]
struct Held<'a> {
    array: ArrayView<'a, f32, 1>,
    scale: f32,
}

#[amp_kernel]
fn held_twice(
    idx: Index<1>,
    held: &Held,
    a: &ArrayView<f32, 1>,
    others: &Held,
    out: &mut ArrayViewMut<f32, 1>,
) {
    let last = a.extent()[0] - 1;
    out[idx] = held.array[idx] * held.scale + a[idx] + others.array[last - idx[0]] * others.scale;
}

#[test]
fn program_07_a_captured_struct_with_an_array() {
    everywhere(|view| {
        let data: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let a = Array::builder(1000)
            .on(view)
            .data(&data)
            .build()
            .expect("there is memory");
        let mut out = Array::builder(1000)
            .on(view)
            .build()
            .expect("there is memory");
        let held = |scale| Held {
            array: a.view(),
            scale,
        };
        let (held, others) = (held(3.0), held(4.0));
        launch(view, 1000, held_twice(&held, &a, &others, &mut out)).expect("a valid launch");
        assert_eq!(out.to_vec().expect("no fault"), [3996.0; 1000], "{view}");
    });
}

/// Two halves and what overlaps them both.
#[amp_kernel]
fn overlapping_halves(idx: Index<1>, a: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>) {
    let half = a.extent()[0] / 2;
    let low = a.section(0, half);
    let high = a.section(half, half);
    let middle = a.section(half / 2, half);
    out[idx] = low[idx] * 100.0 + middle[idx] * 10.0 + high[idx];
}

#[test]
fn program_07_overlapping_halves() {
    let data: Vec<f32> = (0..64).map(|i| (i % 10) as f32).collect();
    let expected: Vec<f32> = (0..32)
        .map(|i| data[i] * 100.0 + data[i + 16] * 10.0 + data[i + 32])
        .collect();
    gives(&expected, |view, out| {
        launch(view, 32, overlapping_halves(&input(&data), out))
    });
}

const SIDE: usize = 32;

#[amp_kernel]
fn transpose(
    t_idx: TiledIndex<2, SIDE, SIDE>,
    a: &ArrayView<f32, 2>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut block: [[f32; SIDE + 1]; SIDE];
    let (row, column) = (t_idx.local[0], t_idx.local[1]);
    block[row][column] = a[t_idx];
    t_idx.barrier.wait();
    let target = [t_idx.tile_origin[1] + row, t_idx.tile_origin[0] + column];
    out[target] = block[column][row];
}

#[test]
fn program_07_transposition_with_a_column_of_padding() {
    let n = 10 * SIDE;
    let a: Vec<f32> = random_unit(7).take(n * n).collect();
    let expected: Vec<f32> = (0..n * n).map(|at| a[at % n * n + at / n]).collect();
    becomes([n, n], &vec![0.0; n * n], &expected, |view, out| {
        let domain = out.extent().tile::<SIDE, SIDE>();
        launch(view, domain, transpose(&ArrayView::new([n, n], &a)?, out))
    });
}

/// The mean of a square around each element of the rows from `first` on; what is not in the
/// matrix does not count.
#[amp_kernel]
fn averages(
    idx: Index<2>,
    first: usize,
    shift: usize,
    matrix: &ArrayView<f32, 2>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    let (row, column) = (first + idx[0], idx[1]);
    let (rows, columns) = (matrix.extent()[0], matrix.extent()[1]);
    let (mut sum, mut weights) = (0.0, 0.0);
    for i in row.max(shift) - shift..(row + shift + 1).min(rows) {
        for j in column.max(shift) - shift..(column + shift + 1).min(columns) {
            let weight = 1.0 / (1.0 + (row.abs_diff(i) + column.abs_diff(j)) as f32);
            sum += weight * matrix[[i, j]];
            weights += weight;
        }
    }
    out[idx] = sum / weights;
}

fn averages_on_the_host(matrix: &[f32], rows: usize, columns: usize, shift: usize) -> Vec<f32> {
    let of = |at: usize| {
        let (row, column) = (at / columns, at % columns);
        let (mut sum, mut weights) = (0.0_f32, 0.0_f32);
        for i in row.saturating_sub(shift)..(row + shift + 1).min(rows) {
            for j in column.saturating_sub(shift)..(column + shift + 1).min(columns) {
                let weight = 1.0 / (1.0 + (row.abs_diff(i) + column.abs_diff(j)) as f32);
                sum += weight * matrix[i * columns + j];
                weights += weight;
            }
        }
        sum / weights
    };
    (0..rows * columns).map(of).collect()
}

/// Each accelerator takes the next rows of the matrix, with a margin around them, until none
/// are left.
#[test]
fn program_08_averages_by_all_accelerators() {
    let (rows, columns, shift, part) = (50, 40, 6, 7);
    let matrix: Vec<f32> = random_unit(8).take(rows * columns).collect();
    let expected = averages_on_the_host(&matrix, rows, columns, shift);
    let views = new_views();
    let mut found = vec![0.0_f32; rows * columns];
    let parts = found.chunks_mut(part * columns).enumerate();
    for ((number, out), view) in parts.zip(views.iter().cycle()) {
        let (from, count) = (number * part, out.len() / columns);
        let margin = from.min(shift);
        let top = from - margin;
        let bottom = (from + count + shift).min(rows);
        let with_margin = &matrix[top * columns..bottom * columns];
        let with_margin = ArrayView::new([bottom - top, columns], with_margin).expect("not empty");
        let mut out = ArrayViewMut::new([count, columns], out).expect("not empty");
        let domain = [count, columns];
        launch(
            view,
            domain,
            averages(margin, shift, &with_margin, &mut out),
        )
        .and_then(|()| out.synchronize())
        .unwrap_or_else(|error| panic!("{view}: {error}"));
    }
    assert!(found == expected);
}
