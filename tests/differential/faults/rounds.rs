//! Loops that lavapipe ends before they end themselves: a fault that names the loop, whatever
//! the loop is like, and other accelerators run it to its end.

use amp::prelude::*;
use amp::{Error, KernelFault};
use testkit::{launch, views};

use super::{site, works};

const SOURCE: &str = include_str!("rounds.rs");

fn is_lavapipe(view: &AcceleratorView) -> bool {
    view.accelerator().description().contains("llvmpipe")
}

/// Runs a kernel over four threads: everywhere with few rounds, which are no fault, and with
/// many, which are one on lavapipe, at the marker of the kernel's name. The first thread of any of so
/// many tiles reports it.
fn cut(
    name: &str,
    tiles: usize,
    which: &str,
    [few, many]: [u32; 2],
    expected: impl Fn(u32) -> u32,
    kernel: impl Fn(u32, &AcceleratorView, &mut ArrayViewMut<'_, u32, 1>) -> amp::Result<()>,
) {
    let run = |view: &AcceleratorView, n: u32| {
        let mut data = [7; 4];
        let mut out = ArrayViewMut::new(4, &mut data).unwrap();
        kernel(n, view, &mut out).unwrap();
        let result = out.synchronize();
        drop(out);
        (result, data)
    };
    for view in views() {
        let (result, data) = run(&view, few);
        result.unwrap_or_else(|error| panic!("{view}: {few} rounds: {error}"));
        assert_eq!(data, [expected(few); 4], "{name} on {view}");
        let (result, data) = run(&view, many);
        if !is_lavapipe(&view) {
            result.unwrap_or_else(|error| panic!("{view}: {many} rounds: {error}"));
            assert_eq!(data, [expected(many); 4], "{name} on {view}");
            continue;
        }
        let fault = match result {
            Err(Error::KernelFault(fault)) => *fault,
            other => panic!("{name}: no fault but {other:?}"),
        };
        let (line, column) = site(SOURCE, name);
        // All threads have the fault, and tiles run at the same time.
        assert!(
            fault.thread.len() == 1 && fault.thread[0] < tiles,
            "{fault:?}"
        );
        let expected = KernelFault {
            kernel: name.to_owned(),
            file: file!().to_owned(),
            line,
            column,
            thread: fault.thread.clone(),
            message: format!(
                "the driver ended {which}: lavapipe gives a thread 65535 rounds of all its loops \
                 together; do less in a launch, or use the CPU accelerator (AMP_ACCELERATOR=cpu)"
            ),
        };
        assert_eq!(fault, expected);
        works(&view);
    }
}

/// A kernel of a loop, and the test that it is cut.
macro_rules! cut {
    ($($name:ident($n:ident, $s:ident) $body:block for $few:literal, $many:literal;)*) => {$(
        #[allow(clippy::never_loop)]
        #[amp_kernel]
        fn $name(idx: Index<1>, $n: u32, out: &mut ArrayViewMut<u32, 1>) {
            let mut $s = 0_u32;
            $body;
            out[idx] = $s;
        }
    )*
    #[test]
    fn every_kind_of_loop_that_the_driver_ends_is_a_fault() {$(
        let expected = |$n: u32| {
            let mut $s = 0_u32;
            $body;
            $s
        };
        cut(stringify!($name), 1, "this loop, or one within it", [$few, $many], expected, |n, view, out| {
            launch(view, 4, $name(n, out))
        });
    )*}};
}

#[amp_fn]
fn odd_numbers(n: u32) -> u32 {
    let mut sum = 0;
    for k in 0..n {
        sum += k & 1;
    }
    sum
}

// Its floats would be other ones than its caller's, so it stays a function.
#[amp_fn(fast_math)]
fn last(n: u32) -> u32 {
    for k in 0..n {
        if k + 1 == n {
            return k;
        }
    }
    0
}

cut! {
    counted(n, s) {
        for k in 0..n { s += k & 1; } //~ counted: for
    } for 65_000, 66_000;
    stepped(n, s) {
        for k in (0..2 * n).step_by(2) { s ^= k; } //~ stepped: for
    } for 60_000, 70_000;
    reversed(n, s) {
        for k in (1..=n).rev() { s += k & 1; } //~ reversed: for
    } for 60_000, 70_000;
    tested(n, s) {
        while s < n { s += 1; } //~ tested: while
    } for 60_000, 70_000;
    broken(n, s) {
        loop { s += 1; if s == n { break; } } //~ broken: loop
    } for 60_000, 70_000;
    with_a_value(n, s) {
        s = loop { s += 1; if s == n { break 2 * s; } }; //~ with_a_value: loop
    } for 60_000, 70_000;
    outer(n, s) {
        for a in 0..n { //~ outer: for
            for b in 0..99 { s += a ^ b; }
            if s == 1 { break; }
        }
    } for 600, 700;
    inner(n, s) {
        loop { //~ inner: loop
            for b in 0..n { s += b & 1; }
            if s > 0 { break; }
        }
    } for 60_000, 70_000;
    left_for_an_outer_one(n, s) {
        'all: for a in 0..9 { //~ left_for_an_outer_one: 'all
            for b in 0..n {
                s += 1;
                if a == 2 && b == 5 { break 'all; }
            }
        }
    } for 30_000, 40_000;
    in_a_helper(n, s) {
        for _ in 0..10 { s += odd_numbers(n); } //~ in_a_helper: for
    } for 6_000, 7_000;
}

#[amp_kernel]
#[rustfmt::skip]
fn in_tiles(t_idx: TiledIndex<1, 4>, n: u32, out: &mut ArrayViewMut<u32, 1>) {
    let mut sum = 0;
    for k in 0..n { //~ in_tiles: for
        sum += k & 1;
        if k % 1024 == 0 {
            t_idx.barrier.wait();
        }
    }
    out[t_idx] = sum;
}

#[test]
fn loops_with_barriers_that_the_driver_ends_are_a_fault() {
    cut(
        "in_tiles",
        1,
        "this loop, or one within it",
        [60_000, 70_000],
        |n| n / 2,
        |n, view, out| launch(view, out.extent().tile::<4>(), in_tiles(n, out)),
    );
}

#[amp_kernel]
#[rustfmt::skip]
fn in_tiles_of_one(t_idx: TiledIndex<1, 1>, n: u32, out: &mut ArrayViewMut<u32, 1>) {
    let mut sum = 0;
    for k in 0..n { //~ in_tiles_of_one: for
        sum += k & 1;
    }
    out[t_idx] = sum;
}

/// The driver knows the number of the thread.
#[test]
fn loops_of_lone_threads_that_the_driver_ends_are_a_fault() {
    cut(
        "in_tiles_of_one",
        4,
        "this loop, or one within it",
        [60_000, 70_000],
        |n| n / 2,
        |n, view, out| launch(view, out.extent().tile::<1>(), in_tiles_of_one(n, out)),
    );
}

#[amp_kernel]
#[rustfmt::skip]
fn over_extents(idx: Index<1>, a: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let mut sum = 0;
    for _ in 0..a.extent()[0] { //~ over_extents: for
        let mut k = 0;
        while k < a.extent()[1] {
            sum += 1;
            k += 2;
        }
    }
    out[idx] = sum;
}

/// The host proves that there are few rounds in one launch, and not in another.
#[test]
fn loops_over_extents_are_a_fault_of_launches_with_many_rounds() {
    cut(
        "over_extents",
        1,
        "this loop, or one within it",
        [30, 600],
        |n| n * 250,
        |n, view, out| {
            let a = Array::<u32, 2>::builder([n as usize, 500])
                .on(view)
                .build()?;
            launch(view, 4, over_extents(&a, out))
        },
    );
}

#[amp_kernel]
#[rustfmt::skip]
fn before_an_array(idx: Index<1>, n: u32, out: &mut ArrayViewMut<u32, 1>) { //~ before_an_array: before_an_array
    let mut sum = 0;
    for k in 0..n {
        sum += k & 1;
    }
    let mut all = [0; 3000];
    all[idx[0]] = sum;
    out[idx] = all[idx[0]].max(all[2999 - idx[0]]);
}

#[amp_kernel]
#[rustfmt::skip]
fn left_by_return(idx: Index<1>, n: u32, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = last(n); //~ left_by_return: last
}

#[test]
fn loops_of_helpers_are_a_fault_of_the_call() {
    let which = "a loop of this kernel";
    cut(
        "left_by_return",
        1,
        which,
        [60_000, 70_000],
        |n| n - 1,
        |n, view, out| launch(view, 4, left_by_return(n, out)),
    );
}

/// The rounds in which an array is filled count too.
#[test]
fn cuts_of_generated_loops_are_faults_of_the_kernel() {
    let which = "a loop of this kernel";
    cut(
        "before_an_array",
        1,
        which,
        [60_000, 64_000],
        |n| n / 2,
        |n, view, out| launch(view, 4, before_an_array(n, out)),
    );
}

#[amp_kernel]
fn for_ever(idx: Index<1>, n: u32, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = 1;
    while n != 0 {} //~ for_ever: while
}

#[amp_kernel]
fn never_left(idx: Index<1>, n: u32, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = 1;
    if n != 0 {
        loop {} //~ never_left: loop
    }
}

/// On other accelerators these would not end.
#[test]
fn loops_without_an_end_are_a_fault_where_the_driver_ends_them() {
    for view in views().iter().filter(|view| is_lavapipe(view)) {
        let mut data = [0; 4];
        let mut out = ArrayViewMut::new(4, &mut data).unwrap();
        for (name, n) in [
            ("for_ever", 0),
            ("for_ever", 1),
            ("never_left", 0),
            ("never_left", 1),
        ] {
            match name {
                "for_ever" => launch(view, 4, for_ever(n, &mut out)).unwrap(),
                _ => launch(view, 4, never_left(n, &mut out)).unwrap(),
            }
            match out.synchronize() {
                Ok(()) => assert_eq!(n, 0, "{name}"),
                Err(Error::KernelFault(fault)) => {
                    assert_eq!((fault.line, fault.column), site(SOURCE, name));
                    assert_eq!(n, 1, "{name}");
                }
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }
}
