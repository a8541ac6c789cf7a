//! A method that is one function in Rust and another in a kernel.

#[amp::amp_module]
mod items {
    use amp::prelude::*;

    pub trait Area {
        fn area(&self) -> u32;

        fn sides() -> u32 {
            4
        }
    }

    pub trait Size {
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

    pub struct Line {
        pub length: u32,
    }

    impl Area for Line {
        fn area(&self) -> u32 {
            0
        }
    }

    pub struct Square {
        pub side: u32,
    }

    impl Area for Square {
        fn area(&self) -> u32 {
            1
        }
    }

    impl Size for Square {
        fn area(&self) -> u32 {
            2
        }
    }

    impl Square {
        pub fn edge(&self) -> u32 {
            1
        }

        pub fn grow(&mut self) {
            self.side += 1;
        }
    }
}

mod a_type_has_the_function_elsewhere {
    use super::items::{Area, Line, Rect};
    use amp::prelude::*;

    impl Line {
        fn area(&self) -> u32 {
            4
        }
    }

    impl Rect<u32> {
        fn area(&self) -> u32 {
            3
        }

        fn sides() -> u32 {
            5
        }
    }

    #[amp_kernel]
    fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        let rect = Rect { side: 3_u32 };
        o[idx] = rect.area() + Line { length: 1 }.area();
        o[idx] += Rect { side: 1.0_f32 }.area();
    }

    #[amp_fn]
    fn by_path(rect: Rect<u32>) -> u32 {
        Rect::area(&rect) + Rect::<u32>::sides()
    }
}

mod only_one_of_two_traits_is_in_scope {
    use super::items::{Size, Square};
    use amp::prelude::*;

    #[amp_kernel]
    fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        o[idx] = Square { side: 1 }.area();
    }
}

mod a_trait_elsewhere_takes_values {
    use super::items::Square;
    use amp::prelude::*;

    trait Other {
        fn edge(self) -> u32;
        fn grow(&self);
    }

    impl Other for Square {
        fn edge(self) -> u32 {
            3
        }

        fn grow(&self) {}
    }

    #[amp_kernel]
    fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        let mut square = Square { side: 1 };
        square.grow();
        o[idx] = square.edge();
    }
}

fn main() {}
