//! Bytes on their way to the host: sent for in one call and landed in another.
//!
//! What is sent for is what the bytes are at that time, in the order of their stream. The
//! host's memory is written only by who lands them, under the allocation's lock.

use std::sync::Arc;

use super::between::{Pace, Underway, regions, to_host};
use super::{Allocation, Ranges, Writers, same_place};
use crate::device::cpu::memory::HostMemory;
use crate::device::vulkan::Readback;
use crate::types::error::Result;

impl Allocation<'_> {
    /// Whose kernels wrote the data, until a call asked for their faults.
    pub(crate) fn writers(&self) -> Writers {
        self.queue_users();
        self.directory.writers()
    }

    /// Sends for what of these bytes is stale on the host.
    pub(crate) fn send_to_host(&self, bytes: &Ranges) -> Result<Underway> {
        let mut state = self.lock();
        let mut underway = Underway::default();
        let missing = state.copies.missing_on_host(bytes);
        for (stream, buffer, there) in state.copies.holders(missing) {
            if let Some((here, pinned)) = self.pinned(&stream) {
                if !self.shares(&buffer) {
                    here.copy(pinned, &stream, &buffer, &same_place(&there))?;
                }
                underway.queued.push((Arc::clone(here), Arc::clone(pinned)));
                // The host has it when it looks, and it has to look.
                state.copies.add_on_host(&there);
                self.directory.epoch.advance();
            } else {
                let pieces = there.iter().map(|range| (range.start as u64, range));
                match state.note(stream.send_for(&buffer, pieces.collect()))? {
                    Some(readback) => underway.readbacks.push(readback),
                    None => _ = self.pull(&mut state, &there)?,
                }
            }
        }
        Ok(underway)
    }

    /// Lands what [`send_to_host`](Self::send_to_host) has sent for, as far as it has not
    /// come otherwise.
    pub(crate) fn land(&self, readbacks: Vec<Readback>) -> Result<()> {
        let memory = self.memory()?;
        for readback in readbacks {
            // Not under the lock, which others need meanwhile.
            readback.wait()?;
            let mut state = self.lock();
            readback.land(|arrived| {
                let missing = state
                    .copies
                    .missing_on_host(&Ranges::of(arrived.range.clone()));
                for range in missing.iter() {
                    arrived.read(range.start, memory.refill(range));
                }
                state.copies.add_on_host(&missing);
            })?;
        }
        Ok(())
    }

    /// Copies bytes to `out`, one range after the other: those that are at hand at once,
    /// the others when what this returns lands [there](land_in).
    pub(crate) fn send_to(&self, bytes: &Ranges, out: &mut [u8]) -> Result<Vec<Readback>> {
        let regions = regions(bytes, &Ranges::of(0..out.len()));
        let memory = (&HostMemory::exclusive(out), None);
        let (state, pace) = (self.lock(), Pace::Later);
        let written = &mut Ranges::default();
        let underway = to_host(self, &state, bytes, memory, &regions, pace, written)?;
        Ok(underway.readbacks)
    }

    /// Lands what a [`copy`](super::copy) to this allocation has sent for.
    pub(crate) fn land_copy(&self, readbacks: Vec<Readback>) -> Result<()> {
        let memory = self.memory()?;
        self.settle()?;
        readbacks.into_iter().try_for_each(|readback| {
            let mut places = Vec::new();
            let landed = readback.land(|arrived| {
                let place = arrived.range.clone();
                arrived.read(place.start, memory.refill(place.clone()));
                places.push(place);
            });
            let places = places.into_iter().collect();
            self.lock().copies.write_on_host(&places);
            landed
        })
    }
}

/// Lands bytes in a slice.
pub(crate) fn land_in(readbacks: Vec<Readback>, out: &mut [u8]) -> Result<()> {
    readbacks.into_iter().try_for_each(|readback| {
        readback.land(|arrived| {
            let range = arrived.range.clone();
            arrived.read(range.start, &mut out[range]);
        })
    })
}
