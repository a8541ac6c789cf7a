//! Panics of generic functions whose results may have no value of zeroes.

use amp::prelude::*;
#[amp_module]
mod k {
    #[derive(Clone, Copy)]
    pub struct Slot<T> { pub value: Option<T> }
    #[derive(Clone, Copy)]
    pub struct P<T> { pub value: T }
    pub fn found<T: Copy>(x: Option<Slot<T>>) -> Slot<T> { x.unwrap() }
    pub fn both<T: Copy>(x: Option<(u8, Slot<T>)>) -> (u8, Slot<T>) { x.unwrap() }
    pub fn value<T: Copy>(x: Option<T>) -> T { x.unwrap() }
    pub fn part<T: Copy>(x: Option<P<T>>) -> P<T> { x.unwrap() }
    pub fn optional<T: Copy>(x: Option<T>) -> Option<T> { Some(x.unwrap()) }
    pub fn a(x: Option<Option<u8>>) -> Option<u8> { value(x) }
    pub fn b(x: Option<P<std::cmp::Ordering>>) -> bool { part(x).value.is_lt() }
    pub fn c(x: Option<Option<u8>>) -> Option<Option<u8>> { optional(x) }
}
fn main() {}
