//! What memory a device has, and what is left of it.

use ash::{ext, vk};

use super::instance::Instance;
use crate::types::memory::HeapReport;

/// What a buffer is for, and so which memory it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Data of arrays and views.
    Data,
    /// Argument blocks: written by the host, read by every thread of a kernel.
    Arguments,
    /// Bytes on their way: written by one side, read once by the other.
    Staging,
}

/// The memory of a physical device.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    heaps: Vec<vk::MemoryHeap>,
    types: Vec<vk::MemoryType>,
    /// Whether the driver says how much of it is left.
    has_budget: bool,
    /// Bytes of a buffer at most.
    pub(super) largest_buffer: u64,
    /// Bytes that the driver promises to allocate at once, if there are as many. It may do
    /// with more: NVIDIA's promises 4 GiB and gives all that there is.
    pub(super) promised: u64,
}

impl Memory {
    /// What `raw` has, of which Vulkan `version` is used and which offers these extensions.
    pub(super) fn new(
        instance: &Instance,
        raw: vk::PhysicalDevice,
        version: u32,
        offered: &[vk::ExtensionProperties],
    ) -> Self {
        let mut limits = vk::PhysicalDeviceMaintenance3Properties::default();
        let mut buffers = vk::PhysicalDeviceMaintenance4Properties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut limits);
        if version >= vk::API_VERSION_1_3 {
            properties = properties.push_next(&mut buffers);
        }
        // SAFETY: the device is of this instance, and its version knows the structures; so
        // for the calls below.
        let memory = unsafe {
            instance
                .raw()
                .get_physical_device_properties2(raw, &mut properties);
            instance.raw().get_physical_device_memory_properties(raw)
        };
        let is_budget = |extension: &vk::ExtensionProperties| {
            extension.extension_name_as_c_str() == Ok(ext::memory_budget::NAME)
        };
        Self {
            heaps: memory.memory_heaps_as_slice().to_vec(),
            types: memory.memory_types_as_slice().to_vec(),
            has_budget: offered.iter().any(is_budget),
            largest_buffer: match buffers.max_buffer_size {
                0 => u64::MAX,
                most => most,
            },
            promised: limits.max_memory_allocation_size,
        }
    }

    /// Bytes of the heap that data is in: the largest of the device's own.
    pub(super) fn data_heap(&self) -> u64 {
        self.main_heap().map_or(0, |heap| self.heaps[heap].size)
    }

    fn main_heap(&self) -> Option<usize> {
        let is_local = |heap: usize| {
            self.heaps[heap]
                .flags
                .contains(vk::MemoryHeapFlags::DEVICE_LOCAL)
        };
        (0..self.heaps.len()).max_by_key(|&heap| (is_local(heap), self.heaps[heap].size))
    }

    /// The types of memory for buffers of a purpose, the best first: of those in `allowed`,
    /// a bit for each. `unified` says that the device works in the host's memory.
    pub(super) fn types_for(&self, purpose: Purpose, unified: bool, allowed: u32) -> Vec<u32> {
        use vk::MemoryPropertyFlags as Flags;
        let mapped = Flags::HOST_VISIBLE | Flags::HOST_COHERENT;
        let is_on_device = purpose == Purpose::Data && !unified;
        let wanted = match purpose {
            // Where the host sees all of it, which many devices have as a type of its own.
            Purpose::Data if !unified => [mapped | Flags::DEVICE_LOCAL, Flags::DEVICE_LOCAL],
            Purpose::Arguments => [mapped | Flags::DEVICE_LOCAL, mapped],
            // Memory that the host's caches see: also the better side to copy from.
            Purpose::Data | Purpose::Staging => [mapped | Flags::HOST_CACHED, mapped],
        };
        let main = self.main_heap();
        let first = wanted.into_iter().filter_map(|wanted| {
            let types = (0..).zip(&self.types);
            let mut fitting = types.filter(|(number, memory_type)| {
                allowed >> number & 1 == 1
                    && memory_type.property_flags.contains(wanted)
                    // Not a small window into it.
                    && (!is_on_device || main == Some(memory_type.heap_index as usize))
            });
            fitting.next().map(|(number, _)| number)
        });
        let mut types: Vec<u32> = first.collect();
        types.dedup();
        types
    }

    /// Whether the host sees memory of a type.
    pub(super) fn is_seen_by_host(&self, memory_type: u32) -> bool {
        self.types[memory_type as usize]
            .property_flags
            .contains(vk::MemoryPropertyFlags::HOST_VISIBLE)
    }

    /// The heap that memory of a type is of.
    pub(super) fn heap_of(&self, memory_type: u32) -> usize {
        self.types[memory_type as usize].heap_index as usize
    }

    /// The heaps as they are now.
    pub(super) fn report(&self, instance: &Instance, raw: vk::PhysicalDevice) -> Vec<HeapReport> {
        let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
        let mut memory = vk::PhysicalDeviceMemoryProperties2::default();
        if self.has_budget {
            memory = memory.push_next(&mut budget);
        }
        // SAFETY: the device is of this instance and knows the structures.
        unsafe {
            instance
                .raw()
                .get_physical_device_memory_properties2(raw, &mut memory)
        };
        let heaps = self
            .heaps
            .iter()
            .zip(budget.heap_budget)
            .zip(budget.heap_usage);
        let report = |((heap, budget), used): ((&vk::MemoryHeap, u64), u64)| HeapReport {
            bytes: heap.size,
            is_local: heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL),
            budget: self.has_budget.then_some(budget),
            used: self.has_budget.then_some(used),
        };
        heaps.map(report).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    /// A card with a window into its memory, as most have them: a heap of its own, one of the
    /// host's, and the window.
    fn card() -> Memory {
        use vk::MemoryPropertyFlags as Flags;
        let heap = |size, flags| vk::MemoryHeap { size, flags };
        let of = |heap_index, property_flags| vk::MemoryType {
            heap_index,
            property_flags,
        };
        let mapped = Flags::HOST_VISIBLE | Flags::HOST_COHERENT;
        Memory {
            heaps: vec![
                heap(24 * GIB, vk::MemoryHeapFlags::DEVICE_LOCAL),
                heap(64 * GIB, vk::MemoryHeapFlags::empty()),
                heap(GIB / 4, vk::MemoryHeapFlags::DEVICE_LOCAL),
            ],
            types: vec![
                of(1, Flags::empty()),
                of(0, Flags::DEVICE_LOCAL),
                of(1, mapped),
                of(1, mapped | Flags::HOST_CACHED),
                of(2, mapped | Flags::DEVICE_LOCAL),
            ],
            has_budget: false,
            largest_buffer: u64::MAX,
            promised: u64::MAX,
        }
    }

    #[test]
    fn each_purpose_has_its_memory() {
        let card = card();
        let types = |purpose, allowed| card.types_for(purpose, false, allowed);
        assert_eq!(types(Purpose::Data, u32::MAX), [1]);
        assert_eq!(types(Purpose::Arguments, u32::MAX), [4, 2], "or the host's");
        assert_eq!(types(Purpose::Staging, u32::MAX), [3, 2]);
        assert_eq!(types(Purpose::Staging, 0b10111), [2]);
        assert_eq!(types(Purpose::Data, 0b01101), [0; 0]);
        assert_eq!(card.types_for(Purpose::Data, true, u32::MAX), [3, 2]);
        let heaps = types(Purpose::Arguments, u32::MAX).into_iter();
        assert_eq!(heaps.map(|it| card.heap_of(it)).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(card.data_heap(), 24 * GIB);
    }

    /// A card whose memory the host sees all of.
    #[test]
    fn data_is_where_the_host_sees_it() {
        let mut card = card();
        card.types[4].heap_index = 0;
        assert_eq!(card.types_for(Purpose::Data, false, u32::MAX), [4, 1]);
        assert_eq!(card.types_for(Purpose::Data, false, 0b01111), [1]);
    }
}
