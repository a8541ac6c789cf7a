//! Host memory behind an array or view, with its lifetime kept and its type erased.
//!
//! # Invariant
//!
//! A [`HostMemory`] is reachable only through the views over it. Of two views that can be
//! used at the same time and have a byte in common, both only read: the others are
//! borrowed, or are disjoint parts. A view hands out shared references to its own bytes
//! from `&self` and exclusive ones from `&mut self`; everything that makes the host's copy
//! of a byte stale (a launch that writes, `discard_data`) also starts from the `&mut` of a
//! view that has it. So while any reference to a byte is alive, the host's copy of it stays
//! current and is not refilled; and when it is refilled, which happens only while it is
//! stale, no reference to it is alive. Bytes of other views may be written meanwhile: no
//! method makes a reference to more bytes than it is asked for. Memory that a device uses
//! as well is handed out only when the device has done with it ([`Allocation`] waits), and the
//! device gets work on bytes only from who could refill them. The methods below rely on
//! that order and cannot check it.
//!
//! [`Allocation`]: crate::residency::Allocation
//!
//! Elements start at multiples of their alignment: parts of a body of data see to that.

use std::alloc::Layout;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::{Pod, Zeroable};

use super::shared::Access;
use super::{ArrayView, ArrayViewMut, ElementType, Located, RawView};
use crate::types::element::Element;
use crate::types::error::Error;
use crate::types::memory::Tally;
use crate::types::part::Part;

/// What memory lives as long as.
type Keeper = Box<dyn fmt::Debug + Send + Sync>;

/// What the library has allocated.
static USED: Mutex<Tally> = Mutex::new(Tally::new());

/// What the library has allocated of the host's memory.
pub(crate) fn used() -> Tally {
    tally().clone()
}

fn tally() -> MutexGuard<'static, Tally> {
    USED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number of bytes that Linux reports about the machine's memory, by its name there.
pub(crate) fn of_system(name: &str) -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find(|line| line.starts_with(name))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// Zeroes, or `None` if there is no memory left for them.
pub(crate) fn zeroes<T: Zeroable>(length: usize) -> Option<Vec<T>> {
    #[cfg(test)]
    if shortage::strikes() {
        return None;
    }
    bytemuck::allocation::try_zeroed_vec(length).ok()
}

/// A block of host memory: borrowed for `'a`, or kept by something of its own.
#[derive(Debug)]
pub(crate) struct HostMemory<'a> {
    pointer: NonNull<u8>,
    bytes: usize,
    /// What frees it, if it is not borrowed. A type of its own, so that memory that is
    /// borrowed may go after the borrow has ended.
    _keeper: Option<Keeper>,
    borrow: PhantomData<&'a mut [u8]>,
}

/// Memory that is freed when this is dropped.
#[derive(Debug)]
struct Allocation {
    pointer: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it is a `&'a [T]`, a `&'a mut [T]`, or plain old data with its keeper, all of
// which may change threads; shared use follows the module's invariant.
unsafe impl Send for HostMemory<'_> {}
// SAFETY: as above.
unsafe impl Sync for HostMemory<'_> {}

impl<'a> HostMemory<'a> {
    /// Memory that is only ever read.
    pub(crate) fn shared<T: Pod>(slice: &'a [T]) -> Self {
        Self {
            pointer: NonNull::from(slice).cast(),
            bytes: size_of_val(slice),
            _keeper: None,
            borrow: PhantomData,
        }
    }

    /// Memory that is read and written.
    pub(crate) fn exclusive<T: Pod>(slice: &'a mut [T]) -> Self {
        Self {
            bytes: size_of_val(slice),
            pointer: NonNull::from(slice).cast(),
            _keeper: None,
            borrow: PhantomData,
        }
    }

