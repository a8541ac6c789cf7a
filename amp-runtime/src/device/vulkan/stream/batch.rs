//! The recorder of a stream: the batch that is being recorded, those that are flying,
//! and what they share.
//!
//! Each kind of command is recorded where its concept is: [`dispatch`](super::dispatch),
//! [`replay`](super::replay), [`copy`](super::copy), [`clock`](super::clock). They
//! [prepare](Recorder::prepare) the open batch for what the command uses, and record the
//! [command](Recorder::command) into it. [`submit`](super::submit) sends batches,
//! [`retire`](super::retire) takes them back.
//!
//! A batch is one command buffer. Batches are numbered from 1; the stream's timeline
//! semaphore reaches a batch's number when it is complete. The open batch is always
//! number `submitted + 1`. A batch holds everything that its commands use, until
//! [`Recorder::retire`] finds it complete.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use ash::vk;

use super::super::buffer::Buffer;
use super::super::buffer::pool::Pool;
use super::super::buffer::staging::{Bump, Class};
use super::super::device::Device;
use super::super::memory::Purpose;
use super::super::timeline::Timeline;
use super::fault::{FaultSlots, SLOTS, Watch};
use super::hazard::{Hazards, Mode, Use};
use super::launch::Bound;
use super::print::PrintBuffers;
use super::queries::Queries;
use super::recorded::Recorded;
use super::role::{Role, barrier};
use super::timing::{Timed, Timing};
use crate::device::print::KernelPrint;
use crate::device::profiler::{Place, Profiler};
use crate::device::unreported::Faults;
use crate::types::error::Result;
use crate::types::event::Activity;

/// One command buffer and what its commands use.
pub(super) struct Batch {
    pub(super) commands: vk::CommandBuffer,
    pub(super) number: u64,
    pub(super) launches: u32,
    /// All commands, launches among them.
    pub(super) recorded: u32,
    pub(super) bound: Bound,
    pub(super) buffers: Vec<Arc<Buffer>>,
    pub(super) watches: Vec<Watched>,
    pub(super) chunks: Vec<(Class, Arc<Buffer>)>,
    pub(super) arguments: Option<Bump>,
    pub(super) staging: Option<Bump>,
    pub(super) queries: Vec<Arc<Queries>>,
    /// Batches of other streams that must be complete before it starts.
    pub(super) awaits: Vec<(Arc<Timeline>, u64)>,
    pub(super) timed: Timed,
    /// Whether its recording has ended, but it could not be sent yet.
    pub(super) is_ended: bool,
}

impl Batch {
    /// An empty one.
    fn new(commands: vk::CommandBuffer) -> Self {
        Self {
            commands,
            number: 0,
            launches: 0,
            recorded: 0,
            bound: Bound::default(),
            buffers: Vec::new(),
            watches: Vec::new(),
            chunks: Vec::new(),
            arguments: None,
            staging: None,
            queries: Vec::new(),
            awaits: Vec::new(),
            timed: Timed::default(),
            is_ended: false,
        }
    }

    /// The chunk that takes more of a class.
    fn bump(&mut self, class: Class) -> &mut Option<Bump> {
        match class {
            Class::Arguments => &mut self.arguments,
            _ => &mut self.staging,
        }
    }

    /// Lets go of what it holds.
    pub(super) fn empty(&mut self) {
        self.buffers.clear();
        self.queries.clear();
        self.awaits.clear();
        self.bound.forget();
        (self.launches, self.recorded, self.is_ended) = (0, 0, false);
    }
}

/// What may have something to tell when its batch is complete.
pub(super) enum Watched {
    Launch(Watch),
    Replay(Arc<Recorded>),
}

/// A command of another stream, in a batch that went out, which uses a buffer of this one.
/// The first batch that uses the buffer from then on waits for it.
pub(in crate::device::vulkan) struct CrossStreamUse {
    pub(super) buffer: Arc<Buffer>,
    pub(super) timeline: Arc<Timeline>,
    pub(super) number: u64,
}

/// What a stream records with; behind its lock.
pub(in crate::device::vulkan) struct Recorder {
    pub(super) device: Arc<Device>,
    pub(super) queue: usize,
    pub(super) role: Role,
    pub(super) timeline: Arc<Timeline>,
    pool: vk::CommandPool,
    /// Batches that are complete, with room for what the next ones use.
    pub(super) spare: Vec<Batch>,
    pub(super) open: Option<Batch>,
    pub(super) flying: VecDeque<Batch>,
    /// Commands of the batches that are flying.
    pub(super) unfinished: u64,
    pub(super) submitted: u64,
    pub(super) hazards: Hazards,
    pub(super) faults: FaultSlots,
    pub(super) prints: PrintBuffers,
    /// Where chunks come from.
    pub(super) kept: Arc<Pool>,
    /// Faults seen and not reported.
    pub(super) unreported: Faults,
    /// What complete launches have printed.
    pub(super) printed: Vec<KernelPrint>,
    /// What complete batches have replayed, and has not been asked for faults.
    pub(super) untold: Vec<Arc<Recorded>>,
    pub(super) timing: Timing,
    /// Commands of other streams that use buffers of this one.
    pub(in crate::device::vulkan) cross_stream_uses: Vec<CrossStreamUse>,
}

