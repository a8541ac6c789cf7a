//! Sums of one's own types that kernels do not have.

use amp::prelude::*;

#[amp_module]
mod numbers {
    use amp::prelude::*;
    use std::iter::{Product, Sum};
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy)]
    pub struct Number(pub u32);

    impl Add for Number {
        type Output = Number;

        fn add(self, other: Number) -> Number {
            Number(self.0 + other.0)
        }
    }

    impl Mul for Number {
        type Output = Number;

        fn mul(self, other: Number) -> Number {
            Number(self.0 * other.0)
        }
    }

    /// The other way round.
    impl Sum for Number {
        fn sum<I: Iterator<Item = Number>>(iter: I) -> Number {
            iter.fold(Number(0), |a, b| b + a)
        }
    }

    impl Product for Number {
        fn product<I: Iterator<Item = Number>>(iter: I) -> Number {
            iter.fold(Number(1), |a, b| a * b)
        }
    }

    /// It begins with another number.
    impl<'a> Product<&'a Number> for Number {
        fn product<I: Iterator<Item = &'a Number>>(iter: I) -> Number {
            iter.fold(Number(2), |a, b| a * *b)
        }
    }

    #[amp_kernel]
    fn sums(idx: Index<1>, all: &ArrayView<Number, 1>, out: &mut ArrayViewMut<u32, 1>) {
        let sum: Number = all.iter().copied().sum();
        let product: Number = all.iter().product();
        out[idx] = sum.0 + product.0;
    }
}

/// `extend` of values and of references.
#[amp_module]
mod extended {
    use amp::prelude::*;

    pub struct Total(u32);

    impl Extend<u32> for Total {
        fn extend<I: IntoIterator<Item = u32>>(&mut self, iter: I) {
            iter.into_iter().for_each(|x| self.0 += x);
        }
    }

    impl<'a> Extend<&'a u32> for Total {
        fn extend<I: IntoIterator<Item = &'a u32>>(&mut self, iter: I) {
            iter.into_iter().for_each(|x| self.0 += x);
        }
    }

    #[amp_kernel]
    fn totals(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
        let mut total = Total(0);
        total.extend([1, 2]);
        out[idx] = total.0;
    }
}

fn main() {}