    /// New memory of zeroes, or `None` if there is none left.
    pub(crate) fn zeroed(bytes: usize, align: usize) -> Option<Self> {
        #[cfg(test)]
        if shortage::strikes() {
            return None;
        }
        let layout = Layout::from_size_align(bytes.max(1), align).ok()?;
        // SAFETY: the layout has a size of at least 1.
        let pointer = NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })?;
        tally().add(layout.size() as u64);
        Some(Self {
            pointer,
            bytes,
            _keeper: Some(Box::new(Allocation { pointer, layout })),
            borrow: PhantomData,
        })
    }

    /// Memory that a device uses as well.
    ///
    /// # Safety
    ///
    /// The bytes are there, initialised, to be read and written as long as `keeper` lives.
    pub(crate) unsafe fn of_device(pointer: NonNull<u8>, bytes: usize, keeper: Keeper) -> Self {
        Self {
            pointer,
            bytes,
            _keeper: Some(keeper),
            borrow: PhantomData,
        }
    }

    /// The greatest power of two that its address is a multiple of.
    pub(crate) fn alignment(&self) -> usize {
        1 << self.pointer.addr().trailing_zeros()
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> usize {
        self.bytes
    }

    /// Elements of the memory as a launch on the CPU accelerator sees them, from byte
    /// `start` on, for as long as the view of them is borrowed by the kernel.
    pub(crate) fn raw_view(
        &self,
        start: usize,
        element: ElementType,
        extent: Vec<usize>,
        strides: Vec<usize>,
        writable: bool,
    ) -> RawView {
        let first = self.at(&(start..start));
        // SAFETY: a view's part was checked against the memory and its type of elements when it
        // was made, and the kernel borrows the view, exclusively if it writes, until the launch
        // is over.
        unsafe { RawView::new(first.as_ptr(), element, extent, strides, writable) }
    }

    /// Elements of the memory as the host version of a helper reads them that the host calls.
    pub(crate) fn view<T: Element, const N: usize>(&self, part: &Part<N>) -> ArrayView<'_, T, N> {
        let strides = part.strides().map(|bytes| bytes / size_of::<T>());
        let first = self.at(&(part.start()..part.start())).as_ptr().cast();
        // SAFETY: a view's part was checked against the memory and its type of elements when it
        // was made; the elements are current there, and while the view is borrowed nothing writes
        // them (invariant of this module).
        unsafe { ArrayView::new(first, part.extent(), &strides, Access::PLAIN) }
    }

    /// Elements of the memory as the host version of a helper writes them that the host calls,
    /// asked for from the `&mut self` of a view.
    pub(crate) fn view_mut<T: Element, const N: usize>(
        &self,
        part: &Part<N>,
    ) -> ArrayViewMut<'_, T, N> {
        let strides = part.strides().map(|bytes| bytes / size_of::<T>());
        let first = self.at(&(part.start()..part.start())).as_ptr().cast();
        // SAFETY: as `view`; the caller's `&mut` makes this the only use of the elements.
        unsafe { ArrayViewMut::new(first, part.extent(), &strides, false) }
    }

    /// The part of the memory that a view has which was made of one of the above; nothing if it
    /// has no elements, or is of other memory.
    pub(crate) fn part<T, const M: usize>(&self, place: &Located<T, M>) -> Option<Part<M>> {
        let start = self.pointer.addr().get();
        place.within(start..start + self.bytes)
    }

    /// Where a byte, or the end, is.
    pub(super) fn pointer_at(&self, start: usize) -> NonNull<u8> {
        self.at(&(start..self.bytes))
    }

    /// Some of its bytes.
    pub(crate) fn bytes(&self, range: Range<usize>) -> &[u8] {
        // SAFETY: within the memory (`at`), which is initialised and lives for `'a`; nothing
        // writes these bytes while the reference lives (module invariant).
        unsafe { std::slice::from_raw_parts(self.at(&range).as_ptr(), range.len()) }
    }

    /// Some of its bytes, to be refilled while the host's copy of them is stale.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn refill(&self, range: Range<usize>) -> &mut [u8] {
        // SAFETY: as `bytes`; memory made by `shared` is never stale and so never
        // refilled, and no other reference to these bytes is alive (module invariant).
        unsafe { std::slice::from_raw_parts_mut(self.at(&range).as_ptr(), range.len()) }
    }

    /// The element that starts at a byte.
    #[inline]
    pub(crate) fn element<T: Pod>(&self, start: usize) -> &T {
        let pointer = self.element_at::<T>(start);
        // SAFETY: as `bytes`, aligned by the module's invariant, and any bits are a `T`.
        unsafe { pointer.as_ref() }
    }

    /// The element that starts at a byte, asked for from the `&mut self` of a view.
    #[allow(clippy::mut_from_ref)]
    #[inline]
    pub(crate) fn element_mut<T: Pod>(&self, start: usize) -> &mut T {
        let mut pointer = self.element_at::<T>(start);
        // SAFETY: as `element`; the caller's `&mut` makes the reference the only one.
        unsafe { pointer.as_mut() }
    }

    /// `length` elements, the first of which starts at byte `start`.
    pub(crate) fn elements<T: Pod>(&self, start: usize, length: usize) -> &[T] {
        let range = start..start + length * size_of::<T>();
        let pointer = self.at(&range).cast::<T>();
        debug_assert!(pointer.is_aligned());
        // SAFETY: as `element`.
        unsafe { std::slice::from_raw_parts(pointer.as_ptr(), length) }
    }

    /// `length` elements, asked for from the `&mut self` of a view.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn elements_mut<T: Pod>(&self, start: usize, length: usize) -> &mut [T] {
        let range = start..start + length * size_of::<T>();
        let pointer = self.at(&range).cast::<T>();
        debug_assert!(pointer.is_aligned());
        // SAFETY: as `element_mut`.
        unsafe { std::slice::from_raw_parts_mut(pointer.as_ptr(), length) }
    }

    /// Where the element that starts at a byte is.
    ///
    /// # Panics
    ///
    /// As [`at`](Self::at).
    #[inline]
    fn element_at<T>(&self, start: usize) -> NonNull<T> {
        // One comparison, as every access pays for it.
        let fits = self.bytes.checked_sub(size_of::<T>());
        assert!(
            fits.is_some_and(|last| start <= last),
            "an element of a body of data is not within it"
        );
        // SAFETY: the offset is within the memory.
        let pointer = unsafe { self.pointer.add(start) }.cast::<T>();
        debug_assert!(pointer.is_aligned());
        pointer
    }

    /// Where a range of bytes starts.
    ///
    /// # Panics
    ///
    /// If the range is not within the memory, which no part of a body of data has.
    #[inline]
    fn at(&self, range: &Range<usize>) -> NonNull<u8> {
        assert!(
            range.start <= range.end && range.end <= self.bytes,
            "a part of a body of data is not within it"
        );
        // SAFETY: the offset is within the memory.
        unsafe { self.pointer.add(range.start) }
    }
}

