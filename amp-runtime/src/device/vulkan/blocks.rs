//! Blocks of a device's memory, and the parts of them that buffers have.
//!
//! gpu-allocator cuts blocks into parts. An allocator of it keeps its last block of each type
//! of memory, with nothing in it too, as long as it lives. So each type has two of them here:
//! one for small parts, which share blocks, and one for large ones, each of which gets a block
//! that goes with it. The first has nothing but shared blocks: when no part is left, it
//! goes as a whole ([`Blocks::trim`]), and all that is kept goes with it.

use std::collections::BTreeMap;

use ash::vk;
use gpu_allocator::vulkan::{
    Allocation, AllocationCreateDesc, AllocationScheme, Allocator, AllocatorCreateDesc,
};
use gpu_allocator::{AllocationError, AllocationSizes, AllocatorDebugSettings, MemoryLocation};

use super::facts::Facts;

const MIB: u64 = 1 << 20;
/// Bytes of the first shared block of a type of memory; later ones are larger. What is larger
/// than that is large.
const DEVICE_BLOCK: u64 = 16 * MIB;
/// The same for memory that the host sees.
const HOST_BLOCK: u64 = 4 * MIB;

/// All blocks of a device.
pub(super) struct Blocks {
    device: ash::Device,
    /// By type of memory, and whether they are for large parts.
    allocators: BTreeMap<(u32, bool), Allocator>,
    /// Bytes of memory that is no block, by its type.
    apart: BTreeMap<u32, u64>,
}

/// Part of a block, or all of it. It does not know when it is not used any more:
/// [`Blocks::free`] has to be told.
pub(super) struct Part {
    allocation: Allocation,
    of: (u32, bool),
}

impl Blocks {
    pub(super) fn new(device: &ash::Device) -> Self {
        Self {
            device: device.clone(),
            allocators: BTreeMap::new(),
            apart: BTreeMap::new(),
        }
    }

    /// A part for these requirements in a type of memory that they allow.
    pub(super) fn allocate(
        &mut self,
        facts: &Facts,
        memory_type: u32,
        requirements: vk::MemoryRequirements,
        allocation_scheme: AllocationScheme,
    ) -> Result<Part, AllocationError> {
        let block = match facts.memory.is_seen_by_host(memory_type) {
            true => HOST_BLOCK,
            false => DEVICE_BLOCK,
        };
        let is_large =
            requirements.size > block || allocation_scheme != AllocationScheme::GpuAllocatorManaged;
        let of = (memory_type, is_large);
        if !self.allocators.contains_key(&of) {
            let new = Allocator::new(&AllocatorCreateDesc {
                instance: facts.instance.functions().clone(),
                device: self.device.clone(),
                physical_device: facts.raw,
                debug_settings: AllocatorDebugSettings::default(),
                buffer_device_address: true,
                allocation_sizes: AllocationSizes::new(DEVICE_BLOCK, HOST_BLOCK)
                    .with_max_device_memblock_size(256 * MIB)
                    .with_max_host_memblock_size(64 * MIB),
            })?;
            self.allocators.insert(of, new);
        }
        let Some(allocator) = self.allocators.get_mut(&of) else {
            unreachable!("inserted above")
        };
        let allocation = allocator.allocate(&AllocationCreateDesc {
            name: "amp",
            requirements: vk::MemoryRequirements {
                memory_type_bits: 1 << memory_type,
                ..requirements
            },
            // The type has been chosen.
            location: MemoryLocation::Unknown,
            linear: true,
            allocation_scheme,
        })?;
        Ok(Part { allocation, of })
    }

    /// Takes back a part that is not used any more.
    pub(super) fn free(&mut self, part: Part) {
        if let Some(allocator) = self.allocators.get_mut(&part.of) {
            // A part that the allocator does not know cannot be freed; nothing else follows
            // from it.
            let _ = allocator.free(part.allocation);
        }
    }

    /// Counts memory that a buffer has beside the blocks.
    pub(super) fn add_apart(&mut self, memory_type: u32, bytes: u64) {
        *self.apart.entry(memory_type).or_default() += bytes;
    }

    /// Counts such memory no more.
    pub(super) fn remove_apart(&mut self, memory_type: u32, bytes: u64) {
        if let Some(apart) = self.apart.get_mut(&memory_type) {
            *apart -= bytes;
        }
    }

    /// Gives all blocks back to the driver of which no part is used. Returns their bytes.
    pub(super) fn trim(&mut self) -> u64 {
        let mut bytes = 0;
        self.allocators.retain(|_, allocator| {
            let report = allocator.generate_report();
            let is_used = report.total_allocated_bytes > 0;
            if !is_used {
                bytes += report.total_capacity_bytes;
            }
            is_used
        });
        bytes
    }

    /// Gives all blocks back, used or not.
    pub(super) fn clear(&mut self) {
        self.allocators.clear();
    }

    /// Bytes of all blocks, and bytes of parts; both with memory beside them.
    pub(super) fn bytes(&self) -> (u64, u64) {
        let reports = self.allocators.values().map(Allocator::generate_report);
        let apart = self.apart.values().sum();
        reports.fold((apart, apart), |(blocks, parts), report| {
            (
                blocks + report.total_capacity_bytes,
                parts + report.total_allocated_bytes,
            )
        })
    }

    /// Bytes of all blocks of the types for which that is so.
    pub(super) fn bytes_of(&self, is_it: impl Fn(u32) -> bool) -> u64 {
        let of = self.allocators.iter().filter(|((of, _), _)| is_it(*of));
        let blocks: u64 = of.map(|(_, allocator)| allocator.capacity()).sum();
        let apart = self.apart.iter().filter(|(of, _)| is_it(**of));
        blocks + apart.map(|(_, bytes)| bytes).sum::<u64>()
    }
}

impl Part {
    /// The memory that it is part of.
    ///
    /// # Safety
    ///
    /// It is not freed, and what is bound to it is not changed.
    pub(super) unsafe fn memory(&self) -> vk::DeviceMemory {
        // SAFETY: by contract.
        unsafe { self.allocation.memory() }
    }

    /// Where it starts.
    pub(super) fn offset(&self) -> u64 {
        self.allocation.offset()
    }

    /// It as the host sees it, if the host does.
    pub(super) fn mapped(&self) -> Option<std::ptr::NonNull<u8>> {
        Some(self.allocation.mapped_ptr()?.cast())
    }
}

/// Whether an error of the allocator says that there is no memory left: that of the device,
/// or that of the host, for which it has but words, or that the driver counts allocations and
/// makes no more, or that none of it can be shown to the host.
pub(super) fn shortage(error: &AllocationError) -> Option<vk::Result> {
    use vk::Result as R;
    let says = |text: &str, result: R| {
        text.ends_with(&format!("{result:?}")) || text == result.to_string()
    };
    match error {
        AllocationError::OutOfMemory => Some(R::ERROR_OUT_OF_DEVICE_MEMORY),
        AllocationError::Internal(text) | AllocationError::FailedToMap(text) => {
            let shortages = [
                R::ERROR_OUT_OF_HOST_MEMORY,
                R::ERROR_OUT_OF_DEVICE_MEMORY,
                R::ERROR_TOO_MANY_OBJECTS,
                R::ERROR_MEMORY_MAP_FAILED,
            ];
            shortages.into_iter().find(|result| says(text, *result))
        }
        _ => None,
    }
}
