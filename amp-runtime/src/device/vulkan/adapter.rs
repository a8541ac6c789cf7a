//! Devices of the machine that can run kernels, and what is to be known of them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use amp_spirv::artifact::Feature;
use ash::vk;

use super::convert;
use super::device::Device;
use super::enabled::Enabled;
use super::features::Features;
use super::float_atomics::FloatAtomics;
use super::float_controls::FloatControls;
use super::instance::Instance;
use super::lavapipe::is_lavapipe;
use super::memory::Memory;
use super::pipeline_file::PipelineFile;
use super::queues::{self, Queues, TransferQueue};
use super::subgroups::Subgroups;
use crate::device::shape::{Limits, POINTS};
use crate::types::error::{Error, Result};
use crate::types::rejected::Rejected;

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

/// What is known of a physical device.
#[derive(Clone)]
pub(super) struct Facts {
    pub(super) instance: Arc<Instance>,
    pub(super) raw: vk::PhysicalDevice,
    pub(super) name: String,
    path: String,
    kind: vk::PhysicalDeviceType,
    /// Whether the device works in the host's memory, so that mapping a buffer is better
    /// than copying it.
    pub(super) unified: bool,
    /// Version of Vulkan to use it with.
    pub(super) version: u32,
    pub(super) limits: Limits,
    /// Nanoseconds of a tick of its clock, or `None` if it has no clock.
    pub(super) tick: Option<f32>,
    /// Bits of a timestamp that are valid.
    pub(super) tick_bits: u32,
    /// Whether the host can reset timestamps, which queues for transfers cannot.
    pub(super) resets_queries: bool,
    dedicated_memory: u64,
    pub(super) memory: Memory,
    pub(super) family: u32,
    /// Number of the first queue for kernels within the family, and how many there are.
    pub(super) first_queue: u32,
    pub(super) queues: u32,
    /// Where large transfers go, beside the kernels.
    pub(super) transfers: Option<TransferQueue>,
    /// What the device is opened with.
    pub(super) enabled: Enabled,
    pub(super) features: Features,
    pub(super) float_controls: FloatControls,
    pub(super) float_atomics: FloatAtomics,
    pub(super) subgroups: Subgroups,
    pub(super) is_lavapipe: bool,
    pub(super) is_nvidia: bool,
    /// Where its pipelines are kept, if they are.
    pub(super) pipeline_file: Option<PipelineFile>,
    /// Whether a mock stands in front of its functions.
    #[cfg(test)]
    pub(super) is_doubled: bool,
}

/// All devices that can run kernels, in the loader's order.
#[cfg(test)]
pub(crate) fn adapters() -> Vec<Adapter> {
    super::search::search().adapters
}

/// The devices as if none worked in the host's memory.
#[cfg(test)]
pub(crate) fn discrete_adapters() -> Vec<Adapter> {
    let mut adapters = adapters();
    adapters.iter_mut().for_each(Adapter::work_elsewhere);
    adapters
}

/// The first device, with a mock in front of it and of all that it is found by, working in
/// the host's memory or not, and keeping its pipelines in a file of its own. `None` where there
/// is no device.
#[cfg(test)]
pub(super) fn doubled_adapter(unified: bool, folder: &std::path::Path) -> Option<Result<Adapter>> {
    if adapters().is_empty() {
        return None;
    }
    let found = super::mock::search();
    let Some(mut adapter) = found.adapters.into_iter().next() else {
        return Some(Err(found.rejected[0].error.clone()));
    };
    if !unified {
        adapter.work_elsewhere();
    }
    let facts = Arc::get_mut(&mut adapter.facts)?;
    facts.is_doubled = true;
    facts.unified = unified;
    // SAFETY: the device is of this instance.
    let properties = unsafe {
        facts
            .instance
            .raw()
            .get_physical_device_properties(facts.raw)
    };
    facts.pipeline_file = Some(PipelineFile::within(folder, &properties));
    Some(Ok(adapter))
}

