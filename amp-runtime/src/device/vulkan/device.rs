//! A logical device with what all its streams share: queues, memory, pipelines.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use amp_spirv::artifact::Artifact;
use ash::{ext, vk};

use super::blocks::Blocks;
use super::calibration::Calibration;
use super::convert;
use super::debug::Names;
use super::enabled::Enabled;
use super::exit::{self, Settle};
use super::facts::Facts;
use super::float_faults::FoundFaults;
use super::gate::{self, Within};
use super::memory::Purpose;
use super::pipeline::Pipelines;
use super::queues::TransferQueue;
use super::reserve::Reserves;
use super::submit_lock::SubmitLock;
use crate::types::error::{Error, Result};

/// An open device.
pub(crate) struct Device {
    functions: ash::Device,
    pub(super) facts: Arc<Facts>,
    pub(super) names: Names,
    pub(super) pipelines: Pipelines,
    pub(super) submit_lock: SubmitLock,
    /// What its streams keep for reuse.
    pub(super) reserves: Reserves,
    blocks: Mutex<Blocks>,
    queues: Vec<Mutex<vk::Queue>>,
    /// How many of them run kernels.
    computing: usize,
    /// Which of them is for transfers.
    pub(super) transfers: Option<usize>,
    next_queue: AtomicUsize,
    /// Where its arithmetic differs from Rust's, as far as that has been tried.
    pub(super) float_faults: Mutex<FoundFaults>,
    /// Asks for the device's clock.
    pub(super) calibration: Option<Calibration>,
    lost: AtomicBool,
    /// Whether it is closed with the last view; else the program closes it.
    is_ours: bool,
}

impl Device {
    /// Opens the device, and tells `opened` before another thread can close the gate.
    pub(super) fn new(facts: &Arc<Facts>, opened: impl FnOnce(&Arc<Self>)) -> Result<Arc<Self>> {
        exit::expect();
        let alone = facts.instance.alone();
        let _inside = gate::enter();
        let failed = |result| convert::error("opening the device", result, &facts.name);
        let raw = create(facts).map_err(failed)?;
        drop(alone);
        #[cfg(test)]
        let raw = match facts.is_doubled {
            true => super::mock::in_front_of(raw),
            false => raw,
        };
        Self::over_ours(facts, raw).inspect(opened)
    }

    /// Opens the device for one use alone, after which nothing is kept of it.
    pub(super) fn passing(facts: &Facts) -> Result<Arc<Self>> {
        let mut facts = facts.clone();
        facts.pipeline_file = None;
        let facts = Arc::new(facts);
        let alone = facts.instance.alone();
        let raw = create(&facts)
            .map_err(|result| convert::error("opening the device", result, &facts.name))?;
        drop(alone);
        Self::over_ours(&facts, raw)
    }

    /// A device that we have opened, and close if that fails.
    fn over_ours(facts: &Arc<Facts>, raw: ash::Device) -> Result<Arc<Self>> {
        Self::over(facts, raw.clone(), true).inspect_err(|_| {
            let _alone = facts.instance.alone();
            // SAFETY: nothing of the device is left.
            unsafe { raw.destroy_device(None) };
        })
    }

    /// A device that the program has opened, and closes.
    ///
    /// # Safety
    ///
    /// It was opened as `facts` says, and is open as long as those are there.
    pub(super) unsafe fn existing(facts: &Arc<Facts>, raw: ash::Device) -> Result<Arc<Self>> {
        exit::expect();
        let _inside = gate::enter();
        Self::over(facts, raw, false)
    }