impl Recorder {
    pub(super) fn new(
        device: &Arc<Device>,
        queue: usize,
        role: Role,
        timeline: &Arc<Timeline>,
        profiler: &Arc<Profiler>,
        kept: &Arc<Pool>,
    ) -> Result<Self> {
        let (slots, family) = match role {
            Role::Kernels => (SLOTS, Some(device.facts.family)),
            Role::Transfers => (0, device.facts.transfers.map(|queue| queue.family)),
        };
        let faults = FaultSlots::new(device, slots)?;
        let info = vk::CommandPoolCreateInfo::default()
            .queue_family_index(family.unwrap_or(device.facts.family))
            .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
        // SAFETY: the family is the one that the device was opened with.
        let pool = device
            .with_room(|| unsafe { device.raw().create_command_pool(&info, None) })
            .map_err(|result| device.error("creating a command pool", result))?;
        Ok(Self {
            device: Arc::clone(device),
            queue,
            role,
            timeline: Arc::clone(timeline),
            pool,
            spare: Vec::new(),
            open: None,
            flying: VecDeque::new(),
            unfinished: 0,
            submitted: 0,
            hazards: Hazards::default(),
            faults,
            prints: PrintBuffers::default(),
            kept: Arc::clone(kept),
            unreported: Faults::default(),
            printed: Vec::new(),
            untold: Vec::new(),
            timing: Timing::new(profiler, device, role),
            cross_stream_uses: Vec::new(),
        })
    }

    /// Number of the last batch that went out.
    pub(in crate::device::vulkan) fn submitted(&self) -> u64 {
        self.submitted
    }

    /// Number of the oldest batch that is not known to be complete.
    pub(super) fn oldest(&self) -> Option<u64> {
        self.flying.front().map(|batch| batch.number)
    }

    /// Number of batches that are not known to be complete.
    pub(in crate::device::vulkan) fn flying(&self) -> usize {
        self.flying.len()
    }

    /// Commands of batches that are not known to be complete.
    pub(super) fn unfinished(&self) -> u64 {
        self.unfinished
    }

    /// Bytes of the buffers for a purpose that only batches have.
    pub(super) fn held(&self, purpose: Purpose) -> u64 {
        let batches = self.open.iter().chain(&self.flying);
        let mut handles = HashMap::new();
        let buffers = batches.flat_map(|batch| &batch.buffers);
        for buffer in buffers.filter(|buffer| buffer.purpose() == purpose) {
            handles.entry(buffer.id).or_insert((buffer, 0)).1 += 1;
        }
        let alone = handles
            .into_values()
            .filter(|(buffer, count)| Arc::strong_count(buffer) == *count);
        alone.map(|(buffer, _)| buffer.capacity()).sum()
    }

    /// Whether a batch is being recorded.
    pub(super) fn has_open(&self) -> bool {
        self.open.as_ref().is_some_and(|batch| !batch.is_ended)
    }

    /// Launches in the open batch.
    pub(super) fn launches(&self) -> u32 {
        self.open.as_ref().map_or(0, |batch| batch.launches)
    }

    /// Commands in the open batch.
    pub(super) fn recorded(&self) -> u32 {
        self.open.as_ref().map_or(0, |batch| batch.recorded)
    }

