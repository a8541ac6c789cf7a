//! Host memory behind an array or view, with its lifetime kept and its type erased.
//!
//! # Invariant
//!
//! A [`HostMemory`] is reachable only through the views over it. They hand out shared
//! references from `&self` and exclusive ones from `&mut self`; everything that makes
//! the host copy stale (a launch that writes, `discard_data`) also starts from `&mut`.
//! So while any reference into the memory is alive, the host copy stays current and
//! nobody refills it; and when it is refilled, which happens only while it is stale,
//! no reference is alive. The methods below rely on that order and cannot check it.

use std::alloc::Layout;
use std::marker::PhantomData;
use std::ptr::NonNull;

use bytemuck::Pod;

use super::RawView;

/// A block of host memory: borrowed for `'a`, or owned.
#[derive(Debug)]
pub(crate) struct HostMemory<'a> {
    pointer: NonNull<u8>,
    bytes: usize,
    owned: Option<Layout>,
    borrow: PhantomData<&'a mut [u8]>,
}

// SAFETY: it is a `&'a [T]`, a `&'a mut [T]` or a box of plain old data, all of which
// may change threads; shared use follows the module's invariant.
unsafe impl Send for HostMemory<'_> {}
// SAFETY: as above.
unsafe impl Sync for HostMemory<'_> {}

impl<'a> HostMemory<'a> {
    /// Memory that is only ever read.
    pub(crate) fn shared<T: Pod>(slice: &'a [T]) -> Self {
        Self {
            pointer: NonNull::from(slice).cast(),
            bytes: size_of_val(slice),
            owned: None,
            borrow: PhantomData,
        }
    }

    /// Memory that is read and written.
    pub(crate) fn exclusive<T: Pod>(slice: &'a mut [T]) -> Self {
        Self {
            bytes: size_of_val(slice),
            pointer: NonNull::from(slice).cast(),
            owned: None,
            borrow: PhantomData,
        }
    }

    /// New memory of zeroes, or `None` if there is none left.
    pub(crate) fn zeroed(bytes: usize, align: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), align).ok()?;
        // SAFETY: the layout has a size of at least 1.
        let pointer = NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })?;
        Some(Self {
            pointer,
            bytes,
            owned: Some(layout),
            borrow: PhantomData,
        })
    }

    /// The memory as a launch on the CPU accelerator sees it, for as long as the views
    /// over it are borrowed by the kernel.
    pub(crate) fn raw_view(
        &self,
        extent: Vec<usize>,
        strides: Vec<usize>,
        writable: bool,
    ) -> RawView {
        // SAFETY: an extent was checked against the memory when its view was made, and
        // the kernel borrows the view, exclusively if it writes, until the launch is over.
        unsafe { RawView::new(self.pointer.as_ptr(), extent, strides, writable) }
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the pointer covers `bytes` initialised bytes for `'a`; nobody writes
        // them while the reference lives (module invariant).
        unsafe { std::slice::from_raw_parts(self.pointer.as_ptr(), self.bytes) }
    }

    /// Its bytes, to be refilled while the host copy is stale.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn refill(&self) -> &mut [u8] {
        // SAFETY: as `bytes`; memory made by `shared` is never stale and so never
        // refilled, and no other reference is alive (module invariant).
        unsafe { std::slice::from_raw_parts_mut(self.pointer.as_ptr(), self.bytes) }
    }

    /// Its elements.
    #[inline]
    pub(crate) fn elements<T: Pod>(&self) -> &[T] {
        debug_assert!(self.pointer.cast::<T>().is_aligned());
        // SAFETY: as `bytes`; the views over one block all have the element type whose
        // alignment it was made with, and any bits are a `T`.
        unsafe {
            let length = self.bytes / size_of::<T>();
            std::slice::from_raw_parts(self.pointer.as_ptr().cast(), length)
        }
    }

    /// Its elements, asked for from the `&mut self` of a view.
    #[allow(clippy::mut_from_ref)]
    #[inline]
    pub(crate) fn elements_mut<T: Pod>(&self) -> &mut [T] {
        debug_assert!(self.pointer.cast::<T>().is_aligned());
        // SAFETY: as `elements`; the caller's `&mut` makes the reference the only one.
        unsafe {
            let length = self.bytes / size_of::<T>();
            std::slice::from_raw_parts_mut(self.pointer.as_ptr().cast(), length)
        }
    }
}

impl Drop for HostMemory<'_> {
    fn drop(&mut self) {
        if let Some(layout) = self.owned {
            // SAFETY: allocated by `zeroed` with this layout and not freed since.
            unsafe { std::alloc::dealloc(self.pointer.as_ptr(), layout) }
        }
    }
}
