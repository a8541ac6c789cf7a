//! Functions that ask of a type parameter what its bounds do not have.

use amp::prelude::*;

#[amp_module]
mod shapes {
    use amp::prelude::*;

    pub trait Shape {
        const SIDES: u32;

        fn area(&self) -> f32;
    }

    pub struct Square {
        pub side: f32,
    }

    impl Shape for Square {
        const SIDES: u32 = 4;

        fn area(&self) -> f32 {
            self.side * self.side
        }
    }

    pub struct Other {
        pub side: f32,
    }

    pub fn asked<S: Shape>(shape: &S) -> f32 {
        let n = S::CORNERS;
        let made = S::unit();
        shape.aera() + shape.area(1.0) + shape.volume()
    }

    pub fn waits<S: Shape>(t_idx: TiledIndex<1, 4>, shape: &S) -> f32 {
        t_idx.barrier.wait();
        shape.area()
    }

    pub fn sum<S: Shape>(one: S, other: S) -> S {
        one + other
    }
}

trait Plain {
    fn plain(&self) -> f32;
}

#[amp_fn]
fn of_plain<S: Plain>(shape: S) -> f32 {
    shape.plain()
}

#[amp_kernel]
fn of_impl(idx: Index<1>, f: impl Fn(f32) -> f32, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = f(1.0);
}

fn main() {}
