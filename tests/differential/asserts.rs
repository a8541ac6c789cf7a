//! Assertions and panics are faults: the first one is reported with its place, thread and
//! words, alike on all accelerators. After a failed assertion the thread goes on; after a
//! panic the function returns, a helper with zero.
//!
//! Comments say where the faults are, as in `faults`.

use amp::prelude::*;
use amp::{Element, Error};
use amp_test_helpers::checked_half;
use testkit::{Same, becomes, launch, new_views};

use super::faults::faults_in;

fn faults<T: Element + Same>(
    what: (&str, &[usize], &str),
    before: &[T],
    after: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let source = (file!(), include_str!("asserts.rs"));
    faults_in(source, what, before, after, launches);
}

#[amp_kernel]
fn asserted(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0] as i32;
    assert!(i * 2 < out[idx] || i == 3); //~ asserted: assert!
    out[idx] += 1;
}

#[test]
fn a_failed_assertion_goes_on() {
    let what = (
        "asserted",
        [2].as_slice(),
        "assertion failed: i * 2 < out[idx] || i == 3",
    );
    faults(what, &[4; 4], &[5; 4], |view, out| {
        launch(view, 4, asserted(out))
    });
}

#[amp_kernel]
fn with_words(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    if out[idx] > 2 {
        std::assert!(idx[0] == 0, "only the {{first}} one",); //~ with_words: std::assert!
    }
    out[idx] = -out[idx];
}

#[amp_kernel]
fn on_many_lines(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    #[rustfmt::skip]
    assert!( //~ on_many_lines: assert!
        out[idx] > 0
            && out[idx] < 9,
    );
    out[idx] = 1;
}

#[test]
fn a_condition_is_shown_on_one_line() {
    let words = "assertion failed: out[idx] > 0 && out[idx] < 9";
    let what = ("on_many_lines", [1].as_slice(), words);
    faults(what, &[5, 9], &[1, 1], |view, out| {
        launch(view, 2, on_many_lines(out))
    });
}

#[test]
fn an_assertion_has_words() {
    let what = ("with_words", [3].as_slice(), "only the {first} one");
    faults(what, &[5, 1, 2, 3], &[-5, -1, -2, -3], |view, out| {
        launch(view, 4, with_words(out))
    });
}

#[amp_kernel]
fn equal(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    assert_eq!(out[idx], -7); //~ equal: assert_eq!
    out[idx] = 0;
}

#[amp_kernel]
fn equal_words(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    assert_eq!(out[idx] & 1, 1, "odd"); //~ equal_words: assert_eq!
    out[idx] += 1;
}

#[amp_kernel]
fn unequal(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    assert_ne!(out[idx], 0.0); //~ unequal: assert_ne!
    assert_ne!(out[idx] + 1.0, 0.0, "one");
    out[idx] += 1.0;
}

#[test]
fn comparisons() {
    let words = "assertion `left == right` failed\n  left: 7\n right: -7";
    let what = ("equal", [1].as_slice(), words);
    faults(what, &[-7, 7], &[0, 0], |view, out| {
        launch(view, 2, equal(out))
    });
    let what = (
        "equal_words",
        [1].as_slice(),
        "assertion `left == right` failed: odd\n  left: 0\n right: 1",
    );
    faults(what, &[1, 2], &[2, 3], |view, out| {
        launch(view, 2, equal_words(out))
    });
    let what = (
        "unequal",
        [0].as_slice(),
        "assertion `left != right` failed\n  left: 0.0\n right: 0.0",
    );
    faults(what, &[0.0, 2.0], &[1.0, 3.0], |view, out| {
        launch(view, 2, unequal(out))
    });
}

#[amp_kernel]
fn panicked(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] += 1;
    for i in 0..4 {
        if out[idx] + i == 9 {
            panic!("nine"); //~ panicked: panic!
        }
        out[idx] += 10;
    }
    out[idx] += 100;
}

#[test]
fn a_panic_ends_the_thread() {
    let what = ("panicked", [1].as_slice(), "nine");
    faults(what, &[0, 8, 1], &[141, 9, 142], |view, out| {
        launch(view, 3, panicked(out))
    });
}

#[amp_kernel]
fn unreached(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let x = if out[idx] == 1 {
        11
    } else if out[idx] == 2 {
        unreachable!() //~ unreached: unreachable!
    } else if out[idx] == 3 {
        todo!("three")
    } else {
        unimplemented! { "more" }
    };
    out[idx] = x;
}

#[test]
fn panics_of_every_kind_have_any_type() {
    let cases = [
        (2, "internal error: entered unreachable code"),
        (3, "not yet implemented: three"),
        (4, "not implemented: more"),
    ];
    for (case, words) in cases {
        for view in new_views() {
            let mut data = [1, case];
            let mut out = ArrayViewMut::new(2, &mut data).unwrap();
            launch(&view, 2, unreached(&mut out)).unwrap();
            let Err(Error::KernelFault(fault)) = out.synchronize() else {
                panic!("{view}: no fault")
            };
            assert_eq!(
                (&*fault.message, &*fault.thread),
                (words, &[1][..]),
                "{view}"
            );
            drop(out);
            assert_eq!(data, [11, case], "{view}");
        }
    }
    let words = "internal error: entered unreachable code";
    let what = ("unreached", [1].as_slice(), words);
    faults(what, &[1, 2], &[11, 2], |view, out| {
        launch(view, 2, unreached(out))
    });
}

