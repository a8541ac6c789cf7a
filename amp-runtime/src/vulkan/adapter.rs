//! Devices of the machine that can run kernels, and what is to be known of them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use amp_spirv::artifact::Feature;
use ash::vk;

use super::device::{Device, QUEUES};
use super::features::Features;
use super::float_controls::FloatControls;
use super::instance::{Instance, instance};
use super::lavapipe::is_lavapipe;
use super::memory::Memory;
use super::pipeline_file::PipelineFile;
use super::subgroups::Subgroups;
use crate::error::Result;
use crate::shape::{Limits, POINTS};

/// A physical device that has all that kernels need.
pub(crate) struct Adapter {
    pub(super) facts: Arc<Facts>,
    /// The open device, shared by its views.
    device: Mutex<Weak<Device>>,
}

/// What is known of a physical device.
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
    /// Nanoseconds of a tick of its clock, or `None` if it has none.
    pub(super) tick: Option<f32>,
    /// Bits of a timestamp that are valid.
    pub(super) tick_bits: u32,
    /// Whether the host can reset timestamps, which queues for transfers cannot.
    pub(super) resets_queries: bool,
    dedicated_memory: u64,
    pub(super) memory: Memory,
    pub(super) family: u32,
    pub(super) queues: u32,
    /// Where large transfers go, beside the kernels.
    pub(super) transfers: Option<TransferQueue>,
    pub(super) features: Features,
    pub(super) float_controls: FloatControls,
    pub(super) subgroups: Subgroups,
    pub(super) is_lavapipe: bool,
    /// Where its pipelines are kept, if they are.
    pub(super) pipeline_file: Option<PipelineFile>,
    /// Whether a double stands in front of its functions.
    #[cfg(test)]
    pub(super) is_doubled: bool,
}

/// A queue for transfers.
#[derive(Clone, Copy)]
pub(super) struct TransferQueue {
    pub(super) family: u32,
    /// Number within the family.
    pub(super) index: u32,
    /// Bits of its timestamps that are valid.
    pub(super) tick_bits: u32,
}

/// All devices that can run kernels, in the loader's order.
pub(crate) fn adapters() -> Vec<Adapter> {
    let Some(instance) = instance() else {
        return Vec::new();
    };
    // SAFETY: the instance is alive.
    let devices = unsafe { instance.raw.enumerate_physical_devices() }.unwrap_or_default();
    let facts = devices
        .into_iter()
        .filter_map(|raw| Facts::new(&instance, raw));
    facts
        .map(|facts| Adapter {
            facts: Arc::new(facts),
            device: Mutex::default(),
        })
        .collect()
}

/// The devices as if none worked in the host's memory.
#[cfg(test)]
pub(crate) fn discrete_adapters() -> Vec<Adapter> {
    let mut adapters = adapters();
    adapters.iter_mut().for_each(Adapter::work_elsewhere);
    adapters
}

