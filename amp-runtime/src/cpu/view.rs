//! [`ArrayView`] and [`ArrayViewMut`]: a kernel's arrays, as its twin sees them.
//!
//! They are made for each thread, so they are a few words and borrow only the launch.
//! An access outside of the extent is a fault: a read gives zero, a write goes nowhere.

mod derived;

use std::marker::PhantomData;
use std::ops;
use std::ptr::NonNull;

use amp_spirv::artifact::FaultKind;

use super::atomic::Shared;
use super::{fault, zero};
use crate::element::Element;
use crate::index::{Extent, Index, TiledIndex};

/// Where the elements of a view lie.
#[derive(Clone, Copy, Debug)]
struct Shape<const N: usize> {
    extent: [usize; N],
    /// In elements; the last is 1.
    strides: [usize; N],
}

impl<const N: usize> Shape<N> {
    /// # Panics
    ///
    /// If there are not `N` of both: then the launch bound another view than its
    /// kernel's.
    #[inline(always)]
    fn new(extent: &[usize], strides: &[usize]) -> Self {
        let mut shape = Self {
            extent: [0; N],
            strides: [0; N],
        };
        shape.extent.copy_from_slice(extent);
        shape.strides.copy_from_slice(strides);
        shape
    }

    /// The element's distance from the first, or `None` and a fault.
    #[inline(always)]
    #[track_caller]
    fn offset(&self, index: [usize; N]) -> Option<usize> {
        match self.find(index) {
            Ok(offset) => Some(offset),
            Err(operands) => {
                fault::raise(FaultKind::OutOfBounds, operands);
                None
            }
        }
    }

    /// The element's distance from the first, or what is out of bounds: component and
    /// length.
    #[inline(always)]
    fn find(&self, index: [usize; N]) -> Result<usize, [usize; 2]> {
        let mut offset = 0;
        for (dimension, &component) in index.iter().enumerate() {
            let length = self.extent[dimension];
            if component >= length {
                return Err([component, length]);
            }
            // The last dimension is contiguous: say so, and it costs no multiplication.
            let stride = if dimension + 1 == N {
                1
            } else {
                self.strides[dimension]
            };
            offset += component * stride;
        }
        Ok(offset)
    }
}

/// A kernel's `&ArrayView` on the CPU.
#[derive(Debug)]
pub struct ArrayView<'a, T, const N: usize> {
    pointer: *const T,
    shape: Shape<N>,
    launch: PhantomData<&'a [T]>,
}

/// A kernel's `&mut ArrayViewMut` on the CPU. It dereferences to an [`ArrayView`], so a
/// helper that only reads takes it too.
#[derive(Debug)]
pub struct ArrayViewMut<'a, T, const N: usize> {
    /// Its pointer may be written through.
    view: ArrayView<'a, T, N>,
    launch: PhantomData<&'a mut [T]>,
}

impl<T: Element, const N: usize> ArrayView<'_, T, N> {
    /// # Safety
    ///
    /// While the launch runs, every element within the extent may be read
    /// through `pointer`.
    #[inline(always)]
    pub(super) unsafe fn new(pointer: *const T, extent: &[usize], strides: &[usize]) -> Self {
        Self {
            pointer,
            shape: Shape::new(extent, strides),
            launch: PhantomData,
        }
    }

    /// The view's shape.
    #[inline(always)]
    pub fn extent(&self) -> Extent<N> {
        Extent::new(self.shape.extent)
    }

    #[inline(always)]
    #[track_caller]
    fn element(&self, index: [usize; N]) -> &T {
        match self.shape.offset(index) {
            // SAFETY: within the extent, of which `new` was promised that it is there.
            // In a writable view other threads may write to other elements meanwhile.
            Some(offset) => unsafe { &*self.pointer.add(offset) },
            None => zero::zero(),
        }
    }
}

