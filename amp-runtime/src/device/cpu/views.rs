//! [`LaunchMemory`]: the memory that one launch works on.

use std::any::TypeId;
use std::ops::Range;

use super::shared::Access;
use super::slot::{ReadSlot, WriteSlot};
use super::view::own::{OwnView, OwnViewMut};
use super::{ArrayView, ArrayViewMut};
use crate::types::element::Element;

/// The type of a view's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementType {
    id: TypeId,
    pub(crate) bytes: usize,
}

impl ElementType {
    #[inline(always)]
    pub(crate) fn of<T: Element>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            bytes: size_of::<T>(),
        }
    }
}

/// One view of a launch, without its types.
#[derive(Debug)]
pub(crate) struct RawView {
    pointer: *mut u8,
    element: ElementType,
    extent: Vec<usize>,
    strides: Vec<usize>,
    writable: bool,
    /// Addresses whose contents were discarded before the launch, as far as checked mode asks.
    discarded: Vec<Range<usize>>,
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
        element: ElementType,
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
            discarded: Vec::new(),
        }
    }

    /// The view, for checked mode to know that some of its bytes were discarded.
    pub(crate) fn with_discarded(self, bytes: impl Iterator<Item = Range<usize>>) -> Self {
        let first = self.pointer.addr();
        Self {
            discarded: bytes
                .map(|bytes| first + bytes.start..first + bytes.end)
                .collect(),
            ..self
        }
    }

    /// Whether checked mode notes its accesses.
    fn is_noted(&self) -> bool {
        self.writable || !self.discarded.is_empty()
    }

    /// Where its elements are.
    ///
    /// # Panics
    ///
    /// If they are of another type: then the slot is one of another launch.
    #[inline(always)]
    fn elements<T: Element>(&self) -> *mut T {
        assert!(
            self.element == ElementType::of::<T>(),
            "a parameter was bound to elements of another type"
        );
        self.pointer.cast()
    }

    /// Addresses from its first element to its last.
    fn range(&self) -> Range<usize> {
        let start = self.pointer.addr();
        if self.extent.contains(&0) {
            return start..start;
        }
        let dimensions = self.extent.iter().zip(&self.strides);
        let last: usize = dimensions
            .map(|(length, stride)| (length - 1) * stride)
            .sum();
        start..start + (last + 1) * self.element.bytes
    }
}

/// The memory of one launch: its views, in the order of the kernel's parameters.
#[derive(Debug)]
pub(crate) struct LaunchMemory(Vec<RawView>);

// SAFETY: the pointers stay valid for the launch on whatever thread it runs (contract
// of `RawView::new`), and the elements are `Element`, so `Send + Sync`.
unsafe impl Send for LaunchMemory {}
// SAFETY: as above; a shared `LaunchMemory` only hands out views, whose accesses are those of
// the kernel's threads.
unsafe impl Sync for LaunchMemory {}

impl LaunchMemory {
    /// The views of a launch, in the order in which the binding counted them.
    pub(crate) fn new(views: Vec<RawView>) -> Self {
        Self(views)
    }

    /// The views, for a kernel.
    #[inline(always)]
    pub(super) fn views(&self) -> Views<'_> {
        Views {
            views: &self.0,
            is_checked: false,
        }
    }

    /// The same, in checked mode.
    pub(super) fn checked_views(&self) -> Views<'_> {
        Views {
            is_checked: true,
            ..self.views()
        }
    }

    /// The memory whose accesses checked mode notes, as ranges of addresses with the bytes of an
    /// element.
    pub(super) fn noted(&self) -> Vec<(Range<usize>, usize)> {
        let noted = self.0.iter().filter(|view| view.is_noted());
        let ranges = noted.map(|view| (view.range(), view.element.bytes));
        ranges.filter(|(range, _)| !range.is_empty()).collect()
    }

    /// The memory whose contents were discarded.
    pub(crate) fn discarded(&self) -> impl Iterator<Item = &Range<usize>> {
        self.0.iter().flat_map(|view| &view.discarded)
    }
}

/// The views of one launch, as a kernel's host version binds them.
#[derive(Clone, Copy, Debug)]
pub struct Views<'a> {
    views: &'a [RawView],
    /// Whether accesses are noted to what is written, or was discarded.
    is_checked: bool,
}

impl<'a> Views<'a> {
    /// The views of a launch that is not checked, which the compiler need not find out at each access.
    #[inline(always)]
    pub fn unchecked(self) -> Self {
        Self {
            is_checked: false,
            ..self
        }
    }

    /// The view of a `&ArrayView` parameter.
    #[inline]
    pub fn read<T: Element, const N: usize>(self, slot: ReadSlot<T, N>) -> ArrayView<'a, T, N> {
        let view = &self.views[slot.position];
        assert!(
            !view.writable,
            "a `&` parameter was bound to memory that is written"
        );
        // SAFETY: the contract of `RawView::new`, whose element type is `T`: nothing
        // writes what is not writable.
        unsafe {
            let pointer = view.elements();
            let access = Access::PLAIN.checked(self.is_checked && view.is_noted());
            ArrayView::new(pointer, &view.extent, &view.strides, access)
        }
    }

    /// The view of a `&mut ArrayViewMut` parameter.
    #[inline]
    pub fn write<T: Element, const N: usize>(
        self,
        slot: WriteSlot<T, N>,
    ) -> ArrayViewMut<'a, T, N> {
        self.writable(slot.position)
    }

    /// A view to read of memory that other threads write to.
    #[cfg(test)]
    pub(super) fn readable<T: Element, const N: usize>(
        self,
        position: usize,
    ) -> ArrayView<'a, T, N> {
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
        self,
        position: usize,
    ) -> ArrayViewMut<'a, T, N> {
        let view = &self.views[position];
        assert!(
            view.writable,
            "a `&mut` parameter was bound to memory that is only read"
        );
        // SAFETY: as in `read`, and the memory may be written.
        unsafe {
            let pointer = view.elements();
            ArrayViewMut::new(pointer, &view.extent, &view.strides, self.is_checked)
        }
    }
}

/// The views of a launch of a pointwise kernel.
#[derive(Clone, Copy, Debug)]
pub struct OwnViews<'a>(Views<'a>);

impl<'a> OwnViews<'a> {
    /// While they are used, nothing else may be made of `views`: that is for the launch to see to,
    /// which keeps `views` from the kernel.
    pub(super) fn new(views: Views<'a>) -> Self {
        Self(views)
    }

    /// The same as [`Views::unchecked`].
    #[inline(always)]
    pub fn unchecked(self) -> Self {
        Self(self.0.unchecked())
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
