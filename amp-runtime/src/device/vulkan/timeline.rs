//! Timelines: which batches of a stream are complete, and whether there will be more.
//!
//! A stream ends when its device is lost, or when the recording of a batch cannot be ended: what
//! was recorded has then been promised and will not come. From then on everything that is asked of
//! the stream is an error, so that no result is read that was never computed. Other streams of
//! the device go on, unless it is lost.

pub(super) mod alarm;

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use ash::vk;

use super::device::Device;
use super::gate;
use crate::types::error::{Error, Result};
use alarm::Alarms;

/// How long a wait polls before it blocks, from which a thread wakes late.
const POLL: Duration = Duration::from_millis(1);
/// The same on lavapipe, which needs the processors itself.
const POLL_BRIEFLY: Duration = Duration::from_micros(50);

/// The timeline semaphore of a stream. It reaches a batch's number when that batch is
/// complete. A batch of another stream that waits for it holds it.
pub(super) struct Timeline {
    device: Arc<Device>,
    pub(super) raw: vk::Semaphore,
    /// Why the stream has ended, if it is not for its device: the error of the caller that uses it
    /// now, and its cause.
    end: OnceLock<(Error, Error)>,
    /// Who is to be woken at which batch.
    pub(super) alarms: Mutex<Alarms>,
}

impl Timeline {
    pub(super) fn new(device: &Arc<Device>) -> Result<Arc<Self>> {
        let mut kind =
            vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: the device has timeline semaphores, else it were no accelerator.
        let raw = device
            .with_room(|| unsafe { device.raw().create_semaphore(&info, None) })
            .map_err(|result| device.error("creating a semaphore", result))?;
        Ok(Arc::new(Self {
            device: Arc::clone(device),
            raw,
            end: OnceLock::new(),
            alarms: Mutex::default(),
        }))
    }

    /// An error if the stream has ended.
    pub(super) fn check(&self) -> Result<()> {
        if let Some((error, _)) = self.end.get() {
            return Err(error.clone());
        }
        match self.device.is_lost() {
            true => Err(self
                .device
                .error("using its view", vk::Result::ERROR_DEVICE_LOST)),
            false => Ok(()),
        }
    }

    /// Ends the stream, for `result` came of sending a batch. Returns the error of the caller that
    /// wanted it sent.
    pub(super) fn end(&self, operation: &'static str, result: vk::Result) -> Error {
        match self.device.error(operation, result) {
            lost @ Error::AcceleratorViewRemoved { .. } => lost,
            cause => {
                let reason = format!("what was to be done is lost, {cause}");
                let error = Error::AcceleratorViewRemoved { reason };
                self.end.get_or_init(|| (error, cause)).0.clone()
            }
        }
    }

    /// The cause of the stream's end, if it has ended and its device has not.
    pub(super) fn cause(&self) -> Option<Error> {
        self.end.get().map(|(_, cause)| cause.clone())
    }

    /// Number of the last batch that is complete.
    pub(super) fn reached(&self) -> Result<u64> {
        // SAFETY: the semaphore is alive.
        unsafe { self.device.raw().get_semaphore_counter_value(self.raw) }
            .map_err(|result| self.device.error("asking for progress", result))
    }

    /// Waits until a batch that went out is complete: polls for a while, then blocks.
    pub(super) fn wait(&self, number: u64) -> Result<()> {
        let start = Instant::now();
        let most = match self.device.facts.is_lavapipe {
            true => POLL_BRIEFLY,
            false => POLL,
        };
        while start.elapsed() <= most {
            if self.reached()? >= number {
                return Ok(());
            }
            std::hint::spin_loop();
        }
        self.block(number)
    }

    /// Blocks until a batch that went out is complete.
    pub(super) fn block(&self, number: u64) -> Result<()> {
        self.block_for(number, u64::MAX)
    }

    /// [`block`](Self::block) for so long at most; then it is an error.
    pub(super) fn block_until(&self, number: u64, deadline: Instant) -> Result<()> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.block_for(number, left.as_nanos() as u64)
    }

    fn block_for(&self, number: u64, nanoseconds: u64) -> Result<()> {
        let (semaphores, numbers) = ([self.raw], [number]);
        let info = vk::SemaphoreWaitInfo::default()
            .semaphores(&semaphores)
            .values(&numbers);
        let mut left = Duration::from_nanos(nanoseconds);
        loop {
            let slice = gate::SLICE.min(left);
            left -= slice;
            // SAFETY: the semaphore is alive.
            match unsafe { (self.device.raw()).wait_semaphores(&info, slice.as_nanos() as u64) } {
                Err(vk::Result::TIMEOUT) if !left.is_zero() => {}
                waited => {
                    return waited
                        .map_err(|result| self.device.error("waiting for the device", result));
                }
            }
        }
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        // SAFETY: the stream has waited for its batches, or leaked its timeline, and batches
        // of others that wait for it hold it.
        unsafe { self.device.raw().destroy_semaphore(self.raw, None) };
    }
}
