//! Sending batches.

use std::sync::Arc;

use ash::vk;

use super::super::buffer::Buffer;
use super::super::convert;
use super::batch::{Batch, Recorder};
use super::role::barrier;
use super::timing::{Timed, Timing};
use crate::types::error::{Error, Result};

/// What is done, for errors.
const SENDING: &str = "submitting a batch";

impl Recorder {
    /// Sends what has been recorded, and waiting for all cross-stream uses. Returns the number of
    /// the last batch.
    pub(super) fn send_all(&mut self) -> Result<u64> {
        self.join_all(|_| true)?;
        self.submit()?;
        Ok(self.submitted)
    }

    /// Sends what has been recorded that uses a buffer of this stream. Returns the number
    /// of the last batch that does.
    pub(in crate::device::vulkan) fn send_uses(&mut self, buffer: &Arc<Buffer>) -> Result<u64> {
        self.join(buffer)?;
        if buffer.last_use() > self.submitted {
            self.submit()?;
        }
        Ok(buffer.last_use())
    }

    /// Sends the open batch, if there is one, to the device. If there is no memory for that, it
    /// stays, and goes out before anything else does. The stream ends if the recording cannot be
    /// ended, for then it is lost.
    pub(in crate::device::vulkan) fn submit(&mut self) -> Result<()> {
        let Some(mut batch) = self.take_open()? else {
            return Ok(());
        };
        match self.try_to_send(&mut batch) {
            Err(result) if batch.is_ended && convert::is_out_of_memory(result) => {
                self.open = Some(batch);
                Err(self.device.error(SENDING, result))
            }
            sent => self.sent(batch, sent),
        }
    }

    /// [`submit`](Self::submit) for who need not know that there was no memory for it yet.
    pub(super) fn submit_by_and_by(&mut self) -> Result<()> {
        match self.submit() {
            Err(Error::OutOfMemory { .. }) => Ok(()),
            sent => sent,
        }
    }

    /// Sends the open batch, which has nothing but commands of the caller. If there is no memory
    /// for that, they are forgotten.
    pub(in crate::device::vulkan) fn submit_own(&mut self) -> Result<()> {
        let Some(mut batch) = self.take_open()? else {
            return Ok(());
        };
        match self.try_to_send(&mut batch) {
            Err(result) if convert::is_out_of_memory(result) => {
                let error = self.device.error(SENDING, result);
                match self.rewind(batch) {
                    Ok(()) => Err(error),
                    Err(result) => Err(self.timeline.end(SENDING, result)),
                }
            }
            sent => self.sent(batch, sent),
        }
    }

    fn take_open(&mut self) -> Result<Option<Batch>> {
        self.timeline.check()?;
        self.join_complete()?;
        Ok(self.open.take())
    }

    /// Tries to send a batch, again when earlier ones are complete and have given memory back.
    fn try_to_send(&self, batch: &mut Batch) -> Result<(), vk::Result> {
        self.keep_cross_stream_uses(batch);
        if !batch.is_ended {
            Timing::send(&mut batch.timed);
            self.finish(batch)?;
            batch.is_ended = true;
        }
        let refused = match self.send(batch) {
            Err(result) if convert::is_out_of_memory(result) => result,
            sent => return sent,
        };
        match self.flying.is_empty() || self.timeline.wait(self.submitted).is_err() {
            true => Err(refused),
            false => self.send(batch),
        }
    }

    /// Notes that a batch was sent, or could not be.
    fn sent(&mut self, batch: Batch, sent: Result<(), vk::Result>) -> Result<()> {
        match sent {
            Ok(()) => {
                self.submitted = batch.number;
                self.unfinished += u64::from(batch.recorded);
                self.flying.push_back(batch);
                // Long series would hold ever more batches. If they cannot be asked whether they
                // are complete, they are asked later.
                let _ = self.recycle();
                Ok(())
            }
            Err(result) => {
                // It is not known what a lost device has begun.
                if result == vk::Result::ERROR_DEVICE_LOST {
                    self.unfinished += u64::from(batch.recorded);
                    self.flying.push_back(batch);
                }
                Err(self.timeline.end(SENDING, result))
            }
        }
    }

    /// Opens a batch anew, without its commands, but waiting for what it was to wait for.
    fn rewind(&mut self, mut batch: Batch) -> Result<(), vk::Result> {
        let none = vk::CommandBufferResetFlags::empty();
        // SAFETY: the command buffer was not sent, and the recorder is the only user of its
        // pool, which allows that.
        unsafe { self.device.raw().reset_command_buffer(batch.commands, none) }?;
        self.start(batch.commands)?;
        // Among what is forgotten may be a barrier that later commands rely on.
        barrier(&self.device, batch.commands, self.role);
        batch.is_ended = false;
        batch.launches = 0;
        batch.recorded = 0;
        batch.bound.forget();
        batch.timed = Timed::default();
        self.open = Some(batch);
        Ok(())
    }

    /// Ends the recording of a batch.
    fn finish(&self, batch: &Batch) -> Result<(), vk::Result> {
        let device = self.device.raw();
        // Results, fault slots among them, reach the host, and the commands of later batches: a
        // lone launch begins the sooner without a barrier before it.
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(self.role.writes())
            .dst_access_mask(vk::AccessFlags::HOST_READ | self.role.accesses())];
        // SAFETY: the command buffer is being recorded, by this thread alone.
        unsafe {
            device.cmd_pipeline_barrier(
                batch.commands,
                self.role.stages(),
                vk::PipelineStageFlags::HOST | self.role.stages(),
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
        let _lock = self.device.submit_lock.sending();
        // SAFETY: the command buffer is recorded and not sent yet; the queue is locked; the
        // number is greater than the semaphore's, for numbers only grow; what the commands
        // use and what they wait for, batches that went out before, is in `batch`, which is
        // kept until it is complete.
        unsafe {
            self.device
                .raw()
                .queue_submit(*queue, &info, vk::Fence::null())
        }
    }
}
