//! [`Elements`], [`Place`]: what has elements and is no view.

use bytemuck::Zeroable;

use crate::types::index::{Extent, Index};

/// Elements that are not a view's: those of an array, a slice, an index, an extent.
pub trait Elements {
    /// Type of an element.
    type Item: Copy + Zeroable;

    /// All elements.
    fn items(&self) -> &[Self::Item];

    /// All elements, to write.
    fn items_mut(&mut self) -> &mut [Self::Item];
}

/// A place with elements, which lie one behind the other from its start on.
pub trait Place: Elements {
    /// How many elements there are.
    const LENGTH: usize;
}

impl<T: Copy + Zeroable> Elements for [T] {
    type Item = T;

    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: Copy + Zeroable, const M: usize> Place for [T; M] {
    const LENGTH: usize = M;
}

impl<T: Copy + Zeroable, const M: usize> Elements for [T; M] {
    type Item = T;

    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [T] {
        self
    }
}

macro_rules! components {
    ($($ty:ident)*) => {$(
        impl<const N: usize> Place for $ty<N> {
            const LENGTH: usize = N;
        }

        impl<const N: usize> Elements for $ty<N> {
            type Item = usize;

            #[inline(always)]
            fn items(&self) -> &[usize] {
                self.as_ref()
            }

            #[inline(always)]
            fn items_mut(&mut self) -> &mut [usize] {
                self.as_mut()
            }
        }
    )*};
}
components!(Index Extent);

impl<P: Place + ?Sized> Place for &mut P {
    const LENGTH: usize = P::LENGTH;
}

impl<P: Elements + ?Sized> Elements for &mut P {
    type Item = P::Item;

    #[inline(always)]
    fn items(&self) -> &[P::Item] {
        (**self).items()
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [P::Item] {
        (**self).items_mut()
    }
}
