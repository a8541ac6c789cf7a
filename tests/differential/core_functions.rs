//! Functions of `std::mem`, `std::cmp` and `std::array`, by their paths and imported.

use std::cmp::{max, min};
use std::mem;

use amp::prelude::*;
use testkit::{gives, launch, twice};

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 100, 65_537, u32::MAX];

#[amp_struct]
#[derive(Clone, Copy, Default, PartialEq)]
struct Pair {
    one: u32,
    other: [u16; 4],
}

#[amp_fn]
fn exchanged(pair: &mut Pair, with: u32) -> u32 {
    mem::replace(&mut pair.one, with)
}

twice! {
    exchanges(x: u32, y: u32) -> u32 = (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat());
    {
        let mut a = x;
        let mut rows = [[y, 1, 2], [3, x, 5]];
        std::mem::swap(&mut a, &mut rows[1][2]);
        let [first, second] = &mut rows;
        mem::swap(first, second);
        let mut pair = Pair { one: y, other: [7; 4] };
        let old = exchanged(&mut pair, a) ^ std::mem::take(&mut pair).one;
        let none = mem::take(&mut a);
        let sum = rows[0][2] ^ rows[1][0].wrapping_mul(3) ^ u32::from(pair == Pair::default());
        sum.wrapping_add(old).wrapping_add(none).wrapping_mul(a + 5)
    }
}

twice! {
    extremes(x: u32, y: u32) -> u32 = (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat());
    {
        let low = min(x, y).wrapping_add(std::cmp::max((x, 1), (y, 0)).1);
        let most = [x, 9, y].iter().copied().fold(0, max);
        low ^ most.rotate_left(7) ^ max(3, (y % 9) as u8 as u32)
    }
}

twice! {
    made(x: u32, y: u32) -> u32 = (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat());
    {
        let a: [u32; 5] = std::array::from_fn(|i| x.wrapping_mul(i as u32) ^ y);
        let mut calls = 0;
        let b = std::array::from_fn::<u64, 3, _>(|i| {
            calls += 1;
            u64::from(a[i]) << i
        });
        let sizes = size_of::<u32>() + mem::size_of::<Pair>() * 16 + std::mem::align_of::<[u64; 3]>() * 512;
        (b[0] ^ b[1] ^ b[2]) as u32 ^ a[4] ^ (calls << 8) ^ sizes as u32
    }
}

#[amp_kernel]
fn elements(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0];
    mem::swap(&mut a[i], &mut out[i]);
    let old = mem::replace(&mut a[i], 3);
    out[i] = out[i] * 10 + old + a[i];
}

#[test]
fn elements_are_exchanged() {
    gives(&[13, 23, 33, 43], |view, out| {
        let mut a = [1, 2, 3, 4];
        let mut a = ArrayViewMut::new(4, &mut a)?;
        launch(view, 4, elements(&mut a, out))
    });
}
