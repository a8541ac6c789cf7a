//! Where the data of an array or view is, and which of its copies are current.
//!
//! An [`Allocation`] is one body of data: host memory or an array, with at most one copy on
//! each accelerator view that has used it. Every byte of every copy, the host's included,
//! is current or stale; at least one copy of each byte is current. Reading somewhere makes
//! the bytes there current first; writing makes the others stale. So only what is stale is
//! moved, and only when it is needed.
//!
//! Views of parts of an allocation share it. What they have in common is told by bytes
//! ([`Ranges`]), whatever their shapes and elements. A part of an allocation is only moved or
//! written by who has borrowed a view of it, so parts that are disjoint can be in use in
//! several places at a time: nothing is read, on the host, or written, anywhere, but the
//! bytes that are asked for.
//!
//! `copies.rs` says which copies are current, for all who share an allocation's `directory.rs`;
//! this file moves them, `bytes.rs` lets bytes in and out, `between.rs` copies from one allocation
//! to another, `readbacks.rs` lands later what is sent for now, `pending.rs` has launches queued
//! before their data is used, and `shared.rs` is memory that the host and a device have in common.

mod between;
mod bytes;
mod copies;
mod directory;
mod pending;
mod readbacks;
mod seen;
mod shared;
mod writers;

use std::sync::{Arc, MutexGuard, OnceLock, atomic};

use crate::device::accelerator::view::{AcceleratorView, Backend};
use crate::device::cpu::memory::{HostMemory, out_of_host_memory};
use crate::device::vulkan::{Buffer, Milestone, Region, Stream};
use crate::types::error::{Error, Result};

use crate::types::ranges::Ranges;
pub(crate) use between::{Pace, Underway, copy};
use copies::{Copies, DeviceCopy};
pub(crate) use directory::Directory;
use directory::{Kept, State};
pub(crate) use pending::{Announced, Pending, announce, queue_on};
pub(crate) use readbacks::land_in;
pub(crate) use seen::{Finding, Seen};
use shared::Shared;
pub(crate) use writers::Writers;

/// What the address of memory that we allocate is a multiple of, at least.
const ALIGN: usize = 16;

/// Where an allocation's data belongs; `synchronize` brings it there.
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
    /// That of a device's buffer.
    Shared(Shared),
}

/// One body of data with its copies.
#[derive(Debug)]
pub(crate) struct Allocation<'a> {
    /// All of its bytes.
    whole: Ranges,
    align: usize,
    source: Source,
    host: Host<'a>,
    directory: Kept,
}

impl<'a> Allocation<'a> {
    /// The allocation of a slice.
    pub(crate) fn of_slice(memory: HostMemory<'a>) -> Self {
        let whole = Ranges::of(0..memory.size());
        Self {
            align: memory.alignment(),
            source: Source::Host,
            host: Host::Borrowed(memory),
            directory: Kept::new(Copies::on_host(&whole)),
            whole,
        }
    }

    /// An allocation without a data source, zero until something is written.
    pub(crate) fn nowhere(bytes: usize, align: usize) -> Self {
        Self::owned(Source::Nowhere, bytes, align)
    }

    /// The allocation of an array on `view`, its contents undefined until
    /// [`write`](Self::write) or [`zero`](Self::zero). If it is `shared`, the host works in
    /// the memory of the accelerator where it can.
    pub(crate) fn array(
        view: &AcceleratorView,
        bytes: usize,
        align: usize,
        shared: bool,
    ) -> Result<Self> {
        let source = Source::Array(view.clone());
        let Backend::Vulkan(stream) = view.backend() else {
            let allocation = Self::owned(source, bytes, align);
            allocation.memory()?;
            return Ok(allocation);
        };
        let buffer = stream.allocate(bytes as u64)?;
        let align = align.max(ALIGN);
        let memory = buffer.host_memory(bytes, align).filter(|_| shared);
        let host = memory.map(|memory| Host::Shared(Shared::new(memory, stream, &buffer)));
        let allocation = Self {
            host: host.unwrap_or_else(|| Host::Owned(OnceLock::new())),
            ..Self::owned(source, bytes, align)
        };
        allocation.lock().copies.add(stream, &buffer);
        Ok(allocation)
    }

