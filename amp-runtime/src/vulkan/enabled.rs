//! What a device is opened with: the features and extensions that may be used of it.
//!
//! Whoever wants something optional asks here.

use std::ffi::CStr;

use ash::{ext, khr, vk};

/// Features and extensions of an open device, or of one to be opened.
#[derive(Clone, Default)]
pub(super) struct Enabled {
    pub(super) base: vk::PhysicalDeviceFeatures,
    pub(super) vulkan11: vk::PhysicalDeviceVulkan11Features<'static>,
    pub(super) vulkan12: vk::PhysicalDeviceVulkan12Features<'static>,
    pub(super) vulkan13: vk::PhysicalDeviceVulkan13Features<'static>,
    /// Those of [`EXTENSIONS`].
    pub(super) extensions: Vec<&'static CStr>,
}

/// The extensions that are used of a device that has them.
const EXTENSIONS: [&CStr; 2] = [
    khr::calibrated_timestamps::NAME,
    ext::calibrated_timestamps::NAME,
];

impl Enabled {
    /// What is good for kernels of that which a device has, of which Vulkan `version` is used.
    pub(super) fn best(instance: &ash::Instance, raw: vk::PhysicalDevice, version: u32) -> Self {
        let mut has_11 = vk::PhysicalDeviceVulkan11Features::default();
        let mut has_12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut has_13 = vk::PhysicalDeviceVulkan13Features::default();
        let mut has = vk::PhysicalDeviceFeatures2::default()
            .push_next(&mut has_11)
            .push_next(&mut has_12);
        if version >= vk::API_VERSION_1_3 {
            has = has.push_next(&mut has_13);
        }
        // SAFETY: the device is of this instance and its version knows the structures.
        let offered = unsafe {
            instance.get_physical_device_features2(raw, &mut has);
            instance.enumerate_device_extension_properties(raw)
        };
        let has = has.features;
        let offered = offered.unwrap_or_default();
        let offered = offered
            .iter()
            .filter_map(|extension| extension.extension_name_as_c_str().ok());
        Self {
            base: vk::PhysicalDeviceFeatures {
                shader_float64: has.shader_float64,
                shader_int64: has.shader_int64,
                shader_int16: has.shader_int16,
                ..Default::default()
            },
            vulkan11: vk::PhysicalDeviceVulkan11Features {
                storage_buffer16_bit_access: has_11.storage_buffer16_bit_access,
                variable_pointers_storage_buffer: has_11.variable_pointers_storage_buffer,
                variable_pointers: has_11.variable_pointers,
                ..Default::default()
            },
            vulkan12: vk::PhysicalDeviceVulkan12Features {
                buffer_device_address: has_12.buffer_device_address,
                vulkan_memory_model: has_12.vulkan_memory_model,
                timeline_semaphore: has_12.timeline_semaphore,
                host_query_reset: has_12.host_query_reset,
                vulkan_memory_model_device_scope: has_12.vulkan_memory_model_device_scope,
                scalar_block_layout: has_12.scalar_block_layout,
                storage_buffer8_bit_access: has_12.storage_buffer8_bit_access,
                shader_int8: has_12.shader_int8,
                shader_float16: has_12.shader_float16,
                shader_buffer_int64_atomics: has_12.shader_buffer_int64_atomics,
                shader_shared_int64_atomics: has_12.shader_shared_int64_atomics,
                shader_subgroup_extended_types: has_12.shader_subgroup_extended_types,
                ..Default::default()
            },
            vulkan13: vk::PhysicalDeviceVulkan13Features {
                maintenance4: has_13.maintenance4,
                subgroup_size_control: has_13.subgroup_size_control,
                compute_full_subgroups: has_13.compute_full_subgroups,
                ..Default::default()
            },
            extensions: known(offered),
        }
    }

    /// The features that every kernel needs and that are not there.
    pub(super) fn lacking(&self) -> Vec<&'static str> {
        let vulkan12 = &self.vulkan12;
        let needed = [
            (vulkan12.buffer_device_address, "bufferDeviceAddress"),
            (vulkan12.vulkan_memory_model, "vulkanMemoryModel"),
            (vulkan12.timeline_semaphore, "timelineSemaphore"),
        ];
        let lacking = needed.into_iter().filter(|(has, _)| *has == vk::FALSE);
        lacking.map(|(_, name)| name).collect()
    }

    /// Whether an extension is there.
    pub(super) fn has(&self, extension: &CStr) -> bool {
        self.extensions.contains(&extension)
    }
}

/// The extensions that are used, of some.
fn known<'a>(extensions: impl Iterator<Item = &'a CStr>) -> Vec<&'static CStr> {
    let found: Vec<_> = extensions.collect();
    let used = EXTENSIONS.into_iter();
    used.filter(|extension| found.contains(extension)).collect()
}
