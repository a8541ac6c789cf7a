//! Devices of the machine that can run kernels.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use amp_spirv::artifact::Feature;
use ash::vk;

use super::device::Device;
use super::exit;
use super::facts::Facts;
use super::float_probe::rehearse;
#[cfg(test)]
use super::pipeline_file::PipelineFile;
#[cfg(test)]
use super::queues::TransferQueue;
#[cfg(test)]
use crate::device::shape::Limits;
use crate::types::error::{Error, Result};
use crate::types::memory::MemoryReport;

/// A physical device that has all that kernels need.
pub(crate) struct Adapter {
    pub(super) facts: Arc<Facts>,
    device: Opening,
}

/// How an adapter's device is opened.
enum Opening {
    /// By the first view that wants it; it is shared by its views while there are some.
    Ours(Mutex<Weak<Device>>),
    /// By the program, once ([`existing`](super::existing)).
    Theirs(Arc<Device>),
}

impl Adapter {
    /// The adapter of a device that we open.
    pub(super) fn new(facts: Facts) -> Self {
        Self {
            facts: Arc::new(facts),
            device: Opening::Ours(Mutex::default()),
        }
    }

    /// From now on as if it had NVIDIA's driver.
    #[cfg(test)]
    pub(super) fn be_nvidia(&mut self) {
        if let Some(facts) = Arc::get_mut(&mut self.facts) {
            facts.is_nvidia = true;
        }
    }

    /// From now on as if it did not work in the host's memory.
    #[cfg(test)]
    pub(super) fn work_elsewhere(&mut self) {
        if let Some(facts) = Arc::get_mut(&mut self.facts) {
            facts.unified = false;
            // On the only queue, if there is but one.
            facts.transfers.get_or_insert(TransferQueue {
                family: facts.family,
                index: 0,
                tick_bits: facts.tick_bits,
            });
        }
    }

    /// The device's name.
    pub(crate) fn name(&self) -> &str {
        &self.facts.name
    }

    /// `vulkan:` and its UUID.
    pub(crate) fn path(&self) -> &str {
        &self.facts.path
    }

    /// Bytes of memory of its own.
    pub(crate) fn dedicated_memory(&self) -> u64 {
        self.facts.dedicated_memory
    }

    /// The device's memory and what all its views have of it.
    pub(crate) fn memory(&self) -> MemoryReport {
        let facts = &self.facts;
        let mut report = MemoryReport {
            name: facts.name.clone(),
            allocated: 0,
            in_use: 0,
            pooled: 0,
            largest: 0,
            heaps: facts.memory.report(&facts.instance, facts.raw),
        };
        if let Some(device) = self.opened() {
            let (allocated, parts) = device.blocks().bytes();
            let (used, pooled) = device.reserves.report();
            report.allocated = allocated;
            report.in_use = parts.saturating_sub(pooled);
            report.pooled = pooled;
            report.largest = used.largest();
        }
        report
    }

    /// Version of Vulkan: major in the high 16 bits, minor in the low ones.
    pub(crate) fn version(&self) -> u32 {
        let version = self.facts.version;
        vk::api_version_major(version) << 16 | vk::api_version_minor(version)
    }

    /// Whether it is software.
    pub(crate) fn is_software(&self) -> bool {
        self.facts.kind == vk::PhysicalDeviceType::CPU
    }

    /// Whether the validation layer is on.
    pub(crate) fn is_debug(&self) -> bool {
        self.facts.instance.validates
    }

    /// Whether kernels may use something.
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.facts.features.has(feature)
    }

    /// Whether it works in the host's memory.
    pub(crate) fn is_unified(&self) -> bool {
        self.facts.unified
    }

    /// Order among the candidates for the default accelerator, best first.
    pub(crate) fn preference(&self) -> u32 {
        match self.facts.kind {
            vk::PhysicalDeviceType::DISCRETE_GPU => 0,
            vk::PhysicalDeviceType::INTEGRATED_GPU => 1,
            vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
            vk::PhysicalDeviceType::CPU => 4,
            _ => 3,
        }
    }

    #[cfg(test)]
    pub(super) fn limits(&self) -> Limits {
        self.facts.limits
    }

    #[cfg(test)]
    pub(super) fn pipeline_file(&self) -> Option<&PipelineFile> {
        self.facts.pipeline_file.as_ref()
    }

    /// The device, if a view has it open.
    pub(super) fn opened(&self) -> Option<Arc<Device>> {
        match &self.device {
            Opening::Ours(device) => {
                let device = device.lock().unwrap_or_else(PoisonError::into_inner);
                device.upgrade()
            }
            Opening::Theirs(device) => Some(Arc::clone(device)),
        }
    }

    /// The device, opened unless a view has it open.
    pub(crate) fn open(&self) -> Result<Arc<Device>> {
        let device = match &self.device {
            Opening::Ours(device) => device,
            Opening::Theirs(device) if device.is_lost() => {
                return Err(Error::AcceleratorViewRemoved {
                    reason: "its device was lost, which the program has opened and must open anew"
                        .into(),
                });
            }
            Opening::Theirs(device) => return Ok(Arc::clone(device)),
        };
        let mut device = device.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = device.upgrade()
            && !device.is_lost()
        {
            return Ok(device);
        }
        let facts = &self.facts;
        let new = Device::new(facts, |device| {
            // LLVM registers handlers when it first compiles, which destroy what every later
            // compilation uses.
            exit::note(&facts.name, facts.is_lavapipe.then_some(|| rehearse(facts)));
            if facts.is_lavapipe {
                let device: Weak<Device> = Arc::downgrade(device);
                exit::settle_first(device);
            }
        })?;
        *device = Arc::downgrade(&new);
        Ok(new)
    }

    /// The adapter of a device that the program has opened.
    pub(super) fn of(device: Arc<Device>) -> Self {
        Self {
            facts: Arc::clone(&device.facts),
            device: Opening::Theirs(device),
        }
    }

    /// Whether the program has opened the device.
    pub(crate) fn is_theirs(&self) -> bool {
        matches!(self.device, Opening::Theirs(_))
    }
}

impl fmt::Debug for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adapter")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}
