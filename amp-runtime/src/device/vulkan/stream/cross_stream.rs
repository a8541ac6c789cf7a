//! Cross-stream uses: commands of other streams that use buffers of this one.
//!
//! The last use of a buffer that has a cross-stream use is the open batch, whatever its number is.
//! That batch waits for the cross-stream use if it uses the buffer, or if the buffer's last use has
//! to be complete; else it goes out without, and the next one is the last use.

use std::sync::Arc;

use super::super::buffer::Buffer;
use super::super::timeline::Timeline;
use super::batch::{Batch, CrossStreamUse, Recorder};
use crate::types::error::Result;

/// Cross-stream uses at a time: they keep buffers that nothing else uses any more.
const MOST: usize = 16;

impl CrossStreamUse {
    fn is_complete(&self) -> bool {
        self.timeline.reached().is_ok_and(|at| at >= self.number)
    }
}

/// Which end of a copy is a buffer of another stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::device::vulkan) enum Foreign {
    Source,
    Target,
}

impl Recorder {
    /// Notes that a batch of another stream, which went out, uses a buffer of this one.
    pub(in crate::device::vulkan) fn add_cross_stream_use(
        &mut self,
        buffer: &Arc<Buffer>,
        other: &Arc<Timeline>,
        number: u64,
    ) {
        if self.cross_stream_uses.len() >= MOST {
            // If that fails, they stay.
            let _ = self.send_all();
        }
        buffer.note_use(self.submitted + 1);
        self.cross_stream_uses.push(CrossStreamUse {
            buffer: Arc::clone(buffer),
            timeline: Arc::clone(other),
            number,
        });
    }

    /// Lets the open batch, if there is one, wait for cross-stream uses that are complete: that
    /// takes no time, shows later commands what they wrote, and lets their buffers go.
    pub(super) fn join_complete(&mut self) -> Result<()> {
        match self.has_open() {
            true => self.join_all(CrossStreamUse::is_complete),
            false => Ok(()),
        }
    }

    /// Notes that the cross-stream uses that a batch does not wait for come after it. That is noted
    /// before the batch goes out: other threads may find it complete before the call that
    /// sends it returns, and its buffers done with.
    pub(super) fn keep_cross_stream_uses(&self, batch: &Batch) {
        for other in &self.cross_stream_uses {
            other.buffer.note_use(batch.number + 1);
        }
    }

    /// Lets the open batch wait for the cross-stream uses of a buffer.
    pub(super) fn join(&mut self, buffer: &Arc<Buffer>) -> Result<()> {
        self.join_all(|other| other.buffer.id == buffer.id)
    }

    pub(super) fn join_all(&mut self, which: impl Fn(&CrossStreamUse) -> bool) -> Result<()> {
        while let Some(at) = self.cross_stream_uses.iter().position(&which) {
            self.open()?;
            let other = self.cross_stream_uses.swap_remove(at);
            self.await_other(&other.timeline, other.number)?;
            let batch = self.open()?;
            other.buffer.note_use(batch.number);
            batch.buffers.push(other.buffer);
        }
        Ok(())
    }
}