/// The devices, each with a folder for its pipelines.
#[cfg(test)]
pub(super) fn adapters_that_keep_pipelines(
    name: &str,
) -> Vec<(Adapter, super::pipeline_file::tests::Folder)> {
    let keeping = adapters()
        .into_iter()
        .enumerate()
        .map(|(number, mut adapter)| {
            let folder = super::pipeline_file::tests::Folder::new(&format!("{name}-{number}"));
            if let Some(facts) = Arc::get_mut(&mut adapter.facts) {
                // SAFETY: the device is of this instance.
                let properties = unsafe {
                    facts
                        .instance
                        .raw()
                        .get_physical_device_properties(facts.raw)
                };
                facts.pipeline_file = Some(PipelineFile::within(&folder.0, &properties));
            }
            (adapter, folder)
        });
    keeping.collect()
}

/// The devices as if none had a feature.
#[cfg(test)]
pub(crate) fn adapters_without(feature: Feature) -> Vec<Adapter> {
    let mut adapters = adapters();
    for adapter in &mut adapters {
        if let Some(facts) = Arc::get_mut(&mut adapter.facts) {
            facts.features = facts.features.without(feature);
        }
    }
    adapters
}

/// The devices as if their clock had these ticks and that many valid bits.
#[cfg(test)]
pub(super) fn adapters_with_clock(tick: Option<f32>, bits: u32) -> Vec<Adapter> {
    let mut adapters = adapters();
    for adapter in &mut adapters {
        if let Some(facts) = Arc::get_mut(&mut adapter.facts) {
            (facts.tick, facts.tick_bits) = (tick, bits);
        }
    }
    adapters
}

impl Facts {
    /// The families of the queues that are opened.
    pub(super) fn families(&self) -> Vec<u32> {
        let mut families = vec![self.family];
        families.extend(self.transfers.map(|transfers| transfers.family));
        families.dedup();
        families
    }
}

/// A physical device that may be one for kernels.
pub(super) struct Candidate<'i> {
    instance: &'i Arc<Instance>,
    raw: vk::PhysicalDevice,
    pub(super) name: String,
    properties: vk::PhysicalDeviceProperties,
    /// Version of Vulkan to use it with.
    version: u32,
    pub(super) families: Vec<vk::QueueFamilyProperties>,
    /// The extensions that it offers.
    extensions: Vec<vk::ExtensionProperties>,
}

impl<'i> Candidate<'i> {
    /// A device of an instance, unless it cannot be asked.
    pub(super) fn new(
        instance: &'i Arc<Instance>,
        raw: vk::PhysicalDevice,
    ) -> Result<Self, Box<Rejected>> {
        // SAFETY: the device is of this instance.
        let (properties, families, extensions) = unsafe {
            (
                instance.raw().get_physical_device_properties(raw),
                instance
                    .raw()
                    .get_physical_device_queue_family_properties(raw),
                instance.raw().enumerate_device_extension_properties(raw),
            )
        };
        let name = properties.device_name_as_c_str().map_or_else(
            |_| "unnamed device".into(),
            |name| name.to_string_lossy().into_owned(),
        );
        let extensions = extensions.map_err(|result| {
            let error = convert::error("asking for a device's extensions", result, &name);
            Rejected::failed(&name, error)
        })?;
        Ok(Self {
            instance,
            raw,
            name,
            properties,
            version: properties.api_version.min(instance.version),
            families,
            extensions,
        })
    }

    /// The version of Vulkan that it has.
    pub(super) fn device_version(&self) -> u32 {
        self.properties.api_version
    }

