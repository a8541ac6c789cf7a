//! Loops one after another: the first launch of their kernel takes no time that grows with the
//! cube of their number.

use std::time::{Duration, Instant};

use amp::prelude::*;
use testkit::{everywhere, launch};

macro_rules! in_a_row {
    ($($k:literal)*) => {
        #[amp_fn]
        fn passed_on(first: u32, n: u32) -> u32 {
            let mut sum = first;
            $(for k in 0..n + $k {
                sum ^= k * (2 * $k + 3);
            })*
            sum
        }
    };
}
in_a_row!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);

#[amp_kernel]
fn kernel(idx: Index<1>, n: u32, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = passed_on(idx[0] as u32, n);
}

/// It took lavapipe half a minute, and each further loop took longer. The limit only tells a driver
/// that is stuck from a machine that does other work.
#[test]
fn the_first_launch_of_a_kernel_with_many_loops_is_quick() {
    let expected: Vec<u32> = (0..8).map(|k| passed_on(k, 20)).collect();
    everywhere(|view| {
        let mut found = [0; 8];
        let mut out = ArrayViewMut::new(8, &mut found).unwrap();
        let start = Instant::now();
        launch(view, 8, kernel(20, &mut out)).unwrap();
        out.synchronize().unwrap();
        let took = start.elapsed();
        assert!(took < Duration::from_secs(120), "{view} took {took:?}");
        drop(out);
        assert_eq!(found, *expected, "{view}");
    });
}
