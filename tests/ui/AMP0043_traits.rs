//! Blocks of traits that have the names of others.

mod other {
    pub trait Area {
        const SIDES: u32;

        fn area(&self) -> u32;
    }

    pub trait Mul<R = Self> {
        type Output;

        fn mul(self, other: R) -> Self::Output;
    }

    pub trait From<T> {
        fn from(x: T) -> Self;
    }
}

#[amp::amp_module]
mod items {
    pub trait Area {
        const SIDES: u32;

        fn area(&self) -> u32;
    }

    pub fn area<S: Area>(of: S) -> u32 {
        of.area() + S::SIDES
    }
}

/// What an operator and `into` call.
mod of_operators {
    #[amp::amp_module]
    mod items {
        use crate::other;

        pub struct V {
            pub x: u32,
        }

        impl other::Mul for V {
            type Output = V;

            fn mul(self, other: V) -> V {
                other
            }
        }

        impl other::From<u32> for V {
            fn from(x: u32) -> V {
                V { x }
            }
        }
    }

    impl std::ops::Mul for items::V {
        type Output = items::V;

        fn mul(self, other: items::V) -> items::V {
            items::V {
                x: self.x * other.x,
            }
        }
    }

    impl From<u32> for items::V {
        fn from(x: u32) -> items::V {
            items::V { x: x + 1 }
        }
    }

    use amp::prelude::*;
    use items::V;

    #[amp_fn]
    fn product(v: V) -> V {
        v * v
    }

    #[amp_fn]
    fn made(x: u32) -> V {
        x.into()
    }
}

/// A glob brings the block's trait, which has the name of a bound.
mod of_a_glob {
    #[amp::amp_module]
    mod items {
        use crate::other::*;

        pub struct Square {
            pub side: u32,
        }

        impl Area for Square {
            const SIDES: u32 = 4;

            fn area(&self) -> u32 {
                self.side
            }
        }
    }

    impl crate::items::Area for items::Square {
        const SIDES: u32 = 5;

        fn area(&self) -> u32 {
            6
        }
    }

    use amp::prelude::*;

    #[amp_kernel]
    fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        o[idx] = crate::items::area(items::Square { side: 3 });
    }
}

/// A glob brings the bound, and an explicit import hides it.
mod of_an_import {
    #[amp::amp_module]
    mod items {
        use crate::items::*;
        use crate::other::Area;

        pub struct Square {
            pub side: u32,
        }

        impl Area for Square {
            const SIDES: u32 = 4;

            fn area(&self) -> u32 {
                self.side
            }
        }
    }
}

/// The same of a trait that implies the bound.
mod of_a_trait_that_implies_it {
    mod other {
        pub trait Area: crate::items::Area {
            const SIDES: u32;

            fn area(&self) -> u32;
        }
    }

    #[amp::amp_module]
    mod items {
        use crate::items::*;
        use super::other::Area;

        pub struct Square {
            pub side: u32,
        }

        impl Area for Square {
            const SIDES: u32 = 4;

            fn area(&self) -> u32 {
                self.side
            }
        }
    }

    impl crate::items::Area for items::Square {
        const SIDES: u32 = 5;

        fn area(&self) -> u32 {
            6
        }
    }
}

fn main() {}
