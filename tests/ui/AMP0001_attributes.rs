//! Attributes that would change what a body is.

use amp::prelude::*;

#[amp_struct]
struct Pair {
    one: u32,
    other: u32,
}

#[amp_fn]
fn literals(x: u32) -> u32 {
    let pair = Pair {
        #[cfg(not(any()))]
        one: x,
        other: 2,
        #[cfg(any())]
        one: 1,
    };
    pair.one
}

#[amp_fn]
fn patterns(pair: Pair) -> u32 {
    let Pair {
        #[cfg(not(any()))]
        other: x,
        #[cfg(any())]
        one: x,
        ..
    } = pair;
    x
}

#[amp_fn]
fn closures(x: u32) -> u32 {
    let sum = |#[allow(unused)] one: u32, #[cfg(not(any()))] other: u32| one + other;
    sum(x, 1)
}

#[amp_fn]
fn statements(x: u32) -> u32 {
    #[cfg(any())]
    let x = x + 1;
    #[cfg(any())]
    let y = 1;
    #[cfg(not(all()))]
    let y = 2;
    #[cfg(any())]
    const K: u32 = 1;
    #[cfg_attr(any(), allow(unused))]
    let z = 1;
    #[cfg(any())]
    z.nothing();
    {
        #![cfg(any())]
        match x {
            #[cfg(any())]
            0 => {}
            _ => {}
        }
    }
    x
}

#[amp_fn]
fn hints(x: u32) -> u32 {
    let mut sum = 0;
    #[unroll(4)]
    for k in 0..x {
        sum += k;
    }
    #[unroll]
    if sum > 9 {
        return 9;
    }
    sum
}

fn main() {}
