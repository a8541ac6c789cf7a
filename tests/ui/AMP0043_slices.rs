//! Methods of slices that an array has otherwise.

use amp::prelude::*;

trait Other {
    fn len(&self) -> usize {
        2
    }

    fn contains(&self, _: &u32) -> bool {
        false
    }

    fn fill(&self, _: u32) {}

    fn reverse(&mut self) {}

    fn iter(&self) -> std::array::IntoIter<u32, 0> {
        [].into_iter()
    }

    fn iter_mut(&mut self) -> std::array::IntoIter<u32, 0> {
        [].into_iter()
    }
}

impl<T, const N: usize> Other for [T; N] {}

#[amp_fn]
fn length(x: [u32; 4]) -> usize {
    x.len()
}

#[amp_fn]
fn visited(mut x: [u32; 4]) -> u32 {
    for x in x.iter_mut() {
        *x += 1;
    }
    let mut sum = 0;
    for x in x.iter() {
        sum += *x;
    }
    sum + x.iter().map(|x| x * 2).sum::<u32>()
}

#[amp_fn]
fn changed(mut x: [u32; 4]) -> bool {
    x.fill(3);
    x.reverse();
    x.contains(&3)
}

fn main() {}
