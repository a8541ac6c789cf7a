//! Parameters that are references: places of the caller, in whatever memory they are.
//!
//! Each helper also runs as plain Rust on the host, which says what is expected.

use amp::prelude::*;
use amp_test_helpers::advance;
use testkit::{becomes, gives, launch};

use super::faults::faults_in;

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct State {
    seed: u32,
    counts: [u32; 3],
}

#[amp_fn]
fn bump(x: &mut i32) {
    *x += 1;
}

#[amp_fn]
fn next(state: &mut State) -> u32 {
    state.seed = state.seed * 1664525 + 1013904223;
    let which = (state.seed >> 30) as usize;
    if which == 3 {
        return 0;
    }
    state.counts[which] += 1;
    state.seed >> 8
}

/// Early returns out of loops, and references passed on.
#[amp_fn]
fn collatz(x: &mut u32, steps: &mut u32, limit: &u32) -> bool {
    'outer: loop {
        for _ in 0..3 {
            if *x <= 1 {
                return true;
            }
            if *steps == *limit {
                break 'outer;
            }
            one_step(x, &mut *steps);
        }
    }
    *x = 0;
    false
}

#[amp_fn]
fn one_step(x: &mut u32, steps: &mut u32) {
    *x = if *x % 2 == 0 { *x / 2 } else { *x * 3 + 1 };
    *steps += 1;
}

#[amp_fn]
fn swap_ends(pair: &mut (i32, f32), array: &mut [i32; 4]) {
    let first = array[0];
    array[0] = pair.0;
    pair.0 = array[3];
    array[3] = first;
    pair.1 = pair.1.abs().min(4.0);
    bump(&mut array[2]);
    bump(&mut pair.0);
}

#[amp_fn]
fn total(array: &[i32; 4]) -> i32 {
    let mut sum = 0;
    for i in 0..4 {
        sum = sum * 3 + array[i];
    }
    sum
}

fn scalars_on_host(i: u32) -> [u32; 4] {
    let (mut x, mut steps) = (i * 7 + 1, 0);
    let done = collatz(&mut x, &mut steps, &20);
    let mut state = State {
        seed: i,
        counts: [0; 3],
    };
    let drawn = next(&mut state) ^ next(&mut state);
    let [a, b, c] = state.counts;
    [x + done as u32, steps, drawn, a * 100 + b * 10 + c]
}

#[amp_kernel]
fn scalars(idx: Index<1>, out: &mut ArrayViewMut<u32, 2>) {
    let i = idx[0];
    let mut x = i as u32 * 7 + 1;
    let mut steps = 0;
    let done = collatz(&mut x, &mut steps, &20);
    let mut state = State {
        seed: i as u32,
        counts: [0; 3],
    };
    let drawn = next(&mut state) ^ next(&mut state);
    out[[i, 0]] = x + done as u32;
    out[[i, 1]] = steps;
    out[[i, 2]] = drawn;
    out[[i, 3]] = state.counts[0] * 100 + state.counts[1] * 10 + state.counts[2];
}

#[test]
fn scalars_and_structs() {
    let expected: Vec<u32> = (0..16).flat_map(scalars_on_host).collect();
    becomes([16, 4], &[0; 64], &expected, |view, out| {
        launch(view, 16, scalars(out))
    });
}

#[amp_kernel]
fn parts(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let mut pair = (i as i32 - 3, -2.5);
    let mut array = [4, i as i32, 6, 7];
    swap_ends(&mut pair, &mut array);
    // The place is found once, by the index as it is at the call.
    let mut at = 1;
    for _ in 0..2 {
        move_on(&mut array[at % 4], &mut at);
    }
    let before = total(&array);
    bump(&mut pair.0);
    // The element of a copy.
    let copy = array;
    bump(&mut array[3]);
    out[idx] = before + pair.0 + pair.1 as i32 + total(&copy) + total(&[1, 2, 3, i as i32]);
}

#[amp_fn]
fn move_on(x: &mut i32, at: &mut usize) {
    *at += 2;
    *x *= 10;
    *x += *at as i32;
}

fn parts_on_host(i: i32) -> i32 {
    let mut pair = (i - 3, -2.5);
    let mut array = [4, i, 6, 7];
    swap_ends(&mut pair, &mut array);
    let mut at = 1;
    for _ in 0..2 {
        move_on(&mut array[at % 4], &mut at);
    }
    let before = total(&array);
    bump(&mut pair.0);
    before + pair.0 + pair.1 as i32 + total(&array) + total(&[1, 2, 3, i])
}