    /// A device that is open. If that fails nothing is left of what was made for it.
    fn over(facts: &Arc<Facts>, raw: ash::Device, is_ours: bool) -> Result<Arc<Self>> {
        let instance = facts.instance.functions();
        let names = facts
            .shows_names()
            .then(|| ext::debug_utils::Device::new(instance, &raw));
        let names = Names::new(names);
        let calibration = Calibration::new(facts, &raw);
        let computing = facts.first_queue..facts.first_queue + facts.queues;
        let queue = |family, index, name: String| {
            // SAFETY: the device was opened with these queues.
            let queue = unsafe { raw.get_device_queue(family, index) };
            if is_ours {
                names.set(queue, || name);
            }
            Mutex::new(queue)
        };
        let mut queues: Vec<_> = computing
            .clone()
            .map(|index| queue(facts.family, index, format!("amp queue {index}")))
            .collect();
        let transfers = facts.transfers.map(|TransferQueue { family, index, .. }| {
            if family == facts.family && computing.contains(&index) {
                return (index - computing.start) as usize;
            }
            queues.push(queue(family, index, "amp transfers".into()));
            queues.len() - 1
        });
        let pipelines = Pipelines::new(&raw, facts)?;
        let blocks = Blocks::new(&raw);
        Ok(Arc::new(Self {
            functions: raw,
            facts: Arc::clone(facts),
            names,
            pipelines,
            submit_lock: SubmitLock::new(facts.is_nvidia),
            reserves: Reserves::default(),
            blocks: Mutex::new(blocks),
            queues,
            computing: computing.len(),
            transfers,
            next_queue: AtomicUsize::new(0),
            float_faults: Mutex::default(),
            calibration,
            lost: AtomicBool::new(false),
            is_ours,
        }))
    }

    /// Whether a call has found the device lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// The error for a failed call; remembers that the device is lost.
    pub(super) fn error(&self, operation: &'static str, result: vk::Result) -> Error {
        if result == vk::Result::ERROR_DEVICE_LOST {
            self.lost.store(true, Ordering::Relaxed);
        }
        convert::error(operation, result, &self.facts.name)
    }

    /// Bytes that a new buffer of a purpose can have, as far as that can be told.
    pub(super) fn available(&self, purpose: Purpose) -> Option<u64> {
        let memory = &self.facts.memory;
        let heaps = memory.report(&self.facts.instance, self.facts.raw);
        let types = memory.types_for(purpose, self.facts.unified, u32::MAX);
        let left = types.into_iter().filter_map(|memory_type| {
            let number = memory.heap_of(memory_type);
            let heap = heaps.get(number)?;
            Some(match (heap.budget(), heap.used()) {
                (Some(budget), Some(used)) => budget.saturating_sub(used),
                _ => {
                    let blocks = self.blocks();
                    let used = blocks.bytes_of(|other| memory.heap_of(other) == number);
                    heap.bytes().saturating_sub(used)
                }
            })
        });
        left.max()
    }

    /// The error for a buffer that there is no memory for.
    pub(super) fn out_of_memory(&self, bytes: u64, purpose: Purpose) -> Error {
        let memory = &self.facts.memory;
        let most = match bytes > memory.promised {
            true => memory.promised.min(memory.largest_buffer),
            false => memory.largest_buffer,
        };
        Error::OutOfMemory {
            operation: "allocating a buffer",
            bytes: Some(bytes),
            accelerator: self.facts.name.clone(),
            available: self.available(purpose).map(|left| left.min(most)),
        }
    }

    /// Makes an object of the driver. If there is no memory for it, that is tried again when what
    /// is kept has been given back.
    pub(super) fn with_room<T>(
        &self,
        make: impl Fn() -> Result<T, vk::Result>,
    ) -> Result<T, vk::Result> {
        match make() {
            Err(result) if convert::is_out_of_memory(result) && self.trim() => make(),
            made => made,
        }
    }

    /// Gives everything back to the driver that is kept and not used. Returns whether there
    /// was any.
    pub(super) fn trim(&self) -> bool {
        let kept = self.reserves.trim();
        let empty = self.blocks().trim();
        kept > 0 || empty > 0
    }

    /// Writes pipelines that were made to their file, unless that has been done too often of late,
    /// or another thread does it.
    pub(super) fn keep_pipelines_by_and_by(&self) {
        if !self.is_lost() {
            self.pipelines.cache.keep_by_and_by();
        }
    }

    /// Writes pipelines that were made to their file, unless another thread does it.
    pub(super) fn keep_pipelines(&self) {
        if !self.is_lost() {
            self.pipelines.cache.keep();
        }
    }

    /// How many pipelines of a kernel there are.
    pub(super) fn pipelines_of(&self, artifact: &'static Artifact) -> usize {
        self.pipelines.count_of(artifact)
    }

