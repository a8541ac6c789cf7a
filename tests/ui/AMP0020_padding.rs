//! Structs with padding, some of it because of what glam aligns.

use amp::prelude::*;
use glam::{Mat2, Mat4, Vec3, Vec4};

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
struct Wide {
    a: u32,
    b: u64,
}

#[amp_struct]
struct Odd {
    a: [u16; 3],
    b: u8,
}

// What names a struct with padding is not refused, too.
#[amp_fn]
impl Odd {
    fn least(self, other: &Odd) -> u16 {
        if self.b < other.b { self.a[0] } else { other.a[0] }
    }
}

#[amp_kernel]
fn takes_odd(idx: Index<1>, c: &mut ArrayViewMut<u16, 1>, one: Odd) {
    let other = Odd { a: [1, 2, 3], b: 4 };
    c[idx] = one.least(&other);
}

#[amp_struct]
#[repr(C)]
#[derive(Debug)]
struct LikeC {
    a: u16,
    b: f32,
}

#[amp_module]
mod inside {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Marked {
        a: u32,
        b: u64,
    }

    pub struct Pad {
        a: u32,
        b: u64,
    }

    pub struct Around {
        pads: [Pad; 2],
    }

    #[amp_kernel]
    fn only_parameter(idx: Index<1>, pad: Pad, c: &mut ArrayViewMut<u32, 1>) {
        c[idx] = pad.a;
    }

    #[amp_kernel]
    fn element(idx: Index<1>, pads: &ArrayView<Pad, 1>, c: &mut ArrayViewMut<u32, 1>) {
        c[idx] = pads[idx].a;
    }

    #[amp_kernel]
    fn part_of_an_element(
        idx: Index<1>,
        pads: &ArrayView<Around, 1>,
        c: &mut ArrayViewMut<u32, 1>,
    ) {
        c[idx] = pads[idx].pads[0].a;
    }
}

#[amp_kernel]
fn only_parameter(idx: Index<1>, pad: LikeC, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = pad.b;
}

fn main() {}
