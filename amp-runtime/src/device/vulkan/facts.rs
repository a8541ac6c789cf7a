//! What is known of a physical device that can run kernels, or why it cannot.

use std::sync::Arc;

use ash::vk;

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
use super::{convert, debug};
use crate::device::shape::{Limits, POINTS};
use crate::types::error::Result;
use crate::types::rejected::Rejected;

/// What is known of a physical device.
#[derive(Clone)]
pub(super) struct Facts {
    pub(super) instance: Arc<Instance>,
    pub(super) raw: vk::PhysicalDevice,
    pub(super) name: String,
    pub(super) path: String,
    pub(super) kind: vk::PhysicalDeviceType,
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
    pub(super) dedicated_memory: u64,
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

impl Facts {
    /// The families of the queues that are opened.
    pub(super) fn families(&self) -> Vec<u32> {
        let mut families = vec![self.family];
        families.extend(self.transfers.map(|transfers| transfers.family));
        families.dedup();
        families
    }

    /// Whether the names of a device's objects and commands are shown: by the validation
    /// layer, by a tool that is attached, or because `AMP_DEBUG_LABELS=1` is set.
    pub(super) fn shows_names(&self) -> bool {
        let instance = &self.instance;
        instance.names && (instance.validates || debug::labels_are_wanted() || self.has_tool())
    }

    /// Whether a tool that shows names, such as RenderDoc or Nsight, is attached to a device.
    fn has_tool(&self) -> bool {
        use vk::ToolPurposeFlags as Purpose;
        let shows = Purpose::DEBUG_MARKERS_EXT | Purpose::TRACING | Purpose::PROFILING;
        if self.version < vk::API_VERSION_1_3 {
            return false;
        }
        // SAFETY: the device is of this instance, and both know Vulkan 1.3.
        let tools = unsafe {
            let raw = self.instance.raw();
            let count = raw.get_physical_device_tool_properties_len(self.raw);
            let mut tools = vec![Default::default(); count.unwrap_or(0)];
            raw.get_physical_device_tool_properties(self.raw, &mut tools)
                .map(|()| tools)
        };
        let tools: Vec<vk::PhysicalDeviceToolProperties<'_>> = tools.unwrap_or_default();
        tools.iter().any(|tool| tool.purposes.intersects(shows))
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
