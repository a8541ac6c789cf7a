//! What a device is opened with: the features and extensions that may be used of it.
//!
//! Code that wants something optional asks here. So a device that the program has opened
//! ([`existing`](super::existing)) is used as it was opened, whatever else it could do.

use std::ffi::{CStr, c_char};

use ash::{ext, khr, vk};

/// Features and extensions of an open device, or of one to be opened.
#[derive(Clone, Default)]
pub(super) struct Enabled {
    pub(super) base: vk::PhysicalDeviceFeatures,
    pub(super) vulkan11: vk::PhysicalDeviceVulkan11Features<'static>,
    pub(super) vulkan12: vk::PhysicalDeviceVulkan12Features<'static>,
    pub(super) vulkan13: vk::PhysicalDeviceVulkan13Features<'static>,
    pub(super) executables: vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR<'static>,
    pub(super) float_atomics: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    /// Those of [`EXTENSIONS`].
    pub(super) extensions: Vec<&'static CStr>,
}

/// The extensions that are used of a device that has them.
const EXTENSIONS: [&CStr; 6] = [
    khr::calibrated_timestamps::NAME,
    ext::calibrated_timestamps::NAME,
    khr::external_memory_fd::NAME,
    ext::pipeline_creation_feedback::NAME,
    khr::pipeline_executable_properties::NAME,
    ext::shader_atomic_float::NAME,
];

