//! Forms that a Rust programmer writes by habit: functions as `fn` pointers, the ends of views, the components of
//! indices by `into`, and arrays behind the names of loops.

use amp::prelude::*;
use testkit::{gives, input, launch};

const WEIGHTS: [[f32; 3]; 3] = [[-1.0, 0.0, 1.0], [-2.0, 0.5, 2.0], [-1.0, 0.0, 1.0]];

#[amp_struct]
#[derive(Clone, Copy)]
struct Cell {
    u: f32,
    v: f32,
}

#[amp_fn]
impl Cell {
    fn sum(&self) -> f32 {
        self.u + self.v
    }

    fn both(&self, f: fn(f32, f32) -> f32) -> f32 {
        f(self.u, self.v)
    }
}

#[amp_fn]
fn sample(field: &ArrayView<Cell, 2>, y: usize, x: usize, f: fn(&Cell) -> f32) -> f32 {
    f(&field[[y, x]]) - f(&field[[0, 0]])
}

#[amp_fn]
fn twice(f: fn(f32) -> f32, x: f32) -> f32 {
    f(f(x))
}

#[amp_fn]
fn first(cell: &Cell) -> f32 {
    cell.u
}

#[amp_fn]
fn weighted(x: f32) -> f32 {
    let mut sum = 0.0;
    for (dy, row) in (-1..=1).zip(WEIGHTS.iter()) {
        for (dx, &weight) in (-1..=1).zip(row) {
            sum += weight * (x + (dx * dy) as f32);
        }
        for weight in row {
            sum += weight;
        }
    }
    sum
}

#[amp_kernel]
fn habits(
    idx: Index<2>,
    field: &ArrayView<Cell, 2>,
    line: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    let [h, w] = field.extent().into();
    let [y, x] = idx.into();
    let mut sum = weighted(line[x.min(line.len())]) + (h * 10 + w) as f32;
    sum += sample(field, y, x, Cell::sum)
        + sample(field, y, x, first)
        + sample(field, y, x, |cell| cell.v);
    sum += twice(f32::sqrt, field[idx].u.abs()) + field[idx].both(f32::max);
    if let Some(last) = line.last() {
        sum += *last * 2.0;
    }
    out[idx] = sum + line.first().copied().unwrap_or(7.0);
}

#[test]
fn what_is_written_by_habit() {
    let cells: Vec<Cell> = (0..12)
        .map(|i| Cell {
            u: i as f32 * 0.5 - 2.0,
            v: 3.0 - i as f32,
        })
        .collect();
    let line = [0.25, 1.0, -2.0, 4.0];
    let expected: Vec<f32> = (0..12)
        .map(|i| {
            let [h, w] = [3, 4];
            let x = i % w;
            // In the order of the kernel.
            let (cell, origin) = (cells[i], cells[0]);
            let mut sum = weighted(line[x]) + (h * 10 + w) as f32;
            sum += (cell.sum() - origin.sum()) + (cell.u - origin.u) + (cell.v - origin.v);
            sum += twice(f32::sqrt, cell.u.abs()) + cell.u.max(cell.v);
            sum += line[3] * 2.0;
            sum + line[0]
        })
        .collect();
    let (cells, line) = (&cells, input(&line));
    gives(&expected, |view, out| {
        let field = ArrayView::new([3, 4], cells)?;
        let mut out = out.view_as([3, 4])?;
        launch(view, [3, 4], habits(&field, &line, &mut out))
    });
}
