//! Where host indexing finds the elements of a view: a pointer, a length, one comparison.
//!
//! Memory of a body of data stays where it is once it is there, so a view need not ask for it
//! at each access. A holder of a [`Spot`] also keeps what the memory belongs to, and for
//! references to its elements the invariant of [`memory`](super::memory) holds.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use bytemuck::Pod;

use super::memory::HostMemory;

/// The memory of a body of data from a view's first element on, once it is known.
#[derive(Debug, Default)]
pub(crate) struct Spot {
    pointer: AtomicPtr<u8>,
    /// 0 until the pointer is there.
    bytes: AtomicUsize,
}

impl Spot {
    /// Notes where the memory is from byte `start` on: always the same.
    pub(crate) fn note(&self, memory: &HostMemory<'_>, start: usize) {
        let bytes = memory.size() - start;
        let pointer = memory.pointer_at(start);
        self.pointer.store(pointer.as_ptr(), Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Release);
    }

    /// The element that starts at a byte behind the first element, if it is known where.
    #[inline(always)]
    pub(crate) fn element<T: Pod>(&self, offset: usize) -> Option<&T> {
        let pointer = self.find::<T>(offset)?;
        // SAFETY: within the memory (`find`), which is initialised, aligned for the elements
        // of the view, and not written while the reference lives (invariant of `memory`); any
        // bits are a `T`.
        Some(unsafe { pointer.as_ref() })
    }

    /// The element that starts at a byte behind the first element, asked for from the
    /// `&mut self` of a view.
    #[allow(clippy::mut_from_ref)]
    #[inline(always)]
    pub(crate) fn element_mut<T: Pod>(&self, offset: usize) -> Option<&mut T> {
        let mut pointer = self.find::<T>(offset)?;
        // SAFETY: as `element`; the caller's `&mut` makes the reference the only one.
        Some(unsafe { pointer.as_mut() })
    }

    #[inline(always)]
    fn find<T>(&self, offset: usize) -> Option<NonNull<T>> {
        let bytes = self.bytes.load(Ordering::Acquire);
        if offset.saturating_add(size_of::<T>()) > bytes {
            return None;
        }
        let pointer = self.pointer.load(Ordering::Relaxed);
        // SAFETY: the pointer is there as `bytes` is not 0, for no element is empty
        // (`size_of_extent`), and has so many bytes behind it.
        let pointer = unsafe { NonNull::new_unchecked(pointer.add(offset)) }.cast::<T>();
        debug_assert!(pointer.is_aligned());
        Some(pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_within_what_was_noted() {
        let mut data = [1_u32, 2, 3, 4];
        let memory = HostMemory::exclusive(&mut data);
        let spot = Spot::default();
        assert_eq!(spot.element::<u32>(0), None);
        spot.note(&memory, 4);
        assert_eq!(spot.element::<u32>(0), Some(&2));
        *spot.element_mut(8).unwrap() = 7_u32;
        assert_eq!(spot.element::<u32>(8), Some(&7));
        for outside in [9, 12, usize::MAX] {
            assert_eq!(
                spot.element::<u8>(outside).copied(),
                [7, 0, 0, 0].get(outside - 8).copied()
            );
        }
        assert_eq!(spot.element::<u32>(12), None);
        assert_eq!(spot.element::<u32>(usize::MAX - 1), None);
    }
}
