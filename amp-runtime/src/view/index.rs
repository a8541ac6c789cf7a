//! Host indexing.

use std::ops;

use super::{ArrayView, ArrayViewMut};
use crate::types::element::Element;
use crate::types::index::Index;

macro_rules! read {
    ($($view:ident),*) => {$(
        impl<T: Element, const N: usize> ops::Index<[usize; N]> for $view<'_, T, N> {
            type Output = T;

            /// The element at an index. The elements of the view are brought to the host if
            /// they are stale there.
            ///
            /// # Panics
            ///
            /// If the index is out of bounds, as indexing a slice does; or if the data
            /// has to come from a device that is lost.
            #[inline]
            #[track_caller]
            fn index(&self, index: [usize; N]) -> &T {
                self.window().element(index)
            }
        }

        impl<T: Element, const N: usize> ops::Index<Index<N>> for $view<'_, T, N> {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, index: Index<N>) -> &T {
                self.window().element(index.to_array())
            }
        }

        impl<T: Element> ops::Index<usize> for $view<'_, T, 1> {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, index: usize) -> &T {
                self.window().element([index])
            }
        }
    )*};
}
read!(ArrayView, ArrayViewMut);

impl<T: Element, const N: usize> ops::IndexMut<[usize; N]> for ArrayViewMut<'_, T, N> {
    /// The element at an index, to be written by the host. The elements of the view are
    /// brought to the host if they are stale there; copies of them on accelerators become
    /// stale.
    ///
    /// # Panics
    ///
    /// As indexing for reading does.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        self.window_mut().element_mut(index)
    }
}

impl<T: Element, const N: usize> ops::IndexMut<Index<N>> for ArrayViewMut<'_, T, N> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: Index<N>) -> &mut T {
        self.window_mut().element_mut(index.to_array())
    }
}

impl<T: Element> ops::IndexMut<usize> for ArrayViewMut<'_, T, 1> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.window_mut().element_mut([index])
    }
}
