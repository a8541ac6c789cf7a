//! What is to be told of a device: its [`Properties`].

use amp_spirv::artifact::{Feature, FloatFaults};
use ash::vk;

use super::adapter::Adapter;
use crate::types::error::Result;
use crate::types::properties::{AcceleratorKind, Properties};

/// What software computes where a device does it differently.
const FAULTS: [(FloatFaults, &str); 6] = [
    (FloatFaults::COMPARISONS, "comparisons of denormals"),
    (FloatFaults::FLUSHED_FMA, "mul_add of denormals"),
    (FloatFaults::SPLIT_FMA, "mul_add"),
    (FloatFaults::SQRT, "sqrt"),
    (FloatFaults::DIVISION, "division"),
    (FloatFaults::SIGN_BITS, "negation of denormals"),
];

impl Adapter {
    /// All that is to be told of the device.
    pub(crate) fn properties(&self) -> Properties {
        let facts = &self.facts;
        let instance = facts.instance.raw();
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut driver)
            .push_next(&mut subgroup);
        // SAFETY: the device is of this instance, and its version knows the structures.
        unsafe { instance.get_physical_device_properties2(facts.raw, &mut properties) };
        let version = properties.properties.api_version;

        let text = |text: Result<&std::ffi::CStr, _>| {
            text.map_or(String::new(), |text| text.to_string_lossy().into_owned())
        };
        // Mesa 22.3 names its driver by a part of it.
        let known_as = match facts.is_lavapipe {
            true => "lavapipe: ",
            false => "",
        };
        let driver = format!(
            "{known_as}{} {}",
            text(driver.driver_name_as_c_str()),
            text(driver.driver_info_as_c_str())
        );
        let limits = &facts.limits;
        let reversed = |[x, y, z]: [u32; 3]| [z, y, x];
        let (has, lacks): (Vec<_>, Vec<_>) = Feature::ALL.into_iter().partition(|it| self.has(*it));
        let names = |features: Vec<Feature>| features.into_iter().map(Feature::name).collect();
        Properties {
            kind: match self.preference() {
                0 => AcceleratorKind::Discrete,
                1 => AcceleratorKind::Integrated,
                2 => AcceleratorKind::Virtual,
                4 => AcceleratorKind::Software,
                _ => AcceleratorKind::Other,
            },
            vulkan: Some([
                vk::api_version_major(version),
                vk::api_version_minor(version),
                vk::api_version_patch(version),
            ]),
            driver: driver.trim().into(),
            features: names(has),
            lacking: names(lacks),
            floats: facts.float_controls.promises(),
            subgroup_size: subgroup.subgroup_size,
            subgroup_operations: facts.subgroups.names(),
            max_tile_threads: limits.threads,
            max_tile: reversed(limits.size),
            max_tiles: reversed(limits.groups),
            tiles_progress: facts.is_nvidia,
            tile_static_bytes: Some(limits.tile_static),
            queues: facts.queues,
            tick_nanoseconds: facts.tick,
        }
    }

    /// What kernels do in software on the device.
    pub(crate) fn software_floats(&self) -> Result<Vec<&'static str>> {
        let found = self.open()?.float_faults(FloatFaults::ARITHMETIC)?;
        let named = FAULTS.into_iter().filter(|(fault, _)| found.has(*fault));
        Ok(named.map(|(_, name)| name).collect())
    }
}