#[amp_fn]
fn pair(x: i32) -> (i32, [u32; 2]) {
    if x < 0 {
        panic!(); //~ in_a_helper: panic!
    }
    (x + 1, [x as u32, 3])
}

#[amp_fn]
fn nothing(x: i32) {
    if x == 4 {
        #[allow(clippy::panic)]
        panic!("four");
    }
}

#[amp_kernel]
fn in_a_helper(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let (first, rest) = pair(out[idx]);
    nothing(first);
    out[idx] = 100 + first * 10 + rest[1] as i32;
}

#[test]
fn a_helper_that_panics_returns_zero() {
    let what = ("in_a_helper", [2].as_slice(), "explicit panic");
    faults(what, &[1, 2, -5], &[123, 133, 100], |view, out| {
        launch(view, 3, in_a_helper(out))
    });
}

#[amp_kernel]
fn imported(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    // The names in a condition are imported, here and in the helper's crate.
    assert!(checked_half(out[idx]) >= 0);
    out[idx] = checked_half(out[idx]);
}

#[test]
fn helpers_of_other_crates_assert_in_their_place() {
    for view in new_views() {
        let mut data = [8, 7];
        let mut out = ArrayViewMut::new(2, &mut data).unwrap();
        launch(&view, 2, imported(&mut out)).unwrap();
        let Err(Error::KernelFault(fault)) = out.synchronize() else {
            panic!("{view}: no fault")
        };
        assert!(
            fault.file.ends_with("helpers/src/lib.rs"),
            "{view}: {fault:?}"
        );
        assert_eq!(
            fault.message,
            "assertion failed: scaled(x as f32) % 3.0 == 0.0"
        );
        assert_eq!(fault.thread, [1], "{view}");
        drop(out);
        assert_eq!(data, [4, 3], "{view}");
    }
}

#[test]
#[should_panic = "assertion failed: scaled(x as f32) % 3.0 == 0.0"]
fn on_the_host_a_helper_panics() {
    checked_half(3);
}

#[amp_kernel]
fn before_a_barrier(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 4];
    let i = t_idx.local[0];
    shared[i] = out[t_idx];
    if i > 1 {
        assert!(shared[i] < 8, "too large"); //~ before_a_barrier: assert!
    }
    t_idx.barrier.wait();
    out[t_idx] = shared[3 - i];
}

#[amp_kernel]
fn behind_a_barrier(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 4];
    let i = t_idx.local[0];
    shared[i] = out[t_idx];
    t_idx.barrier.wait();
    if shared[3 - i] == 8 {
        panic!("eight"); //~ behind_a_barrier: panic!
    }
    out[t_idx] = shared[3 - i];
}

#[test]
fn a_tile_meets_at_its_barriers() {
    let before = [0, 1, 2, 3, 4, 5, 8, 7];
    let what = ("before_a_barrier", [6].as_slice(), "too large");
    faults(what, &before, &[3, 2, 1, 0, 7, 8, 5, 4], |view, out| {
        launch(view, Extent::new([8]).tile::<4>(), before_a_barrier(out))
    });
    let what = ("behind_a_barrier", [5].as_slice(), "eight");
    faults(what, &before, &[3, 2, 1, 0, 7, 5, 5, 4], |view, out| {
        launch(view, Extent::new([8]).tile::<4>(), behind_a_barrier(out))
    });
}

#[amp_kernel]
fn held<const N: usize>(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0];
    assert!(i < N);
    assert_eq!(out[i], i as u32);
    debug_assert!(out.extent().contains(idx));
    if i >= N {
        unreachable!("{{}}");
    }
    out[i] += 1;
}

#[test]
fn assertions_that_hold_have_no_effect() {
    becomes([4], &[0, 1, 2, 3], &[1, 2, 3, 4], |view, out| {
        launch(view, 4, held::<4>(out))
    });
    becomes([4], &[0, 1, 2, 3], &[1, 2, 3, 4], |view, out| {
        // SAFETY: every assertion holds, and every index is inside.
        let kernel = unsafe { held::<4>(out).unchecked() };
        launch(view, 4, kernel)
    });
}

#[amp_kernel]
fn of_the_profile(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    debug_assert_eq!(idx[0], 0); //~ of_the_profile: debug_assert_eq!
    out[idx] += 1;
}

#[test]
fn debug_assertions_follow_the_profile() {
    if cfg!(debug_assertions) {
        let words = "assertion `left == right` failed\n  left: 1\n right: 0";
        let what = ("of_the_profile", [1].as_slice(), words);
        faults(what, &[1, 2], &[2, 3], |view, out| {
            launch(view, 2, of_the_profile(out))
        });
    } else {
        becomes([2], &[1, 2], &[2, 3], |view, out| {
            launch(view, 2, of_the_profile(out))
        });
    }
}
