//! Where the data of an array or view is, and which of its copies are current.
//!
//! A [`Home`] is one body of data: host memory or an array, with at most one copy on
//! each accelerator view that has used it. Every copy, the host's included, is current
//! or stale; at least one is current. Reading somewhere makes the copy there current
//! first; writing makes all others stale. So only what is stale is moved, and only
//! when somebody looks.
//!
//! Currency is kept for the whole of a home. It is decided in this module alone, so
//! that keeping it by byte ranges changes nothing outside.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::accelerator::{AcceleratorView, Backend};
use crate::cpu::memory::HostMemory;
use crate::error::{Error, Result};
use crate::vulkan::{Buffer, Stream};

/// The host copy is stale.
const STALE: u8 = 0;
/// The host copy is current, and so is some copy on an accelerator view.
const CURRENT: u8 = 1;
/// The host copy is the only current one.
const ONLY: u8 = 2;

/// Where a home's data belongs; `synchronize` brings it there.
#[derive(Debug)]
pub(crate) enum Source {
    /// A slice of the host.
    Host,
    /// An array that lives on this view.
    Array(AcceleratorView),
    /// Nowhere: a view without a data source.
    Nowhere,
}

#[derive(Debug)]
enum Host<'a> {
    Borrowed(HostMemory<'a>),
    /// Allocated when the host first looks.
    Owned(OnceLock<HostMemory<'static>>),
}

/// One body of data with its copies.
#[derive(Debug)]
pub(crate) struct Home<'a> {
    bytes: usize,
    align: usize,
    source: Source,
    host: Host<'a>,
    /// [`STALE`], [`CURRENT`] or [`ONLY`]: what host indexing looks at first.
    host_state: AtomicU8,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    copies: Vec<DeviceCopy>,
    /// The contents do not matter: a new copy is current as it is.
    discarded: bool,
    /// The view whose kernels last wrote the data, until somebody asked for its fault.
    writer: Option<AcceleratorView>,
}

#[derive(Debug)]
struct DeviceCopy {
    stream: Arc<Stream>,
    buffer: Arc<Buffer>,
    current: bool,
}

impl<'a> Home<'a> {
    /// The home of a slice.
    pub(crate) fn of_slice(memory: HostMemory<'a>, align: usize) -> Self {
        Self {
            bytes: memory.bytes().len(),
            align,
            source: Source::Host,
            host: Host::Borrowed(memory),
            host_state: AtomicU8::new(ONLY),
            state: Mutex::default(),
        }
    }

    /// A home without a data source, its contents undefined.
    pub(crate) fn nowhere(bytes: usize, align: usize) -> Self {
        Self::owned(Source::Nowhere, bytes, align)
    }

    /// The home of an array on `view`, its contents undefined until
    /// [`write_all`](Self::write_all) or [`zero`](Self::zero).
    pub(crate) fn array(view: &AcceleratorView, bytes: usize, align: usize) -> Result<Self> {
        let home = Self::owned(Source::Array(view.clone()), bytes, align);
        match view.backend() {
            Backend::Vulkan(stream) => {
                home.copy_on(&mut home.lock(), stream)?;
            }
            Backend::Cpu(_) => {
                home.memory()?;
            }
        }
        Ok(home)
    }

    fn owned(source: Source, bytes: usize, align: usize) -> Self {
        Self {
            bytes,
            align,
            source,
            host: Host::Owned(OnceLock::new()),
            host_state: AtomicU8::new(CURRENT),
            state: Mutex::new(State {
                discarded: true,
                ..State::default()
            }),
        }
    }