#[test]
fn parts_of_variables() {
    let expected: Vec<i32> = (0..8).map(parts_on_host).collect();
    gives(&expected, |view, out| launch(view, 8, parts(out)));
}

#[amp_kernel]
fn elements(idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 2>) {
    let i = idx[0];
    bump(&mut out[[i, 0]]);
    bump(&mut out.row(i)[1]);
    add(&mut out[[i, 0]], &a[[i, 1]]);
    add(&mut out[[i, 1]], &a.row(i)[0]);
    // In conditions, which are left early.
    if i > 1 && positive(&mut out[[i, 0]]) || positive(&mut out[[i, 1]]) {
        bump(&mut out[[i, 0]]);
    }
    while positive(&mut out[[i, 0]]) {
        add(&mut out[[i, 1]], &1);
    }
    advance(&mut out[[i, 1]]);
}

#[amp_fn]
fn add(to: &mut i32, what: &i32) {
    *to += *what;
}

#[amp_fn]
fn positive(x: &mut i32) -> bool {
    *x -= 1;
    *x > 0
}

#[test]
fn elements_of_views() {
    let before: Vec<i32> = (0..12).map(|i| i % 5).collect();
    let a: Vec<i32> = (0..12).map(|i| i * 3 % 7).collect();
    let mut expected = before.clone();
    for (i, (out, a)) in expected.chunks_mut(2).zip(a.chunks(2)).enumerate() {
        out[0] += 1 + a[1];
        out[1] += 1 + a[0];
        if i > 1 && positive(&mut out[0]) || positive(&mut out[1]) {
            out[0] += 1;
        }
        while positive(&mut out[0]) {
            out[1] += 1;
        }
        advance(&mut out[1]);
    }
    becomes([6, 2], &before, &expected, |view, out| {
        let a = ArrayView::new([6, 2], &a)?;
        launch(view, 6, elements(&a, out))
    });
}

/// What the threads of a tile share goes through references, over barriers.
#[amp_fn]
fn sum_up(t_idx: TiledIndex<1, 8>, data: &mut [i32; 8], last: &i32) -> i32 {
    let i = t_idx.local[0];
    let before = *last;
    let mut stride = 4;
    while stride > 0 {
        t_idx.barrier.wait();
        if i < stride {
            data[i] += data[i + stride];
        }
        stride /= 2;
    }
    t_idx.barrier.wait();
    data[0] * 100 + *last * 10 + before
}

#[amp_kernel]
fn shared(t_idx: TiledIndex<1, 8>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut data: [[i32; 8]; 2];
    #[tile_static]
    let mut last: i32;
    let i = t_idx.local[0];
    data[0][i] = out[t_idx];
    data[1][i] = 1;
    if i == 7 {
        bump_to(&mut last, 2);
    }
    t_idx.barrier.wait();
    let sum = sum_up(t_idx, &mut data[0], &last);
    t_idx.barrier.wait();
    if i == 0 {
        bump(&mut last);
    }
    t_idx.barrier.wait();
    let count = sum_up(t_idx, &mut data[1], &last);
    out[t_idx] = sum + count * 100000;
}

#[amp_fn]
fn bump_to(x: &mut i32, value: i32) {
    *x = value;
}

/// The element that a thread names is written by others while it waits.
#[amp_fn]
fn rotate(t_idx: TiledIndex<1, 8>, own: &i32, next: &mut i32) -> i32 {
    let before = *own;
    t_idx.barrier.wait();
    *next = before + 1;
    t_idx.barrier.wait();
    before * 100 + *own
}

#[amp_kernel]
fn rotated(t_idx: TiledIndex<1, 8>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut data: [i32; 16];
    #[tile_static]
    let mut more: [i32; 16];
    let i = t_idx.local[0];
    data[i] = out[t_idx];
    more[i] = 5;
    t_idx.barrier.wait();
    let found = rotate(t_idx, &out[t_idx], &mut data[(i + 1) % 8]);
    t_idx.barrier.wait();
    out[t_idx] = found * 1000 + data[i];
}

#[test]
fn memory_of_a_tile() {
    let before: Vec<i32> = (0..16).map(|i| i % 6).collect();
    let mut expected = Vec::new();
    for tile in before.chunks(8) {
        let sum: i32 = tile.iter().sum();
        // `last` is 2 in the first sum and 3 in the second.
        let first = sum * 100 + 22;
        let second = 8 * 100 + 33;
        expected.extend([first + second * 100000; 8]);
    }
    becomes([16], &before, &expected, |view, out| {
        launch(view, out.extent().tile::<8>(), shared(out))
    });
    let expected: Vec<i32> = (0..16)
        .map(|i| {
            let (own, left) = (before[i], before[i / 8 * 8 + (i + 7) % 8]);
            (own * 100 + own) * 1000 + left + 1
        })
        .collect();
    becomes([16], &before, &expected, |view, out| {
        launch(view, out.extent().tile::<8>(), rotated(out))
    });
}

