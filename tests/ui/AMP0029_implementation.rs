//! `impl` blocks that an `#[amp_module]` cannot have.

use amp::prelude::*;

#[amp_module]
mod generic {
    pub struct Point {
        pub x: f32,
    }

    pub trait Single {
        fn single(self) -> f32;
    }

    impl<T: amp::Scalar> Single for T {
        fn single(self) -> f32 {
            self.to_f32()
        }
    }

    pub trait Sum {
        fn sum(self) -> f32;
    }

    impl Sum for [f32; 2] {
        fn sum(self) -> f32 {
            self[0] + self[1]
        }
    }

    impl<'a> std::ops::Neg for &'a Point {
        type Output = Point;
        fn neg(self) -> Point {
            Point { x: -self.x }
        }
    }
}

#[amp_module]
mod host_traits {
    pub struct Point {
        pub x: f32,
    }

    #[amp_fn]
    impl std::fmt::Display for Point {
        fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            write!(f, "{}", self.x)
        }
    }

}

macro_rules! functions {
    () => {};
}

#[amp_module]
mod macros {
    pub struct Point {
        pub x: f32,
    }

    impl Point {
        functions!();
    }
}

#[amp_module]
mod waiting {
    use super::*;

    pub struct Point {
        pub x: f32,
    }

    impl Point {
        pub fn publish(&mut self, t_idx: TiledIndex<1, 16>) {
            t_idx.barrier.wait();
        }

        pub fn wait(&self, barrier: &TileBarrier) {
            barrier.wait();
        }
    }
}

#[amp_module]
mod conditions {
    #[cfg(unix)]
    pub struct Point {
        pub x: f32,
    }

    impl Point {
        #[cfg(not(unix))]
        pub fn elsewhere(self) {}
    }
}

#[amp_module]
mod supplied {
    pub trait Area {
        fn area(&self) -> f32;

        fn doubled(&self) -> f32 {
            self.area() * 2.0
        }
    }

    pub struct Square {
        pub side: f32,
    }

    impl Square {
        pub fn area(&self) -> f32 {
            -1.0
        }
    }

    impl Area for Square {
        fn area(&self) -> f32 {
            self.side * self.side
        }
    }
}

#[amp_module]
mod destroyed {
    pub struct Owner {
        pub x: f32,
    }

    impl Drop for Owner {
        fn drop(&mut self) {}
    }
}

#[amp_module]
mod one_type_among_all {
    pub trait Area {
        fn area(&self) -> u32;
    }

    pub struct Rect<T> {
        pub side: T,
    }

    impl<T: Scalar> Area for Rect<T> {
        fn area(&self) -> u32 {
            1
        }
    }

    impl Rect<u32> {
        pub fn area(&self) -> u32 {
            2
        }
    }

    // `rect.area()` is that of `Area`, in each instance.
    pub fn generic<T: Scalar>(rect: Rect<T>) -> u32 {
        rect.area()
    }
}

/// In what a trait supplies, the names mean those of that trait.
#[amp_module]
mod two_traits_that_supply_functions {
    pub trait Area {
        const SIDES: u32;

        fn area(&self) -> u32;

        fn twice(&self) -> u32 {
            self.area() * 2
        }
    }

    pub trait Size {
        const SIDES: u32;

        fn area(&self) -> u32;
    }

    pub struct Square {
        pub side: u32,
    }

    impl Area for Square {
        const SIDES: u32 = 4;

        fn area(&self) -> u32 {
            1
        }
    }

    impl Size for Square {
        const SIDES: u32 = 5;

        fn area(&self) -> u32 {
            2
        }
    }
}

#[amp_module]
mod parts_of_traits_under_conditions {
    pub trait Area {
        #[cfg(any())]
        fn area(&self) -> u32;
    }
}

#[amp_module]
mod orders_and_references {
    use std::cmp::Ordering;

    #[derive(PartialEq, Eq)]
    pub struct Rank {
        pub n: u32,
    }

    // The `lt` that `PartialOrd` supplies would call it.
    impl Rank {
        pub fn partial_cmp(&self, other: &Self) -> u32 {
            self.n - other.n
        }
    }

    impl PartialOrd for Rank {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Rank {
        fn cmp(&self, other: &Self) -> Ordering {
            other.n.cmp(&self.n)
        }
    }

    impl std::ops::Add<&Rank> for &Rank {
        type Output = Rank;

        fn add(self, other: &Rank) -> Rank {
            Rank { n: self.n + other.n }
        }
    }
}

#[amp_module]
mod references {
    pub struct Point {
        pub x: f32,
    }

    pub trait Length {
        fn length(&self) -> f32;
    }

    impl Length for &Point {
        fn length(&self) -> f32 {
            self.x
        }
    }

    impl std::ops::Neg for &mut Point {
        type Output = f32;

        fn neg(self) -> f32 {
            -self.x
        }
    }
}

mod beside {
    use amp::prelude::*;

    #[amp_struct]
    struct Point {
        x: f32,
    }

    #[amp_fn(fast_math)]
    impl Point {
        #[amp_fn(index = 64)]
        fn x(&self) -> f32 {
            self.x
        }

        fn name(&self) -> String {
            String::new()
        }

        fn wrong(&self) -> f32 {
            self.y
        }

        #[cfg(test)]
        fn conditional(&self) -> f32 {
            self.x
        }

        #[amp_kernel]
        fn kernel(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
            out[idx] = 1.0;
        }
    }

    #[amp_fn]
    impl std::fmt::Display for Point {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{}", self.x)
        }
    }
}

mod wrong_body {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Point {
        pub x: f32,
    }

    #[amp_fn]
    impl Point {
        pub fn wrong(&self) -> f32 {
            self.y
        }

        fn endless(&self) -> f32 {
            again(self)
        }
    }

    #[amp_fn]
    fn again(point: &Point) -> f32 {
        point.endless()
    }
}

#[amp_kernel]
fn calls(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let point = wrong_body::Point { x: 1.0 };
    out[idx] = point.wrong() + point.nowhere();
}

fn main() {}