    /// Where the data belongs.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Size of the data.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every update leaves the state consistent, so a panic elsewhere in between
        // does not matter.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The host's memory, allocated if need be; whether it is current is another matter.
    fn memory(&self) -> Result<&HostMemory<'_>> {
        match &self.host {
            Host::Borrowed(memory) => Ok(memory),
            Host::Owned(cell) => {
                if cell.get().is_none() {
                    let memory = HostMemory::zeroed(self.bytes, self.align).ok_or_else(|| {
                        Error::OutOfMemory {
                            bytes: self.bytes as u64,
                            accelerator: "the host".into(),
                        }
                    })?;
                    // A thread that was faster has put equal memory there.
                    let _ = cell.set(memory);
                }
                cell.get().ok_or(Error::OutOfMemory {
                    bytes: self.bytes as u64,
                    accelerator: "the host".into(),
                })
            }
        }
    }

    /// The host's memory if it is current: the fast path of host indexing.
    #[inline]
    pub(crate) fn current(&self) -> Option<&HostMemory<'_>> {
        if self.host_state.load(Ordering::Acquire) == STALE {
            return None;
        }
        self.present()
    }

    /// The host's memory if it is the only current copy: the fast path of writing.
    #[inline]
    pub(crate) fn only(&self) -> Option<&HostMemory<'_>> {
        if self.host_state.load(Ordering::Acquire) != ONLY {
            return None;
        }
        self.present()
    }

    #[inline]
    fn present(&self) -> Option<&HostMemory<'_>> {
        match &self.host {
            Host::Borrowed(memory) => Some(memory),
            Host::Owned(cell) => cell.get().map(|memory| memory as &HostMemory<'_>),
        }
    }

    /// Makes the host copy current.
    pub(crate) fn to_host(&self) -> Result<&HostMemory<'_>> {
        self.pull(&mut self.lock())
    }

    /// Makes the host copy the only current one, about to be written.
    pub(crate) fn to_host_for_writing(&self) -> Result<&HostMemory<'_>> {
        let mut state = self.lock();
        let memory = self.pull(&mut state)?;
        self.expire_copies(&mut state);
        Ok(memory)
    }

    fn pull(&self, state: &mut State) -> Result<&HostMemory<'_>> {
        let memory = self.memory()?;
        if self.host_state.load(Ordering::Acquire) == STALE {
            if let Some(copy) = state.copies.iter().find(|copy| copy.current) {
                copy.stream.download(&copy.buffer, 0, memory.refill())?;
            }
            self.host_state.store(CURRENT, Ordering::Release);
        }
        Ok(memory)
    }

    fn expire_copies(&self, state: &mut State) {
        for copy in &mut state.copies {
            copy.current = false;
        }
        state.discarded = false;
        self.host_state.store(ONLY, Ordering::Release);
    }

    /// The data is written by a kernel on `view`, which has its own copy current.
    pub(crate) fn written_on(&self, view: &AcceleratorView) {
        let mut state = self.lock();
        state.writer = Some(view.clone());
        match view.backend() {
            Backend::Cpu(_) => self.expire_copies(&mut state),
            Backend::Vulkan(stream) => self.written_on_stream(&mut state, stream),
        }
    }

    fn written_on_stream(&self, state: &mut State, stream: &Arc<Stream>) {
        for copy in &mut state.copies {
            copy.current = Arc::ptr_eq(&copy.stream, stream);
        }
        state.discarded = false;
        self.host_state.store(STALE, Ordering::Release);
    }

    /// The contents do not matter any more: nothing needs to be moved until the next
    /// write. Copies keep what they hold.
    pub(crate) fn discard(&self) {
        let mut state = self.lock();
        state.discarded = true;
        for copy in &mut state.copies {
            copy.current = true;
        }
        self.host_state.store(CURRENT, Ordering::Release);
    }

    /// A current copy on `stream`.
    pub(crate) fn on_stream(&self, stream: &Arc<Stream>) -> Result<Arc<Buffer>> {
        let mut state = self.lock();
        let index = self.copy_on(&mut state, stream)?;
        if !state.copies[index].current {
            // Whatever view has the data, it comes by way of the host.
            let memory = self.pull(&mut state)?;
            let copy = &mut state.copies[index];
            stream.upload(&copy.buffer, 0, memory.bytes())?;
            copy.current = true;
            self.host_state.store(CURRENT, Ordering::Release);
        }
        Ok(Arc::clone(&state.copies[index].buffer))
    }

    fn copy_on(&self, state: &mut State, stream: &Arc<Stream>) -> Result<usize> {
        if let Some(index) = state
            .copies
            .iter()
            .position(|copy| Arc::ptr_eq(&copy.stream, stream))
        {
            return Ok(index);
        }
        state.copies.push(DeviceCopy {
            stream: Arc::clone(stream),
            buffer: stream.allocate(self.bytes as u64)?,
            current: state.discarded,
        });
        if state.discarded {
            self.host_state.store(CURRENT, Ordering::Release);
        }
        Ok(state.copies.len() - 1)
    }

    /// Replaces the contents of an array where the array lives.
    pub(crate) fn write_all(&self, data: &[u8]) -> Result<()> {
        let mut state = self.lock();
        if let Source::Array(view) = &self.source
            && let Backend::Vulkan(stream) = view.backend()
        {
            let index = self.copy_on(&mut state, stream)?;
            stream.upload(&state.copies[index].buffer, 0, data)?;
            self.written_on_stream(&mut state, stream);
        } else {
            self.memory()?.refill().copy_from_slice(data);
            self.expire_copies(&mut state);
        }
        Ok(())
    }

    /// Fills a new array with zeroes where it lives.
    pub(crate) fn zero(&self) -> Result<()> {
        let mut state = self.lock();
        if let Source::Array(view) = &self.source
            && let Backend::Vulkan(stream) = view.backend()
        {
            let index = self.copy_on(&mut state, stream)?;
            stream.zero(&state.copies[index].buffer)?;
            self.written_on_stream(&mut state, stream);
        } else {
            // New host memory is zero.
            self.memory()?;
            self.expire_copies(&mut state);
        }
        Ok(())
    }

    /// Copies the contents out, from the host if they are current there, else straight
    /// from a device.
    pub(crate) fn read_all(&self, out: &mut [u8]) -> Result<()> {
        let state = self.lock();
        if self.host_state.load(Ordering::Acquire) == STALE
            && let Some(copy) = state.copies.iter().find(|copy| copy.current)
        {
            return copy.stream.download(&copy.buffer, 0, out);
        }
        out.copy_from_slice(self.memory()?.bytes());
        Ok(())
    }

    /// Brings the data to where it belongs.
    pub(crate) fn to_source(&self) -> Result<()> {
        match &self.source {
            Source::Host => self.to_host().map(|_| ()),
            Source::Array(view) => match view.backend() {
                Backend::Vulkan(stream) => self.on_stream(stream).map(|_| ()),
                Backend::Cpu(_) => self.to_host().map(|_| ()),
            },
            Source::Nowhere => Ok(()),
        }
    }

    /// Waits for everything that uses the data.
    pub(crate) fn wait(&self) -> Result<()> {
        for copy in &self.lock().copies {
            copy.stream.wait_for(&copy.buffer)?;
        }
        Ok(())
    }

    /// The fault of the view that last wrote the data, if nobody has had it yet.
    pub(crate) fn take_fault(&self) -> Result<()> {
        let writer = self.lock().writer.take();
        writer.map_or(Ok(()), |view| view.report())
    }
}

#[cfg(test)]
mod tests;
