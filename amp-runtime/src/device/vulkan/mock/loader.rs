//! The functions of the loader and of instances as the mock has them: those that can fail,
//! those that make or destroy something, and those that say what a device has.
//!
//! They are found by their names, as those of the loader are.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int};
use std::mem::transmute;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ash::vk::{self, Handle};
use ash::{Entry, StaticFn};

use super::super::instance::Instance;
use super::super::search::{Found, devices_of};
use super::{closed, gone, lacks, made, refusal};

type Function = unsafe extern "system" fn();
type Allocator<'a> = *const vk::AllocationCallbacks<'a>;

/// The loader. It is never unloaded.
fn loader() -> Option<&'static Entry> {
    static LOADER: OnceLock<Option<Entry>> = OnceLock::new();
    // SAFETY: the system's Vulkan loader is trusted to initialise soundly.
    LOADER
        .get_or_init(|| unsafe { Entry::load() }.ok())
        .as_ref()
}

/// The functions that were found behind the mock's. Those of a name are the same for all
/// instances and devices: they tell them apart.
static FOUND: Mutex<BTreeMap<CString, Function>> = Mutex::new(BTreeMap::new());

fn real(name: &CStr) -> Function {
    let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    *found.get(name).expect("the mock was found by this name")
}

/// What is found by a name, if the driver has it: the mock's function, if there is one.
fn stand_in(name: &CStr, real: vk::PFN_vkVoidFunction) -> vk::PFN_vkVoidFunction {
    let mocks = [fallible(name), last(name), telling(name), finding(name)];
    let Some(mock) = mocks.into_iter().flatten().next() else {
        return real;
    };
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    found.insert(name.into(), real?);
    Some(mock)
}

/// Makes functions with the signatures of Vulkan's, and one that finds them by their names.
macro_rules! mocks {
    ($finder:ident: $($vulkan:literal $name:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)? {
        $real:ident; $($body:tt)*
    })*) => {
        $(unsafe extern "system" fn $name($($argument: $ty),*) $(-> $result)? {
            type Real = unsafe extern "system" fn($($ty),*) $(-> $result)?;
            // SAFETY: it was found by this name, so it is of this type.
            let $real: Real = unsafe { transmute(real($vulkan)) };
            $($body)*
        })*

        fn $finder(name: &CStr) -> vk::PFN_vkVoidFunction {
            $(if name == $vulkan {
                // SAFETY: who has found it calls it as what has this name.
                return Some(unsafe { transmute::<*const (), Function>($name as *const ()) });
            })*
            None
        }
    };
}

