//! [`Window`]: what a view sees of a body of data, whatever its elements.

use std::ops::Range;
use std::slice;
use std::sync::{Arc, OnceLock};

use crate::device::cpu::memory::{HostMemory, zeroes};
use crate::device::cpu::spot::Spot;
use crate::device::cpu::{self, Located};
use crate::residency::{Allocation, Directory, Finding, Seen, out_of_memory};
use crate::types::element::Element;
use crate::types::error::{Error, Result, times};
use crate::types::part::Part;
use crate::types::ranges::Ranges;

/// A part of an allocation, as its elements lie there.
#[derive(Debug)]
pub(crate) struct Window<'a, const N: usize> {
    allocation: Arc<Allocation<'a>>,
    /// The allocation's, here too for host indexing, which asks it for the epoch each time.
    directory: Arc<Directory>,
    part: Part<N>,
    /// The bytes of the part, found out when they are first asked for.
    bytes: OnceLock<Arc<Ranges>>,
    seen: Seen,
    /// Where the elements are on the host.
    spot: Spot,
}

/// What host indexing does with an error that it cannot return.
#[cold]
#[track_caller]
fn lost(error: &Error) -> ! {
    panic!(
        "the data of a view could not be brought to the host: {error}; \
         call `data` of the view, or `to_vec`, before indexing to receive this as an error"
    )
}

impl<'a, const N: usize> Window<'a, N> {
    /// A part of an allocation.
    pub(crate) fn new(allocation: Arc<Allocation<'a>>, part: Part<N>) -> Self {
        let spot = Spot::default();
        if let Some(memory) = allocation.present() {
            spot.note(memory, part.start());
        }
        Self {
            directory: Arc::clone(allocation.directory()),
            allocation,
            part,
            bytes: OnceLock::new(),
            seen: Seen::default(),
            spot,
        }
    }

