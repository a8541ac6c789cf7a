//! Streams: queues of commands, one for each accelerator view.
//!
//! A launch is recorded into the open batch. The batch goes out
//!
//! * at once, if the stream is immediate;
//! * when the device has no more than one batch of this stream to do, so that it finds the next
//!   one when that is complete, and enough launches have gathered: one after a wait, then twice as
//!   many each time, so that a lone launch starts at once and a series of short ones is not one
//!   submission each;
//! * when it is full;
//! * on a flush, a wait, or a transfer to the host.
//!
//! The host runs ahead of the device so far and no farther, in commands ([`AHEAD`]) and in memory
//! that only commands hold ([`Stream::reclaim`]): then it waits for the oldest batch.
//!
//! Waiting polls for up to a millisecond before it blocks, without the stream's lock, so
//! other threads go on launching.

mod batch;
mod clock;
mod copy;
pub(super) mod cross_stream;
mod dispatch;
mod fault;
mod hazard;
pub(super) mod launch;
pub(super) mod plans;
mod print;
mod queries;
pub(super) mod recorded;
mod replay;
mod retire;
pub(super) mod role;
mod submit;
mod timing;
pub(super) mod transfer;
mod transfer_stream;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use amp_spirv::artifact::Artifact;

use super::buffer::Buffer;
use super::buffer::pool::Pool;
use super::device::Device;
use super::memory::Purpose;
use super::pipeline::{Key, Pipeline};
use super::reserve::Reserve;
use super::timeline::Timeline;
use crate::device::code::Code;
use crate::device::profiler::{Place, Profiler};
use crate::device::shape::{Limits, Shape};
use crate::device::unreported::Faults;
use crate::types::error::{Error, Result};
use crate::types::event::Activity;
use crate::types::memory::MemoryReport;
use crate::types::report::Statistic;
use batch::Recorder;
use fault::SLOTS;
use plans::Plans;
use role::Role;
use transfer_stream::TransferStream;

/// Launches of a full batch, or commands if it has few launches.
const FULL: u32 = 256;
/// Commands that went out and may be unfinished at one time.
const AHEAD: u64 = SLOTS as u64;

/// A queue of commands on a device.
pub(crate) struct Stream {
    pub(super) device: Arc<Device>,
    pub(super) queue: usize,
    immediate: bool,
    pub(super) timeline: Arc<Timeline>,
    recorder: Mutex<Recorder>,
    /// Faults that no call has returned.
    faults: Faults,
    /// The data that its commands work on, and chunks, which it shares with its transfer stream.
    pub(super) pool: Arc<Pool>,
    /// Number of the last batch that is known to be complete.
    pub(super) completed: AtomicU64,
    /// Launches that go out together when the device has little to do.
    gather: AtomicU32,
    /// Measurements that run: while there is one, launches go out together at its end.
    pub(super) clocks: AtomicU32,
    pub(super) profiler: Arc<Profiler>,
    /// Where its large transfers go, once there has been one.
    pub(super) transfer_stream: TransferStream,
    /// What its launches have found out for the next ones.
    pub(crate) plans: Plans,
    /// Whether nothing can be launched on it any more.
    abandoned: AtomicBool,
}

impl Stream {
    pub(super) fn new(
        device: &Arc<Device>,
        queue: usize,
        immediate: bool,
        role: Role,
        profiler: &Arc<Profiler>,
        pool: &Arc<Pool>,
    ) -> Result<Arc<Self>> {
        let timeline = Timeline::new(device)?;
        let recorder = Recorder::new(device, queue, role, &timeline, profiler, pool)?;
        Ok(Arc::new(Self {
            device: Arc::clone(device),
            queue,
            immediate,
            timeline,
            faults: recorder.unreported.clone(),
            recorder: Mutex::new(recorder),
            pool: Arc::clone(pool),
            completed: AtomicU64::new(0),
            gather: AtomicU32::new(1),
            clocks: AtomicU32::new(0),
            profiler: Arc::clone(profiler),
            transfer_stream: TransferStream::default(),
            plans: Plans::default(),
            abandoned: AtomicBool::new(false),
        }))
    }