    /// Opens a batch if none is open, and sends one that could not be sent yet. Until it is
    /// sent, commands that need no memory are recorded without fail.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.open().map(|_| ())
    }

    pub(super) fn open(&mut self) -> Result<&mut Batch> {
        if !self.has_open() {
            self.submit()?;
            let mut batch = match self.spare.pop() {
                Some(batch) => batch,
                None => Batch::new(self.allocate()?),
            };
            if let Err(result) = self.start(batch.commands) {
                self.spare.push(batch);
                return Err(self.device.error("beginning a batch", result));
            }
            batch.number = self.submitted + 1;
            self.hazards.settle();
            self.open = Some(batch);
        }
        match &mut self.open {
            Some(batch) => Ok(batch),
            None => unreachable!("opened above"),
        }
    }

    /// Starts to record commands, of a new batch or of one that was not sent.
    pub(super) fn start(&self, commands: vk::CommandBuffer) -> Result<(), vk::Result> {
        let info = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the device does not use the command buffer: it is new, of a batch that is
        // complete, or was not sent; beginning it resets it. The recorder is the only user of
        // its pool.
        unsafe { self.device.raw().begin_command_buffer(commands, &info) }
    }

    fn allocate(&self) -> Result<vk::CommandBuffer> {
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(self.pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool is alive and used by this recorder only.
        self.device
            .with_room(|| unsafe { self.device.raw().allocate_command_buffers(&info) })
            .map(|buffers| buffers[0])
            .map_err(|result| self.device.error("allocating a command buffer", result))
    }

    /// Prepares the open batch for a command that uses `buffers`: the batch holds them, and a
    /// barrier is recorded if there is a hazard.
    pub(super) fn prepare<'b>(
        &mut self,
        buffers: impl Iterator<Item = (&'b Arc<Buffer>, Mode)> + Clone,
    ) -> Result<()> {
        self.open()?;
        if !self.cross_stream_uses.is_empty() {
            for (buffer, _) in buffers.clone() {
                self.join(buffer)?;
            }
        }
        let hazard = self.hazards.add(buffers.clone().map(Use::from));
        let Some(batch) = &mut self.open else {
            unreachable!("opened above")
        };
        for (buffer, _) in buffers {
            if buffer.note_use(batch.number) {
                batch.buffers.push(Arc::clone(buffer));
            }
        }
        if hazard {
            barrier(&self.device, batch.commands, self.role);
        }
        Ok(())
    }

    /// Records one command under its name, and times it if the view is profiled.
    pub(super) fn command(
        &mut self,
        name: &str,
        what: impl FnOnce(usize) -> (Place, Activity),
        record: impl FnOnce(&Device, &mut Batch),
    ) -> Result<()> {
        self.open()?;
        let (Some(batch), device) = (&mut self.open, &self.device) else {
            unreachable!("opened above")
        };
        let commands = batch.commands;
        let started = self.timing.start(device, commands, &mut batch.timed);
        device.names.begin(commands, name);
        record(device, batch);
        batch.recorded += 1;
        device.names.end(commands);
        if let Some(started) = started {
            let what = what(self.queue);
            self.timing.stop(started, commands, &mut batch.timed, what);
        }
        Ok(())
    }

    /// Room for `bytes` bytes that a command of the open batch will read.
    pub(in crate::device::vulkan) fn room(
        &mut self,
        class: Class,
        bytes: u64,
    ) -> Result<(Arc<Buffer>, u64)> {
        for _ in 0..2 {
            if let Some(bump) = self.open()?.bump(class)
                && let Some(offset) = bump.take(bytes)
            {
                return Ok((Arc::clone(&bump.chunk), offset));
            }
            // Without another one, the batch keeps the full one, which its commands use.
            let chunk = self.kept.chunks.take(&self.device, class)?;
            let batch = self.open()?;
            let full = batch.bump(class).replace(Bump::new(chunk));
            batch.chunks.extend(full.map(|full| (class, full.chunk)));
        }
        Err(self.device.out_of_memory(bytes, class.purpose()))
    }

    /// Keeps the open batch, and with it all later ones, from starting before a batch of
    /// another stream that went out is complete.
    pub(in crate::device::vulkan) fn await_other(
        &mut self,
        other: &Arc<Timeline>,
        number: u64,
    ) -> Result<()> {
        let awaits = &mut self.open()?.awaits;
        match awaits
            .iter_mut()
            .find(|(known, _)| Arc::ptr_eq(known, other))
        {
            Some((_, known)) => *known = number.max(*known),
            None => awaits.push((Arc::clone(other), number)),
        }
        Ok(())
    }

    /// Counts a command of the open batch as a launch, by which the batch goes out.
    pub(in crate::device::vulkan) fn count_launch(&mut self) -> Result<()> {
        self.open()?.launches += 1;
        Ok(())
    }

    /// Hands a chunk to the open batch, to be given back when that is complete.
    pub(super) fn lend(&mut self, class: Class, chunk: Arc<Buffer>) -> Result<()> {
        self.open()?.chunks.push((class, chunk));
        Ok(())
    }

    /// Waits for all that its queue has to do.
    pub(super) fn wait_for_queue(&self) -> Result<()> {
        let queue = self.device.queue(self.queue);
        // SAFETY: the queue is locked.
        unsafe { self.device.raw().queue_wait_idle(*queue) }
            .map_err(|result| self.device.error("waiting for a queue", result))
    }

    /// Keeps for ever what batches use whose end could not be waited for.
    pub(super) fn leak(&mut self) {
        self.flying.drain(..).for_each(std::mem::forget);
        self.cross_stream_uses.drain(..).for_each(std::mem::forget);
        self.faults.leak();
    }

    /// Destroys what it made.
    ///
    /// # Safety
    ///
    /// No batch may be running.
    pub(super) unsafe fn destroy(&mut self) {
        // SAFETY: the command buffers of the pool are idle (contract).
        unsafe { self.device.destroy_command_pool(self.pool) };
        self.open = None;
        self.flying.clear();
        self.spare.clear();
        self.untold.clear();
    }
}