    /// Another part of the allocation. If it is `within` this one, what this one has seen holds
    /// for it too.
    pub(crate) fn part<const M: usize>(&self, part: Part<M>) -> Window<'a, M> {
        Window {
            seen: self.seen.clone(),
            ..Window::new(Arc::clone(&self.allocation), part)
        }
    }

    pub(crate) fn allocation(&self) -> &Arc<Allocation<'a>> {
        &self.allocation
    }

    /// Where its elements lie.
    pub(crate) fn layout(&self) -> &Part<N> {
        &self.part
    }

    /// The bytes of its elements.
    pub(crate) fn bytes(&self) -> &Arc<Ranges> {
        self.bytes.get_or_init(|| Arc::new(self.part.bytes()))
    }

    /// The host's memory, with the elements current.
    #[cold]
    fn current(&self) -> Result<&HostMemory<'_>> {
        let epoch = self.directory.epoch();
        let memory = self.allocation.to_host(self.bytes())?;
        self.spot.note(memory, self.part.start());
        self.seen.note(epoch, Finding::Current);
        Ok(memory)
    }

    /// The host's memory, with the only current copy of the elements.
    #[cold]
    fn only(&self) -> Result<&HostMemory<'_>> {
        let epoch = self.directory.epoch();
        let memory = self.allocation.to_host_for_writing(self.bytes())?;
        self.spot.note(memory, self.part.start());
        self.seen.note(epoch, Finding::Only);
        Ok(memory)
    }

    /// The element at an index.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn element<T: Element>(&self, index: [usize; N]) -> &T {
        let offset = self.part.offset(index, size_of::<T>());
        if self.seen.is_current(self.directory.epoch())
            && let Some(element) = self.spot.element(offset)
        {
            return element;
        }
        self.find(offset)
    }

    #[cold]
    #[track_caller]
    fn find<T: Element>(&self, offset: usize) -> &T {
        let memory = self.current().unwrap_or_else(|error| lost(&error));
        memory.element(self.part.start() + offset)
    }

    /// The element at an index, to be written.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn element_mut<T: Element>(&mut self, index: [usize; N]) -> &mut T {
        let offset = self.part.offset(index, size_of::<T>());
        if self.seen.is_only(self.directory.epoch())
            && let Some(element) = self.spot.element_mut(offset)
        {
            return element;
        }
        self.find_mut(offset)
    }

    /// Asked for from `&mut self`.
    #[allow(clippy::mut_from_ref)]
    #[cold]
    #[track_caller]
    fn find_mut<T: Element>(&self, offset: usize) -> &mut T {
        let memory = self.only().unwrap_or_else(|error| lost(&error));
        memory.element_mut(self.part.start() + offset)
    }

    /// The elements as the host version of a helper reads them.
    #[track_caller]
    pub(crate) fn lent<T: Element>(&self) -> cpu::ArrayView<'_, T, N> {
        let memory = self.current().unwrap_or_else(|error| lost(&error));
        memory.view(&self.part)
    }

    /// The elements as the host version of a helper writes them.
    #[track_caller]
    pub(crate) fn lent_mut<T: Element>(&mut self) -> cpu::ArrayViewMut<'_, T, N> {
        let memory = self.only().unwrap_or_else(|error| lost(&error));
        memory.view_mut(&self.part)
    }

    /// The part of the allocation that lies at a place in the host's memory.
    pub(crate) fn find_part<T, const M: usize>(
        &self,
        place: &Located<T, M>,
    ) -> Option<Window<'a, M>> {
        let part = self.allocation.present()?.part(place)?;
        Some(self.part(part))
    }

    /// The elements as a slice.
    pub(crate) fn slice<T: Element>(&self) -> Result<&[T]> {
        self.check_contiguous()?;
        let (start, length) = (self.part.start(), self.part.elements());
        Ok(self.current()?.elements(start, length))
    }

    /// The elements as a slice, to be written.
    pub(crate) fn slice_mut<T: Element>(&mut self) -> Result<&mut [T]> {
        self.check_contiguous()?;
        let (start, length) = (self.part.start(), self.part.elements());
        Ok(self.only()?.elements_mut(start, length))
    }

    /// The runs of contiguous elements, in order.
    #[track_caller]
    pub(crate) fn runs<T: Element>(&self) -> Vec<slice::Iter<'_, T>> {
        let memory = self.current().unwrap_or_else(|error| lost(&error));
        let run = |bytes: Range<usize>| memory.elements(bytes.start, bytes.len() / size_of::<T>());
        self.bytes().iter().map(|bytes| run(bytes).iter()).collect()
    }

    /// The runs of contiguous elements, in order, to be written.
    #[track_caller]
    pub(crate) fn runs_mut<T: Element>(&mut self) -> Vec<slice::IterMut<'_, T>> {
        let memory = self.only().unwrap_or_else(|error| lost(&error));
        let run =
            |bytes: Range<usize>| memory.elements_mut(bytes.start, bytes.len() / size_of::<T>());
        self.bytes()
            .iter()
            .map(|bytes| run(bytes).iter_mut())
            .collect()
    }

    fn check_contiguous(&self) -> Result<()> {
        match self.part.is_contiguous() {
            true => Ok(()),
            false => Err(Error::NotContiguous {
                extent: times(self.part.extent()),
            }),
        }
    }

    /// A copy of the elements in row-major order, from wherever they are current.
    pub(crate) fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        let length = self.part.elements();
        let mut out = zeroes(length).ok_or_else(|| out_of_memory(length * size_of::<T>()))?;
        let bytes = bytemuck::cast_slice_mut(&mut out);
        self.allocation.read_to(self.bytes(), bytes, true)?;
        self.allocation.take_fault()?;
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "driver said no; call `data` of the view, or `to_vec`")]
    fn a_failed_index_names_the_methods_that_return_the_error() {
        let reason = "the driver said no".into();
        lost(&Error::Driver {
            operation: "a copy",
            reason,
        });
    }
}