// SAFETY: it is used only through the memory that it keeps.
unsafe impl Send for Allocation {}
// SAFETY: as above.
unsafe impl Sync for Allocation {}

impl Drop for Allocation {
    fn drop(&mut self) {
        tally().remove(self.layout.size() as u64);
        // SAFETY: allocated by `HostMemory::zeroed` with this layout and not freed since.
        unsafe { std::alloc::dealloc(self.pointer.as_ptr(), self.layout) }
    }
}

/// The error for memory that the host cannot provide; `None` where it is not known how much.
pub(crate) fn out_of_host_memory(operation: &'static str, bytes: Option<u64>) -> Error {
    Error::OutOfMemory {
        operation,
        bytes,
        accelerator: "the host".into(),
        available: of_system("MemAvailable"),
    }
}

/// Lets memory run out in tests.
#[cfg(test)]
pub(crate) mod shortage {
    use std::cell::Cell;

    thread_local!(static LEFT: Cell<Option<u32>> = const { Cell::new(None) });

    /// From now on this thread gets memory so many times, and then once none.
    pub(crate) fn after(times: u32) {
        LEFT.set(Some(times));
    }

    /// Whether there is none now.
    pub(super) fn strikes() -> bool {
        let left = LEFT.take();
        LEFT.set(left.and_then(|left| left.checked_sub(1)));
        left == Some(0)
    }
}
