//! Milestones: batches that can be waited for.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::buffer::Buffer;
use super::stream::Stream;
use super::timeline::alarm::Alarm;
use crate::types::error::Result;

/// A batch that went out, or one before all, which is complete.
#[derive(Clone, Debug)]
pub(crate) struct Milestone {
    stream: Arc<Stream>,
    batch: u64,
}

impl Milestone {
    /// A batch of a stream.
    pub(super) fn new(stream: &Arc<Stream>, batch: u64) -> Self {
        Self {
            stream: Arc::clone(stream),
            batch,
        }
    }

    /// Whether the batch is complete. Its faults are noted then.
    pub(crate) fn is_reached(&self) -> Result<bool> {
        let stream = &self.stream;
        if self.batch <= stream.completed.load(Ordering::Acquire) {
            return Ok(true);
        }
        // The semaphore of a device that is lost may be silent.
        stream.timeline.check()?;
        if stream.timeline.reached()? < self.batch {
            return Ok(false);
        }
        stream.wait_until(self.batch)?;
        Ok(true)
    }

    /// Waits for the batch.
    pub(crate) fn wait(&self) -> Result<()> {
        match self.batch <= self.stream.completed.load(Ordering::Acquire) {
            true => Ok(()),
            false => self.stream.wait_until(self.batch),
        }
    }

    /// Rings an alarm when the batch is complete.
    pub(crate) fn ring(&self, alarm: &Arc<Alarm>) {
        self.stream.timeline.ring_at(self.batch, alarm);
    }
}

impl Stream {
    /// Sends all that has been recorded. The milestone is behind it.
    pub(crate) fn mark(self: &Arc<Self>) -> Result<Milestone> {
        let number = self.send_all()?;
        Ok(Milestone::new(self, number))
    }

    /// Sends all that has been recorded that uses a buffer. The milestone is behind it.
    pub(crate) fn mark_uses(self: &Arc<Self>, buffer: &Arc<Buffer>) -> Result<Milestone> {
        Ok(Milestone::new(self, self.send_uses(buffer)?))
    }

    /// Whether no command that has been recorded uses a buffer any more.
    pub(crate) fn is_done_with(&self, buffer: &Buffer) -> bool {
        if self.timeline.check().is_err() {
            return false;
        }
        let batch = buffer.last_use();
        let known = || batch <= self.completed.load(Ordering::Acquire);
        let reached = || {
            self.timeline
                .reached()
                .is_ok_and(|reached| batch <= reached)
        };
        known() || reached() && self.wait_until(batch).is_ok()
    }

    /// Whether the host can read a buffer without waiting for the device.
    pub(crate) fn has_at_hand(&self, buffer: &Buffer) -> bool {
        buffer.is_mapped() && self.is_done_with(buffer)
    }
}
