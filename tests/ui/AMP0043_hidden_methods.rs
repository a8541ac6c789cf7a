//! Methods that another one hides from Rust, and not from a kernel.

#[amp::amp_module]
mod items {
    use amp::prelude::*;

    pub trait Area {
        fn area(&self) -> u32;

        fn scaled<S: Scalar>(&self, by: S) -> S;

        fn applied(&self, f: impl Fn(u32) -> u32) -> u32;
    }

    pub struct Square {
        pub side: u32,
    }

    impl Area for Square {
        fn area(&self) -> u32 {
            1
        }

        fn scaled<S: Scalar>(&self, by: S) -> S {
            by
        }

        fn applied(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(1)
        }
    }

    impl Square {
        pub fn taken(self) -> u32 {
            1
        }
    }

    pub struct Points<'a> {
        pub data: ArrayView<'a, u32, 1>,
    }

    impl Points<'_> {
        pub fn count(&self) -> u32 {
            1
        }

        pub fn first(&self) -> u32 {
            self.data[0]
        }

        pub fn most() -> u32 {
            3
        }
    }
}

mod that_have_parameters_of_their_own {
    use super::items::{Area, Square};
    use amp::prelude::*;

    impl Square {
        fn scaled<S: Scalar>(&self, by: S) -> S {
            by + by
        }

        fn applied(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(2)
        }
    }

    #[amp_kernel]
    fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        let square = Square { side: 1 };
        o[idx] = square.scaled(1_u32) + square.applied(|x| x + 1);
    }
}

mod through_a_bound {
    use super::items::Area;
    use amp::prelude::*;

    trait Other: Sized {
        fn area(self) -> u32 {
            2
        }
    }

    impl<T> Other for T {}

    #[amp_fn]
    fn generic<T: Area>(t: T) -> u32 {
        t.area()
    }
}

mod of_structs_with_views {
    use super::items::Points;
    use amp::prelude::*;

    impl Points<'_> {
        fn first(&self) -> u32 {
            2
        }

        fn most() -> u32 {
            4
        }
    }

    trait Other: Sized {
        fn count(self) -> u32 {
            2
        }
    }

    impl Other for &Points<'_> {}

    impl Other for Points<'_> {}

    #[amp_kernel]
    fn k(idx: Index<1>, points: Points<'_>, o: &mut ArrayViewMut<u32, 1>) {
        o[idx] = points.first() + points.count() + Points::most();
    }
}

mod of_types_that_have_no_name_here {
    mod outer {
        #[amp::amp_module]
        mod inner {
            pub trait Area {
                fn area(&self) -> u32;
            }

            pub struct Square {
                pub side: u32,
            }

            impl Area for Square {
                fn area(&self) -> u32 {
                    1
                }
            }

            pub fn square() -> Square {
                Square { side: 1 }
            }
        }

        pub use inner::{Area, square};

        impl inner::Square {
            pub fn area(&self) -> u32 {
                2
            }
        }
    }

    use amp::prelude::*;
    use outer::{Area, square};

    #[amp_kernel]
    fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        let square = square();
        o[idx] = square.area();
    }
}

mod behind_a_reference {
    use super::items::Square;
    use amp::prelude::*;

    trait Other {
        fn taken(&self) -> u32;
    }

    impl Other for Square {
        fn taken(&self) -> u32 {
            2
        }
    }

    trait Absolute {
        fn abs(&self) -> f32;
    }

    impl Absolute for f32 {
        fn abs(&self) -> f32 {
            2.0
        }
    }

    #[amp_fn]
    fn by_reference(square: &Square, x: &f32) -> f32 {
        x.abs() + square.taken() as f32
    }
}

mod built_in {
    use amp::{ArrayView, ArrayViewMut, Index, TileBarrier, TiledIndex, amp_kernel};
    use glam::Vec3;

    trait Other: Sized {
        fn len(self) -> usize {
            2
        }

        fn iter(self) -> std::array::IntoIter<u32, 0> {
            [].into_iter()
        }

        fn to_f32(self) -> f32 {
            2.0
        }

        fn clone(self) -> Self {
            self
        }

        fn min(self, other: Self) -> Self {
            other
        }

        fn rev(self) -> std::array::IntoIter<u32, 0> {
            [].into_iter()
        }

        fn zyx(self) -> Self {
            self
        }

        fn to_array(self) -> [f32; 3] {
            [2.0; 3]
        }

        fn wait(self) {}

        fn extent(self) -> [usize; 1] {
            [2]
        }

        fn abs(self) -> Self {
            self
        }
    }

    impl<T> Other for T {}

    #[amp_kernel]
    fn of_values(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        let (four, x, v) = ([1_u32; 4], 3_u32, Vec3::new(1.0, 2.0, 3.0));
        let mut sum = four.len() as u32 + x.to_f32() as u32 + x.clone() + x.min(2);
        for x in four.iter() {
            sum += x;
        }
        for x in (0..3_u32).rev() {
            sum += x;
        }
        // What takes the value goes before all that traits have.
        let y = (-1_i32).abs() as f32;
        o[idx] = sum + (v.zyx().x + v.to_array()[0] + y) as u32;
    }

    #[amp_kernel]
    fn of_views_and_tiles(t: TiledIndex<1, 4>, a: &ArrayView<u32, 1>, o: &mut ArrayViewMut<u32, 1>) {
        t.barrier.wait();
        // The view is held by reference, which is what its own method takes.
        o[t.global] = a.extent()[0] as u32;
        o[t.global] += o.extent()[0] as u32;
    }

    #[allow(dead_code)]
    fn named(_: TileBarrier) {}
}

fn main() {}
