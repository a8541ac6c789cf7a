//! `Option`s and `Result`s as what loops and chains visit: `for x in option`, `flatten` of both.
#![allow(for_loops_over_fallibles)]

use amp::prelude::*;
use testkit::twice;

fn seeds() -> Vec<u32> {
    (0..200_u32)
        .map(|seed| seed.wrapping_mul(0x9e37_79b9))
        .collect()
}

#[amp_fn]
fn halved(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[amp_fn]
fn checked(x: u32) -> Result<(u32, f32), u8> {
    match x % 3 {
        0 => Err((x >> 8) as u8),
        _ => Ok((x / 3, x as f32)),
    }
}

twice! {
    loops(x: u32) -> u32 = (seeds(),);
    {
        let mut sum = 0_u32;
        for half in halved(x) {
            sum = sum.wrapping_add(half);
        }
        let kept = halved(x >> 1);
        for mut half in kept {
            half ^= 5;
            sum = sum.wrapping_mul(3) ^ half;
        }
        for (third, float) in checked(x) {
            sum ^= third ^ float.to_bits();
        }
        'outer: for a in Some(x % 7) {
            for b in checked(a) {
                if b.0 == 1 {
                    break 'outer;
                }
                if b.0 == 2 {
                    continue 'outer;
                }
                sum = sum.wrapping_add(9);
            }
            sum = sum.wrapping_add(100);
        }
        for _ in kept {
            sum += 1;
        }
        sum
    }
}

twice! {
    flattened(x: u32) -> u32 = (seeds(),);
    {
        let results = [checked(x), checked(x >> 3), checked(x >> 5), Err(3)];
        let thirds: u32 = results.into_iter().flatten().fold(0, |all, (third, _)| all.wrapping_mul(31) ^ third);
        let numbers = [1_u32, 2, 3, 4].iter().map(|n| checked(x / n)).flatten().count();
        let mut last = 0.0;
        for (third, float) in (0..5).flat_map(|n| checked(x.wrapping_add(n))) {
            last += float / (third % 100 + 1) as f32;
        }
        thirds ^ (numbers as u32) << 20 ^ last.to_bits()
    }
}
