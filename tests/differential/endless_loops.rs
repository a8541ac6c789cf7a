//! Loops over ranges and iterators without an end, behind which rustc takes code for reachable; against the same module
//! as plain Rust.

#![deny(unreachable_code)]

use amp::prelude::*;

device_and_host! {
    fn halvings(x: u32) -> u32 {
        let mut x = x;
        for turn in 0.. {
            if x < 2 {
                return turn;
            }
            x /= 2;
        }
        unreachable!()
    }

    fn triangle_above(x: u32) -> u32 {
        let mut sum = 0;
        'found: {
            for k in 0u32.. {
                sum += k;
                if sum > x {
                    break 'found k;
                }
            }
            unreachable!()
        }
    }

    fn filled(x: u32) -> u32 {
        let mut sum = x;
        for part in std::iter::repeat(3) {
            sum += part;
            if sum > 50 {
                return sum;
            }
        }
        0
    }

    pub fn all(x: u32) -> u32 {
        halvings(x) + 10 * triangle_above(x) + 1000 * filled(x)
    }
}

all_agree!(loops_without_an_end_are_left: u32, 40);
