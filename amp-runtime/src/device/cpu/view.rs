//! [`ArrayView`] and [`ArrayViewMut`]: a kernel's arrays, as its host version sees them.
//!
//! Each thread has its own, so they are a few words and borrow only the launch.
//! An access outside of the extent is a fault: a read gives zero, a write goes nowhere.
//!
//! Other threads write to the same elements, so an element is never borrowed: it is a
//! [`Shared`] place, which is loaded and stored.

mod derived;
pub(super) mod own;

use std::marker::PhantomData;
use std::ops::{self, Range, RangeBounds};
use std::ptr::NonNull;

use amp_spirv::artifact::FaultKind;

use self::own::Only;
use super::reference::slice::SharedSlice;
use super::run::Run;
use super::shared::{Access, Shared};
use crate::types::element::{Element, word};
use crate::types::index::{Extent, Index, TiledIndex};
use crate::types::part::Part;

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

    /// The element's distance from the first, or what is out of bounds: component and
    /// length.
    #[inline(always)]
    fn find(&self, index: [usize; N]) -> Result<usize, [usize; 2]> {
        for (&component, &length) in index.iter().zip(&self.extent) {
            if component >= length {
                return Err([component, length]);
            }
        }
        Ok(self.offset(index))
    }

    /// The distance from the first of the element at an index within the extent.
    #[inline(always)]
    fn offset(&self, index: [usize; N]) -> usize {
        let mut offset = 0_usize;
        for (dimension, &component) in index.iter().enumerate() {
            // The last dimension is contiguous: say so, and it costs no multiplication.
            let stride = if dimension + 1 == N {
                1
            } else {
                self.strides[dimension]
            };
            offset = offset.wrapping_add(component.wrapping_mul(stride));
        }
        offset
    }
}

/// A kernel's `&ArrayView` on the CPU.
#[derive(Debug)]
pub struct ArrayView<'a, T, const N: usize> {
    pointer: *const T,
    shape: Shape<N>,
    access: Access,
    /// The only element that may be reached, if there is but one.
    only: Option<Only<T, N>>,
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

impl<T, const N: usize> Clone for ArrayView<'_, T, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for ArrayView<'_, T, N> {}

impl<T: Element, const N: usize> ArrayView<'_, T, N> {
    /// # Safety
    ///
    /// While the launch runs, every element within the extent may be read
    /// through `pointer`, as `access` says.
    #[inline(always)]
    pub(super) unsafe fn new(
        pointer: *const T,
        extent: &[usize],
        strides: &[usize],
        access: Access,
    ) -> Self {
        Self {
            pointer,
            shape: Shape::new(extent, strides),
            access,
            only: None,
            launch: PhantomData,
        }
    }

    /// The view, for one thread of a launch.
    #[inline(always)]
    pub fn for_thread(&self) -> Self {
        *self
    }

    /// The view's shape.
    #[inline(always)]
    pub fn extent(&self) -> Extent<N> {
        Extent::new(self.shape.extent)
    }

    /// The element at `index`, to read.
    #[inline(always)]
    pub fn place(&self, index: impl Position<N>) -> Shared<'_, T> {
        let index = index.components();
        if let Some(Only {
            index: own,
            is_within,
            element,
        }) = self.only
        {
            if index != own {
                elsewhere();
            }
            if is_within {
                // SAFETY: that of the index, of which `new` was promised that it may be read so.
                return unsafe { Shared::new(NonNull::new_unchecked(element), self.access) };
            }
        }
        match self.shape.find(index) {
            // SAFETY: within the extent, of which `new` was promised that it may be read so.
            Ok(offset) => unsafe {
                let element = self.pointer.cast_mut().add(offset);
                Shared::new(NonNull::new_unchecked(element), self.access)
            },
            Err(operands) => Shared::outside(FaultKind::OutOfBounds, operands),
        }
    }
}

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    /// So many elements of a row from `start` on, if they are all within the extent.
    #[inline(always)]
    fn row_from(&self, start: [usize; N], count: usize) -> Option<NonNull<T>> {
        let offset = self.shape.find(start).ok()?;
        let left = self.shape.extent[N - 1] - start[N - 1];
        // SAFETY: an element within the extent.
        (count <= left && self.only.is_none())
            .then(|| unsafe { NonNull::new_unchecked(self.pointer.cast_mut().add(offset)) })
    }

    /// So many elements of a row from `start` on, if they are within the extent and nothing writes to
    /// them during the launch.
    #[inline(always)]
    pub(super) fn unwritten(&self, start: [usize; N], count: usize) -> Option<&'a [T]> {
        let first = self.row_from(start, count)?;
        // SAFETY: they lie one behind the other, as the last stride is 1, and may be read (contract of
        // `new`). A view with plain access that is not that of a single element is one that the launch
        // only reads.
        (self.access == Access::PLAIN)
            .then(|| unsafe { std::slice::from_raw_parts(first.as_ptr(), count) })
    }

    /// So many elements of a row from `start` on, if they are all within the extent.
    #[inline(always)]
    pub(super) fn run(&self, start: [usize; N], count: usize) -> Option<Run<'_, T>> {
        let first = self.row_from(start, count)?;
        // SAFETY: within the extent, of which `new` was promised that it may be accessed so.
        Some(unsafe { Run::new(first, count, self.access) })
    }
}

