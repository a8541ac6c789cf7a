//! A kernel of a crate that knows `amp` by another name, with helpers of one that does so, too, and
//! of one that does not.

use amp_test_helpers::twist;
use amp_test_renamed::{Pair, Way, stepped};
use gpu::prelude::*;

const STEP: u32 = 3;

#[amp_kernel]
fn both(i: Index<1>, way: Way, pairs: &mut ArrayViewMut<Pair, 1>) {
    let mut pair = pairs[i];
    pair.a = match way {
        Way::Up => stepped(pair.a),
        Way::Down => pair.a - STEP,
    };
    pair.b += twist(2) as f32;
    pairs[i] = pair;
}

#[test]
fn helpers_of_two_crates() {
    let b = 0.5 + twist(2) as f32;
    for (up, expected) in [(true, [13, 23]), (false, [7, 17])] {
        testkit::everywhere(|view| {
            let mut pairs = [10, 20].map(|a| Pair { a, b: 0.5 });
            let mut data = ArrayViewMut::new(2, &mut pairs).expect("two pairs");
            let way = if up { Way::Up } else { Way::Down };
            testkit::launch(view, 2, both(way, &mut data))
                .and_then(|()| data.synchronize())
                .expect("it runs");
            drop(data);
            assert_eq!(pairs.map(|pair| pair.a), expected, "{view}");
            assert!(pairs.iter().all(|pair| pair.b == b), "{view}");
        });
    }
}
