//! A crate that knows `amp` by another name: its kernels, and its helpers in kernels of this one.

use amp::prelude::*;
use amp_test_renamed::{Pair, members, shift, stepped, twice};
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
