//! Recorded launches: a command buffer that batches execute again and again.
//!
//! It is a secondary command buffer with everything baked in: arguments, barriers between
//! its launches, fault slots and print buffers of its own. To a batch it is one command
//! that uses all buffers of its launches, so hazards with what comes before and after it
//! are found as those of launches are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;

use super::super::buffer::Buffer;
use super::super::device::Device;
use super::super::memory::Purpose;
use super::fault::{FaultSlots, Watch};
use super::hazard::{Hazards, Mode, Use};
use super::launch::{Bound, Launch};
use super::print::PrintBuffers;
use super::role::{Role, barrier};
use crate::device::print::KernelPrint;
use crate::device::unreported::Guilty;
use crate::types::error::Result;

/// Launches that batches can execute again.
pub(crate) struct Recorded {
    device: Arc<Device>,
    /// A pool of its own, so that it can be dropped wherever the last handle goes.
    pool: vk::CommandPool,
    pub(super) commands: vk::CommandBuffer,
    pub(super) launches: u32,
    /// The buffers that the launches use, each once.
    pub(super) buffers: Vec<(Arc<Buffer>, Mode)>,
    /// Argument blocks that did not fit push constants.
    arguments: Option<Arc<Buffer>>,
    faults: Option<FaultSlots>,
    watches: Vec<Watch>,
    /// The batch that last executed it.
    last_use: AtomicU64,
}

