//! Format arguments of panics and assertions: a device says, to the letter, what Rust's
//! `format!` makes of the same string and values on the host.

use amp::prelude::*;
use amp::{Error, KernelFault};
use amp_test_helpers::bounded;
use testkit::{assert_silent, launch, new_views};

/// The fault of a launch on each accelerator.
fn faults(launches: impl Fn(&AcceleratorView) -> amp::Result<()>) -> Vec<KernelFault> {
    let faults = new_views()
        .iter()
        .map(|view| {
            launches(view).unwrap_or_else(|error| panic!("{view}: {error}"));
            match view.wait() {
                Err(Error::KernelFault(fault)) => *fault,
                other => panic!("{view}: {other:?} where a fault was expected"),
            }
        })
        .collect();
    assert_silent();
    faults
}

fn says(expected: &str, launches: impl Fn(&AcceleratorView) -> amp::Result<()>) {
    for fault in faults(launches) {
        assert_eq!(fault.message, expected);
    }
}

const VALUES: [(i32, u32, f32, usize, bool); 6] = [
    (-7, 3_000_000_000, 1.5, 12, true),
    (i32::MIN, 0, f32::NAN, 0, false),
    (255, 255, -0.0, 65_535, true),
    (1, 1, 1e-40, 4_294_967_295, false),
    (i32::MAX, u32::MAX, f32::NEG_INFINITY, 1, true),
    (-1, 10, 0.1, 100, false),
];

/// Kernels that panic with words, and the same words on the host.
macro_rules! texts {
    ($($name:ident |$i:ident, $u:ident, $x:ident, $n:ident, $b:ident| ($($words:tt)*);)*) => {$(
        mod $name {
            use super::*;

            #[amp_kernel]
            fn panics(_idx: Index<1>, $i: i32, $u: u32, $x: f32, $n: usize, $b: bool) {
                if $i != 3 || $u != 3 || $x != 3.0 || $n != 3 || $b {
                    panic!($($words)*);
                }
            }

            #[test]
            #[allow(unused_variables)]
            fn as_on_the_host() {
                for ($i, $u, $x, $n, $b) in VALUES {
                    let expected = format!($($words)*);
                    says(&expected, |view| launch(view, 1, panics($i, $u, $x, $n, $b)));
                }
            }
        }
    )*};
}

texts! {
    displayed |i, u, x, n, b| ("{i} {u} {x} {n} {b} {{}} {}", i);
    debugged |i, u, x, n, b| ("{i:?} {u:?} {x:?} {n:?} {b:?} {:#?}", x);
    in_bases |i, u, x, n, b| ("{i:x} {u:#X} {n:o} {i:#b} {u:010b} {n:#06x} {:x?}", u);
    exponents |i, u, x, n, b| ("{x:e} {x:E} {i:e} {u:E} {n:e} {x:.2e}");
    padded |i, u, x, n, b| ("[{i:5}] [{i:<8}] [{u:>12}] [{x:^9}] [{x:*^+9.2}] [{b:>7}] [{n:03}]");
    precise |i, u, x, n, b| ("{x:.0} {x:.3} {x:08.3} {x:+.1} {x:10.4?}");
    by_argument |i, u, x, n, b| ("[{:1$}] [{x:w$.p$}] [{:.*}]", i, 7, x, w = 9, p = 1);
    by_number |i, u, x, n, b| ("{1} {0} {1:?} {} {last}", i, x, last = u);
    computed |i, u, x, n, b| ("{} {y} {:?}", i.wrapping_mul(3), (i, (u, b)), y = x + 1.0);
    arrays |i, u, x, n, b| ("{:?} {:5.1?} {:#?}", [i, 2 * (i / 2), 5], [x; 3], (n,));
    the_most |i, u, x, n, b| ("{:?} {:?}", [u; 11], [i; 11]);
}

#[amp_kernel]
fn of_an_index(idx: Index<2>, out: &mut ArrayViewMut<f32, 2>) {
    let half = out.extent() / 2;
    assert!(
        idx[1] != 1,
        "{idx} of {:?}, {idx:?} and {half}",
        out.extent()
    );
    out[idx] = 1.0;
}

