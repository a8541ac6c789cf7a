//! A crate that knows `amp` by another name: its kernels, and its helpers in kernels of this one.

use amp::prelude::*;
use amp_test_helpers::twist;
use amp_test_renamed::{Pair, Way, both, members, shift, stepped, twice};
use testkit::{becomes, launch};

#[amp_kernel]
fn imported(i: Index<1>, pairs: &mut ArrayViewMut<Pair, 1>) {
    let pair = pairs[i];
    pairs[i] = Pair {
        a: stepped(pair.a),
        b: pair.b,
    };
}

fn words(pairs: &[Pair]) -> Vec<[u32; 2]> {
    pairs
        .iter()
        .map(|pair| [pair.a, pair.b.to_bits()])
        .collect()
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
    let before = [10, 20].map(|a| Pair { a, b: 0.5 });
    let b = 0.5 + twist(2) as f32;
    for (expected, run) in [
        ([13, 23].map(|a| Pair { a, b }), 0),
        ([7, 17].map(|a| Pair { a, b }), 1),
        ([13, 23].map(|a| Pair { a, b: 0.5 }), 2),
    ] {
        testkit::everywhere(|view| {
            let mut pairs = before;
            let mut data = ArrayViewMut::new(2, &mut pairs).expect("two pairs");
            let launched = match run {
                0 => launch(view, 2, both(Way::Up, &mut data)),
                1 => launch(view, 2, both(Way::Down, &mut data)),
                _ => launch(view, 2, imported(&mut data)),
            };
            launched.and_then(|()| data.synchronize()).expect("it runs");
            drop(data);
            assert_eq!(words(&pairs), words(&expected), "{view}");
        });
    }
}
