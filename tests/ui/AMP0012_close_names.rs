//! Misspelt names of every kind: the help names the one that is close. For constants rustc
//! does (`unknown_constant.rs`).

use amp::prelude::*;
use glam::{Mat3, Vec3};

#[amp_struct]
struct Particle {
    position: [f32; 3],
    mass: f32,
}

#[amp_enum]
enum Suit {
    Clubs,
    Hearts,
}

#[amp_fn]
fn smooth(x: f32) -> f32 {
    x * x * (3.0 - 2.0 * x)
}

mod filters {
    use amp::prelude::*;

    #[amp_fn]
    pub fn blur(x: f32) -> f32 {
        x * 0.5
    }
}

#[amp_module]
mod shapes {
    pub struct Circle {
        pub radius: f32,
    }

    impl Circle {
        pub fn unit() -> Self {
            Self { radius: 1.0 }
        }

        pub fn area(&self) -> f32 {
            3.0 * self.radius * self.radius
        }
    }

    pub fn double(x: f32) -> f32 {
        x + x
    }
}
use shapes::Circle;

#[amp_kernel]
fn variables(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, weight: f32) {
    let total = weigth * 2.0;
    c[idx] = totl;
}

#[amp_kernel]
fn helpers(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = smoth(c[idx]);
}

#[amp_kernel]
fn atomics(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_ad(&mut c[idx], 1);
}

#[amp_kernel]
fn of_a_module(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = filters::blurr(c[idx]);
}

#[amp_kernel]
fn of_an_amp_module(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = shapes::duble(c[idx]);
}

#[amp_kernel]
fn types(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, of: Partcle) {
    c[idx] = of.mass;
}

#[amp_kernel]
fn types_of_a_module(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let circle = shapes::Circel { radius: 1.0 };
    c[idx] = circle.radius;
}

#[amp_kernel]
fn methods(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>, n: u32) {
    let a = c[t_idx].sqr();
    let b = n.count_one();
    let d = f32::mac(a, 1.0);
    let e = c.extents();
    let f = c.extent().sise();
    t_idx.barrier.wait_with_tile_static_fence();
    let g = Circle::unti();
    let h = Circle::unit().aera();
}

#[amp_kernel]
fn fields(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<Particle, 1>) {
    c[t_idx].posiiton = [0.0; 3];
    c[t_idx].mass = t_idx.lokal[0] as f32;
    let p = Particle { position: [0.0; 3], mas: 1.0 };
}

#[amp_kernel]
fn vectors(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, v: Vec3, m: Mat3) {
    let a = v.lenght();
    let b = v.xyw();
    let d = v.rgb();
    let e = v.xy;
    let f = v.X;
    let g = m.transposed();
    c[idx] = v.dott(v);
}

#[amp_kernel]
fn variants(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>, suit: Suit) {
    match suit {
        Suit::Club => c[idx] = 1,
        Suit::Heart => c[idx] = 2,
    }
}

#[amp_kernel]
fn labels(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, n: u32) {
    'outer: for i in 0..n {
        for j in 0..n {
            if i * j == c[idx] {
                break 'outre;
            }
        }
    }
}

#[amp_kernel(fast_maths)]
fn arguments(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = 1.0;
}

fn main() {}