    /// The facts of it for a device that we open, or why it is no accelerator.
    pub(super) fn best(&self) -> Result<Facts, Box<Rejected>> {
        let lacks = |what: Vec<String>| Rejected::lacking(&self.name, what);
        self.check_version().map_err(|what| lacks(vec![what]))?;
        let instance = self.instance.raw();
        let enabled = Enabled::best(&instance, self.raw, self.version, &self.extensions);
        let queues = Queues::choose(&self.families, queues::wanted());
        let lacking = enabled.lacking().into_iter();
        let no_queue = queues.is_none().then_some("a queue that computes");
        let lacking: Vec<_> = lacking.chain(no_queue).map(String::from).collect();
        match queues {
            Some(queues) if lacking.is_empty() => {
                let facts = self.facts(enabled, queues);
                facts.map_err(|what| lacks(vec![what]))
            }
            _ => Err(lacks(lacking)),
        }
    }

    /// Says what it lacks if its version is too old.
    pub(super) fn check_version(&self) -> Result<(), String> {
        match self.version < vk::API_VERSION_1_2 {
            true => Err("Vulkan 1.2".into()),
            false => Ok(()),
        }
    }

    /// The facts of it for a device that is opened with this, or what it lacks. Its version
    /// has been checked.
    pub(super) fn facts(&self, enabled: Enabled, queues: Queues) -> Result<Facts, String> {
        let (instance, raw, properties) = (self.instance, self.raw, &self.properties);
        let lacking = enabled.lacking();
        if !lacking.is_empty() {
            return Err(lacking.join(", "));
        }
        let mut ids = vk::PhysicalDeviceIDProperties::default();
        let mut float_controls = vk::PhysicalDeviceFloatControlsProperties::default();
        let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut more = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut ids)
            .push_next(&mut driver)
            .push_next(&mut float_controls)
            .push_next(&mut subgroups);
        // SAFETY: the device is of this instance, and its version knows the structures.
        let memory = unsafe {
            instance
                .raw()
                .get_physical_device_properties2(raw, &mut more);
            instance.raw().get_physical_device_memory_properties(raw)
        };
        let dedicated_memory = memory.memory_heaps_as_slice().iter();
        let dedicated_memory = dedicated_memory
            .filter(|heap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL))
            .map(|heap| heap.size)
            .sum();
        let limits = properties.limits;
        let uuid: String = ids
            .device_uuid
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Facts {
            instance: Arc::clone(instance),
            raw,
            name: self.name.clone(),
            path: format!("vulkan:{uuid}"),
            kind: properties.device_type,
            unified: matches!(
                properties.device_type,
                vk::PhysicalDeviceType::CPU | vk::PhysicalDeviceType::INTEGRATED_GPU
            ),
            version: self.version,
            limits: Limits {
                groups: limits.max_compute_work_group_count,
                size: limits.max_compute_work_group_size,
                threads: limits.max_compute_work_group_invocations,
                tile_static: limits.max_compute_shared_memory_size,
                points: POINTS,
            },
            tick: (queues.tick_bits > 0).then_some(limits.timestamp_period),
            tick_bits: queues.tick_bits,
            resets_queries: enabled.vulkan12.host_query_reset == vk::TRUE,
            dedicated_memory,
            memory: Memory::new(instance, raw, self.version, &self.extensions),
            family: queues.family,
            first_queue: queues.first,
            queues: queues.count,
            transfers: queues.transfers,
            features: Features::new(&enabled),
            float_atomics: FloatAtomics::new(&enabled),
            enabled,
            float_controls: FloatControls::new(&float_controls),
            subgroups: Subgroups::new(&subgroups),
            is_lavapipe: is_lavapipe(&driver),
            is_nvidia: driver.driver_id == vk::DriverId::NVIDIA_PROPRIETARY,
            pipeline_file: PipelineFile::of(properties),
            #[cfg(test)]
            is_doubled: false,
        })
    }
}

impl Adapter {
    /// The adapter of a device that we open.
    pub(super) fn new(facts: Facts) -> Self {
        Self {
            facts: Arc::new(facts),
            device: Opening::Ours(Mutex::default()),
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
        let new = Device::new(&self.facts)?;
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
