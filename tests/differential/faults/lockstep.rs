//! Faults of threads that run in lockstep: the first is that of the first thread, or of the first tile and
//! there the first after the fewest barriers.

use amp::Element;
use amp::prelude::*;
use testkit::{Same, input, launch};

use super::{DATA, faults_in};

fn faults<T: Element + Same>(
    (kernel, thread, message): (&str, &[usize], &str),
    before: &[T],
    after: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let source = (file!(), include_str!("lockstep.rs"));
    faults_in(source, (kernel, thread, message), before, after, launches);
}

#[amp_kernel]
fn rows(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut sum = 0;
    for k in 0..6 {
        sum += a[idx[0] + k]; //~ rows: a[idx[0] + k]
    }
    out[idx] = sum;
}

#[test]
fn a_row_that_ends_behind_a_view() {
    let what = (
        "rows",
        [4].as_slice(),
        "index out of bounds: the extent is 9 but the index is 9",
    );
    let sum = |i: usize| (i..i + 6).filter_map(|at| DATA.get(at)).sum();
    let after: Vec<i32> = (0..12).map(sum).collect();
    faults(what, &[7; 12], &after, |view, out| {
        launch(view, 12, rows(&input(&DATA), out))
    });
}

#[amp_kernel]
fn values(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut sum = idx[0] as i32;
    for k in 0..12 {
        sum += a[k]; //~ values: a[k]
    }
    out[idx] = sum;
}

#[test]
fn a_value_of_all_threads() {
    let what = (
        "values",
        [0].as_slice(),
        "index out of bounds: the extent is 9 but the index is 9",
    );
    let all: i32 = DATA.iter().sum();
    let after: Vec<i32> = (0..5).map(|i| i + all).collect();
    faults(what, &[7; 5], &after, |view, out| {
        launch(view, 5, values(&input(&DATA), out))
    });
}

#[amp_kernel]
fn written(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut sum = 0;
    for k in 0..3 {
        sum += a[k];
    }
    out[idx[0] + 2] = sum; //~ written: out[idx[0] + 2]
}

#[test]
fn a_row_that_is_written_behind_a_view() {
    let what = (
        "written",
        [4].as_slice(),
        "index out of bounds: the extent is 6 but the index is 6",
    );
    let after = [7, 7, 33, 33, 33, 33];
    faults(what, &[7; 6], &after, |view, out| {
        launch(view, 6, written(&input(&DATA), out))
    });
}

#[amp_kernel]
fn in_tile(t_idx: TiledIndex<1, 4>, by: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut shared: [i32; 4];
    let i = t_idx.local[0];
    let mut sum = 0;
    for k in 0..2 {
        shared[i] = 100 / by[t_idx.global[0] + k * 8]; //~ in_tile: 100 / by
        t_idx.barrier.wait();
        sum += shared[3 - i];
        t_idx.barrier.wait();
    }
    out[t_idx.global] = sum;
}

/// In the second tile thread 5 faults before the first barrier, and thread 7 after two.
#[test]
fn before_a_barrier_comes_first() {
    let mut by = [1; 16];
    (by[5], by[15]) = (0, 0);
    let what = ("in_tile", [5].as_slice(), "attempt to divide by zero");
    let mut after = vec![200; 8];
    (after[4], after[6]) = (100, 100);
    faults(what, &[7; 8], &after, |view, out| {
        launch(view, out.extent().tile::<4>(), in_tile(&input(&by), out))
    });
}

#[amp_kernel]
fn updates(idx: Index<1>, by: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] += by[idx[0] / 2 + idx[0] - idx[0] / 2]; //~ updates: by[idx[0] / 2 + idx[0] - idx[0] / 2]
}

#[test]
fn an_update_by_what_is_not_there() {
    let what = (
        "updates",
        [9].as_slice(),
        "index out of bounds: the extent is 9 but the index is 9",
    );
    let after: Vec<i32> = (0..12).map(|i| 7 + DATA.get(i).unwrap_or(&0)).collect();
    faults(what, &[7; 12], &after, |view, out| {
        launch(view, 12, updates(&input(&DATA), out))
    });
}

#[amp_kernel]
fn chosen(idx: Index<1>, least: usize, out: &mut ArrayViewMut<i32, 1>) {
    if idx[0] >= least {
        out[idx] = 1; //~ chosen: out[idx]
    }
}

#[test]
fn chosen_threads_behind_a_view() {
    let what = (
        "chosen",
        [12].as_slice(),
        "index out of bounds: the extent is 12 but the index is 12",
    );
    let after: Vec<i32> = (0..12).map(|i| if i < 10 { 7 } else { 1 }).collect();
    faults(what, &[7; 12], &after, |view, out| {
        launch(view, 14, chosen(10, out))
    });
}

