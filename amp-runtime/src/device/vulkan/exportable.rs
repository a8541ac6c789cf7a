//! Memory that can be exported, of one buffer each.

use ash::vk;

use super::device::Device;
use super::memory::Purpose;
use crate::types::error::{Error, Result};

/// What it is exported as.
pub(super) const KIND: vk::ExternalMemoryHandleTypeFlags =
    vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;

/// Memory of one buffer alone. It does not know when it is not used any more.
#[derive(Clone, Copy)]
pub(crate) struct Exportable {
    pub(super) memory: vk::DeviceMemory,
    /// Its bytes.
    pub(super) size: u64,
    pub(super) memory_type: u32,
}

impl Exportable {
    /// Memory for a buffer, to which it is bound then.
    pub(super) fn new(device: &Device, buffer: vk::Buffer, bytes: u64) -> Result<Self> {
        // SAFETY: the buffer is alive.
        let needs = unsafe { device.raw().get_buffer_memory_requirements(buffer) };
        let types = (device.facts.memory).types_for(Purpose::Data, false, needs.memory_type_bits);
        // Others need not see it.
        let Some(&memory_type) = types.last() else {
            return Err(Error::Driver {
                operation: "allocating a buffer",
                reason: "the device has no memory of its own that can be exported".into(),
            });
        };
        let mut flags =
            vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut alone = vk::MemoryDedicatedAllocateInfo::default().buffer(buffer);
        let mut export = vk::ExportMemoryAllocateInfo::default().handle_types(KIND);
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(memory_type)
            .push_next(&mut flags)
            .push_next(&mut alone)
            .push_next(&mut export);
        // SAFETY: the type is allowed, and the extension enabled.
        let allocate = || unsafe { device.raw().allocate_memory(&info, None) };
        let is_short = |made: &Result<_, vk::Result>| {
            made.err() == Some(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY)
        };
        let mut made = allocate();
        if is_short(&made) && device.trim() {
            made = allocate();
        }
        let memory = made.map_err(|result| match result {
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => device.out_of_memory(bytes, Purpose::Data),
            _ => device.error("allocating a buffer", result),
        })?;
        let made = Self {
            memory,
            size: needs.size,
            memory_type,
        };
        device.blocks().add_apart(memory_type, needs.size);
        Ok(made)
    }

    /// Frees it.
    ///
    /// # Safety
    ///
    /// It is of the device, and nothing in this process uses it.
    pub(super) unsafe fn free(self, device: &Device) {
        device.blocks().remove_apart(self.memory_type, self.size);
        // SAFETY: by contract.
        unsafe { device.raw().free_memory(self.memory, None) };
    }
}
