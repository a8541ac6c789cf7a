//! Chunks of host-visible memory that batches borrow: for argument blocks and for bytes
//! on their way to or from a device.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::copier::{Copying, Keeper};
use super::super::device::Device;
use super::super::memory::Purpose;
use super::Buffer;
use crate::types::error::Result;

/// Which chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::device::vulkan) enum Class {
    /// Argument blocks that do not fit push constants.
    Arguments,
    /// Small transfers; several share a chunk.
    Small,
    /// Transfers piece by piece: so small that the first ones of a process do not wait for long
    /// until there is one, of which the driver pins each page.
    Medium,
    /// Large transfers piece by piece: so large that the device does not rest between two.
    Large,
}

impl Class {
    /// Size of a chunk.
    pub(in crate::device::vulkan) const fn bytes(self) -> u64 {
        match self {
            Class::Arguments => 64 << 10,
            Class::Small => 256 << 10,
            Class::Medium => 1 << 20,
            Class::Large => 8 << 20,
        }
    }

    /// Those for a transfer of so many bytes.
    pub(in crate::device::vulkan) fn of_transfer(bytes: u64) -> Self {
        if bytes <= Class::Small.bytes() {
            Class::Small
        } else if bytes <= Class::Large.bytes() {
            Class::Medium
        } else {
            Class::Large
        }
    }

    /// Loads of a transfer in such chunks that are on their way at a time. As many medium ones fit
    /// the block of memory that a view has in any case.
    pub(in crate::device::vulkan) const fn at_a_time(self) -> usize {
        match self {
            Class::Medium => 3,
            _ => 4,
        }
    }

    /// Free chunks that are kept.
    const fn kept(self) -> usize {
        match self {
            Class::Arguments | Class::Small => 64,
            Class::Medium | Class::Large => self.at_a_time(),
        }
    }

    /// What its chunks are for.
    pub(in crate::device::vulkan) fn purpose(self) -> Purpose {
        match self {
            Class::Arguments => Purpose::Arguments,
            Class::Small | Class::Medium | Class::Large => Purpose::Staging,
        }
    }
}

/// The chunks of a stream and its transfer stream that are not in use.
#[derive(Debug, Default)]
pub(in crate::device::vulkan) struct Chunks(Mutex<[Vec<Arc<Buffer>>; 4]>);

impl Chunks {
    fn free(&self) -> MutexGuard<'_, [Vec<Arc<Buffer>>; 4]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A free chunk, or a new one.
    pub(in crate::device::vulkan) fn take(
        &self,
        device: &Arc<Device>,
        class: Class,
    ) -> Result<Arc<Buffer>> {
        let free = self.free()[class as usize].pop();
        // Without the lock: where memory is short, all free chunks are trimmed.
        match free {
            Some(chunk) => Ok(chunk),
            None => Buffer::new(device, class.bytes(), class.purpose()),
        }
    }

    /// Whether one is free.
    pub(in crate::device::vulkan) fn has(&self, class: Class) -> bool {
        !self.free()[class as usize].is_empty()
    }

    /// Bytes of the free chunks.
    pub(super) fn bytes(&self) -> u64 {
        let free = self.free();
        free.iter().flatten().map(|chunk| chunk.bytes()).sum()
    }

    /// Lets the free chunks go. Returns their bytes.
    pub(super) fn trim(&self) -> u64 {
        let free = std::mem::take(&mut *self.free());
        free.iter().flatten().map(|chunk| chunk.bytes()).sum()
    }

    /// Takes a chunk back that no command uses any more.
    pub(in crate::device::vulkan) fn give_back(&self, class: Class, chunk: Arc<Buffer>) {
        chunk.forget_use();
        let mut free = self.free();
        let free = &mut free[class as usize];
        if free.len() < class.kept() {
            free.push(chunk);
        }
    }
}

/// A chunk that is filled from its start.
pub(in crate::device::vulkan) struct Bump {
    pub(in crate::device::vulkan) chunk: Arc<Buffer>,
    used: u64,
}

