//! Guests: commands of other streams that use buffers of this one.
//!
//! The last use of a buffer that has a guest is the open batch, whatever its number is. That
//! batch waits for the guest if it uses the buffer, or if the buffer's
//! last use has to be complete; else it goes out without, and the next one is the last use.

use std::sync::Arc;

use super::batch::{Batch, Recorder};
use super::buffer::Buffer;
use super::timeline::Timeline;
use crate::types::error::Result;

/// Guests at a time: they keep buffers that nothing else uses any more.
const MOST: usize = 16;

/// A command of another stream, in a batch that went out, which uses a buffer of this one.
/// The first batch that uses the buffer from then on waits for it.
pub(super) struct Guest {
    buffer: Arc<Buffer>,
    timeline: Arc<Timeline>,
    number: u64,
}

impl Guest {
    fn is_complete(&self) -> bool {
        self.timeline.reached().is_ok_and(|at| at >= self.number)
    }
}

/// Which end of a copy is a buffer of another stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    Source,
    Target,
}

impl Recorder {
    /// Notes that a batch of another stream, which went out, uses a buffer of this one.
    pub(super) fn add_guest(&mut self, buffer: &Arc<Buffer>, other: &Arc<Timeline>, number: u64) {
        if self.guests.len() >= MOST {
            // If that fails, they stay.
            let _ = self.send_all();
        }
        buffer.note_use(self.submitted + 1);
        self.guests.push(Guest {
            buffer: Arc::clone(buffer),
            timeline: Arc::clone(other),
            number,
        });
    }

    /// Lets the open batch, if there is one, wait for guests that are complete: that takes no
    /// time, shows later commands what they wrote, and lets their buffers go.
    pub(super) fn join_complete(&mut self) -> Result<()> {
        match self.has_open() {
            true => self.join_all(Guest::is_complete),
            false => Ok(()),
        }
    }

    /// Has the guests that a batch does not wait for use their buffers after it. That is noted
    /// before the batch goes out: other threads may find it complete before the call that sends it
    /// returns, and its buffers done with.
    pub(super) fn keep_guests(&self, batch: &Batch) {
        for guest in &self.guests {
            guest.buffer.note_use(batch.number + 1);
        }
    }

    /// Lets the open batch wait for the guests that use a buffer.
    pub(super) fn join(&mut self, buffer: &Arc<Buffer>) -> Result<()> {
        self.join_all(|guest| guest.buffer.id == buffer.id)
    }

    pub(super) fn join_all(&mut self, which: impl Fn(&Guest) -> bool) -> Result<()> {
        while let Some(at) = self.guests.iter().position(&which) {
            self.open()?;
            let guest = self.guests.swap_remove(at);
            self.await_other(&guest.timeline, guest.number)?;
            let batch = self.open()?;
            guest.buffer.note_use(batch.number);
            batch.buffers.push(guest.buffer);
        }
        Ok(())
    }
}
