//! The recorder of a stream: the batch that is being recorded, those that are flying,
//! and what they share.
//!
//! A batch is one command buffer. Batches are numbered from 1; the stream's timeline
//! semaphore reaches a batch's number when it is complete. The open batch is always
//! number `submitted + 1`. A batch holds everything that its commands use, until
//! [`Recorder::retire`] finds it complete.

use std::collections::VecDeque;
use std::sync::Arc;

use ash::vk;

use super::buffer::Buffer;
use super::clock::Queries;
use super::convert;
use super::device::Device;
use super::fault::{FaultSlots, SLOTS, Watch};
use super::guest::{Foreign, Guest};
use super::hazard::{Hazards, Use};
use super::load::REGIONS;
use super::pool::Pool;
use super::print::PrintBuffers;
use super::recorded::Recorded;
use super::role::{Role, barrier};
use super::staging::{Bump, Class};
use super::timeline::Timeline;
use super::timing::{Timed, Timing};
use crate::error::{KernelFault, Result};
use crate::print::KernelPrint;
use crate::profile::{Activity, Direction, Place, Profiler};

/// One command buffer and what its commands use.
pub(super) struct Batch {
    commands: vk::CommandBuffer,
    pub(super) number: u64,
    launches: u32,
    /// The pipeline that is bound.
    pipeline: vk::Pipeline,
    pub(super) buffers: Vec<Arc<Buffer>>,
    watches: Vec<Watched>,
    chunks: Vec<(Class, Arc<Buffer>)>,
    arguments: Option<Bump>,
    staging: Option<Bump>,
    queries: Vec<Arc<Queries>>,
    /// Batches of other streams that must be complete before it starts.
    awaits: Vec<(Arc<Timeline>, u64)>,
    timed: Timed,
}

/// What may have something to tell when its batch is complete.
enum Watched {
    Launch(Watch),
    Replay(Arc<Recorded>),
}

/// How many recordings can wait to be asked for faults: they hold memory.
const UNTOLD: usize = 64;

/// What a stream records with; behind its lock.
pub(super) struct Recorder {
    device: Arc<Device>,
    queue: usize,
    role: Role,
    timeline: Arc<Timeline>,
    pool: vk::CommandPool,
    spare: Vec<vk::CommandBuffer>,
    open: Option<Batch>,
    flying: VecDeque<Batch>,
    pub(super) submitted: u64,
    hazards: Hazards,
    pub(super) faults: FaultSlots,
    pub(super) prints: PrintBuffers,
    /// Where chunks come from.
    kept: Arc<Pool>,
    /// The first fault seen and not reported.
    pub(super) fault: Option<Box<KernelFault>>,
    /// What complete launches have printed.
    pub(super) printed: Vec<KernelPrint>,
    /// What complete batches have replayed, and nobody has asked for faults.
    untold: Vec<Arc<Recorded>>,
    timing: Timing,
    /// Commands of other streams that use buffers of this one.
    pub(super) guests: Vec<Guest>,
}

