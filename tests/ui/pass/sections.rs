//! Views made from views that must not be refused.

use amp::prelude::*;

#[amp_fn]
fn first(a: &ArrayView<u32, 1>) -> u32 {
    a[0]
}

#[amp_fn]
fn clear(c: &mut ArrayViewMut<u32, 1>) {
    c[0] = 0;
}

#[amp_kernel]
fn sections(idx: Index<1>, a: &ArrayView<u32, 2>, c: &mut ArrayViewMut<u32, 2>) {
    let (row, _) = (idx[0], 0);
    let _ = a.row(row);
    let (line) = (a.row(row));
    let x = first(&line) + first(&(line)) + first(&a.row(1)) + first(&c.row(1));
    // One after the other.
    let mut left = c.section([0, 0], [1, 2]);
    left[[0, 0]] = x;
    let mut right = c.section([0, 2], [1, 2]).row(0);
    clear(&mut right);
    clear(&mut right.section(1, 1));
    right[0] = first(&right);
    // By the name of another.
    let line = line.section(1, line.extent()[0] - 1);
    let line = line.reinterpret::<f32>().view_as([1, 2]);
    c[[0, 0]] = line[[0, 1]] as u32;
    {
        let c = c.row(0).extent();
        let _ = c[0];
    }
    for i in 0..2_usize {
        let at = |k: usize| a.row(i)[k];
        c.row(i)[at(0) as usize] = at(1);
    }
}

fn main() {}
