//! [`Window`]: what a view sees of a body of data, whatever its elements.

use std::sync::{Arc, OnceLock};

use crate::cpu::memory::HostMemory;
use crate::element::Element;
use crate::error::{Error, Result, times};
use crate::part::Part;
use crate::residency::{Finding, Home, Ranges, Seen};

/// A part of a home, as its elements lie there.
#[derive(Debug)]
pub(crate) struct Window<'a, const N: usize> {
    home: Arc<Home<'a>>,
    part: Part<N>,
    /// The bytes of the part, found out when they are first asked for.
    bytes: OnceLock<Arc<Ranges>>,
    seen: Seen,
}

/// What host indexing does with an error that it cannot return.
#[cold]
#[track_caller]
fn lost(error: &Error) -> ! {
    panic!(
        "the data of a view could not be brought to the host: {error}; \
         call synchronize() before indexing to receive this as an error"
    )
}

impl<'a, const N: usize> Window<'a, N> {
    /// A part of a home.
    pub(crate) fn new(home: Arc<Home<'a>>, part: Part<N>) -> Self {
        Self {
            home,
            part,
            bytes: OnceLock::new(),
            seen: Seen::default(),
        }
    }

    /// Another part of the home. If it is `within` this one, what this one has seen holds
    /// for it too.
    pub(crate) fn part<const M: usize>(&self, part: Part<M>) -> Window<'a, M> {
        Window {
            seen: self.seen.clone(),
            ..Window::new(Arc::clone(&self.home), part)
        }
    }

    pub(crate) fn home(&self) -> &Arc<Home<'a>> {
        &self.home
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
    #[inline]
    fn current(&self) -> Result<&HostMemory<'_>> {
        match self.home.present() {
            Some(memory) if self.seen.is_current(self.home.epoch()) => Ok(memory),
            _ => self.bring(),
        }
    }

    #[cold]
    fn bring(&self) -> Result<&HostMemory<'_>> {
        let epoch = self.home.epoch();
        let memory = self.home.to_host(self.bytes())?;
        self.seen.note(epoch, Finding::Current);
        Ok(memory)
    }

    /// The host's memory, which has the only current copy of the elements.
    #[inline]
    fn only(&mut self) -> Result<&HostMemory<'_>> {
        match self.home.present() {
            Some(memory) if self.seen.is_only(self.home.epoch()) => Ok(memory),
            _ => self.bring_for_writing(),
        }
    }

    #[cold]
    fn bring_for_writing(&self) -> Result<&HostMemory<'_>> {
        let epoch = self.home.epoch();
        let memory = self.home.to_host_for_writing(self.bytes())?;
        self.seen.note(epoch, Finding::Only);
        Ok(memory)
    }

    /// The element at an index.
    #[inline]
    #[track_caller]
    pub(crate) fn element<T: Element>(&self, index: [usize; N]) -> &T {
        let position = self.part.position(index, size_of::<T>());
        match self.current() {
            Ok(memory) => memory.element(position),
            Err(error) => lost(&error),
        }
    }

    /// The element at an index, to be written.
    #[inline]
    #[track_caller]
    pub(crate) fn element_mut<T: Element>(&mut self, index: [usize; N]) -> &mut T {
        let position = self.part.position(index, size_of::<T>());
        match self.only() {
            Ok(memory) => memory.element_mut(position),
            Err(error) => lost(&error),
        }
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
        let mut out = vec![T::zeroed(); self.part.elements()];
        self.read(&mut out)?;
        Ok(out)
    }

    /// [`to_vec`](Self::to_vec) into a slice of the same length.
    pub(crate) fn read<T: Element>(&self, out: &mut [T]) -> Result<()> {
        let out = bytemuck::cast_slice_mut(out);
        self.home.read(self.bytes(), out)?;
        self.home.take_fault()
    }
}
