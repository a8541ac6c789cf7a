//! [`Views`]: the memory that one launch works on.

use std::any::TypeId;

use super::shared::Access;
use super::slot::{ReadSlot, WriteSlot};
use super::view::own::{OwnView, OwnViewMut};
use super::{ArrayView, ArrayViewMut};
use crate::types::element::Element;

/// One view of a launch, without its types.
#[derive(Debug)]
pub(crate) struct RawView {
    pointer: *mut u8,
    /// The type of its elements.
    element: TypeId,
    extent: Vec<usize>,
    strides: Vec<usize>,
    writable: bool,
}

impl RawView {
    /// A view of the elements at `pointer`. `strides` are in elements, one for each
    /// dimension, and the last is 1.
    ///
    /// # Safety
    ///
    /// As long as the launch runs, every element within `extent` lies in memory that may be read
    /// (and, if `writable`, written) as an [`Element`] of the type `element`, aligned for it, and
    /// nothing uses that memory except views of the same launch, nor, if not `writable`,
    /// writes it at all.
    pub(crate) unsafe fn new(
        pointer: *mut u8,
        element: TypeId,
        extent: Vec<usize>,
        strides: Vec<usize>,
        writable: bool,
    ) -> Self {
        debug_assert_eq!(extent.len(), strides.len());
        debug_assert_eq!(strides.last(), Some(&1));
        Self {
            pointer,
            element,
            extent,
            strides,
            writable,
        }
    }

    /// Where its elements are.
    ///
    /// # Panics
    ///
    /// If they are of another type: then the slot is one of another launch.
    #[inline(always)]
    fn elements<T: Element>(&self) -> *mut T {
        assert!(
            self.element == TypeId::of::<T>(),
            "a parameter was bound to elements of another type"
        );
        self.pointer.cast()
    }
}

/// The views of one launch, in the order of the kernel's parameters.
#[derive(Debug)]
pub struct Views {
    views: Vec<RawView>,
}

// SAFETY: the pointers stay valid for the launch on whatever thread it runs (contract
// of `RawView::new`), and the elements are `Element`, so `Send + Sync`.
unsafe impl Send for Views {}
// SAFETY: as above; a shared `Views` only hands out views, whose accesses are those of
// the kernel's threads.
unsafe impl Sync for Views {}

impl Views {
    /// The views of a launch, in the order in which the binding counted them.
    pub(crate) fn new(views: Vec<RawView>) -> Self {
        Self { views }
    }

    /// The view of a `&ArrayView` parameter.
    #[inline]
    pub fn read<T: Element, const N: usize>(&self, slot: ReadSlot<T, N>) -> ArrayView<'_, T, N> {
        let view = &self.views[slot.position];
        assert!(
            !view.writable,
            "a `&` parameter was bound to memory that is written"
        );
        // SAFETY: the contract of `RawView::new`, whose element type is `T`: nothing
        // writes what is not writable.
        unsafe {
            let pointer = view.elements();
            ArrayView::new(pointer, &view.extent, &view.strides, Access::PLAIN)
        }
    }

    /// The view of a `&mut ArrayViewMut` parameter.
    #[inline]
    pub fn write<T: Element, const N: usize>(
        &self,
        slot: WriteSlot<T, N>,
    ) -> ArrayViewMut<'_, T, N> {
        self.writable(slot.position)
    }

    /// A view to read of memory that other threads write to.
    #[cfg(test)]
    pub(super) fn readable<T: Element, const N: usize>(
        &self,
        position: usize,
    ) -> ArrayView<'_, T, N> {
        let view = &self.views[position];
        let pointer = view.elements();
        // SAFETY: the contract of `RawView::new`, whose element type is `T`.
        unsafe {
            ArrayView::new(
                pointer,
                &view.extent,
                &view.strides,
                Access::words(crate::types::element::word::<T>()),
            )
        }
    }

    #[inline(always)]
    pub(super) fn writable<T: Element, const N: usize>(
        &self,
        position: usize,
    ) -> ArrayViewMut<'_, T, N> {
        let view = &self.views[position];
        assert!(
            view.writable,
            "a `&mut` parameter was bound to memory that is only read"
        );
        // SAFETY: as in `read`, and the memory may be written.
        unsafe { ArrayViewMut::new(view.elements(), &view.extent, &view.strides) }
    }
}

/// The views of a launch of a pointwise kernel.
#[derive(Clone, Copy, Debug)]
pub struct OwnViews<'a>(&'a Views);

impl<'a> OwnViews<'a> {
    /// While they are used, nothing else may be made of `views`: that is for the launch to see to,
    /// which keeps `views` from the kernel.
    pub(super) fn new(views: &'a Views) -> Self {
        Self(views)
    }

    /// The view of a `&ArrayView` parameter.
    #[inline(always)]
    pub fn read<T: Element, const N: usize>(self, slot: ReadSlot<T, N>) -> OwnView<'a, T, N> {
        OwnView::new(self.0.read(slot))
    }

    /// The view of a `&mut ArrayViewMut` parameter.
    #[inline(always)]
    pub fn write<T: Element, const N: usize>(self, slot: WriteSlot<T, N>) -> OwnViewMut<'a, T, N> {
        OwnViewMut::new(self.0.write(slot))
    }
}
