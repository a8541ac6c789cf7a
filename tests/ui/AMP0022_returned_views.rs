use amp::prelude::*;

#[amp_fn]
fn row_of(a: &ArrayView<f32, 2>, i: usize) -> ArrayView<'_, f32, 1> {
    a.row(i)
}

#[amp_fn]
fn early(a: &ArrayView<f32, 2>, i: usize) -> ArrayView<'_, f32, 1> {
    if i == 3 {
        return a.row(4);
    }
    a.row(i)
}

#[amp_fn]
fn chosen(a: &ArrayView<f32, 2>, i: usize) -> ArrayView<'_, f32, 1> {
    if i == 3 { a.row(4) } else { a.row(i) }
}

#[amp_fn]
fn itself(a: &ArrayView<f32, 2>) -> ArrayView<'_, f32, 2> {
    a
}

#[amp_fn]
fn panicking(a: &ArrayView<f32, 2>) -> ArrayView<'_, f32, 1> {
    panic!("no row")
}

#[amp_fn]
fn endless(a: &ArrayView<f32, 2>) -> ArrayView<'_, f32, 1> {
    loop {}
}

#[amp_fn]
fn generic<const N: usize>(a: &ArrayView<f32, 2>) -> ArrayView<'_, f32, 1> {
    a.row(N)
}

#[amp_kernel]
fn uses(idx: Index<1>, a: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = row_of(a, 1)[0];
    let part = row_of(a, 1).section(0, 1);
    let extent = row_of(a, 1).extent();
    row_of(a, 1);
    a;
    a.row(1);
    let same = { a };
    let closure = |i: usize| a.row(i);
    let sum = first(&row_of(a, 2));
}

#[amp_fn]
fn first(a: &ArrayView<f32, 1>) -> f32 {
    a[0]
}

fn main() {}