impl<T: Element, const N: usize> ArrayViewMut<'_, T, N> {
    /// # Safety
    ///
    /// While the launch runs, every element within the extent may be read and written
    /// through `pointer`.
    #[inline(always)]
    pub(super) unsafe fn new(pointer: *mut T, extent: &[usize], strides: &[usize]) -> Self {
        Self {
            // SAFETY: what may be written may be read.
            view: unsafe { ArrayView::new(pointer, extent, strides) },
            launch: PhantomData,
        }
    }

    #[inline(always)]
    #[track_caller]
    fn element_mut(&mut self, index: [usize; N]) -> &mut T {
        match self.view.shape.offset(index) {
            // SAFETY: as in `element`, and `new` was promised that the elements may be
            // written. A kernel whose threads use one element without a barrier between
            // is racy, here as on a device.
            Some(offset) => unsafe { &mut *self.view.pointer.cast_mut().add(offset) },
            None => zero::scratch(),
        }
    }

    /// The element at `index` for atomic operations.
    #[inline(always)]
    pub fn shared_element(&mut self, index: impl Position<N>) -> Shared<'_, T> {
        match self.view.shape.find(index.components()) {
            // SAFETY: within the extent, of which `new` was promised that it may be read
            // and written.
            Ok(offset) => unsafe {
                let element = self.view.pointer.cast_mut().add(offset);
                Shared::new(NonNull::new_unchecked(element))
            },
            Err(operands) => Shared::outside(FaultKind::OutOfBounds, operands),
        }
    }
}

/// What names an element of a view of rank `N`.
pub trait Position<const N: usize> {
    #[doc(hidden)]
    fn components(self) -> [usize; N];
}

impl Position<1> for usize {
    #[inline(always)]
    fn components(self) -> [usize; 1] {
        [self]
    }
}

impl<const N: usize> Position<N> for [usize; N] {
    #[inline(always)]
    fn components(self) -> [usize; N] {
        self
    }
}

impl<const N: usize> Position<N> for Index<N> {
    #[inline(always)]
    fn components(self) -> [usize; N] {
        self.to_array()
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> Position<N>
    for TiledIndex<N, D0, D1, D2>
{
    #[inline(always)]
    fn components(self) -> [usize; N] {
        self.global.to_array()
    }
}

impl<'a, T, const N: usize> ops::Deref for ArrayViewMut<'a, T, N> {
    type Target = ArrayView<'a, T, N>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.view
    }
}

/// Reading by everything that names an element.
macro_rules! read {
    ($view:ident) => {
        impl<T: Element> ops::Index<usize> for $view<'_, T, 1> {
            type Output = T;

            #[inline(always)]
            #[track_caller]
            fn index(&self, index: usize) -> &T {
                self.element([index])
            }
        }

        impl<T: Element, const N: usize> ops::Index<[usize; N]> for $view<'_, T, N> {
            type Output = T;

            #[inline(always)]
            #[track_caller]
            fn index(&self, index: [usize; N]) -> &T {
                self.element(index)
            }
        }

        impl<T: Element, const N: usize> ops::Index<Index<N>> for $view<'_, T, N> {
            type Output = T;

            #[inline(always)]
            #[track_caller]
            fn index(&self, index: Index<N>) -> &T {
                self.element(index.to_array())
            }
        }

        impl<T: Element, const N: usize, const D0: usize, const D1: usize, const D2: usize>
            ops::Index<TiledIndex<N, D0, D1, D2>> for $view<'_, T, N>
        {
            type Output = T;

            #[inline(always)]
            #[track_caller]
            fn index(&self, index: TiledIndex<N, D0, D1, D2>) -> &T {
                self.element(index.global.to_array())
            }
        }
    };
}
read!(ArrayView);
read!(ArrayViewMut);

impl<T: Element> ops::IndexMut<usize> for ArrayViewMut<'_, T, 1> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.element_mut([index])
    }
}

impl<T: Element, const N: usize> ops::IndexMut<[usize; N]> for ArrayViewMut<'_, T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        self.element_mut(index)
    }
}

impl<T: Element, const N: usize> ops::IndexMut<Index<N>> for ArrayViewMut<'_, T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: Index<N>) -> &mut T {
        self.element_mut(index.to_array())
    }
}

impl<T: Element, const N: usize, const D0: usize, const D1: usize, const D2: usize>
    ops::IndexMut<TiledIndex<N, D0, D1, D2>> for ArrayViewMut<'_, T, N>
{
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: TiledIndex<N, D0, D1, D2>) -> &mut T {
        self.element_mut(index.global.to_array())
    }
}
