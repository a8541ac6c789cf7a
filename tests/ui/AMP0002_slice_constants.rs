//! Constants of slices and references that kernels cannot have.

use amp::prelude::*;

const NAMES: &[&str] = &["a", "b"];
const ROWS: &[&[u32]] = &[&[1], &[2, 3]];
const COMPUTED: &[u32] = computed();
const NUMBERS: &[u32] = &[1, 2];
const EMPTY: &[u32] = &[];

const fn computed() -> &'static [u32] {
    &[1, 2]
}

#[amp_kernel]
fn of_file(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let name = NAMES[1];
    let row = ROWS[1][0];
    c[idx] = COMPUTED[1];
}

#[amp_kernel]
fn of_body(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    const COMPUTED: &[u32] = computed();
    const ALIAS: &[u32] = NUMBERS;
    const ROWS: &[&[u32]] = &[&[1], &[2, 3]];
    const WRONG: &[f32; 3] = &[1.0, 2.0];
    c[idx] = COMPUTED[1] + ALIAS[0] + ROWS[0][0];
}

#[amp_kernel]
fn uses(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    NUMBERS[0] = 2;
    let x: f32 = NUMBERS[1];
    let y = NUMBERS[2];
    let z = EMPTY[0];
    c[idx] = NUMBERS;
}

fn main() {}
