//! What memory a device has, what is left of it, and the reports of that.

use ash::{ext, vk};

use super::adapter::Adapter;
use super::device::Device;
use super::instance::Instance;
use super::stream::Stream;
use crate::error::Result;
use crate::memory::{HeapReport, MemoryReport};

/// The memory of a physical device.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    heaps: Vec<vk::MemoryHeap>,
    /// Whether the driver says how much of it is left.
    has_budget: bool,
    /// Bytes of a buffer at most.
    pub(super) largest_buffer: u64,
}

impl Memory {
    /// What `raw` has, of which Vulkan `version` is used.
    pub(super) fn new(instance: &Instance, raw: vk::PhysicalDevice, version: u32) -> Self {
        let mut limits = vk::PhysicalDeviceMaintenance3Properties::default();
        let mut buffers = vk::PhysicalDeviceMaintenance4Properties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut limits);
        if version >= vk::API_VERSION_1_3 {
            properties = properties.push_next(&mut buffers);
        }
        // SAFETY: the device is of this instance, and its version knows the structures; so
        // for the calls below.
        let (memory, extensions) = unsafe {
            instance
                .raw
                .get_physical_device_properties2(raw, &mut properties);
            (
                instance.raw.get_physical_device_memory_properties(raw),
                instance.raw.enumerate_device_extension_properties(raw),
            )
        };
        let is_budget = |extension: &vk::ExtensionProperties| {
            extension.extension_name_as_c_str() == Ok(ext::memory_budget::NAME)
        };
        let largest = limits.max_memory_allocation_size;
        Self {
            heaps: memory.memory_heaps_as_slice().to_vec(),
            has_budget: extensions.unwrap_or_default().iter().any(is_budget),
            largest_buffer: match buffers.max_buffer_size {
                0 => largest,
                most => largest.min(most),
            },
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

    /// The heaps as they are now.
    fn report(&self, instance: &Instance, raw: vk::PhysicalDevice) -> Vec<HeapReport> {
        let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
        let mut memory = vk::PhysicalDeviceMemoryProperties2::default();
        if self.has_budget {
            memory = memory.push_next(&mut budget);
        }
        // SAFETY: the device is of this instance and knows the structures.
        unsafe {
            instance
                .raw
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

impl Device {
    /// Bytes that a new buffer can have, as far as that can be told.
    pub(super) fn available(&self) -> Option<u64> {
        let memory = &self.facts.memory;
        let heaps = memory.report(&self.facts.instance, self.facts.raw);
        let heap = heaps.get(memory.main_heap()?)?;
        let used = || self.with_allocator(|allocator| allocator.capacity());
        let left = match (heap.budget(), heap.used()) {
            (Some(budget), Some(used)) => budget.saturating_sub(used),
            _ => heap.bytes().saturating_sub(used().unwrap_or_default()),
        };
        Some(left.min(memory.largest_buffer))
    }
}

impl Adapter {
    /// The device's memory and what all its views have of it.
    pub(crate) fn memory(&self) -> MemoryReport {
        let facts = &self.facts;
        let mut report = MemoryReport {
            name: facts.name.clone(),
            allocated: 0,
            in_use: 0,
            pooled: 0,
            largest: 0,
            heaps: facts.memory.report(&facts.instance, facts.raw),
        };
        if let Some(device) = self.opened() {
            let blocks = device.with_allocator(|allocator| allocator.generate_report());
            let (used, pooled) = device.pools.report();
            let (allocated, parts) = blocks.map_or((0, 0), |blocks| {
                (blocks.total_capacity_bytes, blocks.total_allocated_bytes)
            });
            report.allocated = allocated;
            report.in_use = parts.saturating_sub(pooled);
            report.pooled = pooled;
            report.largest = used.largest();
        }
        report
    }
}

impl Stream {
    /// What the stream's buffers take.
    pub(crate) fn memory(&self) -> MemoryReport {
        let facts = &self.device.facts;
        let (used, mut pooled) = self.pool.report();
        if let Some(lane) = self.lane.opened() {
            pooled += lane.pool.report().1;
        }
        MemoryReport {
            name: format!("a view of {}", facts.name),
            allocated: used.bytes() + pooled,
            in_use: used.bytes(),
            pooled,
            largest: used.largest(),
            heaps: facts.memory.report(&facts.instance, facts.raw),
        }
    }

    /// Frees what nothing uses when all that has been recorded is complete. Returns its bytes.
    pub(crate) fn trim(&self) -> Result<u64> {
        // Transfers on the lane hold the buffers that they use, until the stream has waited.
        self.wait()?;
        let of_lane = match self.lane.opened() {
            Some(lane) if !lane.has_ended() => lane.trim()?,
            Some(lane) => lane.pool.trim(),
            None => 0,
        };
        Ok(of_lane + self.pool.trim())
    }
}
