//! The elements of a view as iterators, on the host.
//!
//! They go over the runs of contiguous elements: one for a view of a slice, one for each row of a
//! section.

use std::iter::{Flatten, FusedIterator};
use std::{slice, vec};

use super::{ArrayPartMut, ArrayView, ArrayViewMut};
use crate::types::element::Element;

macro_rules! iterator {
    ($(#[$doc:meta])* $name:ident, $reference:ty, $run:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<'a, T> {
            runs: Flatten<vec::IntoIter<$run>>,
            left: usize,
        }

        impl<'a, T> $name<'a, T> {
            fn new(runs: Vec<$run>) -> Self {
                Self {
                    left: runs.iter().map(|run| run.len()).sum(),
                    runs: runs.into_iter().flatten(),
                }
            }
        }

        impl<'a, T> Iterator for $name<'a, T> {
            type Item = $reference;

            fn next(&mut self) -> Option<Self::Item> {
                let next = self.runs.next()?;
                self.left -= 1;
                Some(next)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.left, Some(self.left))
            }

            fn fold<B, F: FnMut(B, Self::Item) -> B>(self, start: B, f: F) -> B {
                self.runs.fold(start, f)
            }
        }

        impl<T> DoubleEndedIterator for $name<'_, T> {
            fn next_back(&mut self) -> Option<Self::Item> {
                let next = self.runs.next_back()?;
                self.left -= 1;
                Some(next)
            }
        }

        impl<T> ExactSizeIterator for $name<'_, T> {}
        impl<T> FusedIterator for $name<'_, T> {}
    };
}
iterator! {
    /// The elements of a view, in row-major order: [`ArrayView::iter`], [`ArrayViewMut::iter`].
    Iter, &'a T, slice::Iter<'a, T>
}
iterator! {
    /// The elements of a view, in row-major order, to be written: [`ArrayViewMut::iter_mut`].
    IterMut, &'a mut T, slice::IterMut<'a, T>
}

macro_rules! read {
    ($($view:ident)*) => {$(
        impl<T: Element, const N: usize> $view<'_, T, N> {
            /// The elements in row-major order, brought to the host if they are stale there.
            ///
            /// ```
            /// use amp_runtime::ArrayView;
            ///
            /// let data: Vec<u32> = (0..20).collect();
            /// let corner = ArrayView::new([4, 5], &data)?.section([2, 3], [2, 2])?;
            /// assert_eq!(corner.iter().sum::<u32>(), 13 + 14 + 18 + 19);
            /// # Ok::<(), amp_runtime::Error>(())
            /// ```
            ///
            /// # Panics
            ///
            /// If the data has to come from a device that is lost, which
            /// [`to_vec`](Self::to_vec) returns as an error.
            #[track_caller]
            pub fn iter(&self) -> Iter<'_, T> {
                Iter::new(self.window().runs())
            }
        }
    )*};
}
read!(ArrayView ArrayViewMut);

macro_rules! visited {
    ($($view:ident)*) => {$(
        impl<'a, T: Element, const N: usize> IntoIterator for &'a $view<'_, T, N> {
            type Item = &'a T;
            type IntoIter = Iter<'a, T>;

            #[track_caller]
            fn into_iter(self) -> Iter<'a, T> {
                self.iter()
            }
        }
    )*};
}
visited!(ArrayView ArrayViewMut ArrayPartMut);

impl<T: Element, const N: usize> ArrayViewMut<'_, T, N> {
    /// The elements in row-major order, to be written by the host. They are brought to the host if
    /// they are stale there; copies of them on accelerators become stale.
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut data = [0; 6];
    /// let mut view = ArrayViewMut::new([2, 3], &mut data)?;
    /// for element in &mut view.section([0, 1], [2, 1])? {
    ///     *element = 7;
    /// }
    /// drop(view);
    /// assert_eq!(data, [0, 7, 0, 0, 7, 0]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// As [`iter`](Self::iter).
    #[track_caller]
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        IterMut::new(self.window_mut().runs_mut())
    }
}

macro_rules! visited_mut {
    ($($view:ident)*) => {$(
        impl<'a, T: Element, const N: usize> IntoIterator for &'a mut $view<'_, T, N> {
            type Item = &'a mut T;
            type IntoIter = IterMut<'a, T>;

            #[track_caller]
            fn into_iter(self) -> IterMut<'a, T> {
                self.iter_mut()
            }
        }
    )*};
}
visited_mut!(ArrayViewMut ArrayPartMut);
