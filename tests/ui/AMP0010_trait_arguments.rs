//! Blocks of one trait with several arguments, of which nothing tells the one that is called.

use amp::prelude::*;
#[amp_module]
mod k {
    pub trait Tag<T> { fn tag(&self) -> u64; }
    pub trait Conv<T> { fn conv(&self) -> T; }
    pub trait Put<T> { fn put(&mut self, x: T); }
    pub struct X(pub u32);
    impl Tag<u8> for X { fn tag(&self) -> u64 { self.0 as u64 + 1 } }
    impl Tag<u16> for X { fn tag(&self) -> u64 { self.0 as u64 + 1000 } }
    impl Conv<u8> for X { fn conv(&self) -> u8 { self.0 as u8 } }
    impl Conv<u64> for X { fn conv(&self) -> u64 { self.0 as u64 * 2 } }
    impl Put<u8> for X { fn put(&mut self, x: u8) { self.0 += x as u32; } }
    impl Put<u16> for X { fn put(&mut self, x: u16) { self.0 += 100 * x as u32; } }
    pub fn a(x: X) -> u64 { x.tag() }
    pub fn b(x: X) -> u64 { let a = x.conv(); 3 }
    pub fn c(x: X) -> f32 { x.conv() }
    pub fn d(mut x: X) -> u64 { x.put(3); 1 }
    pub fn e<U: Tag<u8> + Tag<u16>>(u: U) -> u64 { u.tag() }
    pub fn f<U: Tag<u8> + Tag<u16>>(u: U) -> u64 { U::tag(&u) }
    pub fn g<U: Tag<u8>>(u: U) -> u64 { Tag::<u16>::tag(&u) }
    pub fn h<U: Tag<f32>>(u: U) -> u64 { u.tag() }
    pub fn i(x: X) -> u64 { h(x) }
    pub fn j<U, V: Tag<U>>(v: V) -> u64 { v.tag() }
    pub fn l(x: X) -> u64 { j(x) }
}
fn main() {}