impl Recorded {
    /// Launches, in the order in which they would run; `unwatched` is the address of the slot of
    /// those that have nothing to tell.
    pub(super) fn new(
        device: &Arc<Device>,
        launches: &mut [Launch<'_>],
        unwatched: u64,
    ) -> Result<Self> {
        let failed = |result| device.error("setting up a recording", result);
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(device.facts.family);
        // SAFETY: the family is the one that the device was opened with.
        let pool = || unsafe { device.raw().create_command_pool(&info, None) };
        let pool = device.with_room(pool).map_err(failed)?;
        let mut recorded = Self {
            device: Arc::clone(device),
            pool,
            commands: vk::CommandBuffer::null(),
            launches: launches.len() as u32,
            buffers: Vec::new(),
            arguments: None,
            faults: None,
            watches: Vec::new(),
            last_use: AtomicU64::new(0),
        };
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(vk::CommandBufferLevel::SECONDARY)
            .command_buffer_count(1);
        // SAFETY: the pool is new, and nothing else uses it.
        let commands = || unsafe { device.raw().allocate_command_buffers(&info) };
        let commands = device.with_room(commands).map_err(failed)?;
        recorded.commands = commands[0];
        let watched = launches.iter().filter(|launch| launch.is_watched()).count();
        if watched > 0 {
            recorded.faults = Some(FaultSlots::new(device, watched as u32)?);
        }
        let bytes: u64 = launches.iter().map(spilled_bytes).sum();
        if bytes > 0 {
            recorded.arguments = Some(Buffer::new(device, bytes, Purpose::Arguments)?);
        }
        for launch in launches.iter() {
            for (buffer, mode) in launch.uses() {
                let known = |entry: &&mut (Arc<Buffer>, Mode)| Arc::ptr_eq(&entry.0, buffer);
                match recorded.buffers.iter_mut().find(known) {
                    Some(entry) => entry.1 = mode.max(entry.1),
                    None => recorded.buffers.push((Arc::clone(buffer), mode)),
                }
            }
        }
        recorded.fill(launches, unwatched)?;
        Ok(recorded)
    }

    fn fill(&mut self, launches: &mut [Launch<'_>], unwatched: u64) -> Result<()> {
        let device = Arc::clone(&self.device);
        let failed = |result| device.error("recording", result);
        let inheritance = vk::CommandBufferInheritanceInfo::default();
        let info = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::SIMULTANEOUS_USE)
            .inheritance_info(&inheritance);
        // SAFETY: the command buffer is new.
        unsafe { device.raw().begin_command_buffer(self.commands, &info) }.map_err(failed)?;
        let (mut hazards, mut bound, mut spilled) = (Hazards::default(), Bound::default(), 0);
        for launch in launches {
            launch.check_block()?;
            launch.set_slot(self.watch(launch)?.unwrap_or(unwatched));
            let spill = self
                .arguments
                .as_deref()
                .filter(|_| launch.artifact.spilled);
            // SAFETY: nothing uses the buffer yet.
            let push = unsafe { launch.push(spill.map(|arguments| (arguments, spilled))) };
            spilled += spilled_bytes(launch);
            if hazards.add(launch.uses().map(Use::from)) {
                barrier(&device, self.commands, Role::Kernels);
            }
            device.names.begin(self.commands, &launch.artifact.name);
            // SAFETY: the command buffer is being recorded, by this thread alone;
            // `self.buffers` has all that the kernel uses.
            unsafe { bound.dispatch(&device, self.commands, launch, &push) };
            device.names.end(self.commands);
        }
        // SAFETY: the command buffer is being recorded, by this thread alone.
        unsafe { device.raw().end_command_buffer(self.commands) }.map_err(failed)
    }

    /// The address of a new slot for a launch that may have something to tell.
    fn watch(&mut self, launch: &Launch<'_>) -> Result<Option<u64>> {
        let Some(faults) = self.faults.as_mut().filter(|_| launch.is_watched()) else {
            return Ok(None);
        };
        let prints = match launch.artifact.print_words {
            0 => None,
            _ => Some(PrintBuffers::make(&self.device)?),
        };
        let taken = faults.take(launch, prints);
        Ok(taken.map(|(watch, slot)| {
            self.watches.push(watch);
            slot
        }))
    }

    /// Whether it may have something to tell.
    pub(super) fn is_watched(&self) -> bool {
        !self.watches.is_empty()
    }

    /// Whether its kernels print.
    pub(super) fn prints(&self) -> bool {
        self.watches.iter().any(|watch| watch.prints.is_some())
    }

    /// Whether a replay has left a fault. One that is still under way may be about to.
    pub(super) fn has_fault(&self) -> bool {
        let faulty = |faults: &FaultSlots| self.watches.iter().any(|watch| faults.is_set(watch));
        self.faults.as_ref().is_some_and(faulty)
    }

    /// The batch that last executed it.
    pub(super) fn last_use(&self) -> u64 {
        self.last_use.load(Ordering::Acquire)
    }

    /// Notes that a batch executes it; whether that is news.
    pub(super) fn note_use(&self, batch: u64) -> bool {
        self.last_use.swap(batch, Ordering::AcqRel) != batch
    }

    /// Takes all faults, and all prints.
    ///
    /// # Safety
    ///
    /// All replays must be complete.
    pub(super) unsafe fn tell(&self) -> (Vec<Guilty>, Vec<KernelPrint>) {
        let (mut found, mut prints) = (Vec::new(), Vec::new());
        for watch in &self.watches {
            if let Some(faults) = &self.faults {
                // SAFETY: by contract.
                found.extend(unsafe { faults.look(watch) });
            }
            if let Some(buffer) = &watch.prints {
                // SAFETY: by contract.
                prints.extend(unsafe { PrintBuffers::look(buffer, watch) });
            }
        }
        (found, prints)
    }
}

/// Bytes of a launch's argument block in the buffer of those.
fn spilled_bytes(launch: &Launch<'_>) -> u64 {
    match launch.artifact.spilled {
        true => (launch.block.len() as u64).next_multiple_of(64),
        false => 0,
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // SAFETY: a batch that executes it holds a handle, so none is unfinished.
        unsafe { self.device.destroy_command_pool(self.pool) };
    }
}

impl std::fmt::Debug for Recorded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorded")
            .field("launches", &self.launches)
            .finish_non_exhaustive()
    }
}