/// The first device, with a double in front of it, working in the host's memory or not, and
/// keeping its pipelines in a file of its own.
#[cfg(test)]
pub(super) fn doubled_adapter(unified: bool, folder: &std::path::Path) -> Option<Adapter> {
    let mut adapter = adapters().into_iter().next()?;
    if !unified {
        adapter.work_elsewhere();
    }
    let facts = Arc::get_mut(&mut adapter.facts)?;
    facts.is_doubled = true;
    facts.unified = unified;
    // SAFETY: the device is of this instance.
    let properties = unsafe { facts.instance.raw.get_physical_device_properties(facts.raw) };
    facts.pipeline_file = Some(PipelineFile::within(folder, &properties));
    Some(adapter)
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
                let properties =
                    unsafe { facts.instance.raw.get_physical_device_properties(facts.raw) };
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

    /// The facts, or `None` if the device lacks something that kernels need.
    fn new(instance: &Arc<Instance>, raw: vk::PhysicalDevice) -> Option<Self> {
        let mut ids = vk::PhysicalDeviceIDProperties::default();
        let mut float_controls = vk::PhysicalDeviceFloatControlsProperties::default();
        let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut ids)
            .push_next(&mut driver)
            .push_next(&mut float_controls)
            .push_next(&mut subgroups);
        // SAFETY: the device is of this instance; so for the calls below.
        unsafe {
            instance
                .raw
                .get_physical_device_properties2(raw, &mut properties)
        };
        let properties = properties.properties;
        let float_controls = FloatControls::new(&float_controls);
        let subgroups = Subgroups::new(&subgroups);
        let name = properties.device_name_as_c_str().map_or_else(
            |_| "unnamed device".into(),
            |name| name.to_string_lossy().into_owned(),
        );
        let lacks = |what: &str| {
            tracing::info!(device = name, "not an accelerator: it lacks {what}");
            None
        };
        if properties.api_version < vk::API_VERSION_1_2 {
            return lacks("Vulkan 1.2");
        }

        let mut features11 = vk::PhysicalDeviceVulkan11Features::default();
        let mut features12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut features = vk::PhysicalDeviceFeatures2::default()
            .push_next(&mut features11)
            .push_next(&mut features12);
        // SAFETY: as above; the structure is known since Vulkan 1.2.
        unsafe {
            instance
                .raw
                .get_physical_device_features2(raw, &mut features)
        };
        let features = features.features;
        for (has, what) in [
            (features12.buffer_device_address, "bufferDeviceAddress"),
            (features12.vulkan_memory_model, "vulkanMemoryModel"),
            (features12.timeline_semaphore, "timelineSemaphore"),
        ] {
            if has == vk::FALSE {
                return lacks(what);
            }
        }

        // SAFETY: as above.
        let families = unsafe {
            instance
                .raw
                .get_physical_device_queue_family_properties(raw)
        };
        // A family for computing alone runs beside the display's work, if there is one.
        let compute = |family: &vk::QueueFamilyProperties| {
            family.queue_count > 0 && family.queue_flags.contains(vk::QueueFlags::COMPUTE)
        };
        let alone = |family: &vk::QueueFamilyProperties| {
            compute(family) && !family.queue_flags.contains(vk::QueueFlags::GRAPHICS)
        };
        let Some(family) = families
            .iter()
            .position(alone)
            .or_else(|| families.iter().position(compute))
        else {
            return lacks("a queue that computes");
        };
        let queue = families[family];
        // A family for transfers alone is an engine that copies; else another queue of the
        // family lets copies overlap with kernels where the device can.
        use vk::QueueFlags as Does;
        let others = Does::GRAPHICS
            | Does::COMPUTE
            | Does::VIDEO_DECODE_KHR
            | Does::VIDEO_ENCODE_KHR
            | Does::OPTICAL_FLOW_NV;
        let transfers = families.iter().position(|family| {
            let does = family.queue_flags;
            family.queue_count > 0 && does.contains(Does::TRANSFER) && !does.intersects(others)
        });
        let (queues, transfers) = match (transfers, queue.queue_count) {
            (Some(family), count) => (count, Some((family, 0))),
            (None, 1) => (1, None),
            (None, count) => (count - 1, Some((family, (count - 1).min(QUEUES)))),
        };
        let transfers = transfers.map(|(family, index)| TransferQueue {
            family: family as u32,
            index,
            tick_bits: families[family].timestamp_valid_bits,
        });

        // SAFETY: as above.
        let memory = unsafe { instance.raw.get_physical_device_memory_properties(raw) };
        let dedicated_memory = memory.memory_heaps_as_slice().iter();
        let dedicated_memory = dedicated_memory
            .filter(|heap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL))
            .map(|heap| heap.size)
            .sum();
        let limits = properties.limits;
        let version = properties.api_version.min(instance.version);
        let uuid: String = ids
            .device_uuid
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Some(Self {
            instance: Arc::clone(instance),
            raw,
            name,
            path: format!("vulkan:{uuid}"),
            kind: properties.device_type,
            unified: matches!(
                properties.device_type,
                vk::PhysicalDeviceType::CPU | vk::PhysicalDeviceType::INTEGRATED_GPU
            ),
            version,
            limits: Limits {
                groups: limits.max_compute_work_group_count,
                size: limits.max_compute_work_group_size,
                threads: limits.max_compute_work_group_invocations,
                tile_static: limits.max_compute_shared_memory_size,
                points: POINTS,
            },
            tick: (queue.timestamp_valid_bits > 0).then_some(limits.timestamp_period),
            tick_bits: queue.timestamp_valid_bits,
            resets_queries: features12.host_query_reset == vk::TRUE,
            dedicated_memory,
            memory: Memory::new(instance, raw, version),
            family: family as u32,
            queues,
            transfers,
            features: Features::new(&features, &features11, &features12),
            float_controls,
            subgroups,
            is_lavapipe: is_lavapipe(&driver),
            pipeline_file: PipelineFile::of(&properties),
            #[cfg(test)]
            is_doubled: false,
        })
    }
}

impl Adapter {
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
        let device = self.device.lock().unwrap_or_else(PoisonError::into_inner);
        device.upgrade()
    }

    /// The device, opened unless a view has it open.
    pub(crate) fn open(&self) -> Result<Arc<Device>> {
        let mut device = self.device.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = device.upgrade()
            && !device.is_lost()
        {
            return Ok(device);
        }
        let new = Device::new(&self.facts)?;
        *device = Arc::downgrade(&new);
        Ok(new)
    }
}

impl fmt::Debug for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adapter")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}
