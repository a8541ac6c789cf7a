use amp::prelude::*;

#[amp_struct]
struct Grid<'a> {
    cells: ArrayViewMut<'a, f32, 2>,
}

#[amp_fn]
fn of_two(a: &ArrayView<f32, 2>, b: &ArrayView<f32, 2>) -> ArrayView<'_, f32, 1> {
    a.row(0)
}

#[amp_fn]
fn of_none(i: usize) -> ArrayView<'static, f32, 1> {
    i
}

#[amp_fn]
fn of_its_own(grid: Grid<'_>) -> ArrayView<'_, f32, 1> {
    grid.cells.row(0)
}

#[amp_fn]
fn writable(a: &ArrayView<f32, 2>) -> ArrayViewMut<'_, f32, 1> {
    a.row(0)
}

#[amp_fn]
fn of_a_reader(grid: &Grid) -> ArrayViewMut<'_, f32, 1> {
    grid.cells.row(0)
}

#[amp_fn]
fn named<'b>(a: &ArrayView<'b, f32, 2>) -> ArrayView<'b, f32, 1> {
    a.row(0)
}

#[amp_kernel]
fn of_a_kernel(idx: Index<1>, a: &ArrayView<f32, 2>) -> ArrayView<'_, f32, 1> {
    a.row(0)
}

fn main() {}
