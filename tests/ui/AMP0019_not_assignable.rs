//! Assignments to what is no place, or cannot be written.

use amp::prelude::*;

const LIMIT: f32 = 1.0;

#[amp_kernel]
fn assignments(
    t_idx: TiledIndex<1, 16>,
    a: &ArrayView<f32, 1>,
    rows: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 1>,
) {
    let i = t_idx.global;
    a[i] = 1.0;
    a[i] += 1.0;
    rows.row(1)[0] = 1.0;
    LIMIT = 2.0;
    c = c;
    t_idx.local = i;
    t_idx.local[0] = 1;
    let (mut x, mut y) = (1.0_f32, 2.0_f32);
    (x, 3.0) = (1.0, 2.0);
    (x, { y; [x] }[0]) = (1.0, 2.0);
    [x, 4.0] = [1.0, 2.0];
    members::Point { x: 4.0 } = 1.0;
    1.0 = 2.0;
    c[i].max(1.0) = 2.0;
    c.extent()[0] = 1;
    c[i] + 1.0 += 2.0;
}

/// rustc itself refuses what is not declared `mut`.
#[amp_kernel]
fn not_mut(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let x = 1.0;
    c[idx] = x;
    x = 2.0;
    c[idx] = x;
}

#[amp_module]
mod members {
    pub struct Point {
        pub x: f32,
    }

    impl Point {
        pub fn step(&mut self) {
            self.x += 1.0;
        }

        pub fn reads(&self) {
            self.x += 1.0;
            self.step();
        }
    }
}

#[amp_kernel]
fn of_members(idx: Index<1>, points: &ArrayView<members::Point, 1>) {
    points[idx].step();
}

#[amp_enum]
enum Shape {
    Empty,
    Circle(f32),
}

// The name of a constant that is known was once taken for a place.
#[amp_kernel]
fn known_constants(idx: Index<1>, a: &ArrayView<f32, 1>) {
    glam::Vec2::ONE += a[idx];
    Shape::Empty = Shape::Circle(a[idx]);
}

#[amp_fn]
fn found(a: &mut [u32; 4], i: usize) -> Option<u32> {
    *a.get(i)? = 3;
    *a.iter().max()? += 1;
    *a.first().copied()? = 2;
    Some(a[0])
}

#[amp_kernel]
fn founds(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = found(&mut [1; 4], 2).unwrap_or(0);
}

fn main() {}
