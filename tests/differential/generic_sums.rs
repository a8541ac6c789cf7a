//! `Sum` and `Product` of types with parameters, in generic code and for each argument; against the same module as
//! plain Rust.

use amp::prelude::*;

device_and_host! {
    use amp::prelude::Scalar;
    use std::iter::{Product, Sum};
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy)]
    pub struct V<const D: usize>(pub [u32; D]);

    impl<const D: usize> Add for V<D> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            V(std::array::from_fn(|i| self.0[i] + 2 * other.0[i]))
        }
    }

    impl<const D: usize> Sum for V<D> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(V([D as u32; D]), |a, b| a + b)
        }
    }

    impl<'a, const D: usize> Sum<&'a V<D>> for V<D> {
        fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
            iter.fold(V([D as u32; D]), |a, b| a + *b)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Counted<T>(T, u32);

    impl<T: Add<Output = T>> Add for Counted<T> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Counted(self.0 + other.0, self.1 + other.1)
        }
    }

    impl<T: Mul<Output = T>> Mul for Counted<T> {
        type Output = Self;

        fn mul(self, other: Self) -> Self {
            Counted(self.0 * other.0, self.1 * 3 + other.1)
        }
    }

    impl<T: Scalar> Sum for Counted<T> {
        fn sum<I: Iterator<Item = Counted<T>>>(iter: I) -> Counted<T> {
            iter.fold(Counted(T::ZERO, 1), |a, b| a + b)
        }
    }

    impl<T> Product for Counted<T>
    where
        T: Scalar,
    {
        fn product<I>(iter: I) -> Self
        where
            I: Iterator<Item = Self>,
        {
            iter.fold(Counted(T::ONE, 1), |a, b| a * b)
        }
    }

    fn total<T: Scalar>(parts: &[Counted<T>; 2]) -> Counted<T> {
        parts.iter().copied().sum()
    }

    fn sum_of<const N: usize>(parts: &[V<N>]) -> V<N> {
        parts.iter().sum()
    }

    pub fn all(x: u32) -> u32 {
        let counted: Counted<u32> = (0..x).map(|i| Counted(i, x)).sum();
        let product: Counted<f32> = (1..4).map(|i| Counted(i as f32, x)).product();
        let of_parts = total(&[Counted(x as f32, 2), Counted(2.5, x)]);
        let vectors = [V([x, 1]), V([2, x])].into_iter().sum::<V<2>>();
        let of_references = sum_of(&[V([x; 3]), V([1, 2, 3])]);
        let floats = (product.0 * of_parts.0) as u32;
        let counts = counted.1 * product.1 + of_parts.1;
        counted.0 + floats + counts + vectors.0[1] + of_references.0[2]
    }
}

all_agree!(sums_begin_with_what_the_type_says: u32, 20);
