//! Sending batches.

use std::sync::Arc;

use ash::vk;

use super::batch::{Batch, Recorder};
use super::buffer::Buffer;
use super::convert;
use super::timing::Timing;
use crate::error::Result;

impl Recorder {
    /// Sends what has been recorded, and waiting for all guests. Returns the number of the
    /// last batch.
    pub(super) fn send_all(&mut self) -> Result<u64> {
        self.join_all(|_| true)?;
        self.submit()?;
        Ok(self.submitted)
    }

    /// Sends what has been recorded that uses a buffer of this stream. Returns the number
    /// of the last batch that does.
    pub(super) fn send_uses(&mut self, buffer: &Arc<Buffer>) -> Result<u64> {
        self.join(buffer)?;
        if buffer.last_use() > self.submitted {
            self.submit()?;
        }
        Ok(buffer.last_use())
    }

    /// Sends the open batch, if there is one, to the device. The stream ends if that fails.
    pub(super) fn submit(&mut self) -> Result<()> {
        self.timeline.check()?;
        self.join_complete()?;
        let Some(mut batch) = self.open.take() else {
            return Ok(());
        };
        Timing::send(&mut batch.timed);
        let sent = self.finish(&batch).and_then(|()| {
            let refused = match self.send(&batch) {
                Err(result) if convert::is_out_of_memory(result) => result,
                sent => return sent,
            };
            // Batches that are complete give memory back.
            match self.flying.is_empty() || self.timeline.wait(self.submitted).is_err() {
                true => Err(refused),
                false => self.send(&batch),
            }
        });
        match sent {
            Ok(()) => {
                self.submitted = batch.number;
                self.flying.push_back(batch);
                self.keep_guests();
                Ok(())
            }
            Err(result) => {
                // Nobody knows what a lost device has begun.
                if result == vk::Result::ERROR_DEVICE_LOST {
                    self.flying.push_back(batch);
                }
                Err(self.timeline.end("submitting a batch", result))
            }
        }
    }

    /// Ends the recording of a batch.
    fn finish(&self, batch: &Batch) -> Result<(), vk::Result> {
        let device = &self.device.raw;
        // Results, fault slots among them, reach the host.
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(self.role.writes())
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        // SAFETY: the command buffer is being recorded, by this thread alone.
        unsafe {
            device.cmd_pipeline_barrier(
                batch.commands,
                self.role.stages(),
                vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                &barrier,
                &[],
                &[],
            );
            device.end_command_buffer(batch.commands)
        }
    }

    /// Sends a batch whose recording has ended.
    fn send(&self, batch: &Batch) -> Result<(), vk::Result> {
        let numbers = [batch.number];
        let semaphores = [self.timeline.raw];
        let commands = [batch.commands];
        let awaited: Vec<_> = batch.awaits.iter().map(|(other, _)| other.raw).collect();
        let until: Vec<_> = batch.awaits.iter().map(|(_, number)| *number).collect();
        let stages = vec![vk::PipelineStageFlags::ALL_COMMANDS; awaited.len()];
        let mut timeline = vk::TimelineSemaphoreSubmitInfo::default()
            .signal_semaphore_values(&numbers)
            .wait_semaphore_values(&until);
        let info = [vk::SubmitInfo::default()
            .command_buffers(&commands)
            .signal_semaphores(&semaphores)
            .wait_semaphores(&awaited)
            .wait_dst_stage_mask(&stages)
            .push_next(&mut timeline)];
        let queue = self.device.queue(self.queue);
        // SAFETY: the command buffer is recorded and not sent yet; the queue is locked; the
        // number is greater than the semaphore's, for numbers only grow; what the commands
        // use and what they wait for, batches that went out before, is in `batch`, which is
        // kept until it is complete.
        unsafe {
            self.device
                .raw
                .queue_submit(*queue, &info, vk::Fence::null())
        }
    }
}