    /// The number of the queue whose turn it is to get a stream of kernels.
    pub(super) fn next_queue(&self) -> usize {
        self.next_queue.fetch_add(1, Ordering::Relaxed) % self.computing
    }

    /// The queue with this number, which only one thread may use at a time.
    pub(super) fn queue(&self, index: usize) -> Within<MutexGuard<'_, vk::Queue>> {
        let queue = &self.queues[index];
        gate::within(|| queue.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The blocks of its memory.
    pub(super) fn blocks(&self) -> Within<MutexGuard<'_, Blocks>> {
        gate::within(|| self.blocks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Its functions.
    pub(super) fn raw(&self) -> Within<&ash::Device> {
        gate::within(|| &self.functions)
    }

    /// Destroys a command pool, and its command buffers with it.
    ///
    /// # Safety
    ///
    /// They are idle, and nothing uses them any more.
    pub(super) unsafe fn destroy_command_pool(&self, pool: vk::CommandPool) {
        let _alone = self.facts.instance.alone();
        // SAFETY: by contract.
        unsafe { self.functions.destroy_command_pool(pool, None) };
    }

    /// Its functions, for others to call.
    pub(super) fn functions(&self) -> &ash::Device {
        &self.functions
    }
}

/// Opens the device with all that is to be enabled, and the queues that are wanted.
fn create(facts: &Facts) -> Result<ash::Device, vk::Result> {
    let Enabled {
        base,
        mut vulkan11,
        mut vulkan12,
        mut vulkan13,
        mut executables,
        mut float_atomics,
        extensions,
    } = facts.enabled.clone();

    let last = facts.transfers.map_or(0, |transfers| transfers.index + 1);
    let priorities = vec![1.0; facts.queues.max(last) as usize];
    let family = |family, queues: u32| {
        vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family)
            .queue_priorities(&priorities[..queues as usize])
    };
    let queues = match facts.transfers {
        Some(transfers) if transfers.family == facts.family => {
            vec![family(facts.family, facts.queues.max(transfers.index + 1))]
        }
        Some(transfers) => vec![
            family(facts.family, facts.queues),
            family(transfers.family, transfers.index + 1),
        ],
        None => vec![family(facts.family, facts.queues)],
    };
    let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
    let mut info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .enabled_features(&base)
        .push_next(&mut vulkan11)
        .push_next(&mut vulkan12);
    if facts.version >= vk::API_VERSION_1_3 {
        info = info.push_next(&mut vulkan13);
    }
    if executables.pipeline_executable_info == vk::TRUE {
        info = info.push_next(&mut executables);
    }
    if extensions.contains(&ext::shader_atomic_float::NAME) {
        info = info.push_next(&mut float_atomics);
    }
    // SAFETY: everything that `info` points to lives until the call is over; the features
    // and extensions are there, and the families have that many queues.
    unsafe { facts.instance.raw().create_device(facts.raw, &info, None) }
}

impl Settle for Device {
    /// Waits for its queues, and keeps them locked.
    fn settle(&self, deadline: Instant) {
        for queue in &self.queues {
            let queue = loop {
                match queue.try_lock() {
                    Ok(queue) => break queue,
                    Err(_) if Instant::now() >= deadline => return,
                    Err(_) => std::thread::sleep(Duration::from_millis(1)),
                }
            };
            let left = deadline.saturating_duration_since(Instant::now());
            // SAFETY: the device is open, and the queue locked. The fence is not destroyed: it
            // may be in use still.
            unsafe {
                let fence = self
                    .raw()
                    .create_fence(&vk::FenceCreateInfo::default(), None);
                if let Ok(fence) = fence
                    && self.raw().queue_submit(*queue, &[], fence).is_ok()
                {
                    let _ = self
                        .raw()
                        .wait_for_fences(&[fence], true, left.as_nanos() as u64);
                }
            }
            // It stays locked.
            std::mem::forget(queue);
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let _alone = self.is_ours.then(|| self.facts.instance.alone());
        let _inside = gate::enter();
        self.keep_pipelines();
        self.blocks().clear();
        // SAFETY: streams and buffers hold the device, so none is left, and no queue works.
        unsafe {
            self.pipelines.destroy(&self.functions);
            if self.is_ours {
                self.functions.destroy_device(None);
            }
        }
    }
}