    /// The allocation of an array in a buffer that the host does not see, its contents undefined as
    /// in [`array`](Self::array).
    pub(crate) fn in_buffer(
        view: &AcceleratorView,
        stream: &Arc<Stream>,
        buffer: &Arc<Buffer>,
        bytes: usize,
        align: usize,
    ) -> Self {
        let allocation = Self::owned(Source::Array(view.clone()), bytes, align);
        allocation.lock().copies.add(stream, buffer);
        allocation
    }

    /// The allocation of an array in a buffer that has its contents already.
    pub(crate) fn of_buffer(
        view: &AcceleratorView,
        stream: &Arc<Stream>,
        buffer: &Arc<Buffer>,
        bytes: usize,
        align: usize,
    ) -> Self {
        let allocation = Self::in_buffer(view, stream, buffer, bytes, align);
        let mut state = allocation.lock();
        allocation
            .directory
            .written_on_stream(&mut state, stream, &allocation.whole);
        drop(state);
        allocation
    }

    /// The allocation of an array on the CPU accelerator's `view`, in memory that `associated`
    /// copies to and from without help. Its contents are undefined as in
    /// [`array`](Self::array).
    pub(crate) fn staging(
        view: &AcceleratorView,
        associated: &AcceleratorView,
        bytes: usize,
        align: usize,
    ) -> Result<Self> {
        let Backend::Vulkan(stream) = associated.backend() else {
            return Self::array(view, bytes, align, true);
        };
        let allocation = Self::owned(Source::Array(view.clone()), bytes, align);
        let buffer = stream.allocate_staging(bytes as u64)?;
        let host = match buffer.host_memory(bytes, allocation.align) {
            Some(memory) => Host::Shared(Shared::new(memory, stream, &buffer)),
            None => return Ok(allocation),
        };
        Ok(Self { host, ..allocation })
    }

    fn owned(source: Source, bytes: usize, align: usize) -> Self {
        let whole = Ranges::of(0..bytes);
        Self {
            align: align.max(ALIGN),
            source,
            host: Host::Owned(OnceLock::new()),
            directory: Kept::new(Copies::undefined(&whole)),
            whole,
        }
    }

    /// Where the data belongs.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// All of its bytes.
    pub(crate) fn whole(&self) -> &Ranges {
        &self.whole
    }

    /// What the address of the host's memory is a multiple of.
    pub(crate) fn alignment(&self) -> usize {
        self.align
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.queue_users();
        self.directory.lock()
    }

    /// Queues launches of replays that use the data.
    fn queue_users(&self) {
        pending::queue_users(&self.directory, true, None);
    }

