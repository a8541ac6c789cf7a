//! Values that leave a loop by its only way out, where threads leave in different rounds.
//! lavapipe gave all threads the value of the last round.

// What is written first is what the faulty threads would not have seen either.
#![allow(unused_assignments)]

use amp::prelude::*;
use testkit::{gives, launch};

const THREADS: usize = 512;

/// `(x, y)` of the round in which a thread leaves.
fn left(me: u32) -> (u32, u32) {
    let mut x = me;
    loop {
        let y = x.wrapping_mul(5).wrapping_add(3);
        x = y ^ (x >> 3);
        if (y >> 2) % 8 >= me % 7 {
            return (x, y);
        }
    }
}

macro_rules! exits {
    ($($name:ident($me:ident, $x:ident) $body:block => |$left:pat_param| $expected:expr;)*) => {$(
        mod $name {
            use super::*;

            #[amp_kernel]
            fn kernel(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
                let $me = idx[0] as u32;
                let mut $x = $me;
                out[idx] = $body;
            }

            #[test]
            fn is_that_of_each_thread() {
                let expected: Vec<u32> = (0..THREADS as u32)
                    .map(|me| {
                        let $left = left(me);
                        $expected
                    })
                    .collect();
                gives(&expected, |view, out| launch(view, THREADS, kernel(out)));
            }
        }
    )*};
}

exits! {
    value_of_a_break(me, x) {
        loop {
            let y = x * 5 + 3;
            x = y ^ (x >> 3);
            if (y >> 2) % 8 >= me % 7 {
                break y + x;
            }
        }
    } => |(x, y)| y.wrapping_add(x);

    variable_set_before_the_break(me, x) {
        let mut result = 0;
        loop {
            let y = x * 5 + 3;
            x = y ^ (x >> 3);
            if (y >> 2) % 8 >= me % 7 {
                result = y;
                break;
            }
        }
        result ^ x
    } => |(x, y)| y ^ x;

    variable_set_in_each_round(me, x) {
        let mut result = 0;
        loop {
            let y = x * 5 + 3;
            x = y ^ (x >> 3);
            result = y * 3;
            if (y >> 2) % 8 >= me % 7 {
                break;
            }
        }
        result
    } => |(_, y)| y.wrapping_mul(3);

    value_of_an_outer_loop(me, x) {
        'outer: loop {
            loop {
                let y = x * 5 + 3;
                x = y ^ (x >> 3);
                if (y >> 2) % 8 >= me % 7 {
                    break 'outer y ^ 1;
                }
            }
        }
    } => |(_, y)| y ^ 1;
}
