//! The ranks of the two ends of a copy are in their types.

use amp::prelude::*;

fn between_arrays(flat: &Array<i32, 1>, square: &mut Array<i32, 2>) -> amp::Result<()> {
    copy(flat, square)?;
    flat.copy_to(square)?;
    square.copy_from(flat)
}

fn between_views(square: &ArrayView<i32, 2>, flat: &mut ArrayViewMut<i32, 1>) -> amp::Result<()> {
    copy(square, flat)?;
    copy_async(square, flat).wait()
}

fn right(square: &Array<i32, 2>, flat: &mut ArrayViewMut<i32, 1>) -> amp::Result<()> {
    let mut slice = vec![0; flat.extent().size()];
    copy(square, &mut slice)?;
    copy(&slice, flat)?;
    copy(&square.view_as(flat.extent())?, flat)
}

fn main() {}