    /// Which copies are current.
    #[inline]
    pub(crate) fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }

    /// The host's memory, allocated if need be; whether it is current is another matter.
    fn memory(&self) -> Result<&HostMemory<'_>> {
        let bytes = self.whole.size();
        let none_left = || out_of_memory(bytes);
        if let Host::Owned(cell) = &self.host
            && cell.get().is_none()
        {
            let memory = HostMemory::zeroed(bytes, self.align).ok_or_else(none_left)?;
            // A thread that was faster has put equal memory there.
            let _ = cell.set(memory);
        }
        self.present().ok_or_else(none_left)
    }

    /// The host's memory if there is some.
    #[inline]
    pub(crate) fn present(&self) -> Option<&HostMemory<'_>> {
        match &self.host {
            Host::Borrowed(memory) => Some(memory),
            Host::Shared(shared) => Some(&shared.memory),
            Host::Owned(cell) => cell.get().map(|memory| memory as &HostMemory<'_>),
        }
    }

    /// Makes bytes current on the host.
    pub(crate) fn to_host(&self, bytes: &Ranges) -> Result<&HostMemory<'_>> {
        self.pull(&mut self.lock(), bytes)
    }

    /// Makes bytes current on the host and nowhere else, about to be written.
    pub(crate) fn to_host_for_writing(&self, bytes: &Ranges) -> Result<&HostMemory<'_>> {
        let mut state = self.lock();
        let memory = self.pull(&mut state, bytes)?;
        state.copies.write_on_host(bytes);
        Ok(memory)
    }

    fn pull(&self, state: &mut State, bytes: &Ranges) -> Result<&HostMemory<'_>> {
        let pulled = self.try_to_pull(state, bytes);
        state.note(pulled)
    }

    fn try_to_pull(&self, state: &mut State, bytes: &Ranges) -> Result<&HostMemory<'_>> {
        let memory = self.memory()?;
        self.settle()?;
        let missing = state.copies.missing_on_host(bytes);
        for (stream, buffer, there) in state.copies.holders(missing) {
            if let Some((here, pinned)) = self.pinned(&stream) {
                if !self.shares(&buffer) {
                    here.copy(pinned, &stream, &buffer, &same_place(&there))?;
                    self.settle()?;
                }
            } else {
                let pieces = there.iter().map(|range| {
                    let offset = range.start as u64;
                    (offset, memory.refill(range))
                });
                stream.download(&buffer, pieces.collect())?;
            }
            state.copies.add_on_host(&there);
        }
        Ok(memory)
    }

    /// The contents of these bytes do not matter any more: they need not be moved until
    /// the next write. Copies keep what they hold.
    pub(crate) fn discard(&self, bytes: &Ranges) {
        self.lock().copies.discard(bytes);
        self.directory.epoch.advance();
    }

    /// Which of these bytes have been discarded and not written since. Those that never had
    /// contents are zero.
    pub(crate) fn discarded(&self, bytes: &Ranges) -> Ranges {
        match &self.source {
            Source::Nowhere => Ranges::default(),
            Source::Host | Source::Array(_) => self.lock().copies.discarded(bytes),
        }
    }

    /// The source may have been modified behind our back: whatever it has current of these
    /// bytes is current nowhere else. What was lost with an accelerator view is given up.
    ///
    /// Where the source is an array of a device, that makes the host's copy stale: only who
    /// has the bytes for himself may do it, and for others this does nothing.
    pub(crate) fn refresh(&self, bytes: &Ranges, alone: bool) {
        let mut state = self.lock();
        match &self.source {
            Source::Nowhere => return,
            Source::Host => {
                state.copies.forsake(bytes);
                state.copies.keep_on_host(bytes);
            }
            Source::Array(view) => match view.backend() {
                Backend::Cpu(_) => state.copies.keep_on_host(bytes),
                Backend::Vulkan(stream) if alone => state.copies.keep_on_stream(stream, bytes),
                Backend::Vulkan(_) => return,
            },
        }
        self.directory.epoch.advance();
    }

    /// The copy on `stream`, with these bytes current.
    pub(crate) fn on_stream(&self, stream: &Arc<Stream>, bytes: &Ranges) -> Result<Arc<Buffer>> {
        self.queue_users();
        self.current_on_stream(stream, bytes)
    }

    /// [`on_stream`](Self::on_stream) for a launch, which may be one of those that are pending and
    /// its `own`.
    pub(crate) fn for_launch(
        &self,
        stream: &Arc<Stream>,
        bytes: &Ranges,
        writes: bool,
        own: Option<&dyn Pending>,
    ) -> Result<Arc<Buffer>> {
        pending::queue_users(&self.directory, writes, own);
        self.current_on_stream(stream, bytes)
    }

    fn current_on_stream(&self, stream: &Arc<Stream>, bytes: &Ranges) -> Result<Arc<Buffer>> {
        stream.check()?;
        let mut state = self.directory.lock();
        let buffer = self.copy_on(&mut state, stream)?;
        let missing = state.copies.missing_on_stream(stream, bytes);
        if !missing.is_empty() {
            // Whatever view has the data, it comes by way of the host.
            let memory = self.pull(&mut state, &missing)?;
            if let Some((here, pinned)) = self.pinned(stream) {
                if !self.shares(&buffer) {
                    stream.copy(&buffer, here, pinned, &same_place(&missing))?;
                }
            } else {
                let pieces: Vec<_> = missing
                    .iter()
                    .map(|range| (range.start as u64, memory.bytes(range)))
                    .collect();
                stream.upload(&buffer, &pieces)?;
            }
            state.copies.add_on_stream(stream, &missing);
            self.directory.epoch.advance();
        }
        Ok(buffer)
    }

    fn copy_on(&self, state: &mut State, stream: &Arc<Stream>) -> Result<Arc<Buffer>> {
        if let Some(buffer) = state.copies.on_stream(stream) {
            return Ok(Arc::clone(buffer));
        }
        let buffer = stream.allocate(self.whole.size() as u64)?;
        if state.copies.has_discarded() {
            // These bytes are current in it as they are, and it may have been another allocation's.
            stream.zero(&buffer)?;
        }
        state.copies.add(stream, &buffer);
        // Of what does not matter, the host has no longer the only copy.
        self.directory.epoch.advance();
        Ok(buffer)
    }

    /// Makes bytes current where `view` works.
    pub(crate) fn bring_to(&self, view: &AcceleratorView, bytes: &Ranges) -> Result<()> {
        match view.backend() {
            Backend::Vulkan(stream) => self.on_stream(stream, bytes).map(|_| ()),
            Backend::Cpu(_) => self.to_host(bytes).map(|_| ()),
        }
    }

    /// [`bring_to`](Self::bring_to) that does not wait for the device, if it need not.
    pub(crate) fn send_to_view(&self, view: &AcceleratorView, bytes: &Ranges) -> Result<Underway> {
        Ok(match view.backend() {
            Backend::Vulkan(stream) => Underway::queued(stream, &self.on_stream(stream, bytes)?),
            Backend::Cpu(_) => self.send_to_host(bytes)?,
        })
    }

    /// [`to_source`](Self::to_source) that does not wait for the device, if it need not.
    pub(crate) fn send_to_source(&self, bytes: &Ranges) -> Result<Underway> {
        match &self.source {
            Source::Host => self.send_to_host(bytes),
            Source::Array(view) => self.send_to_view(view, bytes),
            Source::Nowhere => Ok(Underway::default()),
        }
    }

    /// Brings bytes to where they belong.
    pub(crate) fn to_source(&self, bytes: &Ranges) -> Result<()> {
        match &self.source {
            Source::Host => self.to_host(bytes).map(|_| ()),
            Source::Array(view) => self.bring_to(view, bytes),
            Source::Nowhere => Ok(()),
        }
    }

    /// Whether a call has returned that the data cannot be brought to the host.
    pub(crate) fn has_failed(&self) -> bool {
        self.lock().has_failed
    }

    /// Waits for everything that uses the data. Views that were removed do so no more.
    pub(crate) fn wait(&self) -> Result<()> {
        let state = self.lock();
        self.users(&state)
            .try_for_each(|copy| copy.stream.wait_for(&copy.buffer))
    }

    /// The copies that may be in use.
    fn users<'s>(&'s self, state: &'s State) -> impl Iterator<Item = &'s DeviceCopy> {
        let works = |stream: &Arc<Stream>| !stream.has_ended() || self.belongs_to(stream);
        state.copies.iter().filter(move |copy| works(&copy.stream))
    }

    /// Whether it is the allocation of an array on a stream.
    fn belongs_to(&self, stream: &Arc<Stream>) -> bool {
        match &self.source {
            Source::Array(view) => match view.backend() {
                Backend::Vulkan(own) => Arc::ptr_eq(own, stream),
                Backend::Cpu(_) => false,
            },
            Source::Host | Source::Nowhere => false,
        }
    }

    /// Behind everything that uses the data. Views that were removed do so no more.
    pub(crate) fn mark_uses(&self) -> Result<Vec<Milestone>> {
        let state = self.lock();
        self.users(&state)
            .map(|copy| copy.stream.mark_uses(&copy.buffer))
            .collect()
    }

    /// The fault of a kernel that wrote the data, or data it was computed from, if no call has
    /// returned it yet.
    pub(crate) fn take_fault(&self) -> Result<()> {
        loop {
            let Some(writer) = self.lock().writers.pop() else {
                return Ok(());
            };
            writer.report()?;
        }
    }
}

/// The error for memory that the host cannot provide.
pub(crate) fn out_of_memory(bytes: usize) -> Error {
    out_of_host_memory("allocating host memory", Some(bytes as u64))
}

/// Bytes that are copied to where they are in another copy.
fn same_place(bytes: &Ranges) -> Vec<Region> {
    let regions = bytes.iter().map(|range| Region {
        from: range.start,
        to: range.start,
        bytes: range.len(),
    });
    regions.collect()
}

#[cfg(test)]
mod tests;
