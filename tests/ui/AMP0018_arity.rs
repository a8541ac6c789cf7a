//! Wrong numbers of arguments, indices and components.

use amp::prelude::*;

#[amp_struct]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_struct]
struct Point(f32, f32);

#[amp_fn]
fn mix(x: f32, y: f32, t: f32) -> f32 {
    x + (y - x) * t
}

#[amp_kernel]
fn calls(t_idx: TiledIndex<1, 16>, c: &mut ArrayViewMut<f32, 1>, x: f32, t: (f32, f32)) {
    let i = t_idx.global;
    c[i] = mix(x, 1.0);
    c[i] = mix(x, 1.0, 2.0, 3.0);
    c[i] = x.max();
    c[i] = x.sqrt(2.0);
    c[i] = f32::max(x);
    c[i] = 1_u32.saturating_sub() as f32;
    c[i] = u32::overflowing_add(1, 2, 3).0 as f32;
    let a = Point(1.0);
    let b = Pair { a: 1.0 };
    let d = Index::new();
    let e = Index::new(1, 2);
    let f = c.extent(1);
    t_idx.barrier.wait(1);
    all_memory_fence();
    all_memory_fence(x);
    let (g, h, k) = t;
    let [l, m] = [1.0_f32, 2.0, 3.0];
}

#[amp_kernel]
fn indices(idx: Index<2>, a: &ArrayView<f32, 2>, b: &ArrayView<f32, 3>, c: &mut ArrayViewMut<f32, 1>) {
    c[0] = a[0];
    c[0] = a[[0, 1, 2]];
    c[0] = b[idx];
    c[0] = b.row(1)[0];
    c[idx] = 1.0;
}

#[amp_kernel]
fn rank_zero(idx: Index<0>) {}

#[amp_kernel]
fn rank_negative(idx: Index<-1>) {}

#[amp_kernel]
fn rank_missing(idx: Index) {}

const RANK: usize = 2;

#[amp_kernel]
fn rank_constant(idx: Index<RANK>) {}

#[amp_kernel]
fn too_few_dimensions(t_idx: TiledIndex<2, 16>) {}

#[amp_kernel]
fn too_many_dimensions(t_idx: TiledIndex<4, 2, 2, 2, 2>) {}

#[amp_kernel]
fn no_rank(idx: Index<1>, a: &ArrayView<f32, 0>, b: &ArrayView, d: &ArrayView<f32, RANK>) {}

#[amp_module]
mod members {
    pub struct Point {
        pub x: f32,
    }

    impl Point {
        pub fn new(x: f32) -> Self {
            Self { x }
        }

        pub fn plus(&self, y: f32, z: f32) -> f32 {
            self.x + y + z
        }
    }
}

#[amp_kernel]
fn of_members(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let point = members::Point::new();
    let sum = point.plus(1.0);
}

#[amp_fn]
fn doubled<const N: usize>(x: [f32; N]) -> [f32; N] {
    x.map(|x| x * 2.0)
}

#[amp_kernel]
fn lengths(idx: Index<1>, c: &mut ArrayViewMut<[f32; 4], 1>) {
    let [x, y, z] = doubled(c[idx]);
}

#[amp_struct]
struct Several<A, B = A, const N: usize = 2> {
    first: A,
    others: [B; N],
}

#[amp_fn]
fn too_few(several: Several) -> f32 {
    several.first
}

#[amp_fn]
fn too_many(several: Several<f32, f32, 2, 3>) -> f32 {
    several.first
}

#[amp_fn]
fn of_another_kind(several: Several<f32, 2>) -> f32 {
    several.first
}

fn main() {}
