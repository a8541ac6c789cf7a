//! Memory that other programs and other devices' drivers can use: exported as a file descriptor
//! (`VK_KHR_external_memory_fd`).
//!
//! An exportable array is in a buffer with memory of its own, which no other array gets
//! afterwards. The host does not see it: a holder of the descriptor may write to the memory at
//! any time, which must not be under a reference of ours. So only the device accesses it,
//! and what it then reads are some bytes, which are an element of any type.

use std::sync::Arc;

use ash::{khr, vk};

use super::buffer::Buffer;
use super::exportable::{Exportable, KIND};
use super::facts::Facts;
use super::memory::Purpose;
use super::stream::Stream;
use crate::types::error::{Error, Result};

/// Refuses to make exportable buffers on a device that cannot.
fn check(facts: &Facts) -> Result<()> {
    let refuse = |why: &str| {
        Err(Error::UnsupportedFeature(format!(
            "arrays on {} cannot be exported, for {why}; copy their elements, or use another \
             accelerator",
            facts.name
        )))
    };
    if !facts.enabled.has(khr::external_memory_fd::NAME) {
        return refuse("the device was opened without VK_KHR_external_memory_fd");
    }
    let info = vk::PhysicalDeviceExternalBufferInfo::default()
        .usage(Buffer::USAGE)
        .handle_type(KIND);
    let mut offered = vk::ExternalBufferProperties::default();
    // SAFETY: the device is of this instance.
    unsafe {
        facts
            .instance
            .raw()
            .get_physical_device_external_buffer_properties(facts.raw, &info, &mut offered);
    }
    let does = offered.external_memory_properties.external_memory_features;
    match does.contains(vk::ExternalMemoryFeatureFlags::EXPORTABLE) {
        true => Ok(()),
        false => refuse("its driver does not export buffers"),
    }
}

impl Buffer {
    /// A buffer that can be exported.
    fn exportable(stream: &Stream, bytes: u64) -> Result<Arc<Self>> {
        let device = &stream.device;
        let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(KIND);
        let mut buffer = Self::unbound(device, bytes, Purpose::Data, Some(&mut external))?;
        let memory = Exportable::new(device, buffer.raw, bytes)?;
        // SAFETY: it was allocated for the buffer.
        unsafe { buffer.bind_own(memory) }?;
        Ok(Arc::new(buffer.counted(&stream.pool)))
    }
}

impl Stream {
    /// A buffer that can be exported, which the host does not see.
    pub(crate) fn allocate_exportable(&self, bytes: u64) -> Result<Arc<Buffer>> {
        self.timeline.check()?;
        check(&self.device.facts)?;
        let bytes = bytes.next_multiple_of(4);
        match Buffer::exportable(self, bytes) {
            Err(Error::OutOfMemory { .. }) if bytes <= self.device.facts.memory.largest_buffer => {
                // What only commands hold that are under way is free when they are done.
                self.trim()?;
                Buffer::exportable(self, bytes)
            }
            result => result,
        }
    }
}

#[cfg(unix)]
mod fd {
    use std::os::fd::{FromRawFd, OwnedFd};

    use ash::{khr, vk};

    use crate::device::vulkan::buffer::Buffer;
    use crate::device::vulkan::exportable::{Exportable, KIND};
    use crate::device::vulkan::gate;
    use crate::device::vulkan::stream::Stream;
    use crate::types::error::Result;

    /// The memory of an array as a file descriptor, with what must be known to import it:
    /// [`Array::export_fd`](crate::Array::export_fd).
    ///
    /// The importer makes a buffer of the same size, usages and queue families, for memory of the
    /// type `VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT`, and imports the memory for it alone
    /// (`VkMemoryDedicatedAllocateInfo`; `cudaExternalMemoryDedicated`), with the flag for device
    /// addresses.
    #[derive(Debug)]
    #[non_exhaustive]
    pub struct ExportedMemory {
        /// The memory. Vulkan and CUDA take it over when they import it.
        pub fd: OwnedFd,
        /// Bytes of the memory.
        pub allocation_size: u64,
        /// The number of its type, which is that of the same physical device everywhere.
        pub memory_type: u32,
        /// Where the elements start in it, in bytes.
        pub offset: u64,
        /// Bytes of the elements.
        pub bytes: u64,
        /// Size of the buffer, in bytes.
        pub buffer_size: u64,
        /// Usages of the buffer.
        pub usage: vk::BufferUsageFlags,
        /// The families of queues that the buffer is shared between
        /// (`VK_SHARING_MODE_CONCURRENT`) if they are several.
        pub queue_families: Vec<u32>,
        /// Which device it is: the importer's has the same.
        pub device_uuid: [u8; vk::UUID_SIZE],
        /// Which driver it is: the importer's has the same.
        pub driver_uuid: [u8; vk::UUID_SIZE],
    }

    impl Stream {
        /// Exports the memory of a buffer with `bytes` of elements.
        pub(crate) fn export_fd(
            &self,
            own: Exportable,
            buffer_size: u64,
            bytes: u64,
        ) -> Result<ExportedMemory> {
            let device = &self.device;
            let facts = &device.facts;
            let mut ids = vk::PhysicalDeviceIDProperties::default();
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut ids);
            let functions = khr::external_memory_fd::Device::new(
                facts.instance.functions(),
                device.functions(),
            );
            let info = vk::MemoryGetFdInfoKHR::default()
                .memory(own.memory)
                .handle_type(KIND);
            let _inside = gate::enter();
            // SAFETY: the device is of this instance; the extension is enabled, and the memory
            // was allocated to be exported so.
            let fd = unsafe {
                (facts.instance.raw()).get_physical_device_properties2(facts.raw, &mut properties);
                functions.get_memory_fd(&info)
            };
            let fd = fd.map_err(|result| device.error("exporting memory", result))?;
            Ok(ExportedMemory {
                // SAFETY: the driver has made it for the caller.
                fd: unsafe { OwnedFd::from_raw_fd(fd) },
                allocation_size: own.size,
                memory_type: own.memory_type,
                offset: 0,
                bytes,
                buffer_size,
                usage: Buffer::USAGE,
                queue_families: facts.families(),
                device_uuid: ids.device_uuid,
                driver_uuid: ids.driver_uuid,
            })
        }
    }
}

#[cfg(unix)]
pub use fd::ExportedMemory;
