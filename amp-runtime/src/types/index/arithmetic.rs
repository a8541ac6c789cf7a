//! The operators that [`Index`] and [`Extent`] share, component by component.
//!
//! `+ - *` wrap; `/ %` are in [`crate::intrinsics::division`]. What C++ AMP does not define (`index * index`) has no impl here.

use std::ops;

use super::{Extent, Index};

/// `+ -` (and `+= -=`) of `$left` with `$right`, whose components `$parts` gives.
macro_rules! pairwise {
    ($left:ident, $right:ty, $parts:expr) => {
        pairwise!(@ $left, $right, $parts, Add add AddAssign add_assign wrapping_add);
        pairwise!(@ $left, $right, $parts, Sub sub SubAssign sub_assign wrapping_sub);
    };
    (@ $left:ident, $right:ty, $parts:expr,
     $op:ident $method:ident $assign:ident $assign_method:ident $wrapping:ident) => {
        impl<const N: usize> ops::$op<$right> for $left<N> {
            type Output = Self;

            #[inline]
            fn $method(mut self, right: $right) -> Self {
                ops::$assign::$assign_method(&mut self, right);
                self
            }
        }

        impl<const N: usize> ops::$assign<$right> for $left<N> {
            #[inline]
            fn $assign_method(&mut self, right: $right) {
                let parts: [usize; N] = $parts(right);
                for (left, right) in self.0.iter_mut().zip(parts) {
                    *left = left.$wrapping(right);
                }
            }
        }
    };
}

/// Operators of `$left` with `usize` on either side, and the assigning forms.
macro_rules! scalar {
    ($left:ident) => {
        scalar!(@ $left, Add add AddAssign add_assign usize::wrapping_add);
        scalar!(@ $left, Sub sub SubAssign sub_assign usize::wrapping_sub);
        scalar!(@ $left, Mul mul MulAssign mul_assign usize::wrapping_mul);
    };
    (@ $left:ident,
     $op:ident $method:ident $assign:ident $assign_method:ident $apply:expr) => {
        impl<const N: usize> ops::$op<usize> for $left<N> {
            type Output = Self;

            #[inline]
            #[track_caller]
            fn $method(mut self, right: usize) -> Self {
                ops::$assign::$assign_method(&mut self, right);
                self
            }
        }

        impl<const N: usize> ops::$op<$left<N>> for usize {
            type Output = $left<N>;

            #[inline]
            #[track_caller]
            fn $method(self, mut right: $left<N>) -> $left<N> {
                // Loops, not closures: a closure would hide the caller's location.
                for part in right.as_mut() {
                    *part = $apply(self, *part);
                }
                right
            }
        }

        impl<const N: usize> ops::$assign<usize> for $left<N> {
            #[inline]
            #[track_caller]
            fn $assign_method(&mut self, right: usize) {
                for part in self.as_mut() {
                    *part = $apply(*part, right);
                }
            }
        }
    };
}

pub(crate) use scalar;

pairwise!(Index, Index<N>, |right: Index<N>| right.0);
pairwise!(Index, [usize; N], |right| right);
scalar!(Index);

pairwise!(Extent, Extent<N>, |right: Extent<N>| right.0);
pairwise!(Extent, Index<N>, |right: Index<N>| right.0);
pairwise!(Extent, [usize; N], |right| right);
scalar!(Extent);

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped<const N: usize>(components: [i64; N]) -> Index<N> {
        Index::new(components.map(|component| component as usize))
    }

    /// Conformance row 93, on the host: `index<7>` `+=` and `-=`.
    #[test]
    fn add_assign_wraps_below_zero() {
        let start = wrapped([-100, -10, -1, 0, 1, 10, 100]);
        let step = wrapped([99, 10, 1, 1, -1, -10, -9]);
        let mut sum = start;
        sum += step;
        assert_eq!(sum, wrapped([-1, 0, 0, 1, 0, 0, 91]));
        let mut difference = start;
        difference -= step;
        assert_eq!(difference, wrapped([-199, -20, -2, -1, 2, 20, 109]));
    }

    /// Conformance row 95, on the host.
    #[test]
    fn sum_and_difference() {
        let (a, b) = (Index::new([4, 4, 4]), Index::new([2, 2, 2]));
        assert_eq!(a + b, Index::new([6, 6, 6]));
        assert_eq!(a - b, Index::new([2, 2, 2]));
    }

    #[test]
    fn scalars_stand_on_both_sides() {
        let i = Index::new([7, 9]);
        assert_eq!(i + 1, Index::new([8, 10]));
        assert_eq!(i - 1, Index::new([6, 8]));
        assert_eq!(i * 2, Index::new([14, 18]));
        assert_eq!(i / 2, Index::new([3, 4]));
        assert_eq!(i % 4, Index::new([3, 1]));
        assert_eq!(1 + i, Index::new([8, 10]));
        assert_eq!(10 - i, Index::new([3, 1]));
        assert_eq!(2 * i, Index::new([14, 18]));
        assert_eq!(63 / i, Index::new([9, 7]));
        assert_eq!(10 % i, Index::new([3, 1]));
    }

    #[test]
    fn scalars_assign() {
        let mut e = Extent::new([7, 9]);
        e += 1;
        e *= 3;
        e -= 4;
        e /= 2;
        e %= 8;
        assert_eq!(e, Extent::new([2, 5]));
    }

    #[test]
    fn extents_take_extents_indices_and_arrays() {
        let e = Extent::new([10, 20]);
        assert_eq!(e + Extent::new([1, 2]), Extent::new([11, 22]));
        assert_eq!(e - Index::new([1, 2]), Extent::new([9, 18]));
        assert_eq!(e - [10, 21], Extent::new([0, usize::MAX]));
        let mut e = e;
        e += Index::new([1, 1]);
        e -= [2, 2];
        assert_eq!(e, Extent::new([9, 19]));
    }

    #[test]
    fn arithmetic_wraps_at_the_word() {
        let top = Index::new([usize::MAX]);
        assert_eq!(top + 1, Index::new([0]));
        assert_eq!(top * 2, Index::new([usize::MAX - 1]));
        assert_eq!(0 - Index::new([1]), top);
    }

    #[test]
    #[should_panic = "attempt to divide by zero"]
    fn division_by_zero_panics_on_the_host() {
        let _ = Index::new([1]) / 0;
    }

    #[test]
    fn any_rank_works() {
        let many = Index::new([3; 128]);
        assert_eq!(many + many, Index::new([6; 128]));
    }
}