/// A thread of a [pointwise](own) kernel goes where it does not belong.
#[cold]
#[inline(never)]
fn elsewhere() -> ! {
    panic!("a thread of a pointwise kernel accesses the element of another")
}

/// Where the elements of a view are, whatever its lifetime.
#[derive(Debug)]
pub struct Located<T, const N: usize> {
    address: usize,
    shape: Shape<N>,
    element: PhantomData<fn() -> T>,
}

impl<T, const N: usize> Located<T, N> {
    pub(crate) fn extent(&self) -> [usize; N] {
        self.shape.extent
    }

    /// The part of memory at an address that the elements are; nothing if there are none, or if
    /// they are elsewhere.
    pub(super) fn within(&self, memory: Range<usize>) -> Option<Part<N>> {
        let Shape { extent, strides } = self.shape;
        let start = memory
            .contains(&self.address)
            .then(|| self.address - memory.start)?;
        Part::at(start, extent, strides, size_of::<T>())
    }
}

impl<T: Element, const N: usize> ArrayView<'_, T, N> {
    /// Where its elements are.
    pub fn located(&self) -> Located<T, N> {
        Located {
            address: self.pointer.addr(),
            shape: self.shape,
            element: PhantomData,
        }
    }
}

impl<'a, T, const N: usize> ArrayViewMut<'a, T, N> {
    /// A view that stands behind a shared reference, so that nothing is written through it.
    pub(crate) fn only_read(view: ArrayView<'a, T, N>) -> Self {
        let launch = PhantomData;
        Self { view, launch }
    }
}

impl<T: Element, const N: usize> ArrayViewMut<'_, T, N> {
    /// # Safety
    ///
    /// While the launch runs, every element within the extent may be read and written
    /// through `pointer`, and all threads do so in words of the element.
    #[inline(always)]
    pub(super) unsafe fn new(
        pointer: *mut T,
        extent: &[usize],
        strides: &[usize],
        is_checked: bool,
    ) -> Self {
        let access = Access::words(word::<T>()).checked(is_checked);
        Self {
            // SAFETY: what may be written may be read.
            view: unsafe { ArrayView::new(pointer, extent, strides, access) },
            launch: PhantomData,
        }
    }

    /// The view, for one thread of a launch: what its threads write to, they share.
    #[inline(always)]
    pub fn for_thread(&self) -> Self {
        Self {
            view: self.view,
            launch: PhantomData,
        }
    }

    /// The element at `index`, to read and write.
    #[inline(always)]
    pub fn place_mut(&mut self, index: impl Position<N>) -> Shared<'_, T> {
        // `new` was promised that it may be written.
        self.view.place(index)
    }
}

impl<T: Element> ArrayView<'_, T, 1> {
    /// A part of the elements, to read.
    #[inline(always)]
    #[track_caller]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> SharedSlice<'_, T> {
        if self.only.is_some() {
            elsewhere();
        }
        let first = NonNull::new(self.pointer.cast_mut()).unwrap_or(NonNull::dangling());
        // SAFETY: the elements within the extent lie one behind the other, and `new` was promised
        // that they may be read so. A view without elements has a slice without any.
        let all = unsafe { SharedSlice::new(first, self.shape.extent[0], self.access) };
        all.part(range)
    }
}

impl<T: Element> ArrayViewMut<'_, T, 1> {
    /// A part of the elements, to read and write.
    #[inline(always)]
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> SharedSlice<'_, T> {
        // `new` was promised that they may be written.
        self.view.slice(range)
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