#[amp_kernel]
fn clamped(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = a[(idx[0] + 2).min(10)]; //~ clamped: a[(idx[0] + 2).min(10)]
}

#[test]
fn a_bound_that_is_none() {
    let what = (
        "clamped",
        [7].as_slice(),
        "index out of bounds: the extent is 9 but the index is 9",
    );
    let element = |i: usize| DATA.get((i + 2).min(10)).copied().unwrap_or(0);
    let after: Vec<i32> = (0..12).map(element).collect();
    faults(what, &[7; 12], &after, |view, out| {
        launch(view, 12, clamped(&input(&DATA), out))
    });
}

#[amp_kernel]
fn apart(idx: Index<1>, end: usize, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut sum = 0;
    for i in (idx[0]..end).step_by(4) {
        sum += a[i]; //~ apart: a[i]
    }
    out[idx] = sum;
}

#[test]
fn threads_that_begin_side_by_side_and_go_too_far() {
    let what = (
        "apart",
        [1].as_slice(),
        "index out of bounds: the extent is 9 but the index is 9",
    );
    let sum = |i: usize| (i..11).step_by(4).filter_map(|at| DATA.get(at)).sum();
    let after: Vec<i32> = (0..12).map(sum).collect();
    faults(what, &[7; 12], &after, |view, out| {
        launch(view, 12, apart(11, &input(&DATA), out))
    });
}

#[amp_kernel]
fn counted(t_idx: TiledIndex<1, 8>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut counts: [i32; 8];
    counts[t_idx.local[0]] = 0;
    t_idx.barrier.wait();
    atomic_fetch_inc(&mut counts[a[t_idx.global] as usize - 10]); //~ counted: counts[a[
    t_idx.barrier.wait();
    out[t_idx.global] = counts[t_idx.local[0]];
}

#[test]
fn an_atomic_operation_behind_an_array() {
    let what = (
        "counted",
        [6].as_slice(),
        "index out of bounds: the length is 8 but the index is 8",
    );
    let mut data = DATA[..8].to_vec();
    (data[6], data[7]) = (18, 10);
    let after = [2, 1, 1, 1, 1, 1, 0, 0];
    faults(what, &[7; 8], &after, |view, out| {
        launch(view, out.extent().tile::<8>(), counted(&input(&data), out))
    });
}

#[amp_fn]
fn root(x: i32) -> i32 {
    assert!(x >= 0);
    x / 2
}

/// The number of halvings that make it one: none ends for 0.
#[amp_fn]
fn halvings(x: i32) -> i32 {
    let (mut rest, mut count) = (x, 0);
    while rest != 1 {
        rest /= 2;
        count += 1;
    }
    count
}

#[amp_fn]
fn share(x: i32, parts: i32) -> i32 {
    root(x) / parts
}

#[amp_kernel]
fn of_a_helper(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = 10 + share(a[idx], a[idx] - 6);
}

#[amp_kernel]
fn some_chosen(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    if a[idx] > 0 {
        out[idx] = share(a[idx], a[idx]);
    }
    if a[idx] != 0 {
        out[idx] += halvings(a[idx].abs());
    }
}

/// So many threads that a group has many of them.
#[test]
fn the_thread_that_faults_in_a_helper() {
    for (count, bad) in [(3, 2), (64, 41), (3000, 2345)] {
        for view in super::new_views() {
            let mut data = vec![1; count];
            data[bad] = 6;
            let a = data.clone();
            let mut out = ArrayViewMut::new(count, &mut data).unwrap();
            launch(&view, count, of_a_helper(&input(&a), &mut out)).unwrap();
            let Err(amp::Error::KernelFault(fault)) = out.synchronize() else {
                panic!("{view}: no fault")
            };
            assert_eq!(fault.thread, [bad], "{view}");
            assert_eq!(fault.message, "attempt to divide by zero", "{view}");
        }
    }
}

/// Threads that are not chosen neither fault nor go round for ever.
#[test]
fn helpers_run_for_chosen_threads_alone() {
    let a: Vec<i32> = (0..700).map(|at| at % 7 - 3).collect();
    let by_hand = |a: &i32| {
        let share = if *a > 0 { a / 2 / a } else { 9 };
        share + a.unsigned_abs().checked_ilog2().unwrap_or(0) as i32
    };
    let expected: Vec<i32> = a.iter().map(by_hand).collect();
    for view in super::new_views() {
        let mut data = vec![9; a.len()];
        let mut out = ArrayViewMut::new(a.len(), &mut data).unwrap();
        launch(&view, a.len(), some_chosen(&input(&a), &mut out)).unwrap();
        out.synchronize()
            .unwrap_or_else(|error| panic!("{view}: {error}"));
        drop(out);
        assert_eq!(data, expected, "{view}");
    }
}
