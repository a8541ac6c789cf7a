//! A crate that knows `amp` by another name: its kernels, and its helpers in kernels of this one.

use amp::prelude::*;
use amp_test_renamed::{NUMBERS, PAIRS, Pair, Twice, members, shift, stepped, twice};
use testkit::{becomes, launch};

#[amp_kernel]
fn imported(i: Index<1>, pairs: &mut ArrayViewMut<Pair, 1>) {
    let pair = pairs[i];
    pairs[i] = Pair {
        a: stepped(pair.a),
        b: pair.b,
    };
}

#[test]
fn kernels_of_a_crate_that_renames_amp() {
    becomes([2], &[1_u32, 2], &[2, 4], |view, x| {
        launch(view, 2, twice(x))
    });
    becomes([2], &[1_u32, 2], &[8, 9], shift);
    becomes([4], &[1_u32, 2, 3, 4], &[5, 4, 3, 2], |view, x| {
        launch(view, x.extent().tile::<4>(), members::counted(x))
    });
}

fn doubled<T: Twice + testkit::Same>(x: T, expected: T) {
    becomes([1], &[x], &[expected], |view, x| launch(view, 1, twice(x)));
}

#[amp_kernel]
fn of_constants(i: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[i] = PAIRS[i[0]].b + NUMBERS.iter().sum::<u32>() as f32;
}

#[test]
fn constants_and_bounds_of_a_crate_that_renames_amp() {
    doubled(1.5_f32, 3.0);
    doubled(7_u32, 14);
    becomes([3], &[0.0; 3], &[60.5, 61.5, 62.5], |view, out| {
        launch(view, 3, of_constants(out))
    });
}

#[test]
fn helpers_of_a_crate_that_renames_amp() {
    testkit::everywhere(|view| {
        let mut pairs = [10, 20].map(|a| Pair { a, b: 0.5 });
        let mut data = ArrayViewMut::new(2, &mut pairs).expect("two pairs");
        launch(view, 2, imported(&mut data))
            .and_then(|()| data.synchronize())
            .expect("it runs");
        drop(data);
        assert_eq!(
            pairs.map(|pair| (pair.a, pair.b)),
            [(13, 0.5), (23, 0.5)],
            "{view}"
        );
    });
}
