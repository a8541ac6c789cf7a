//! Traits and types of the standard library that kernels do not have, where they are named.

use amp::prelude::*;
use std::ops::*;

#[amp_fn]
fn below(end: RangeTo<u32>) -> u32 {
    end.end
}

#[amp_fn]
fn lowest(bound: Bound<u32>) -> u32 {
    0
}

#[amp_module]
mod iterators {
    pub struct Pairs<I: Iterator> {
        inner: I,
    }

    impl<I: Iterator<Item = u32>> Iterator for Pairs<I> {
        type Item = (u32, u32);

        fn next(&mut self) -> Option<(u32, u32)> {
            Some((self.inner.next()?, self.inner.next()?))
        }
    }
}

#[amp_module]
mod parameters {
    pub trait Total {
        fn total<I: IntoIterator<Item = u32>>(&self, items: I) -> u32;
    }

    pub fn shown<T: ToString>(x: T) -> u32 {
        0
    }
}

#[amp_module]
mod types {
    use std::collections::HashMap;
    use std::fmt;

    pub struct Counts(u32);

    impl Counts {
        pub fn of(map: HashMap<u32, u32>) -> Self {
            Counts(0)
        }

        pub fn show(&self, f: &mut fmt::Formatter<'_>) -> u32 {
            self.0
        }
    }
}

fn main() {}
