//! [`Place`]: what has elements and is no view.

use bytemuck::Zeroable;

use crate::types::index::{Extent, Index};

/// A place with elements that are not a view's: an array, an index, an extent. They lie one
/// behind the other from its start on.
pub trait Place {
    /// Type of an element.
    type Item: Copy + Zeroable;
    /// How many elements there are.
    const LENGTH: usize;

    /// All elements.
    fn items(&self) -> &[Self::Item];

    /// All elements, to write.
    fn items_mut(&mut self) -> &mut [Self::Item];
}

impl<T: Copy + Zeroable, const M: usize> Place for [T; M] {
    type Item = T;
    const LENGTH: usize = M;

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
            type Item = usize;
            const LENGTH: usize = N;

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
    type Item = P::Item;
    const LENGTH: usize = P::LENGTH;

    #[inline(always)]
    fn items(&self) -> &[P::Item] {
        (**self).items()
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [P::Item] {
        (**self).items_mut()
    }
}