    /// Whether it has ended, see [`timeline`](super::timeline).
    pub(crate) fn has_ended(&self) -> bool {
        self.check().is_err()
    }

    /// Notes that its view is gone. What it has of data may be wanted still.
    pub(crate) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Whether its view is gone.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }

    /// An error if it has ended.
    pub(crate) fn check(&self) -> Result<()> {
        self.timeline.check()
    }

    /// The recorder, with a check that the stream has not ended.
    pub(super) fn lock(&self) -> Result<MutexGuard<'_, Recorder>> {
        self.timeline.check()?;
        Ok(self.lock_anyway())
    }

    /// The recorder, even of a stream that has ended.
    pub(super) fn lock_anyway(&self) -> MutexGuard<'_, Recorder> {
        // No step of recording leaves a state that the next one misreads.
        self.recorder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the device can launch.
    pub(crate) fn limits(&self) -> &Limits {
        &self.device.facts.limits
    }

    /// The device's name.
    pub(crate) fn name(&self) -> &str {
        &self.device.facts.name
    }

    /// Refuses a kernel that needs what the device does not have.
    pub(crate) fn check_features(&self, artifact: &Artifact) -> Result<()> {
        let facts = &self.device.facts;
        facts.features.check(artifact, &facts.name)
    }

    /// A buffer for this stream's commands.
    pub(crate) fn allocate(&self, bytes: u64) -> Result<Arc<Buffer>> {
        self.allocate_for(bytes, Purpose::Data)
    }

    /// A buffer in the host's memory for this stream's copies.
    pub(crate) fn allocate_staging(&self, bytes: u64) -> Result<Arc<Buffer>> {
        self.allocate_for(bytes, Purpose::Staging)
    }

    fn allocate_for(&self, bytes: u64, purpose: Purpose) -> Result<Arc<Buffer>> {
        self.timeline.check()?;
        // A buffer has bytes, though a view of nothing needs none.
        let bytes = bytes.max(1).next_multiple_of(4);
        if let Some(kept) = self.pool.take(bytes, purpose) {
            return Ok(kept);
        }
        let _ = self.reclaim(purpose);
        let allocate = || Buffer::pooled(&self.device, bytes, purpose, &self.pool);
        match allocate() {
            Err(Error::OutOfMemory { .. }) if bytes <= self.device.facts.memory.largest_buffer => {
                // What only commands hold that are under way is free when they are done.
                self.trim()?;
                allocate()
            }
            result => result,
        }
    }

    /// Waits for the oldest batches while what only they have is more than the pool would keep:
    /// a series of arrays that come and go takes so much memory, and not all that there is. If
    /// that fails, there is no more memory than before.
    fn reclaim(&self, purpose: Purpose) -> Result<()> {
        let most = self.pool.most();
        if self.pool.used() <= most {
            return Ok(());
        }
        let mut recorder = self.lock()?;
        while recorder.held(purpose) > most {
            recorder.submit()?;
            if recorder.flying() == 0 {
                break;
            }
            self.wait_for_oldest(&mut recorder)?;
        }
        Ok(())
    }

    /// What the stream's buffers take.
    pub(crate) fn memory(&self) -> MemoryReport {
        let facts = &self.device.facts;
        let (used, pooled) = self.pool.report();
        MemoryReport {
            name: format!("view {} of {}", self.profiler.view_number(), facts.name),
            allocated: used.bytes() + pooled,
            in_use: used.bytes(),
            pooled,
            largest: used.largest(),
            heaps: facts.memory.report(&facts.instance, facts.raw),
        }
    }

    /// Frees what nothing uses when all that has been recorded is complete. Returns its bytes.
    pub(crate) fn trim(&self) -> Result<u64> {
        // Transfers on their own stream hold the buffers that they use, until the stream has waited.
        self.wait()?;
        self.wait_for_transfers()?;
        let bytes = self.pool.trim();
        self.device.blocks().trim();
        Ok(bytes)
    }

    /// The pipeline of a kernel.
    pub(crate) fn pipeline(&self, code: &Code, shape: &Shape) -> Result<Pipeline> {
        let key = self.key(code, shape)?;
        self.device.pipeline(code.artifact, key, &self.profiler)
    }

    /// What the driver says about a kernel's pipeline.
    pub(crate) fn statistics(&self, code: &Code, shape: &Shape) -> Result<Vec<Statistic>> {
        let key = self.key(code, shape)?;
        self.device.statistics(code.artifact, &key)
    }

    fn key(&self, code: &Code, shape: &Shape) -> Result<Key> {
        self.timeline.check()?;
        let float_faults = self.device.float_faults(code.artifact.float_faults)?;
        let Code {
            artifact,
            constants,
            switches,
            ..
        } = *code;
        Ok(Key::new(artifact, constants, shape, switches, float_faults))
    }

    /// Writes pipelines that were made to their file.
    pub(crate) fn keep_pipelines(&self) {
        self.device.keep_pipelines();
    }

    /// How many pipelines of a kernel the device has.
    pub(crate) fn pipelines_of(&self, artifact: &'static Artifact) -> usize {
        self.device.pipelines_of(artifact)
    }

    /// Waits for the oldest batch with the lock held: for resources that are used up.
    pub(super) fn wait_for_oldest(&self, recorder: &mut Recorder) -> Result<()> {
        if let Some(number) = recorder.oldest() {
            self.wait_visibly(number)?;
        }
        recorder.retire()
    }

    /// Sends what has been recorded, by the rules above. A command that has been recorded
    /// will run, so the only error is that the stream has ended; what else goes wrong, the
    /// next command or wait finds.
    pub(super) fn submit_if_due(&self, recorder: &mut Recorder) -> Result<()> {
        let launches = recorder.launches();
        let gather = self.gather.load(Ordering::Relaxed);
        let is_full = launches.max(recorder.recorded()) >= FULL;
        if self.immediate || is_full || self.is_timed_by_host() {
            recorder.submit_by_and_by()?;
            self.keep_up(recorder);
        } else if launches >= gather && self.clocks.load(Ordering::Relaxed) == 0 {
            let has_few = |completed| completed + 1 >= recorder.submitted();
            if recorder.flying() <= 1 || recorder.completed().is_ok_and(has_few) {
                recorder.submit_by_and_by()?;
                self.gather.store((2 * gather).min(FULL), Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Waits until few enough commands are unfinished.
    pub(super) fn keep_up(&self, recorder: &mut Recorder) {
        while recorder.unfinished() > AHEAD
            && let Some(oldest) = recorder.oldest()
            && self.wait_visibly(oldest).is_ok()
            && recorder.recycle().is_ok()
        {}
    }

    /// Whether each command goes out alone, to be timed from the host.
    fn is_timed_by_host(&self) -> bool {
        self.profiler.is_on() && self.device.facts.tick.is_none()
    }

    /// What gathers profiles of its view.
    pub(crate) fn profiler(&self) -> &Arc<Profiler> {
        &self.profiler
    }

    /// Sends the open batch.
    pub(crate) fn flush(&self) -> Result<()> {
        let mut recorder = self.lock()?;
        recorder.submit()?;
        self.keep_up(&mut recorder);
        Ok(())
    }

    /// Sends what has been recorded. The queue waits for all that other streams do for this
    /// one. Returns the number of the last batch.
    pub(super) fn send_all(&self) -> Result<u64> {
        self.lock()?.send_all()
    }

    /// Waits for everything recorded so far.
    pub(crate) fn wait(&self) -> Result<()> {
        self.wait_until(self.send_all()?)
    }

    /// Waits for the last command that uses a buffer of this stream.
    pub(crate) fn wait_for(&self, buffer: &Arc<Buffer>) -> Result<()> {
        self.timeline.check()?;
        let number = buffer.last_use();
        if number <= self.completed.load(Ordering::Acquire) {
            return Ok(());
        }
        let number = self.lock()?.send_uses(buffer)?;
        self.wait_until(number)
    }

    /// Waits for a batch that went out.
    pub(super) fn wait_until(&self, number: u64) -> Result<()> {
        self.wait_visibly(number)?;
        self.gather.store(1, Ordering::Relaxed);
        self.lock()?.retire()?;
        if let Some(transfer_stream) = self.transfer_stream.opened() {
            // It lets go of what it has moved. If that cannot be asked now, it does so later.
            let _ = transfer_stream.lock_anyway().recycle();
        }
        // Only now: a thread that relies on it finds the batch's faults noted.
        self.completed.fetch_max(number, Ordering::AcqRel);
        self.device.keep_pipelines_by_and_by();
        Ok(())
    }

    /// Waits for a batch; profiles and traces see it.
    fn wait_visibly(&self, number: u64) -> Result<()> {
        if self.timeline.reached()? >= number {
            return Ok(());
        }
        let _span = tracing::trace_span!(target: "amp", "wait").entered();
        let what = || (Place::here(), Activity::Wait);
        self.profiler.timed(what, || self.timeline.wait(number))
    }

    /// The faults that have been seen and not been reported.
    pub(crate) fn faults(&self) -> &Faults {
        &self.faults
    }
}

impl Device {
    /// A new stream, on the queue whose turn it is.
    pub(crate) fn stream(self: &Arc<Self>, immediate: bool) -> Result<Arc<Stream>> {
        let queue = self.next_queue();
        let profiler = Arc::new(Profiler::new());
        let pool = Pool::open(self);
        Stream::new(self, queue, immediate, Role::Kernels, &profiler, &pool)
    }

    /// A new stream for transfers of one with this pool, if the device has a queue for them.
    pub(super) fn transfer_stream(
        self: &Arc<Self>,
        profiler: &Arc<Profiler>,
        pool: &Arc<Pool>,
    ) -> Option<Result<Arc<Stream>>> {
        let (queue, role) = (self.transfers?, Role::Transfers);
        Some(Stream::new(self, queue, false, role, profiler, pool))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // What was not sent is lost with the stream: every array and view that could
        // show its results holds the stream and so is gone. What flies must land first.
        let recorder = self
            .recorder
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        let submitted = recorder.submitted();
        let landed = self.timeline.wait(submitted).is_ok() || recorder.wait_for_queue().is_ok();
        if !landed && !self.device.is_lost() {
            tracing::error!("a view's work could not be awaited; its resources are leaked");
            std::mem::forget(Arc::clone(&self.timeline));
            recorder.leak();
            return;
        }
        // Nothing of the device is touched when the last handle is gone.
        self.timeline.dismiss();
        // SAFETY: all batches are complete, or the device is lost and runs nothing.
        unsafe { recorder.destroy() };
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("device", &self.device.facts.name)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::adapters;
    use super::super::validation_messages;
    use super::*;

    /// What the device does takes longer than to record it.
    #[test]
    fn the_host_runs_ahead_of_the_device_so_far_and_no_farther() {
        for adapter in adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let buffer = stream.allocate(4 << 20).unwrap();
            let unfinished = (0..2 * AHEAD).map(|_| {
                stream.zero(&buffer).unwrap();
                stream.lock().unwrap().unfinished()
            });
            let most = unfinished.max().unwrap();
            assert!(most <= AHEAD, "{most} commands");
            stream.wait().unwrap();
        }
        assert_eq!(validation_messages(), 0);
    }
}
