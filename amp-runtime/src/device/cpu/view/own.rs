//! The views of pointwise kernels, whose threads access no elements but those at their own index.
//!
//! No thread meets another, so an element is accessed plainly, and whether it exists is asked once
//! for many threads of a row: what is left is a loop that can be compiled to vector instructions.
//! That a kernel is pointwise is found by the compiler (`amp-spirv/src/analysis/pointwise.rs`), but
//! nothing here rests on it: a thread gets its views from the loop over the threads, and they have no
//! element but the one at its index.
//!
//! # Invariant
//!
//! No element that is written is one of two views of a launch, nor that of two indices of one view.

use super::{Access, ArrayView, ArrayViewMut, PhantomData};
use crate::types::element::Element;

/// The only element of a view that a thread may reach.
#[derive(Debug)]
pub(super) struct Only<T, const N: usize> {
    pub(super) index: [usize; N],
    /// Whether the index is within the extent. A flag of its own: an optional pointer would have to be compared with
    /// null for each element.
    pub(super) is_within: bool,
    /// Anything if it is not.
    pub(super) element: *mut T,
}

impl<T, const N: usize> Clone for Only<T, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for Only<T, N> {}

/// A view that the threads of a pointwise kernel read.
#[derive(Debug)]
pub struct OwnView<'a, T, const N: usize>(ArrayView<'a, T, N>);

/// A view that they write to. Each accesses its element plainly: no other thread has its index.
#[derive(Debug)]
pub struct OwnViewMut<'a, T, const N: usize>(ArrayView<'a, T, N>);

macro_rules! copy {
    ($($view:ident),*) => {$(
        impl<T, const N: usize> Clone for $view<'_, T, N> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T, const N: usize> Copy for $view<'_, T, N> {}
    )*};
}
copy!(OwnView, OwnViewMut);

impl<'a, T, const N: usize> OwnView<'a, T, N> {
    #[inline(always)]
    pub(in super::super) fn new(view: ArrayView<'a, T, N>) -> Self {
        Self(view)
    }
}

impl<'a, T, const N: usize> OwnViewMut<'a, T, N> {
    /// While it is used, nothing else may be made of the elements.
    #[inline(always)]
    pub(in super::super) fn new(view: ArrayViewMut<'a, T, N>) -> Self {
        Self(ArrayView {
            access: Access::PLAIN,
            ..view.view
        })
    }
}

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    /// How many columns of a row there are.
    #[inline(always)]
    fn columns(&self, row: [usize; N]) -> usize {
        let outside = (0..N - 1).any(|dimension| row[dimension] >= self.shape.extent[dimension]);
        match outside {
            true => 0,
            false => self.shape.extent[N - 1],
        }
    }

    /// The view for the thread at an index.
    #[inline(always)]
    fn only(self, index: [usize; N]) -> Self {
        match self.shape.find(index) {
            // SAFETY: it is within the extent.
            Ok(_) => unsafe { self.only_within(index) },
            Err(_) => Self {
                only: Some(Only {
                    index,
                    is_within: false,
                    element: std::ptr::null_mut(),
                }),
                ..self
            },
        }
    }

    /// # Safety
    ///
    /// The index is within the extent.
    #[inline(always)]
    unsafe fn only_within(self, index: [usize; N]) -> Self {
        // SAFETY: an element within the extent.
        let element = unsafe { self.pointer.cast_mut().add(self.shape.offset(index)) };
        Self {
            only: Some(Only {
                index,
                is_within: true,
                element,
            }),
            ..self
        }
    }
}

/// All views of a pointwise kernel, each with those behind it: `(a, (b, ()))`.
pub trait PointViews<const N: usize>: Copy {
    /// What a thread has of them.
    type OfThread;

    /// Up to which column, but no further than `end`, a row lies within all of them.
    #[doc(hidden)]
    fn columns(&self, row: [usize; N], end: usize) -> usize;

    /// The views for the thread at an index.
    #[doc(hidden)]
    fn at(self, index: [usize; N]) -> Self::OfThread;

    /// # Safety
    ///
    /// The index is within all of them.
    #[doc(hidden)]
    unsafe fn within(self, index: [usize; N]) -> Self::OfThread;
}

impl<const N: usize> PointViews<N> for () {
    type OfThread = ();

    #[inline(always)]
    fn columns(&self, _: [usize; N], end: usize) -> usize {
        end
    }

    #[inline(always)]
    fn at(self, _: [usize; N]) {}

    #[inline(always)]
    unsafe fn within(self, _: [usize; N]) {}
}

macro_rules! views {
    ($($view:ident of $of_thread:ident, |$only:ident| $made:expr;)*) => {$(
        impl<'a, T: Element, const N: usize, Rest: PointViews<N>> PointViews<N>
            for ($view<'a, T, N>, Rest)
        {
            type OfThread = ($of_thread<'a, T, N>, Rest::OfThread);

            #[inline(always)]
            fn columns(&self, row: [usize; N], end: usize) -> usize {
                self.1.columns(row, end).min(self.0.0.columns(row))
            }

            #[inline(always)]
            fn at(self, index: [usize; N]) -> Self::OfThread {
                let $only = self.0.0.only(index);
                ($made, self.1.at(index))
            }

            #[inline(always)]
            unsafe fn within(self, index: [usize; N]) -> Self::OfThread {
                // SAFETY: the caller's.
                let ($only, rest) = unsafe { (self.0.0.only_within(index), self.1.within(index)) };
                ($made, rest)
            }
        }
    )*};
}
views! {
    OwnView of ArrayView, |only| only;
    OwnViewMut of ArrayViewMut, |only| ArrayViewMut { view: only, launch: PhantomData };
}
