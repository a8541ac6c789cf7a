//! Memory that the host and a device have in common.
//!
//! A [`Shared`] stands for both: a buffer of a device, and the host's memory of an allocation. Who
//! has what current is kept as if they were two, only that nothing is moved from one to the
//! other. In place of that the host waits until the device has done with the buffer
//! ([`Allocation::settle`]) whenever it looks at the memory for the first time since the device
//! may have used it; so every command that uses it while the host has it current advances
//! the epoch. Host writes reach the device with the next batch that goes out; no
//! batch that is open uses the buffer while the host writes, as that would be waited for.

use std::sync::Arc;

use super::{Allocation, Host};
use crate::device::cpu::memory::HostMemory;
use crate::device::vulkan::{Buffer, Stream};
use crate::types::error::Result;

/// A buffer of a device whose memory is that of the host.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) memory: HostMemory<'static>,
    stream: Arc<Stream>,
    buffer: Arc<Buffer>,
}

impl Shared {
    /// The memory of a buffer that commands of `stream` alone use.
    pub(super) fn new(
        memory: HostMemory<'static>,
        stream: &Arc<Stream>,
        buffer: &Arc<Buffer>,
    ) -> Self {
        Self {
            memory,
            stream: Arc::clone(stream),
            buffer: Arc::clone(buffer),
        }
    }
}

impl Allocation<'_> {
    fn shared(&self) -> Option<&Shared> {
        match &self.host {
            Host::Shared(shared) => Some(shared),
            Host::Borrowed(_) | Host::Owned(_) => None,
        }
    }

    /// Whether the host's memory is that of a buffer.
    pub(super) fn shares(&self, buffer: &Arc<Buffer>) -> bool {
        self.shared()
            .is_some_and(|shared| Arc::ptr_eq(&shared.buffer, buffer))
    }

    /// Waits until no device uses the host's memory.
    pub(super) fn settle(&self) -> Result<()> {
        self.shared()
            .map_or(Ok(()), |shared| shared.stream.wait_for(&shared.buffer))
    }

    /// Whether [`settle`](Self::settle) would return at once.
    pub(super) fn is_settled(&self) -> bool {
        self.shared()
            .is_none_or(|shared| shared.stream.is_done_with(&shared.buffer))
    }

    /// The buffer behind the host's memory, and its stream, if `stream` can copy to and from
    /// it.
    pub(super) fn pinned(&self, stream: &Stream) -> Option<(&Arc<Stream>, &Arc<Buffer>)> {
        self.shared()
            .filter(|shared| shared.stream.is_beside(stream))
            .map(|shared| (&shared.stream, &shared.buffer))
    }
}
