//! What programs that use Vulkan themselves share with this crate: the device behind a stream,
//! its queue, and its buffers (C++ AMP §11).
//!
//! Everything that is given out is a plain handle, which only `unsafe` functions take. What
//! is taken in is an `unsafe` function's argument. Work of others is ordered with that of
//! a stream by its queue: what was launched has been sent before the queue is handed out.

use std::sync::Arc;

use ash::vk;

use super::buffer::Buffer;
use super::stream::Stream;
use crate::types::error::{Error, Result, times};

/// What the address of an array's first element is a multiple of.
const ALIGN: u64 = 16;

/// The Vulkan device behind an accelerator view: [`AcceleratorView::raw_device`](crate::AcceleratorView::raw_device).
///
/// The handles are alive as long as the view, or an array on it.
#[derive(Clone)]
#[non_exhaustive]
pub struct RawDevice<'v> {
    /// The instance, of Vulkan 1.2 or later.
    pub instance: &'v ash::Instance,
    /// The physical device.
    pub physical_device: vk::PhysicalDevice,
    /// The device, with `bufferDeviceAddress`, `timelineSemaphore` and `vulkanMemoryModel`, and,
    /// unless the program has opened it, with `VK_KHR_external_memory_fd` where it offers that.
    pub device: &'v ash::Device,
    /// The family of the view's queue.
    pub queue_family: u32,
    /// All families of which queues are used. If they are several, a buffer for
    /// [`Array::from_raw_buffer`](crate::Array::from_raw_buffer) is shared between them (`VK_SHARING_MODE_CONCURRENT`).
    pub queue_families: Vec<u32>,
}

/// The Vulkan buffer behind an array: [`Array::raw_buffer`](crate::Array::raw_buffer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RawBuffer {
    /// The buffer, of whose usages are storage buffer, transfer in both directions and
    /// device address. The elements start at its first byte.
    pub buffer: vk::Buffer,
    /// The address of its first byte on the device.
    pub address: vk::DeviceAddress,
    /// Bytes of the elements.
    pub bytes: u64,
}