fn bytes_of(regions: &[vk::BufferCopy]) -> u64 {
    regions.iter().map(|region| region.size).sum()
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
        let pool = unsafe { device.raw.create_command_pool(&info, None) }
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
            submitted: 0,
            hazards: Hazards::default(),
            faults,
            prints: PrintBuffers::default(),
            kept: Arc::clone(kept),
            fault: None,
            printed: Vec::new(),
            untold: Vec::new(),
            timing: Timing::new(profiler, device, role),
            guests: Vec::new(),
        })
    }

    /// Number of the last batch that went out.
    pub(super) fn submitted(&self) -> u64 {
        self.submitted
    }

    /// Number of the oldest batch that is not known to be complete.
    pub(super) fn oldest(&self) -> Option<u64> {
        self.flying.front().map(|batch| batch.number)
    }

    /// Number of batches that are not known to be complete.
    pub(super) fn flying(&self) -> usize {
        self.flying.len()
    }

    /// Whether a batch is open.
    pub(super) fn has_open(&self) -> bool {
        self.open.is_some()
    }

    /// Launches in the open batch.
    pub(super) fn launches(&self) -> u32 {
        self.open.as_ref().map_or(0, |batch| batch.launches)
    }

    /// Opens a batch if none is open. Until that is sent, commands that need no memory are
    /// recorded without fail.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.open().map(|_| ())
    }

    pub(super) fn open(&mut self) -> Result<&mut Batch> {
        if self.open.is_none() {
            let commands = match self.spare.pop() {
                Some(commands) => commands,
                None => self.allocate()?,
            };
            let info = vk::CommandBufferBeginInfo::default()
                .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            // SAFETY: the command buffer is new, or of a batch that is complete; beginning
            // it resets it. The recorder is the only user of its pool.
            if let Err(result) = unsafe { self.device.raw.begin_command_buffer(commands, &info) } {
                self.spare.push(commands);
                return Err(self.device.error("beginning a batch", result));
            }
            self.open = Some(Batch {
                commands,
                number: self.submitted + 1,
                launches: 0,
                pipeline: vk::Pipeline::null(),
                buffers: Vec::new(),
                watches: Vec::new(),
                chunks: Vec::new(),
                arguments: None,
                staging: None,
                queries: Vec::new(),
                awaits: Vec::new(),
                timed: Timed::default(),
            });
        }
        match &mut self.open {
            Some(batch) => Ok(batch),
            None => unreachable!("opened above"),
        }
    }

    fn allocate(&self) -> Result<vk::CommandBuffer> {
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(self.pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool is alive and used by this recorder only.
        unsafe { self.device.raw.allocate_command_buffers(&info) }
            .map(|buffers| buffers[0])
            .map_err(|result| self.device.error("allocating a command buffer", result))
    }

    /// Prepares the open batch for a command that uses `buffers`, writing those that are
    /// marked: the batch holds them, and a barrier is recorded if there is a hazard.
    fn prepare<'b>(
        &mut self,
        buffers: impl Iterator<Item = (&'b Arc<Buffer>, bool)> + Clone,
    ) -> Result<vk::CommandBuffer> {
        let uses = buffers.clone().map(|(buffer, writes)| Use {
            buffer: buffer.id,
            writes,
        });
        self.open()?;
        if !self.guests.is_empty() {
            for (buffer, _) in buffers.clone() {
                self.join(buffer)?;
            }
        }
        let hazard = self.hazards.add(uses);
        let device = Arc::clone(&self.device);
        let role = self.role;
        let batch = self.open()?;
        for (buffer, _) in buffers {
            if buffer.note_use(batch.number) {
                batch.buffers.push(Arc::clone(buffer));
            }
        }
        if hazard {
            barrier(&device, batch.commands, role);
        }
        Ok(batch.commands)
    }

    /// Records one command under its name, and times it if the view is profiled.
    fn command(
        &mut self,
        name: &str,
        what: impl FnOnce(usize) -> (Place, Activity),
        record: impl FnOnce(&Device, &mut Batch),
    ) -> Result<()> {
        let device = Arc::clone(&self.device);
        self.open()?;
        let Some(batch) = &mut self.open else {
            unreachable!("opened above")
        };
        let commands = batch.commands;
        let started = self.timing.start(&device, commands, &mut batch.timed);
        device.names.begin(commands, name);
        record(&device, batch);
        device.names.end(commands);
        if let Some(started) = started {
            let what = what(self.queue);
            self.timing.stop(started, commands, &mut batch.timed, what);
        }
        Ok(())
    }

    /// Records a launch, which profiles call this.
    pub(super) fn dispatch<'b>(
        &mut self,
        (name, activity): (&str, impl FnOnce() -> Activity),
        pipeline: vk::Pipeline,
        push: &[u8],
        groups: [u32; 3],
        watch: Option<Watch>,
        buffers: impl Iterator<Item = (&'b Arc<Buffer>, bool)> + Clone,
    ) -> Result<()> {
        let commands = self.prepare(buffers)?;
        let what = |queue| (Place::Queue(queue), activity());
        self.command(name, what, |device, batch| {
            // SAFETY: the command buffer is being recorded, by this thread alone; pipelines
            // live as long as the device; the push constants fit the layout and the groups
            // the device's limits (`Shape`); the batch holds every buffer that the kernel
            // uses.
            unsafe {
                if batch.pipeline != pipeline {
                    device.raw.cmd_bind_pipeline(
                        commands,
                        vk::PipelineBindPoint::COMPUTE,
                        pipeline,
                    );
                }
                let stage = vk::ShaderStageFlags::COMPUTE;
                device
                    .raw
                    .cmd_push_constants(commands, device.pipelines.layout, stage, 0, push);
                device
                    .raw
                    .cmd_dispatch(commands, groups[0], groups[1], groups[2]);
            }
            batch.pipeline = pipeline;
            batch.launches += 1;
            batch.watches.extend(watch.map(Watched::Launch));
        })
    }

    /// Records the execution of recorded launches.
    pub(super) fn execute(&mut self, recorded: &Arc<Recorded>) -> Result<()> {
        let uses = recorded.buffers.iter();
        let commands = self.prepare(uses.map(|(buffer, writes)| (buffer, *writes)))?;
        let launches = recorded.launches;
        let what = |queue| (Place::Queue(queue), Activity::Replay { launches });
        self.command("replay", what, |device, batch| {
            // SAFETY: as in `dispatch`; the secondary command buffer is complete, may be
            // used several times at once, and is held by the batch.
            unsafe {
                device
                    .raw
                    .cmd_execute_commands(commands, &[recorded.commands])
            };
            // What it has bound is not defined behind it.
            batch.pipeline = vk::Pipeline::null();
            batch.launches += launches;
            if recorded.note_use(batch.number) {
                batch.watches.push(Watched::Replay(Arc::clone(recorded)));
            }
        })
    }

    /// Records a copy of regions from a buffer to another.
    pub(super) fn copy(
        &mut self,
        source: &Arc<Buffer>,
        target: &Arc<Buffer>,
        regions: &[vk::BufferCopy],
        direction: Direction,
    ) -> Result<()> {
        let commands = self.prepare([(source, false), (target, true)].into_iter())?;
        self.transfer(
            direction,
            || bytes_of(regions),
            |device| {
                for some in regions.chunks(REGIONS) {
                    // SAFETY: as in `dispatch`; callers pass ranges within the buffers, none
                    // of them empty.
                    unsafe {
                        device
                            .raw
                            .cmd_copy_buffer(commands, source.raw, target.raw, some)
                    };
                }
            },
        )
    }

    /// Records a command that moves bytes.
    fn transfer(
        &mut self,
        direction: Direction,
        bytes: impl FnOnce() -> u64,
        record: impl FnOnce(&Device),
    ) -> Result<()> {
        let what = |queue| {
            let bytes = bytes();
            (
                Place::Transfers(queue),
                Activity::Transfer { direction, bytes },
            )
        };
        self.command(direction.name(), what, |device, _| record(device))
    }

    /// Records the filling of a whole buffer with zeroes.
    pub(super) fn zero(&mut self, buffer: &Arc<Buffer>) -> Result<()> {
        let commands = self.prepare([(buffer, true)].into_iter())?;
        self.transfer(
            Direction::Fill,
            || buffer.bytes(),
            |device| {
                // SAFETY: as in `dispatch`.
                unsafe {
                    device
                        .raw
                        .cmd_fill_buffer(commands, buffer.raw, 0, vk::WHOLE_SIZE, 0)
                };
            },
        )
    }

    /// Records a timestamp when all before it is done; `first` also resets the queries.
    pub(super) fn timestamp(&mut self, queries: &Arc<Queries>, first: bool) -> Result<()> {
        let batch = self.open()?;
        // SAFETY: as in `dispatch`; the batch holds the queries.
        unsafe {
            if first {
                queries.reset(batch.commands);
            }
            queries.stamp(batch.commands, u32::from(!first));
        }
        batch.queries.push(Arc::clone(queries));
        Ok(())
    }

    /// Room for `bytes` bytes that a command of the open batch will read.
    pub(super) fn room(&mut self, class: Class, bytes: u64) -> Result<(Arc<Buffer>, u64)> {
        self.open()?;
        for _ in 0..2 {
            let batch = self.open()?;
            let bump = match class {
                Class::Arguments => &mut batch.arguments,
                Class::Small | Class::Large => &mut batch.staging,
            };
            if let Some(bump) = bump
                && let Some(offset) = bump.take(bytes)
            {
                return Ok((Arc::clone(&bump.chunk), offset));
            }
            let full = bump.take();
            let chunk = self.kept.chunks.take(&self.device, class)?;
            let batch = self.open()?;
            batch.chunks.extend(full.map(|full| (class, full.chunk)));
            match class {
                Class::Arguments => batch.arguments = Some(Bump::new(chunk)),
                Class::Small | Class::Large => batch.staging = Some(Bump::new(chunk)),
            }
        }
        Err(self.device.out_of_memory(bytes))
    }

    /// Keeps the open batch, and with it all later ones, from starting before a batch of
    /// another stream that went out is complete.
    pub(super) fn await_other(&mut self, other: &Arc<Timeline>, number: u64) -> Result<()> {
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

    /// Records a copy of regions from a buffer to another, one of which is of another stream,
    /// whose commands this batch waits for.
    pub(super) fn copy_foreign(
        &mut self,
        foreign: Foreign,
        source: &Arc<Buffer>,
        target: &Arc<Buffer>,
        regions: &[vk::BufferCopy],
        direction: Direction,
    ) -> Result<()> {
        let (own, other) = match foreign {
            Foreign::Source => ((target, true), source),
            Foreign::Target => ((source, false), target),
        };
        let commands = self.prepare([own].into_iter())?;
        // Not noted as a use: its number counts batches of its own stream.
        self.open()?.buffers.push(Arc::clone(other));
        self.transfer(
            direction,
            || bytes_of(regions),
            |device| {
                for some in regions.chunks(REGIONS) {
                    // SAFETY: as in `copy`.
                    unsafe {
                        device
                            .raw
                            .cmd_copy_buffer(commands, source.raw, target.raw, some)
                    };
                }
            },
        )
    }

    /// Counts a command of the open batch as a launch, by which the batch goes out.
    pub(super) fn count_launch(&mut self) -> Result<()> {
        self.open()?.launches += 1;
        Ok(())
    }

    /// Hands a chunk to the open batch, to be given back when that is complete.
    pub(super) fn lend(&mut self, class: Class, chunk: Arc<Buffer>) -> Result<()> {
        self.open()?.chunks.push((class, chunk));
        Ok(())
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

    /// Number of the last batch that is complete.
    pub(super) fn completed(&self) -> Result<u64> {
        self.timeline.reached()
    }

    /// Takes back what complete batches hold, and notes the first fault and all prints.
    pub(super) fn retire(&mut self) -> Result<()> {
        self.recycle()?;
        self.hear_replays()
    }

    /// [`retire`](Self::retire), but for faults of replays: to ask for them takes the longer
    /// the more launches they have, and is for who waits.
    pub(super) fn recycle(&mut self) -> Result<()> {
        if self.flying.is_empty() {
            return Ok(());
        }
        let completed = self.completed()?;
        while self
            .flying
            .front()
            .is_some_and(|batch| batch.number <= completed)
        {
            let Some(batch) = self.flying.pop_front() else {
                break;
            };
            for watched in &batch.watches {
                match watched {
                    Watched::Launch(watch) => {
                        // SAFETY: the batch is complete.
                        let told = unsafe { self.told_by(watch) };
                        self.note(told);
                    }
                    Watched::Replay(recorded) if recorded.prints() => {
                        // SAFETY: it is complete, and no later one executes it: they wait.
                        self.note(unsafe { recorded.tell() });
                    }
                    Watched::Replay(recorded) => self.defer(recorded),
                }
            }
            self.timing.settle(batch.timed);
            for (class, chunk) in batch.chunks {
                self.kept.chunks.give_back(class, chunk);
            }
            let bumps = [
                (Class::Arguments, batch.arguments),
                (Class::Small, batch.staging),
            ];
            for (class, bump) in bumps {
                if let Some(bump) = bump {
                    self.kept.chunks.give_back(class, bump.chunk);
                }
            }
            self.spare.push(batch.commands);
        }
        Ok(())
    }

    /// Notes what a launch or a replay has told.
    fn note(&mut self, (fault, prints): (Option<KernelFault>, Vec<KernelPrint>)) {
        if let Some(fault) = fault {
            // What has been replayed before comes first, unless it cannot be asked now.
            let _ = self.hear_replays();
            self.fault.get_or_insert_with(|| Box::new(fault));
        }
        self.printed.extend(prints);
    }

    /// Notes that a replay is complete which has not been asked for faults.
    fn defer(&mut self, recorded: &Arc<Recorded>) {
        let known = |known: &Arc<Recorded>| Arc::ptr_eq(known, recorded);
        if !recorded.is_watched() || self.untold.iter().any(known) {
            return;
        }
        self.untold.push(Arc::clone(recorded));
        if self.untold.len() >= UNTOLD {
            // If they cannot be asked now, they are asked later.
            let _ = self.hear_replays();
        }
    }

    /// Notes the faults of complete replays.
    fn hear_replays(&mut self) -> Result<()> {
        while let Some(recorded) = self.untold.first() {
            if recorded.has_fault() {
                // It may be one of a later replay, which is still under way.
                self.timeline.wait(self.submitted)?;
                // SAFETY: what went out is complete, and nothing goes out meanwhile.
                let (fault, _) = unsafe { recorded.tell() };
                if let (None, Some(fault)) = (&self.fault, fault) {
                    self.fault = Some(Box::new(fault));
                }
            }
            self.untold.remove(0);
        }
        Ok(())
    }

    /// Takes back what a launch has to tell with.
    ///
    /// # Safety
    ///
    /// The launch must be complete.
    unsafe fn told_by(&mut self, watch: &Watch) -> (Option<KernelFault>, Vec<KernelPrint>) {
        // SAFETY: by contract.
        let fault = unsafe { self.faults.give_back(watch) };
        let prints = watch.prints.as_ref().map(|buffer| {
            // SAFETY: by contract.
            unsafe { self.prints.give_back(buffer, watch) }
        });
        (fault, prints.unwrap_or_default())
    }

    /// Takes back what a launch that was not recorded would have told with.
    pub(super) fn forgo(&mut self, watch: &Watch) {
        // SAFETY: no command uses them.
        unsafe { self.told_by(watch) };
    }

    /// Waits for all that its queue has to do.
    pub(super) fn wait_for_queue(&self) -> Result<()> {
        let queue = self.device.queue(self.queue);
        // SAFETY: the queue is locked.
        unsafe { self.device.raw.queue_wait_idle(*queue) }
            .map_err(|result| self.device.error("waiting for a queue", result))
    }

    /// Keeps for ever what batches use that nobody could wait for.
    pub(super) fn leak(&mut self) {
        self.flying.drain(..).for_each(std::mem::forget);
        self.guests.drain(..).for_each(std::mem::forget);
        self.faults.leak();
    }

    /// Destroys what it made.
    ///
    /// # Safety
    ///
    /// No batch may be running.
    pub(super) unsafe fn destroy(&mut self) {
        // SAFETY: the command buffers of the pool are idle (contract).
        unsafe { self.device.raw.destroy_command_pool(self.pool, None) };
        self.open = None;
        self.flying.clear();
        self.untold.clear();
    }
}