#[test]
fn indices_and_extents() {
    let words = |row| {
        let (idx, extent) = (Index::new([row, 1]), Extent::new([2, 6]));
        format!("{idx} of {extent:?}, {idx:?} and {}", extent / 2)
    };
    let mut data = [0.0; 12];
    for view in new_views() {
        let mut out = ArrayViewMut::new([2, 6], &mut data).unwrap();
        launch(&view, [2, 6], of_an_index(&mut out)).unwrap();
        let Err(Error::KernelFault(fault)) = out.synchronize() else {
            panic!("{view}: no fault")
        };
        // On a device either of the two threads is first.
        assert_eq!(fault.message, words(fault.thread[0]), "{view}");
    }
}

#[amp_kernel]
fn compared(idx: Index<1>, a: f32, b: u32) {
    assert_ne!(a, 0.5);
    assert_eq!(idx[0] as u32 + b, 1, "{b} too many at {:?}", idx);
}

#[test]
fn comparisons_show_both_sides() {
    says(
        "assertion `left != right` failed\n  left: 0.5\n right: 0.5",
        |view| launch(view, 1, compared(0.5, 1)),
    );
    let words = "assertion `left == right` failed: 4 too many at Index([0])\n  left: 4\n right: 1";
    says(words, |view| launch(view, 1, compared(1.0, 4)));
}

#[amp_fn]
fn counted(calls: &mut ArrayViewMut<u32, 1>) -> u32 {
    calls[0] += 1;
    calls[0]
}

#[amp_kernel]
fn on_failure(_idx: Index<1>, calls: &mut ArrayViewMut<u32, 1>) {
    assert!(calls[0] == 0, "never: {}", counted(calls));
    assert!(counted(calls) == 1, "never: {}", counted(calls));
    assert!(counted(calls) == 7, "{} calls", counted(calls));
    assert_eq!(counted(calls), 4);
}

#[test]
fn arguments_are_evaluated_on_failure_and_once() {
    for view in new_views() {
        let mut data = [0];
        let mut calls = ArrayViewMut::new(1, &mut data).unwrap();
        launch(&view, 1, on_failure(&mut calls)).unwrap();
        let Err(Error::KernelFault(fault)) = calls.synchronize() else {
            panic!("{view}: no fault")
        };
        assert_eq!(fault.message, "3 calls", "{view}");
        drop(calls);
        assert_eq!(data, [4], "{view}");
    }
}

#[amp_kernel]
fn first_of_many(_idx: Index<1>, n: u32) {
    for i in 2..n {
        assert!(i % 5 != 0, "{i} {} {} {}", i + 1, i + 2, i + 3);
        assert!(i % 7 != 0, "{:?}", [i; 9]);
    }
}

#[test]
fn the_first_fault_keeps_its_operands() {
    says("5 6 7 8", |view| launch(view, 1, first_of_many(100)));
}

#[amp_kernel]
fn by_a_helper(idx: Index<1>, x: f32) {
    bounded(x, 2.0, idx);
}

#[test]
fn helpers_of_other_crates_format_in_their_place() {
    for fault in faults(|view| launch(view, 1, by_a_helper(2.5))) {
        assert!(fault.file.ends_with("helpers/src/lib.rs"), "{fault:?}");
        assert_eq!(fault.message, "2.5 is more than 2 at (0): [2.5, 2.0]");
    }
}

#[test]
#[should_panic = "2.5 is more than 2 at (3): [2.5, 2.0]"]
fn on_the_host_they_panic() {
    bounded(2.5, 2.0, Index::from(3));
}

macro_rules! within_a_macro {
    ($name:ident, $param:ident, $message:literal) => {
        #[amp_kernel]
        fn $name(_idx: Index<1>, $param: i32) {
            let value = $param - 10;
            assert!(value > 0, $message, value);
            assert_eq!(value, $param, "{value} too");
        }
    };
}
within_a_macro!(of_a_macro, n, "{} from {n}");

#[test]
fn names_are_those_where_they_stand() {
    says("-7 from 3", |view| launch(view, 1, of_a_macro(3)));
    let words = "assertion `left == right` failed: 2 too\n  left: 2\n right: 12";
    says(words, |view| launch(view, 1, of_a_macro(12)));
}
