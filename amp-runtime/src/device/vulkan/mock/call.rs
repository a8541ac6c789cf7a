//! The functions of the mock: all of a device that this crate and its allocator call and
//! that can fail, or make or destroy something.

use std::sync::{Arc, PoisonError, RwLock};

use ash::vk::{self, Handle};
use ash::{DeviceFnV1_0, DeviceFnV1_2};

use super::{gone, made, refusal, state};

/// The driver's functions. They are the same for all devices that are open in a session.
struct Real {
    v1_0: DeviceFnV1_0,
    v1_2: DeviceFnV1_2,
}

static REAL: RwLock<Option<Arc<Real>>> = RwLock::new(None);

fn real() -> Arc<Real> {
    let real = REAL.read().unwrap_or_else(PoisonError::into_inner);
    real.clone().expect("the mock is in front of a device")
}

type Allocator<'a> = *const vk::AllocationCallbacks<'a>;

/// Functions that can fail; those with an arrow make what they write there.
macro_rules! fallible {
    ($($table:ident $name:ident($($argument:ident: $ty:ty),*) $(=> $out:ident)?;)*) => {$(
        unsafe extern "system" fn $name($($argument: $ty),*) -> vk::Result {
            if let Some(result) = refusal(stringify!($name)) {
                return result;
            }
            // SAFETY: the arguments are the caller's, to the same function.
            let result = unsafe { (real().$table.$name)($($argument),*) };
            $(if result == vk::Result::SUCCESS {
                // SAFETY: a function that succeeds has written there.
                made(stringify!($name), unsafe { (*$out).as_raw() });
            })?
            result
        }
    )*};
}
fallible! {
    v1_0 create_buffer(device: vk::Device, info: *const vk::BufferCreateInfo<'_>,
        allocator: Allocator<'_>, out: *mut vk::Buffer) => out;
    v1_0 allocate_memory(device: vk::Device, info: *const vk::MemoryAllocateInfo<'_>,
        allocator: Allocator<'_>, out: *mut vk::DeviceMemory) => out;
    v1_0 create_command_pool(device: vk::Device, info: *const vk::CommandPoolCreateInfo<'_>,
        allocator: Allocator<'_>, out: *mut vk::CommandPool) => out;
    v1_0 create_query_pool(device: vk::Device, info: *const vk::QueryPoolCreateInfo<'_>,
        allocator: Allocator<'_>, out: *mut vk::QueryPool) => out;
    v1_0 create_semaphore(device: vk::Device, info: *const vk::SemaphoreCreateInfo<'_>,
        allocator: Allocator<'_>, out: *mut vk::Semaphore) => out;
    v1_0 create_fence(device: vk::Device, info: *const vk::FenceCreateInfo<'_>,
        allocator: Allocator<'_>, out: *mut vk::Fence) => out;
    v1_0 create_shader_module(device: vk::Device, info: *const vk::ShaderModuleCreateInfo<'_>,
        allocator: Allocator<'_>, out: *mut vk::ShaderModule) => out;
    v1_0 create_pipeline_layout(device: vk::Device,
        info: *const vk::PipelineLayoutCreateInfo<'_>, allocator: Allocator<'_>,
        out: *mut vk::PipelineLayout) => out;
    v1_0 bind_buffer_memory(device: vk::Device, buffer: vk::Buffer, memory: vk::DeviceMemory,
        offset: vk::DeviceSize);
    v1_0 map_memory(device: vk::Device, memory: vk::DeviceMemory, offset: vk::DeviceSize,
        size: vk::DeviceSize, flags: vk::MemoryMapFlags, out: *mut *mut std::ffi::c_void);
    v1_0 allocate_command_buffers(device: vk::Device,
        info: *const vk::CommandBufferAllocateInfo<'_>, out: *mut vk::CommandBuffer);
    v1_0 begin_command_buffer(commands: vk::CommandBuffer,
        info: *const vk::CommandBufferBeginInfo<'_>);
    v1_0 end_command_buffer(commands: vk::CommandBuffer);
    v1_0 reset_command_buffer(commands: vk::CommandBuffer, flags: vk::CommandBufferResetFlags);
    v1_0 queue_wait_idle(queue: vk::Queue);
    v1_0 device_wait_idle(device: vk::Device);
    v1_0 get_query_pool_results(device: vk::Device, pool: vk::QueryPool, first: u32, count: u32,
        size: usize, data: *mut std::ffi::c_void, stride: vk::DeviceSize,
        flags: vk::QueryResultFlags);
    v1_0 get_pipeline_cache_data(device: vk::Device, cache: vk::PipelineCache, size: *mut usize,
        data: *mut std::ffi::c_void);
    v1_0 merge_pipeline_caches(device: vk::Device, target: vk::PipelineCache, count: u32,
        sources: *const vk::PipelineCache);
    v1_2 wait_semaphores(device: vk::Device, info: *const vk::SemaphoreWaitInfo<'_>,
        timeout: u64);
    v1_2 get_semaphore_counter_value(device: vk::Device, semaphore: vk::Semaphore,
        out: *mut u64);
}

unsafe extern "system" fn create_pipeline_cache(
    device: vk::Device,
    info: *const vk::PipelineCacheCreateInfo<'_>,
    allocator: Allocator<'_>,
    out: *mut vk::PipelineCache,
) -> vk::Result {
    if let Some(result) = refusal("create_pipeline_cache") {
        return result;
    }
    // SAFETY: the arguments are the caller's, to the same function.
    let result = unsafe { (real().v1_0.create_pipeline_cache)(device, info, allocator, out) };
    if result == vk::Result::SUCCESS {
        // SAFETY: a function that succeeds has written there; the data is as long as is said.
        let (cache, data) = unsafe {
            let (start, length) = ((*info).p_initial_data, (*info).initial_data_size);
            let data = match length {
                0 => Vec::new(),
                _ => std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec(),
            };
            ((*out).as_raw(), data)
        };
        made("create_pipeline_cache", cache);
        state(|state| state.caches.insert(cache, data));
    }
    result
}

unsafe extern "system" fn queue_submit(
    queue: vk::Queue,
    count: u32,
    infos: *const vk::SubmitInfo<'_>,
    fence: vk::Fence,
) -> vk::Result {
    if let Some(result) = refusal("queue_submit") {
        return result;
    }
    state(|state| {
        state.submissions += 1;
        state.submitting += 1;
    });
    // SAFETY: the arguments are the caller's, to the same function.
    let result = unsafe { (real().v1_0.queue_submit)(queue, count, infos, fence) };
    state(|state| state.submitting -= 1);
    result
}

unsafe extern "system" fn create_compute_pipelines(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    allocator: Allocator<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: the caller has room there for so many; a call that fails writes null where it
    // made none.
    let places = unsafe { std::slice::from_raw_parts_mut(out, count as usize) };
    if let Some(result) = refusal("create_compute_pipelines") {
        places.fill(vk::Pipeline::null());
        return result;
    }
    let (submissions, submitting) = state(|state| (state.submissions, state.submitting));
    // SAFETY: the arguments are the caller's, to the same function.
    let result = unsafe {
        (real().v1_0.create_compute_pipelines)(device, cache, count, infos, allocator, out)
    };
    let made_while_sending = state(|state| {
        state.used.push(cache.as_raw());
        submitting > 0 || state.submissions > submissions
    });
    for pipeline in places.iter().filter(|pipeline| !pipeline.is_null()) {
        made("create_compute_pipelines", pipeline.as_raw());
        if made_while_sending {
            state(|state| state.made_while_sending.insert(pipeline.as_raw()));
        }
    }
    result
}

/// Functions that destroy what another one made.
macro_rules! final_ones {
    ($($name:ident($ty:ty) of $maker:ident;)*) => {$(
        unsafe extern "system" fn $name(device: vk::Device, object: $ty, allocator: Allocator<'_>) {
            gone(stringify!($maker), object.as_raw());
            // SAFETY: the arguments are the caller's, to the same function.
            unsafe { (real().v1_0.$name)(device, object, allocator) };
        }
    )*};
}
final_ones! {
    destroy_buffer(vk::Buffer) of create_buffer;
    free_memory(vk::DeviceMemory) of allocate_memory;
    destroy_command_pool(vk::CommandPool) of create_command_pool;
    destroy_query_pool(vk::QueryPool) of create_query_pool;
    destroy_semaphore(vk::Semaphore) of create_semaphore;
    destroy_fence(vk::Fence) of create_fence;
    destroy_shader_module(vk::ShaderModule) of create_shader_module;
    destroy_pipeline_cache(vk::PipelineCache) of create_pipeline_cache;
    destroy_pipeline_layout(vk::PipelineLayout) of create_pipeline_layout;
    destroy_pipeline(vk::Pipeline) of create_compute_pipelines;
}

/// Waits for all that a device has to do.
pub(super) fn settle(device: vk::Device) {
    // SAFETY: the device is open; tests that have it lost use it in one thread.
    let _ = unsafe { (real().v1_0.device_wait_idle)(device) };
}

/// The device with these functions in the place of its own.
pub(super) fn replace(device: ash::Device) -> ash::Device {
    let (mut v1_0, mut v1_2) = (device.fp_v1_0().clone(), device.fp_v1_2().clone());
    let real = Real {
        v1_0: v1_0.clone(),
        v1_2: v1_2.clone(),
    };
    *REAL.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(real));
    macro_rules! replace {
        ($table:ident: $($name:ident)*) => {$($table.$name = $name;)*};
    }
    replace! { v1_0:
        create_buffer allocate_memory create_command_pool create_query_pool create_semaphore
        create_fence create_shader_module create_pipeline_cache create_pipeline_layout
        create_compute_pipelines bind_buffer_memory map_memory allocate_command_buffers
        begin_command_buffer end_command_buffer reset_command_buffer queue_submit queue_wait_idle device_wait_idle
        get_query_pool_results get_pipeline_cache_data merge_pipeline_caches
        destroy_buffer free_memory destroy_command_pool destroy_query_pool destroy_semaphore
        destroy_fence destroy_shader_module destroy_pipeline_cache destroy_pipeline_layout
        destroy_pipeline
    }
    replace!(v1_2: wait_semaphores get_semaphore_counter_value);
    ash::Device::from_parts_1_3(
        device.handle(),
        v1_0,
        device.fp_v1_1().clone(),
        v1_2,
        device.fp_v1_3().clone(),
    )
}