impl Bump {
    pub(in crate::device::vulkan) fn new(chunk: Arc<Buffer>) -> Self {
        Self { chunk, used: 0 }
    }

    /// Offset of the next `bytes` bytes, if they fit.
    pub(in crate::device::vulkan) fn take(&mut self, bytes: u64) -> Option<u64> {
        let start = self.used.next_multiple_of(64);
        let end = start
            .checked_add(bytes)
            .filter(|&end| end <= self.chunk.bytes())?;
        self.used = end;
        Some(start)
    }
}

impl<'p> Copying<'p> {
    /// Begins to copy pieces to a chunk, each to its offset there.
    ///
    /// # Safety
    ///
    /// Nothing else uses these bytes of the chunk until the pieces are copied.
    pub(in crate::device::vulkan) unsafe fn to_chunk(
        chunk: &Arc<Buffer>,
        pieces: &[(u64, &'p [u8])],
    ) -> Result<Self> {
        let pieces = pieces.iter().map(|(offset, piece)| {
            let to = place(chunk, *offset, piece.len())?;
            Ok((to, piece.as_ptr(), piece.len()))
        });
        let pieces = pieces.collect::<Result<Vec<_>>>()?;
        // SAFETY: the pieces are borrowed for `'p`, and the bytes of the chunk not used (contract).
        Ok(unsafe { Self::of(Some(Arc::clone(chunk) as Keeper), pieces) })
    }

    /// Begins to copy bytes of a chunk, each from its offset there on.
    ///
    /// # Safety
    ///
    /// Nothing writes these bytes of the chunk until they are copied.
    pub(in crate::device::vulkan) unsafe fn from_chunk(
        chunk: &Arc<Buffer>,
        pieces: impl Iterator<Item = (u64, &'p mut [u8])>,
    ) -> Result<Self> {
        let pieces = pieces.map(|(offset, piece)| {
            let from = place(chunk, offset, piece.len())?.cast_const();
            Ok((piece.as_mut_ptr(), from, piece.len()))
        });
        let pieces = pieces.collect::<Result<Vec<_>>>()?;
        // SAFETY: as above.
        Ok(unsafe { Self::of(Some(Arc::clone(chunk) as Keeper), pieces) })
    }
}

/// Where the host sees bytes of a chunk.
fn place(chunk: &Buffer, offset: u64, length: usize) -> Result<*mut u8> {
    let place = chunk.range(offset, length);
    place.ok_or_else(|| chunk.outside(offset, length))
}

#[cfg(test)]
mod tests {
    use super::super::super::search::adapters;
    use super::*;

    /// A stream and its transfer stream take chunks from each other, and both have a first batch.
    #[test]
    fn a_batch_holds_a_chunk_that_a_batch_of_another_stream_had() {
        for adapter in adapters() {
            let (device, chunks) = (adapter.open().unwrap(), Chunks::default());
            let take = || chunks.take(&device, Class::Small).unwrap();
            let chunk = take();
            let id = chunk.id;
            assert!(chunk.note_use(1) && !chunk.note_use(1));
            chunks.give_back(Class::Small, chunk);
            let again = take();
            assert_eq!(again.id, id);
            assert!(again.note_use(1));
        }
    }

    #[test]
    fn copies_outside_of_a_chunk_are_errors() {
        for adapter in super::super::super::search::adapters() {
            let device = adapter.open().unwrap();
            let chunk = Buffer::new(&device, 64, Purpose::Staging).unwrap();
            let (mut out, data) = ([0; 9], [7; 9]);
            for (offset, is_in) in [(55, true), (56, false), (u64::MAX, false)] {
                // SAFETY: nothing else uses the chunk.
                let copied = unsafe { Copying::to_chunk(&chunk, &[(0, &[5]), (offset, &data)]) };
                assert_eq!(copied.is_ok(), is_in);
                drop(copied);
                let pieces = [(offset, &mut out[..])].into_iter();
                // SAFETY: as above.
                let copied = unsafe { Copying::from_chunk(&chunk, pieces) };
                assert_eq!(copied.is_ok(), is_in);
            }
            assert_eq!(out, data);
        }
    }
}