/// Functions that can fail; those with an arrow make what they write there.
macro_rules! fallible {
    ($($vulkan:literal $name:ident($($argument:ident: $ty:ty),*) $(=> $out:ident)?;)*) => {
        mocks! { fallible: $($vulkan $name($($argument: $ty),*) -> vk::Result {
            real;
            if let Some(result) = refusal(stringify!($name)) {
                return result;
            }
            // SAFETY: the arguments are the caller's, to the same function.
            let result = unsafe { real($($argument),*) };
            $(if result == vk::Result::SUCCESS {
                // SAFETY: a function that succeeds has written there.
                made(stringify!($name), unsafe { (*$out).as_raw() });
            })?
            result
        })* }
    };
}
fallible! {
    c"vkEnumerateInstanceVersion" enumerate_instance_version(out: *mut u32);
    c"vkEnumerateInstanceLayerProperties" enumerate_instance_layer_properties(
        count: *mut u32, out: *mut vk::LayerProperties);
    c"vkEnumerateInstanceExtensionProperties" enumerate_instance_extension_properties(
        layer: *const c_char, count: *mut u32, out: *mut vk::ExtensionProperties);
    c"vkCreateInstance" create_instance(info: *const vk::InstanceCreateInfo<'_>,
        allocator: Allocator<'_>, out: *mut vk::Instance) => out;
    c"vkCreateDebugUtilsMessengerEXT" create_debug_utils_messenger(instance: vk::Instance,
        info: *const vk::DebugUtilsMessengerCreateInfoEXT<'_>, allocator: Allocator<'_>,
        out: *mut vk::DebugUtilsMessengerEXT) => out;
    c"vkEnumeratePhysicalDevices" enumerate_physical_devices(instance: vk::Instance,
        count: *mut u32, out: *mut vk::PhysicalDevice);
    c"vkEnumerateDeviceExtensionProperties" enumerate_device_extension_properties(
        device: vk::PhysicalDevice, layer: *const c_char, count: *mut u32,
        out: *mut vk::ExtensionProperties);
    c"vkGetPhysicalDeviceToolProperties" get_physical_device_tool_properties(
        device: vk::PhysicalDevice, count: *mut u32,
        out: *mut vk::PhysicalDeviceToolProperties<'_>);
    c"vkCreateDevice" create_device(device: vk::PhysicalDevice,
        info: *const vk::DeviceCreateInfo<'_>, allocator: Allocator<'_>,
        out: *mut vk::Device) => out;
    c"vkGetCalibratedTimestampsEXT" get_calibrated_timestamps(device: vk::Device, count: u32,
        infos: *const vk::CalibratedTimestampInfoKHR<'_>, out: *mut u64, deviation: *mut u64);
    c"vkGetCalibratedTimestampsKHR" get_calibrated_timestamps_khr(device: vk::Device, count: u32,
        infos: *const vk::CalibratedTimestampInfoKHR<'_>, out: *mut u64, deviation: *mut u64);
    c"vkGetMemoryFdKHR" get_memory_fd(device: vk::Device,
        info: *const vk::MemoryGetFdInfoKHR<'_>, out: *mut c_int);
    c"vkSetDebugUtilsObjectNameEXT" set_debug_utils_object_name(device: vk::Device,
        info: *const vk::DebugUtilsObjectNameInfoEXT<'_>);
}

mocks! { last:
    c"vkDestroyInstance" destroy_instance(instance: vk::Instance, allocator: Allocator<'_>) {
        real;
        gone("create_instance", instance.as_raw());
        // SAFETY: the arguments are the caller's, to the same function.
        unsafe { real(instance, allocator) };
    }
    c"vkDestroyDebugUtilsMessengerEXT" destroy_debug_utils_messenger(instance: vk::Instance,
        messenger: vk::DebugUtilsMessengerEXT, allocator: Allocator<'_>
    ) {
        real;
        gone("create_debug_utils_messenger", messenger.as_raw());
        // SAFETY: as above.
        unsafe { real(instance, messenger, allocator) };
    }
    c"vkDestroyDevice" destroy_device(device: vk::Device, allocator: Allocator<'_>) {
        real;
        gone("create_device", device.as_raw());
        closed(device);
        // SAFETY: as above.
        unsafe { real(device, allocator) };
    }
}

mocks! { telling:
    c"vkGetPhysicalDeviceProperties" get_physical_device_properties(
        device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties
    ) {
        real;
        // SAFETY: the arguments are the caller's, to the same function, which writes there.
        let out = unsafe {
            real(device, out);
            &mut *out
        };
        if lacks("Vulkan 1.2") {
            out.api_version = vk::API_VERSION_1_1;
        }
    }
    c"vkGetPhysicalDeviceFeatures2" get_physical_device_features2(
        device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceFeatures2<'_>
    ) {
        real;
        // SAFETY: as above.
        let mut next = unsafe {
            real(device, out);
            (*out).p_next.cast::<vk::BaseOutStructure<'_>>()
        };
        // SAFETY: the chain consists of structures that start like this.
        while let Some(structure) = unsafe { next.as_mut() } {
            if structure.s_type == vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_2_FEATURES {
                // SAFETY: it is of this type.
                let features =
                    unsafe { &mut *next.cast::<vk::PhysicalDeviceVulkan12Features<'_>>() };
                for (name, feature) in [
                    ("bufferDeviceAddress", &mut features.buffer_device_address),
                    ("vulkanMemoryModel", &mut features.vulkan_memory_model),
                    ("timelineSemaphore", &mut features.timeline_semaphore),
                ] {
                    *feature &= vk::Bool32::from(!lacks(name));
                }
            }
            next = structure.p_next;
        }
    }
    c"vkGetPhysicalDeviceQueueFamilyProperties" get_physical_device_queue_family_properties(
        device: vk::PhysicalDevice, count: *mut u32, out: *mut vk::QueueFamilyProperties
    ) {
        real;
        // SAFETY: as above.
        let count = unsafe {
            real(device, count, out);
            *count as usize
        };
        if lacks("a queue that computes") && !out.is_null() {
            // SAFETY: that many have been written there.
            for family in unsafe { std::slice::from_raw_parts_mut(out, count) } {
                family.queue_flags &= !vk::QueueFlags::COMPUTE;
            }
        }
    }
}

mocks! { finding:
    c"vkGetInstanceProcAddr" get_instance_proc_addr(
        instance: vk::Instance, name: *const c_char
    ) -> vk::PFN_vkVoidFunction {
        real;
        // SAFETY: as above; the name is a string.
        unsafe { stand_in(CStr::from_ptr(name), real(instance, name)) }
    }
    c"vkGetDeviceProcAddr" get_device_proc_addr(
        device: vk::Device, name: *const c_char
    ) -> vk::PFN_vkVoidFunction {
        real;
        // SAFETY: as above.
        unsafe { stand_in(CStr::from_ptr(name), real(device, name)) }
    }
}

/// The mock in front of the loader; `None` where there is none.
pub(super) fn entry() -> Option<Entry> {
    let loader = loader()?.static_fn().get_instance_proc_addr;
    // SAFETY: a function of some type, which is not called as it is.
    let loader = unsafe { transmute::<vk::PFN_vkGetInstanceProcAddr, Function>(loader) };
    stand_in(c"vkGetInstanceProcAddr", Some(loader));
    // SAFETY: all functions that are found by this one are what they are looked for as; those
    // of the loader stay.
    Some(unsafe {
        Entry::from_static_fn(StaticFn {
            get_instance_proc_addr,
        })
    })
}

/// What a search finds with the mock in front of the loader, which is there.
pub(in super::super) fn search() -> Found {
    match Instance::new(entry().expect("devices were found by it")) {
        Ok(instance) => devices_of(&Arc::new(instance)),
        Err(rejected) => Found::nothing(*rejected),
    }
}
