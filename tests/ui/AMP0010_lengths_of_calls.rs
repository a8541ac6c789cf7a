//! Methods whose lengths are constants of other functions that rustc alone knows: another method may hide each.

#[amp::amp_module]
mod items {
    pub trait Sum {
        fn sum<const N: usize>(&self, x: [u32; N]) -> u32;
    }

    pub struct P {
        pub x: u32,
    }

    impl Sum for P {
        fn sum<const N: usize>(&self, x: [u32; N]) -> u32 {
            x[0]
        }
    }
}

use amp::prelude::*;
use items::{P, Sum};

const LENGTH: usize = size_of::<u32>();

#[amp_fn]
fn numbers() -> [u32; LENGTH] {
    [1; LENGTH]
}

#[amp_fn]
fn sum(p: P) -> u32 {
    p.sum(numbers())
}

#[amp_fn]
fn sum_of_known(p: P) -> u32 {
    let numbers: [u32; LENGTH] = numbers();
    p.sum(numbers)
}

fn main() {}
