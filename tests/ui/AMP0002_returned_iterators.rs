//! Functions whose results are no iterators and closures that kernels can return.

use amp::prelude::*;

#[amp_fn]
fn chosen(n: u32) -> impl Iterator<Item = u32> {
    if n > 3 { 0..n } else { 0..3 }
}

#[amp_fn]
fn counter(n: u32) -> impl FnMut() -> u32 {
    let mut k = n;
    move || {
        k += 1;
        k
    }
}

#[amp_struct]
struct Tree {
    count: u32,
}

#[amp_fn]
impl Tree {
    fn all(&self) -> impl Iterator<Item = u32> + '_ {
        let count = self.count;
        return 0..count;
    }
}

fn main() {}
