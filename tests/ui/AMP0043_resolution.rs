//! A name that means one item in Rust and another in a kernel.

use amp::prelude::*;

/// Two fields in an order.
#[amp_module]
mod items {
    use amp::prelude::*;

    pub struct Ordered {
        pub first: u32,
        pub second: u32,
    }

    pub struct Pair(pub u32, pub u32);

    pub enum Side {
        Left,
        Right,
    }

    pub trait Area {
        fn area(&self) -> u32;
    }

    impl Area for Ordered {
        fn area(&self) -> u32 {
            self.first * self.second
        }
    }

    pub fn twice(x: u32) -> u32 {
        x * 2
    }

    pub fn apply<T: Scalar>(x: T, f: impl Fn(T) -> T) -> T {
        f(x)
    }

    pub fn bump(x: &mut u32) {
        *x += 1;
    }

    pub fn first_of(a: &ArrayView<u32, 1>) -> u32 {
        a[0]
    }
}

mod an_import_hides_a_function {
    use amp::precise_math::*;
    use amp::prelude::*;
    use amp_test_helpers::plain::cbrt;

    #[amp_kernel]
    fn k(idx: Index<1>, a: &ArrayView<u32, 1>, o: &mut ArrayViewMut<u32, 1>) {
        o[idx] = cbrt(a[idx] as f32) as u32;
    }
}

mod a_macro_hides_functions {
    use super::items::*;
    use amp::prelude::*;

    macro_rules! others {
        ($twice:ident $apply:ident $bump:ident $first_of:ident $pair:ident) => {
            fn $twice(x: u32) -> u32 {
                x * 3
            }
            fn $apply<T>(x: T, _: impl Fn(T) -> T) -> T {
                x
            }
            fn $bump(x: &mut u32) {
                *x += 2;
            }
            fn $first_of(_: &ArrayView<u32, 1>) -> u32 {
                9
            }
            #[allow(non_snake_case)]
            fn $pair(a: u32, b: u32) -> Pair {
                Pair { 0: b, 1: a }
            }
        };
    }
    others!(twice apply bump first_of Pair);

    #[amp_kernel]
    fn k(idx: Index<1>, a: &ArrayView<u32, 1>, o: &mut ArrayViewMut<u32, 1>) {
        let mut x = twice(a[idx]);
        bump(&mut x);
        let pair = Pair(x, 1);
        o[idx] = apply(pair.0, |x| x + 1) + first_of(a);
    }
}

mod a_body_hides_a_function {
    pub fn around() {
        use super::items::*;
        use amp::prelude::*;
        macro_rules! other {
            ($twice:ident) => {
                fn $twice(x: u32) -> u32 {
                    x * 3
                }
            };
        }
        other!(twice);

        #[amp_kernel]
        fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
            o[idx] = twice(1);
        }
    }
}

mod a_helper_of_a_helper {
    use super::items::*;
    use amp::prelude::*;
    use amp_test_helpers::plain::cbrt;
    use amp::precise_math::*;

    #[amp_fn]
    fn inner(x: f32) -> f32 {
        cbrt(x)
    }

    #[amp_kernel]
    fn k(idx: Index<1>, o: &mut ArrayViewMut<f32, 1>) {
        o[idx] = inner(twice(1) as f32);
    }
}

mod types {
    use super::items::*;
    use amp::prelude::*;
    use amp_test_helpers::plain::Ordered;

    macro_rules! other {
        ($side:ident $area:ident) => {
            #[derive(Clone, Copy, PartialEq)]
            enum $side {
                Right,
                Left,
            }
            trait $area {}
            impl<T> $area for T {}
        };
    }
    other!(Side Area);

    #[amp_fn]
    fn area<T: Area>(x: T) -> T {
        x
    }

    #[amp_kernel]
    fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        let side = if idx[0] == 0 { Side::Left } else { Side::Right };
        let both = Ordered { first: 1, second: 2 };
        if side == Side::Left {
            o[idx] = both.first;
        }
    }
}

mod built_in_types {
    use amp::prelude::*;

    struct Index<const N: usize>;

    impl Index<1> {
        fn new(_: [usize; 1]) -> amp::Index<1> {
            amp::Index::new([0])
        }
    }

    #[amp_kernel]
    fn k(t: TiledIndex<1, 4>, x: i32, o: &mut ArrayViewMut<i32, 1>) {
        o[Index::new([t.global[0]])] = x + 200;
    }
}

mod built_in_functions {
    use amp::prelude::*;
    use amp_test_helpers::plain::{all_memory_fence, atomic_fetch_add, subgroup};

    #[amp_kernel]
    fn k(t: TiledIndex<1, 4>, o: &mut ArrayViewMut<u32, 1>) {
        atomic_fetch_add(&mut o[0], 1);
        all_memory_fence(&t.barrier);
        o[t.global] = subgroup::reduce_add(o[t.global]);
    }
}

mod macros {
    mod own {
        macro_rules! nothing {
            ($($tokens:tt)*) => {};
        }
        pub(super) use nothing as assert;
    }

    mod declared {
        use amp::prelude::*;

        macro_rules! println {
            ($($tokens:tt)*) => {};
        }

        #[amp_fn]
        fn helper(x: u32) {
            println!("{x}");
        }
    }

    mod declared_for_a_match {
        use amp::prelude::*;

        macro_rules! matches {
            ($($tokens:tt)*) => {
                false
            };
        }

        #[amp_kernel]
        fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
            o[idx] = matches!(o[idx], 0 | 1) as u32;
        }
    }

    mod by_path {
        use super::own::assert;
        use amp::prelude::*;

        #[amp_fn]
        fn helper(x: u32) {
            std::assert!(x > 1);
        }
    }
}

mod types_of_signatures {
    pub struct ArrayView<'a, T, const N: usize>(pub &'a [T]);
    pub struct ArrayViewMut<'a, T, const N: usize>(pub &'a mut [T]);
    pub struct Extent<const N: usize>;

    mod helpers {
        use super::{ArrayView, ArrayViewMut, Extent};
        use amp::amp_fn;

        #[amp_fn]
        fn read(_a: &ArrayView<f32, 1>) {}

        #[amp_fn]
        fn write_to(_a: &mut ArrayViewMut<f32, 1>) {}

        #[amp_fn]
        fn size(_e: Extent<2>) {}
    }

    mod kernels {
        use super::{ArrayView, Extent};
        use amp::{Index, amp_kernel};

        #[amp_kernel]
        fn k(_idx: Index<1>, _a: &ArrayView<f32, 1>, _e: Extent<2>) {}
    }

    #[amp::amp_module]
    mod methods {
        use super::ArrayView;

        pub struct Scaled {
            pub by: f32,
        }

        impl Scaled {
            pub fn of(self, _a: &ArrayView<f32, 1>) -> f32 {
                self.by
            }
        }
    }
}

fn main() {}