impl Enabled {
    /// What is good for kernels of that which a device has, of which Vulkan `version` is used
    /// and which offers these extensions.
    pub(super) fn best(
        instance: &ash::Instance,
        raw: vk::PhysicalDevice,
        version: u32,
        offered: &[vk::ExtensionProperties],
    ) -> Self {
        let mut has_11 = vk::PhysicalDeviceVulkan11Features::default();
        let mut has_12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut has_13 = vk::PhysicalDeviceVulkan13Features::default();
        let offered = offered
            .iter()
            .filter_map(|extension| extension.extension_name_as_c_str().ok());
        let extensions = known(offered);
        let mut executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default();
        let mut float_atomics = vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT::default();
        let mut has = vk::PhysicalDeviceFeatures2::default()
            .push_next(&mut has_11)
            .push_next(&mut has_12);
        if version >= vk::API_VERSION_1_3 {
            has = has.push_next(&mut has_13);
        }
        if extensions.contains(&khr::pipeline_executable_properties::NAME) {
            has = has.push_next(&mut executables);
        }
        if extensions.contains(&ext::shader_atomic_float::NAME) {
            has = has.push_next(&mut float_atomics);
        }
        // SAFETY: the device is of this instance and its version knows the structures.
        unsafe { instance.get_physical_device_features2(raw, &mut has) };
        let has = has.features;
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
            executables: vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR {
                pipeline_executable_info: executables.pipeline_executable_info,
                ..Default::default()
            },
            float_atomics: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT {
                shader_buffer_float32_atomic_add: float_atomics.shader_buffer_float32_atomic_add,
                shader_buffer_float64_atomic_add: float_atomics.shader_buffer_float64_atomic_add,
                ..Default::default()
            },
            extensions,
        }
    }

    /// What a device was made with.
    ///
    /// # Safety
    ///
    /// All pointers in `info` are valid, and the structures of its chain are what they say
    /// that they are.
    pub(super) unsafe fn of(info: &vk::DeviceCreateInfo<'_>) -> Self {
        let mut enabled = Self::default();
        // SAFETY: by contract.
        if let Some(base) = unsafe { info.p_enabled_features.as_ref() } {
            enabled.base = *base;
        }
        let mut next = info.p_next.cast::<vk::BaseInStructure<'_>>();
        while !next.is_null() {
            // SAFETY: by contract the chain consists of structures, all of which start like
            // this, and are what they say that they are.
            unsafe {
                enabled.add(next);
                next = (*next).p_next;
            }
        }
        // SAFETY: by contract.
        let extensions = unsafe {
            strings(
                info.pp_enabled_extension_names,
                info.enabled_extension_count,
            )
        };
        enabled.extensions = known(extensions.into_iter());
        enabled
    }

    /// Adds the features of a structure of a chain, if there are some in it.
    ///
    /// # Safety
    ///
    /// The structure is alive, and what it says that it is.
    unsafe fn add(&mut self, structure: *const vk::BaseInStructure<'_>) {
        use vk::StructureType as Kind;
        macro_rules! whole {
            ($ty:ident) => {{
                // SAFETY: the structure is of the type (contract).
                let found = unsafe { *structure.cast::<vk::$ty<'static>>() };
                // What is chained to it is not needed, and may not live long.
                let p_next = std::ptr::null_mut();
                vk::$ty { p_next, ..found }
            }};
        }
        macro_rules! parts {
            ($ty:ident: $($field:ident in $place:ident),+) => {{
                let found = whole!($ty);
                $(self.$place.$field |= found.$field;)+
            }};
        }
        // SAFETY: it is alive (contract).
        match unsafe { (*structure).s_type } {
            Kind::PHYSICAL_DEVICE_FEATURES_2 => {
                self.base = whole!(PhysicalDeviceFeatures2).features;
            }
            Kind::PHYSICAL_DEVICE_VULKAN_1_1_FEATURES => {
                self.vulkan11 = whole!(PhysicalDeviceVulkan11Features);
            }
            Kind::PHYSICAL_DEVICE_VULKAN_1_2_FEATURES => {
                self.vulkan12 = whole!(PhysicalDeviceVulkan12Features);
            }
            Kind::PHYSICAL_DEVICE_VULKAN_1_3_FEATURES => {
                self.vulkan13 = whole!(PhysicalDeviceVulkan13Features);
            }
            Kind::PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES => parts!(
                PhysicalDeviceBufferDeviceAddressFeatures: buffer_device_address in vulkan12
            ),
            Kind::PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES => parts!(
                PhysicalDeviceVulkanMemoryModelFeatures: vulkan_memory_model in vulkan12
            ),
            Kind::PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES => parts!(
                PhysicalDeviceTimelineSemaphoreFeatures: timeline_semaphore in vulkan12
            ),
            Kind::PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES => parts!(
                PhysicalDeviceScalarBlockLayoutFeatures: scalar_block_layout in vulkan12
            ),
            Kind::PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES => parts!(
                PhysicalDeviceHostQueryResetFeatures: host_query_reset in vulkan12
            ),
            Kind::PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES => parts!(
                PhysicalDevice16BitStorageFeatures: storage_buffer16_bit_access in vulkan11
            ),
            Kind::PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES => parts!(
                PhysicalDevice8BitStorageFeatures: storage_buffer8_bit_access in vulkan12
            ),
            Kind::PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES => parts!(
                PhysicalDeviceShaderFloat16Int8Features: shader_int8 in vulkan12
            ),
            Kind::PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES => parts!(
                PhysicalDeviceShaderAtomicInt64Features:
                    shader_buffer_int64_atomics in vulkan12,
                    shader_shared_int64_atomics in vulkan12
            ),
            Kind::PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR => parts!(
                PhysicalDevicePipelineExecutablePropertiesFeaturesKHR:
                    pipeline_executable_info in executables
            ),
            Kind::PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT => parts!(
                PhysicalDeviceShaderAtomicFloatFeaturesEXT:
                    shader_buffer_float32_atomic_add in float_atomics,
                    shader_buffer_float64_atomic_add in float_atomics
            ),
            _ => {}
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

/// The strings of an array of Vulkan.
///
/// # Safety
///
/// The array has so many strings, which live long enough.
pub(super) unsafe fn strings<'a>(array: *const *const c_char, count: u32) -> Vec<&'a CStr> {
    // SAFETY: by contract.
    let names = (0..count as usize).map(|at| unsafe { CStr::from_ptr(*array.add(at)) });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device may say what it has in one structure for a version or in one for each feature.
    #[test]
    fn features_are_read_from_either_kind_of_chain() {
        let base = vk::PhysicalDeviceFeatures::default().shader_int64(true);
        let mut vulkan11 =
            vk::PhysicalDeviceVulkan11Features::default().storage_buffer16_bit_access(true);
        let mut vulkan12 = vk::PhysicalDeviceVulkan12Features::default()
            .buffer_device_address(true)
            .vulkan_memory_model(true)
            .timeline_semaphore(true)
            .shader_int8(true);
        let mut vulkan13 = vk::PhysicalDeviceVulkan13Features::default().maintenance4(true);
        let extensions = [
            khr::swapchain::NAME.as_ptr(),
            ext::calibrated_timestamps::NAME.as_ptr(),
        ];
        let info = vk::DeviceCreateInfo::default()
            .enabled_features(&base)
            .enabled_extension_names(&extensions)
            .push_next(&mut vulkan11)
            .push_next(&mut vulkan12)
            .push_next(&mut vulkan13);
        // SAFETY: the structures are alive.
        let of_versions = unsafe { Enabled::of(&info) };
        assert_eq!(of_versions.lacking(), [""; 0]);
        assert_eq!(of_versions.vulkan13.maintenance4, vk::TRUE);
        assert_eq!(of_versions.extensions, [ext::calibrated_timestamps::NAME]);

        let mut base = vk::PhysicalDeviceFeatures2::default().features(base);
        let mut wide =
            vk::PhysicalDevice16BitStorageFeatures::default().storage_buffer16_bit_access(true);
        let mut address =
            vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
        let mut small = vk::PhysicalDeviceShaderFloat16Int8Features::default().shader_int8(true);
        // One that says nothing of kernels.
        let mut other = vk::PhysicalDeviceMultiviewFeatures::default().multiview(true);
        let info = vk::DeviceCreateInfo::default()
            .push_next(&mut base)
            .push_next(&mut other)
            .push_next(&mut wide)
            .push_next(&mut address)
            .push_next(&mut small);
        // SAFETY: the structures are alive.
        let of_features = unsafe { Enabled::of(&info) };
        assert_eq!(
            of_features.lacking(),
            ["vulkanMemoryModel", "timelineSemaphore"]
        );
        for enabled in [of_versions, of_features] {
            assert_eq!(enabled.base.shader_int64, vk::TRUE);
            assert_eq!(enabled.base.shader_float64, vk::FALSE);
            assert_eq!(enabled.vulkan11.storage_buffer16_bit_access, vk::TRUE);
            assert_eq!(enabled.vulkan12.shader_int8, vk::TRUE);
            assert_eq!(enabled.vulkan12.shader_shared_int64_atomics, vk::FALSE);
        }
    }
}