impl Stream {
    /// The device behind the stream.
    pub(crate) fn raw_device(&self) -> RawDevice<'_> {
        let facts = &self.device.facts;
        RawDevice {
            instance: facts.instance.functions(),
            physical_device: facts.raw,
            device: self.device.functions(),
            queue_family: facts.family,
            queue_families: facts.families(),
        }
    }

    /// Sends everything, and hands the queue to `work` alone.
    pub(crate) fn with_raw_queue<R>(&self, work: impl FnOnce(vk::Queue) -> R) -> Result<R> {
        self.send_all()?;
        let queue = self.device.queue(self.queue);
        Ok(work(*queue))
    }

    /// Sends everything, and returns the handle of a buffer with `bytes` of elements.
    pub(crate) fn raw_buffer(&self, buffer: &Buffer, bytes: u64) -> Result<RawBuffer> {
        self.send_all()?;
        Ok(RawBuffer {
            buffer: buffer.raw,
            address: buffer.address(),
            bytes,
        })
    }

    /// An existing buffer as the memory of an array of this shape.
    ///
    /// # Safety
    ///
    /// As for [`Array::from_raw_buffer`](crate::Array::from_raw_buffer).
    pub(crate) unsafe fn foreign_buffer(
        &self,
        shape: &[usize],
        bytes: u64,
        buffer: vk::Buffer,
    ) -> Result<Arc<Buffer>> {
        let invalid = |what: String| {
            let elements = times(shape);
            Err(Error::InvalidArgument(format!(
                "the buffer for an array of {elements} elements {what}"
            )))
        };
        if buffer == vk::Buffer::null() {
            return invalid("is null; pass a buffer of the view's device".into());
        }
        // SAFETY: the buffer is of the device (contract).
        let has = unsafe { self.device.raw().get_buffer_memory_requirements(buffer) }.size;
        if has < bytes {
            return invalid(format!(
                "has {has} bytes where {bytes} are needed; pass a larger one, or a smaller extent"
            ));
        }
        // SAFETY: by contract, and it is large enough.
        let buffer = unsafe { Buffer::foreign(&self.device, buffer, bytes) };
        if !buffer.address().is_multiple_of(ALIGN) {
            return invalid(format!(
                "starts at {:#x}; bind it at a multiple of {ALIGN} bytes",
                buffer.address()
            ));
        }
        Ok(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::discrete_adapters;
    use super::super::{gate, validation_messages};
    use super::*;
    use crate::device::accelerator::view::Backend;
    use crate::{Accelerator, QueuingMode};
    use crate::{AcceleratorView, Array};

    fn views() -> Vec<AcceleratorView> {
        let all = Accelerator::all().into_iter();
        let devices = all.filter(|accelerator| *accelerator != Accelerator::cpu());
        let view = |accelerator: Accelerator| accelerator.create_view(QueuingMode::Automatic);
        devices
            .map(|accelerator| view(accelerator).unwrap())
            .collect()
    }

    /// A buffer of our own in memory that the host sees, with the mapping of that.
    fn own_buffer(raw: &RawDevice<'_>, bytes: u64) -> (vk::Buffer, vk::DeviceMemory, *mut u32) {
        use vk::BufferUsageFlags as Usage;
        let mut info = vk::BufferCreateInfo::default().size(bytes).usage(
            Usage::STORAGE_BUFFER
                | Usage::TRANSFER_SRC
                | Usage::TRANSFER_DST
                | Usage::SHADER_DEVICE_ADDRESS,
        );
        if raw.queue_families.len() > 1 {
            info = info
                .sharing_mode(vk::SharingMode::CONCURRENT)
                .queue_family_indices(&raw.queue_families);
        }
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        // SAFETY: plain calls with live handles; the memory fits the requirements.
        unsafe {
            let buffer = raw.device.create_buffer(&info, None).unwrap();
            let needs = raw.device.get_buffer_memory_requirements(buffer);
            let memory = raw
                .instance
                .get_physical_device_memory_properties(raw.physical_device);
            let kind = (0..memory.memory_type_count)
                .find(|&kind| {
                    needs.memory_type_bits & (1 << kind) != 0
                        && memory.memory_types[kind as usize]
                            .property_flags
                            .contains(wanted)
                })
                .unwrap();
            let mut flags = vk::MemoryAllocateFlagsInfo::default()
                .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(kind)
                .push_next(&mut flags);
            let memory = raw.device.allocate_memory(&info, None).unwrap();
            raw.device.bind_buffer_memory(buffer, memory, 0).unwrap();
            let map = raw
                .device
                .map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
            (buffer, memory, map.unwrap().cast())
        }
    }

    #[test]
    fn arrays_are_over_buffers_of_others() {
        for view in views() {
            let raw = view.raw_device().unwrap();
            let (buffer, memory, mapped) = own_buffer(&raw, 4096);
            // SAFETY: the mapping has 1024 numbers, and nothing uses the buffer yet.
            let numbers = unsafe { std::slice::from_raw_parts_mut(mapped, 1024) };
            for (number, value) in numbers.iter_mut().zip(0..) {
                *number = value;
            }
            // SAFETY: as the function wants; the buffer is destroyed below.
            let array = unsafe { Array::<u32, 2>::from_raw_buffer(&view, [32, 32], buffer) };
            let mut array = array.unwrap();
            assert!(array.to_vec().unwrap().into_iter().eq(0..1024), "{view}");
            assert_eq!(array.raw_buffer().unwrap().buffer, buffer);
            assert_eq!(array.raw_buffer().unwrap().bytes, 4096);
            array.copy_from(&[7; 1024]).unwrap();
            view.wait().unwrap();
            // SAFETY: the work is at rest.
            unsafe { mapped.add(5).write(9) };
            array.view_mut().refresh();
            let found = array.to_vec().unwrap();
            assert_eq!((found[4], found[5], found[1023]), (7, 9, 7), "{view}");
            drop(array);
            view.wait().unwrap();
            // SAFETY: nothing uses them any more.
            unsafe {
                raw.device.destroy_buffer(buffer, None);
                raw.device.free_memory(memory, None);
            }
        }
        assert_eq!(validation_messages(), 0);
    }

    #[test]
    fn buffers_that_do_not_fit_are_refused() {
        for view in views() {
            let raw = view.raw_device().unwrap();
            let (buffer, memory, _) = own_buffer(&raw, 4096);
            // SAFETY: no array is made.
            let small = unsafe { Array::<f64, 1>::from_raw_buffer(&view, 100_000, buffer) };
            let text = small.unwrap_err().to_string();
            assert!(text.contains("where 800000 are needed"), "{text}");
            // SAFETY: as above.
            let null = unsafe { Array::<f64, 1>::from_raw_buffer(&view, 1, vk::Buffer::null()) };
            assert!(null.unwrap_err().to_string().contains("is null"));
            // SAFETY: as above.
            let empty = unsafe { Array::<f64, 1>::from_raw_buffer(&view, 0, buffer) };
            assert!(matches!(empty, Err(Error::InvalidExtent(_))));
            let cpu = Accelerator::cpu_view();
            // SAFETY: as above.
            let none = unsafe { Array::<f64, 1>::from_raw_buffer(&cpu, 1, buffer) };
            assert!(matches!(none, Err(Error::UnsupportedFeature(_))));
            let array = Array::<u32, 1>::builder(4).on(&cpu).build().unwrap();
            assert!(matches!(
                array.raw_buffer(),
                Err(Error::UnsupportedFeature(_))
            ));
            // SAFETY: nothing uses them.
            unsafe {
                raw.device.destroy_buffer(buffer, None);
                raw.device.free_memory(memory, None);
            }
        }
        assert_eq!(validation_messages(), 0);
    }

    /// Large transfers go beside the kernels, maybe on another queue. Code that is given a buffer or
    /// the queue finds them before what it submits.
    #[test]
    fn others_come_behind_large_transfers() {
        for adapter in discrete_adapters() {
            let view = Accelerator::new_vulkan(adapter)
                .create_view(QueuingMode::Automatic)
                .unwrap();
            let data = vec![7_u8; 9 << 20];
            let mut array = Array::builder(data.len())
                .on(&view)
                .data(&data)
                .build()
                .unwrap();
            let Backend::Vulkan(stream) = view.backend() else {
                unreachable!("it is a device's");
            };
            let beside = || stream.lock().unwrap().cross_stream_uses.len();
            assert_eq!(beside(), 1);
            array.raw_buffer().unwrap();
            assert_eq!(beside(), 0, "the buffer is given out");
            array.copy_from(&data).unwrap();
            assert_eq!(beside(), 1);
            view.with_raw_queue(|_| ()).unwrap();
            assert_eq!(beside(), 0, "the queue is given out");
        }
        assert_eq!(validation_messages(), 0);
    }

    /// Commands of our own on the view's queue, in order with its work.
    #[test]
    fn others_work_on_buffers_of_arrays() {
        for view in views() {
            let raw = view.raw_device().unwrap();
            let mut array = Array::<u32, 1>::builder(100).on(&view).build().unwrap();
            array.copy_from(&[1; 100]).unwrap();
            let target = array.raw_buffer().unwrap();
            let pool = vk::CommandPoolCreateInfo::default().queue_family_index(raw.queue_family);
            // SAFETY: live handles; the range is within the buffer; all is complete before the
            // array is used again and the pool destroyed.
            unsafe {
                let pool = raw.device.create_command_pool(&pool, None).unwrap();
                let info = vk::CommandBufferAllocateInfo::default()
                    .command_pool(pool)
                    .command_buffer_count(1);
                let commands = raw.device.allocate_command_buffers(&info).unwrap();
                let begin = vk::CommandBufferBeginInfo::default();
                raw.device
                    .begin_command_buffer(commands[0], &begin)
                    .unwrap();
                let barrier = [vk::MemoryBarrier::default()
                    .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
                    .dst_access_mask(vk::AccessFlags::TRANSFER_WRITE)];
                raw.device.cmd_pipeline_barrier(
                    commands[0],
                    vk::PipelineStageFlags::ALL_COMMANDS,
                    vk::PipelineStageFlags::TRANSFER,
                    vk::DependencyFlags::empty(),
                    &barrier,
                    &[],
                    &[],
                );
                raw.device
                    .cmd_fill_buffer(commands[0], target.buffer, 40, 80, 3);
                raw.device.end_command_buffer(commands[0]).unwrap();
                let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
                let submitted = view.with_raw_queue(|queue| {
                    raw.device.queue_submit(queue, &submit, vk::Fence::null())?;
                    raw.device.queue_wait_idle(queue)
                });
                submitted.unwrap().unwrap();
                let _alone = gate::alone();
                raw.device.destroy_command_pool(pool, None);
            }
            array.view_mut().refresh();
            let found = array.to_vec().unwrap();
            assert_eq!(found[..10], [1; 10], "{view}");
            assert_eq!(found[10..30], [3; 20], "{view}");
            assert_eq!(found[30..], [1; 70], "{view}");
        }
        assert_eq!(validation_messages(), 0);
    }
}
