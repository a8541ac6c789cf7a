//! Operators that types do not have.

use amp::prelude::*;
use half::f16;

#[amp_struct]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_kernel]
fn scalars(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, n: u32, x: f32, b: bool) {
    let a = -n;
    let d = -b;
    let e = !x;
    let f = x & 1.0;
    let g = x << 1;
    let h = n >> 1.0;
    let i = b + b;
    let j = n as bool;
    let k = b as f32;
    let l = 1 as bool;
    let m = 1.5 as bool;
    let o = x % x;
    for p in 0.0..x {}
    for q in false..true {}
}

#[amp_kernel]
fn aggregates(idx: Index<2>, c: &mut ArrayViewMut<Pair, 1>, t: (f32, f32), a: [f32; 2]) {
    let b = t + t;
    let d = -a;
    let e = c[0] * c[1];
    let f = t == t;
    let g = a < a;
    let h = t as u32;
    let i = 1 as (u32, u32);
    let j = a as [u32; 2];
}

#[amp_kernel]
fn positions(idx: Index<2>, other: Index<3>, e: Extent<2>, x: f32) {
    let a = idx * idx;
    let b = idx + other;
    let c = idx * 2.0;
    let d = idx & 1;
    let f = -idx;
    let g = idx < idx;
    let h = idx == e;
    let i = idx + [1, 2, 3];
    let j = idx + x;
    let mut pair = (idx, 1);
    pair.0 += idx;
}

const HALF: f32 = 0.5;

/// Nothing compares its values.
#[amp_struct]
struct Plain {
    x: u32,
}

const PLAIN: Plain = Plain { x: 1 };

#[amp_kernel]
fn patterns(idx: Index<1>, n: u32, x: f32, flag: bool, plain: Plain) {
    match (n, plain) {
        (2, PLAIN) => {}
        _ => {}
    }
    match n {
        -1 => {}
        _ => {}
    }
    match x {
        HALF => {}
        _ => {}
    }
    match flag {
        false..=true => {}
        _ => {}
    }
}

#[amp_kernel]
fn halves(idx: Index<1>, c: &mut ArrayViewMut<f16, 1>, x: f32, n: u64) {
    let a = x as f16;
    let b = c[idx] as f32;
    let d = -n;
    let e = c[idx] & c[idx];
    let f = (x > 0.0) as f64;
}

#[amp_enum]
enum Suit {
    Hearts,
    Spades,
}

#[amp_kernel]
fn enums(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, suit: Suit) {
    let a = suit < Suit::Spades;
    let b = suit + Suit::Spades;
    let d = !suit;
    let e = suit as f32;
    let f = suit as bool;
    let g = 1 as Suit;
}

#[amp_module]
mod operators {
    pub struct Meters {
        pub n: f32,
    }

    impl std::ops::Mul<f32> for Meters {
        type Output = Meters;
        fn mul(self, by: f32) -> Meters {
            Meters { n: self.n * by }
        }
    }
}

use operators::Meters;

#[amp_kernel]
fn own_types(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, mut m: Meters) {
    let a = m * 2.0;
    let b = 2.0 * m;
    let d = m * m;
    let e = m + m;
    let f = m == m;
    let g = m < m;
    let h = -m;
    m *= 2.0;
}

#[amp_fn]
fn opposite<T: Scalar>(x: T) -> T {
    -x
}

#[amp_fn]
fn masked<T: Scalar>(x: T) -> T {
    x & x
}

#[amp_fn]
fn shifted<T: Integer>(x: T) -> T {
    x << x
}

#[amp_fn]
fn ones<T: Scalar>(x: T) -> u32 {
    x.count_ones()
}

#[amp_fn]
fn of_references(a: &Meters, b: Meters) {
    let c = a + &b;
    let d = b + a;
    let e = -a;
    let f = &b + 1.0;
}

fn main() {}
