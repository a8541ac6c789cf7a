//! A generic helper that cannot be compiled for the types of a call is the caller's mistake.

use amp::prelude::*;

#[amp_fn]
fn twice<T: Scalar>(x: T) -> T {
    x + x
}

#[amp_kernel]
fn no_number(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    c[idx] = twice(c[idx] > 1) as u32;
}

#[amp_module]
mod shapes {
    use amp::prelude::*;

    pub trait Shape {
        fn area(&self) -> f32;
    }
    pub struct Round {
        pub radius: f32,
    }
    impl Shape for Round {
        fn area(&self) -> f32 {
            self.radius
        }
    }
    pub struct Square {
        pub side: f32,
    }
    pub fn doubled<S: Shape>(shape: &S) -> f32 {
        2.0 * shape.area()
    }

    #[amp_kernel]
    fn no_shape(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
        let square = Square { side: c[idx] };
        c[idx] = doubled(&square) + doubled(&Round { radius: 1.0 });
    }
}

#[amp_kernel(T = bool)]
fn not_a_number<T: Scalar>(idx: Index<1>, c: &mut ArrayViewMut<T, 1>) {
    c[idx] = c[idx];
}

#[amp_kernel(T = f32 | char | Own)]
fn no_types<T: Scalar>(idx: Index<1>, c: &mut ArrayViewMut<T, 1>) {
    c[idx] = c[idx];
}

#[amp_struct]
struct Own {
    x: f32,
}

#[amp_fn]
fn sum<T>(a: T, b: T) -> T {
    a + b
}

#[amp_kernel]
fn no_sum(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = sum(1.0, c[idx]) + sum(true, false) as u32 as f32;
}

#[amp_fn]
fn of_four<T: Scalar, const N: usize>(x: [T; N]) -> T {
    let four: [T; 4] = x;
    four[3]
}

#[amp_kernel]
fn three(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = of_four([1.0, 2.0, 3.0]);
}

#[amp_module]
mod pairs {
    use amp::prelude::*;

    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    impl<T: Scalar> Pair<T> {
        pub fn sum(self) -> T {
            self.a + self.b
        }
    }

    pub fn of_any<T: Copy>(pair: Pair<T>) -> T {
        pair.sum()
    }

    #[amp_kernel]
    fn no_pair(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
        c[idx] = of_any(Pair { a: true, b: false }) as u32 as f32;
    }
}

fn main() {}