/// A helper with tile memory of its own and a reference.
#[amp_fn]
fn neighbour(t_idx: TiledIndex<1, 4>, x: &mut i32) {
    #[tile_static]
    let mut cells: [i32; 4];
    let i = t_idx.local[0];
    cells[i] = *x;
    t_idx.barrier.wait();
    *x = cells[(i + 1) % 4];
    t_idx.barrier.wait();
}

#[amp_kernel]
fn neighbours(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<i32, 1>) {
    let mut x = out[t_idx];
    neighbour(t_idx, &mut x);
    neighbour(t_idx, &mut out[t_idx]);
    neighbour(t_idx, &mut out[t_idx]);
    out[t_idx] += x * 10;
}

#[test]
fn tile_memory_of_a_helper() {
    let before = [1, 2, 3, 4];
    let expected = [23, 34, 41, 12];
    becomes([4], &before, &expected, |view, out| {
        launch(view, out.extent().tile::<4>(), neighbours(out))
    });
}

#[amp_fn]
fn halved(x: &mut i32) -> i32 {
    if *x % 2 != 0 {
        panic!("odd"); //~ panics: panic!
    }
    *x /= 2;
    *x + 1
}

#[amp_kernel]
fn panics(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut x = out[idx];
    let result = halved(&mut x);
    out[idx] = x * 10 + result;
}

/// The panic ends the helper, not the kernel.
#[test]
fn a_panic_behind_a_reference() {
    let source = (file!(), include_str!("references.rs"));
    let what = ("panics", [1].as_slice(), "odd");
    faults_in(source, what, &[4, 5, 8], &[23, 50, 45], |view, out| {
        launch(view, 3, panics(out))
    });
}

#[amp_kernel]
fn outside(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let read = bumped(&mut out[i * 3]); //~ outside: out[i * 3]
    out[i] += read * 10;
}

#[amp_kernel]
fn outside_of_an_array(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut array = [1, 2, 3];
    let at = idx[0] + 1;
    let read = bumped(&mut array[at]); //~ outside_of_an_array: array[at]
    out[idx] = array[1] * 100 + array[2] * 10 + read;
}

#[amp_fn]
fn bumped(x: &mut i32) -> i32 {
    *x += 1;
    *x
}

/// A place that is not there reads as zero, and what is written to it is lost.
#[test]
fn references_to_nothing() {
    let source = (file!(), include_str!("references.rs"));
    let words = "index out of bounds: the extent is 3 but the index is 3";
    let what = ("outside", [1].as_slice(), words);
    faults_in(source, what, &[5, 6, 7], &[66, 6, 7], |view, out| {
        launch(view, 2, outside(out))
    });
    let words = "index out of bounds: the length is 3 but the index is 3";
    let what = ("outside_of_an_array", [2].as_slice(), words);
    faults_in(source, what, &[0; 3], &[333, 244, 230], |view, out| {
        launch(view, 3, outside_of_an_array(out))
    });
}

/// Helpers with references are functions of the host too.
#[test]
fn on_the_host() {
    let mut x = 5;
    bump(&mut x);
    let y = &mut x;
    bump(y);
    assert_eq!((x, total(&[1, 2, 3, 4])), (7, 58));
}

#[amp_fn]
fn exchanged(x: &mut [f32], y: &mut [f32; 4]) {
    for (a, b) in x.iter_mut().zip(y) {
        let old = *a;
        *a = *b + 1.0;
        *b = old * 2.0;
    }
}

#[amp_fn]
fn taken_off(x: &[f32], y: &mut [f32]) {
    for (a, b) in std::iter::zip(x, y) {
        *b -= a;
    }
}

testkit::twice! {
    zipped_by_name(x: f32) -> f32 = (vec![0.0, -0.0, 1.5, -2.25, 1e-40, 3e38, f32::NAN],);
    {
        let mut all = [x, 2.0, x * 0.5, 7.0];
        let mut others = [1.0, x, 3.0, -x];
        exchanged(&mut all[1..], &mut others);
        taken_off(&others, &mut all);
        let (low, high) = all.split_at_mut(2);
        for (a, b) in low.iter_mut().zip(high) {
            *a += *b;
            *b = *a * x;
        }
        all.iter().zip(&others).fold(0.0, |sum, (a, b)| sum * 0.5 + a - b)
    }
}
