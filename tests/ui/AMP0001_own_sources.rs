//! Iterators of one's own types by a method named as that of arrays, where nothing tells the type.

use amp::prelude::*;
#[amp_module]
mod k {
    #[derive(Clone, Copy)]
    pub struct Bag { buf: [u32; 4], len: usize }
    impl Bag {
        pub fn new(t: u32) -> Self { Bag { buf: [t; 4], len: 3 } }
        pub fn iter(&self) -> impl Iterator<Item = u32> { self.buf[..self.len].iter().copied() }
    }
    pub fn a(bags: [Bag; 2]) -> u32 { bags[1].iter().sum() }
    pub fn b(bag: Bag) -> u32 { bag.iter().rev().sum() }
    pub fn d(bags: [Bag; 2]) -> u32 { bags.iter().map(|bag| bag.iter().sum::<u32>()).sum() }
}
fn main() {}
