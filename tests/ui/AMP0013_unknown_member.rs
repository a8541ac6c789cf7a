//! Methods and fields that a type does not have in kernels.

use amp::prelude::*;
use half::{bf16, f16};

#[amp_struct]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_kernel]
fn fields(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<Pair, 1>, n: u32, pair: (f32, f32)) {
    let i = t_idx.global;
    let a = c[i].c;
    let b = pair.2;
    let d = t_idx.position;
    let e = i.x;
    let f = n.bits;
    let g = [1, 2].x;
    let h = c.x;
    c[i] = Pair { a: 1.0, b: 2.0, c: 3.0 };
}

#[amp_kernel]
fn methods(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>, n: u32, size: usize, b: bool) {
    let i = t_idx.global;
    let array = [1.0_f32, 2.0];
    let pair = Pair { a: 1.0, b: 2.0 };
    let a = n.frobnicate();
    let d = n.abs();
    let e = n.checked_ad(1);
    let f = n.into();
    let g = size.reverse_bits();
    let h = c.len(1);
    let j = c.row(1);
    let l = array.get(0);
    let l = c[i].atomic_fetch_add(1.0);
    let o = pair.length();
    let p = i.rank();
    let q = c.extent().tile();
    let v = c.extent().rank();
    let r = t_idx.barrier.arrive();
    let s = f32::frobnicate(1.0);
    let t = b.then_sum(1);
    let u = c[i].sqr();
}

/// What the standard library has for numbers and ranges, and kernels have not.
#[amp_kernel]
fn standard_methods(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, x: f32) {
    let n = c[idx];
    let a = n.strict_add(1);
    let b = n.overflowing_ad(1).0;
    let d = n.from_le();
    let e = idx[0].to_le_bytes()[0];
    let f = x.is_norm();
    let g = x.total_cmp(&1.0);
    let h = (1..4).contains(&n, 1);
    let i = [1.0, x].each_ref()[0];
}

#[amp_kernel]
fn no_elements(t_idx: TiledIndex<1, 16>, n: u32) {
    let a = n[0];
    let b = t_idx[0];
    let d = (1, 2)[0];
}

/// What `f64` does not have, and what the `half` crate does not have.
#[amp_kernel]
fn other_floats(idx: Index<1>, c: &mut ArrayViewMut<f64, 1>, x: f16, y: isize, z: bf16) {
    let a = c[idx].gamma();
    let b = x.classify();
    let d = f64::gamma(1.0);
    let e = x.sqrt();
    let f = f16::from_f64(1.0);
    let g = y.leading_zeros();
    let h = c[idx].count_ones();
    let i = 1_u64.abs();
    let j = z.sqrt();
}

#[amp_enum]
enum Suit {
    Hearts,
    Spades,
}

#[amp_kernel]
fn variants(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, suit: Suit) {
    let a = Suit::Heart;
    let b = suit == Suit::Diamonds;
    match suit {
        Suit::Spade => {}
        _ => {}
    }
    let c = suit.index();
    let d = suit.clone();
}

#[amp_module]
mod shapes {
    pub struct Vector {
        pub x: f32,
    }

    pub enum Axis {
        X,
        Y,
    }

    impl Vector {
        pub fn unit() -> Self {
            Self { x: 1.0 }
        }

        pub fn length(&self) -> f32 {
            self.x.abs()
        }

        pub fn scale(&mut self, by: f32) {
            self.x *= by;
        }

        pub fn misspelt(self) -> f32 {
            self.lenght() + self.y
        }
    }

    pub trait Area {
        fn area(self) -> f32;
    }

    impl Area for Vector {
        fn area(self) -> f32 {
            0.0
        }
    }
}

use shapes::{Area, Axis, Vector};

#[amp_kernel]
fn members(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, axis: Axis) {
    let v = Vector::unit();
    let a = v.lenght();
    let b = Vector::units();
    let d = v.normalised();
    let e = v.unit();
    let f = axis.next();
    let g = Axis::first();
    let h = Area::area(1.0_f32);
    let i = Area::volume(v);
    let j = Area::area();
}

#[amp_kernel]
fn view_methods(idx: Index<1>, a: &mut ArrayViewMut<f32, 1>) {
    let x = a.get(3);
}

fn main() {}
