//! Parameters of structs and enums that types leave out: `struct Vector<T = f32>`.

use amp::prelude::*;
use testkit::{gives, launch, twice};

const NUMBERS: [u32; 5] = [0, 1, 2, 9, 1000];

#[amp_struct]
struct Vector<T = f32> {
    x: T,
    y: T,
}

#[amp_fn]
impl<T: Scalar> Vector<T> {
    fn dot(&self, other: &Self) -> T {
        self.x * other.x + self.y * other.y
    }
}

#[amp_fn]
impl Vector {
    fn turned(self) -> Self {
        Vector {
            x: -self.y,
            y: self.x,
        }
    }
}

#[amp_struct]
struct Several<A, B = A, const N: usize = 2> {
    first: A,
    others: [B; N],
}

#[amp_struct]
struct Pair {
    vector: Vector,
    counts: Several<u32>,
}

#[amp_enum]
enum Found<T = f32> {
    At(T),
    Nowhere,
}

#[amp_fn]
fn found(x: f32) -> Found {
    if x > 1.0 {
        Found::At(x)
    } else {
        Found::Nowhere
    }
}

#[amp_module]
mod rays {
    pub struct Ray<T = f32> {
        pub start: [T; 2],
        pub speed: T,
    }

    impl Ray {
        pub fn at(&self, time: f32) -> f32 {
            self.start[1] + self.speed * time
        }
    }

    pub fn ray(x: f32) -> Ray {
        Ray {
            start: [1.0, x],
            speed: 2.5,
        }
    }
}

twice! {
    types_leave_them_out(u: u32) -> f32 = (NUMBERS.to_vec(),);
    {
        let x = u as f32;
        let vector: Vector = Vector { x, y: 1.5 };
        let whole: Vector<u32> = Vector { x: u, y: 3 };
        let two: Several<u32> = Several { first: u, others: [1, u] };
        let floats: Several<u32, f32> = Several { first: 2, others: [0.5, x] };
        let three: Several<u32, u32, 3> = Several { first: 1, others: [4, 5, u] };
        let pair = Pair { vector: vector.turned(), counts: two };
        let at = match found(x) {
            Found::At(x) => x * 0.25,
            Found::Nowhere => -1.0,
        };
        let none: Found<u32> = Found::Nowhere;
        let sum = pair.counts.others[1] + two.first + floats.first + three.others[2] + three.first;
        vector.dot(&pair.vector) + whole.dot(&whole) as f32 + floats.others[1] + sum as f32 + at
            + rays::ray(x).at(0.5) + matches!(none, Found::Nowhere) as u32 as f32 + pair.vector.x
    }
}

#[amp_kernel]
fn scaled(idx: Index<1>, by: Vector, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = by.x * idx[0] as f32 + by.y;
}

#[test]
fn parameters_of_kernels_leave_them_out() {
    let by = Vector { x: 0.5, y: 2.0 };
    gives(&[2.0, 2.5, 3.0], |view, out| {
        launch(view, 3, scaled(by, out))
    });
}

#[amp_struct]
struct Cells<T, const N: usize = 3>([T; N]);

#[amp_fn]
impl<T: Copy, const N: usize> Cells<T, N> {
    fn filled(x: T) -> Self {
        Cells([x; N])
    }
}

twice! {
    tuple_structs_leave_them_out(u: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let three: Cells<u32> = Cells::filled(u);
        let two = Cells::<u32, 2>([u, 1]);
        three.0[2] ^ two.0[1]
    }
}
