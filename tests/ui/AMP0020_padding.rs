//! Structs with padding, some of it because of what glam aligns.

use amp::prelude::*;
use glam::{BVec2, Mat2, Mat4, Vec3, Vec4};

#[amp_struct]
struct Before {
    mass: f32,
    place: Vec4,
}

#[amp_struct]
struct Behind {
    place: Vec4,
    speed: Vec3,
}

#[amp_struct]
struct Inner {
    turns: [Mat2; 2],
}

#[amp_struct]
struct Nested {
    id: [u32; 2],
    inner: Inner,
    turn: Mat4,
}

#[amp_struct]
struct Mask {
    hit: BVec2,
}

#[amp_struct]
struct Wide {
    a: u32,
    b: u64,
}

#[amp_struct]
struct Odd {
    a: [u16; 3],
    b: u8,
}

fn main() {}
