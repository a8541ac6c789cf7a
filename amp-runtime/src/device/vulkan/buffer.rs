//! Memory of a device.

pub(super) mod pool;
pub(super) mod staging;

use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use ash::vk;
use gpu_allocator::vulkan::AllocationScheme;

use super::blocks::{self, Part};
use super::copier::copy_bytes;
use super::device::Device;
use super::exportable::Exportable;
use super::memory::Purpose;
use crate::device::cpu::memory::HostMemory;
use crate::types::error::{Error, Result};
use pool::Pool;

/// What the address of a buffer is a multiple of, at least.
const ALIGN: u64 = 64;

/// Bytes that the host reads over the bus in the time in which the device would begin to copy.
const GLANCE: usize = 256;
/// Pieces that they are of at most: each takes a way to the device and back.
const GLANCES: usize = 4;

/// A buffer with its memory. When the last handle goes it returns to the pool that it is of,
/// or is freed; a batch that uses it holds one.
pub(crate) struct Buffer {
    device: Arc<Device>,
    pub(super) raw: vk::Buffer,
    address: u64,
    /// Bytes that may be used of it.
    bytes: u64,
    /// Bytes that it has.
    capacity: u64,
    purpose: Purpose,
    /// Where it returns to.
    pool: Weak<Pool>,
    /// Its memory as the host sees it, if the host does.
    mapped: Option<Mapped>,
    /// Whether it is a device's own, so that the host reads it one word after the other over the
    /// bus, if it sees it.
    is_remote: bool,
    memory: Memory,
    /// Distinguishes it from all other buffers of the process, past ones included. It stays
    /// while the buffer is reused, so that commands on it stay in order.
    pub(super) id: u64,
    /// The batch of its stream that last used it.
    last_use: AtomicU64,
}

/// Where a buffer's memory is from.
enum Memory {
    /// It is being made, or has gone to another handle.
    None,
    /// Part of a block.
    Part(Part),
    /// Its own.
    Own(Exportable),
    /// Another owner's, who destroys the buffer too.
    Foreign,
}

#[derive(Clone, Copy)]
struct Mapped(NonNull<u8>);

// SAFETY: the mapping stays where it is for the life of the buffer, on any thread; who
// may access it when is the contract of `Buffer::write` and `Buffer::read`.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

/// A number that no buffer has had.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Buffer {
    /// A new buffer. If memory is short, what pools keep is given up for it.
    pub(super) fn new(device: &Arc<Device>, bytes: u64, purpose: Purpose) -> Result<Arc<Self>> {
        Self::make(device, bytes, purpose).map(Arc::new)
    }

    /// A buffer that is of a pool: one that the pool has kept, or a new one.
    pub(super) fn pooled(
        device: &Arc<Device>,
        bytes: u64,
        purpose: Purpose,
        pool: &Arc<Pool>,
    ) -> Result<Arc<Self>> {
        if let Some(kept) = pool.take(bytes, purpose) {
            return Ok(kept);
        }
        let buffer = Self::make(device, bytes, purpose)?;
        pool.add(bytes);
        Ok(Arc::new(buffer.taken(bytes, pool)))
    }

    /// A buffer of another owner, which is not destroyed here.
    ///
    /// # Safety
    ///
    /// It is of the device, large enough, bound, has all usages of ours, and is alive as
    /// long as commands use it. Nothing else writes to it while they do.
    pub(super) unsafe fn foreign(device: &Arc<Device>, raw: vk::Buffer, bytes: u64) -> Arc<Self> {
        let info = vk::BufferDeviceAddressInfo::default().buffer(raw);
        // SAFETY: by contract.
        let address = unsafe { device.raw().get_buffer_device_address(&info) };
        Arc::new(Self {
            device: Arc::clone(device),
            raw,
            address,
            bytes,
            capacity: bytes,
            purpose: Purpose::Data,
            pool: Weak::new(),
            mapped: None,
            is_remote: true,
            memory: Memory::Foreign,
            id: next_id(),
            last_use: AtomicU64::new(0),
        })
    }

    /// The usages of all buffers.
    pub(super) const USAGE: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(
        vk::BufferUsageFlags::STORAGE_BUFFER.as_raw()
            | vk::BufferUsageFlags::TRANSFER_SRC.as_raw()
            | vk::BufferUsageFlags::TRANSFER_DST.as_raw()
            | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS.as_raw(),
    );

    fn make(device: &Arc<Device>, bytes: u64, purpose: Purpose) -> Result<Self> {
        let mut buffer = Self::unbound(device, bytes, purpose, None)?;
        let part = buffer.allocate()?;
        buffer.mapped = part.mapped().map(Mapped);
        // SAFETY: the part is freed with the buffer only.
        let (memory, offset) = (unsafe { part.memory() }, part.offset());
        buffer.memory = Memory::Part(part);
        // SAFETY: it was allocated for the buffer.
        unsafe { buffer.bind(memory, offset) }?;
        Ok(buffer)
    }

    /// A buffer without memory, and what is special about that.
    pub(super) fn unbound(
        device: &Arc<Device>,
        bytes: u64,
        purpose: Purpose,
        external: Option<&mut vk::ExternalMemoryBufferCreateInfo<'_>>,
    ) -> Result<Self> {
        if bytes > device.facts.memory.largest_buffer {
            return Err(device.out_of_memory(bytes, purpose));
        }
        let mut info = vk::BufferCreateInfo::default()
            .size(bytes)
            .usage(Self::USAGE);
        let families = device.facts.families();
        if families.len() > 1 {
            // Queues of both use a buffer without handing it over.
            info = info
                .sharing_mode(vk::SharingMode::CONCURRENT)
                .queue_family_indices(&families);
        }
        if let Some(external) = external {
            info = info.push_next(external);
        }
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw().create_buffer(&info, None) };
        let raw = raw.map_err(|result| Self::failed(device, bytes, purpose, result))?;
        Ok(Self {
            device: Arc::clone(device),
            raw,
            address: 0,
            bytes,
            capacity: bytes,
            purpose,
            pool: Weak::new(),
            mapped: None,
            is_remote: purpose == Purpose::Data && !device.facts.unified,
            memory: Memory::None,
            id: next_id(),
            last_use: AtomicU64::new(0),
        })
    }

    /// The error for a buffer that cannot be made.
    fn failed(device: &Device, bytes: u64, purpose: Purpose, result: vk::Result) -> Error {
        match result {
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => device.out_of_memory(bytes, purpose),
            _ => device.error("creating a buffer", result),
        }
    }

    /// Binds it to its memory, from an offset on.
    ///
    /// # Safety
    ///
    /// The memory is for the buffer's requirements and, from there on, for nothing else. It is
    /// freed with the buffer.
    unsafe fn bind(&mut self, memory: vk::DeviceMemory, offset: u64) -> Result<()> {
        let (device, bytes) = (&self.device, self.bytes);
        // SAFETY: by contract.
        let bound = unsafe { device.raw().bind_buffer_memory(self.raw, memory, offset) };
        bound.map_err(|result| Self::failed(device, bytes, self.purpose, result))?;
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.raw);
        // SAFETY: the buffer is bound and has the usage for it.
        self.address = unsafe { device.raw().get_buffer_device_address(&info) };
        device.names.set(self.raw, || {
            format!("amp {:?} {} ({bytes} bytes)", self.purpose, self.id)
        });
        Ok(())
    }

    /// Binds it to memory of its own.
    ///
    /// # Safety
    ///
    /// The memory was allocated for the buffer, and goes with it.
    pub(super) unsafe fn bind_own(&mut self, memory: Exportable) -> Result<()> {
        self.memory = Memory::Own(memory);
        // SAFETY: by contract.
        unsafe { self.bind(memory.memory, 0) }
    }

    /// Its memory, if that is its own.
    #[cfg(unix)]
    pub(crate) fn own_memory(&self) -> Option<Exportable> {
        match self.memory {
            Memory::Own(memory) => Some(memory),
            _ => None,
        }
    }

    /// Memory for it. What fails is tried again when the pools have given up what they keep,
    /// and then with a block of its own, where the allocator would get a larger one for
    /// several buffers.
    fn allocate(&self) -> Result<Part> {
        let device = &self.device;
        // SAFETY: the buffer is alive.
        let mut requirements = unsafe { device.raw().get_buffer_memory_requirements(self.raw) };
        // Elements of any type start at a multiple of their alignment.
        requirements.alignment = requirements.alignment.max(ALIGN);
        let facts = &device.facts;
        let allowed = requirements.memory_type_bits;
        let types = facts.memory.types_for(self.purpose, facts.unified, allowed);
        let failed = |reason: String| Error::Driver {
            operation: "allocating a buffer",
            reason,
        };
        // Of each type in turn; what it says if none is left, or what else went wrong.
        let attempt = |scheme: AllocationScheme| {
            let mut lacking = None;
            for memory_type in &types {
                let made = device
                    .blocks()
                    .allocate(facts, *memory_type, requirements, scheme);
                match made.map_err(|error| (blocks::shortage(&error), error)) {
                    Ok(part) => return Ok(Ok(part)),
                    Err((Some(shortage), _)) => lacking = Some(shortage),
                    Err((None, error)) => return Err(failed(error.to_string())),
                }
            }
            lacking
                .map(Err)
                .ok_or_else(|| failed("the device has no memory of the type that it needs".into()))
        };
        let shared = AllocationScheme::GpuAllocatorManaged;
        let mut made = attempt(shared)?;
        if made.is_err() && device.trim() {
            made = attempt(shared)?;
        }
        if made.is_err() {
            made = attempt(AllocationScheme::DedicatedBuffer(self.raw))?;
        }
        made.map_err(|shortage| match shortage {
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => {
                device.out_of_memory(self.bytes, self.purpose)
            }
            other => device.error("allocating a buffer", other),
        })
    }

    /// The buffer as one of `pool`, for `bytes` bytes.
    pub(super) fn taken(mut self, bytes: u64, pool: &Arc<Pool>) -> Self {
        self.bytes = bytes;
        self.pool = Arc::downgrade(pool);
        self
    }

    /// The buffer as one that `pool` counts, and does not keep.
    pub(super) fn counted(self, pool: &Arc<Pool>) -> Self {
        pool.add(self.capacity);
        let bytes = self.bytes;
        self.taken(bytes, pool)
    }

    /// The buffer without its memory, and without its pool; the memory goes to the result.
    fn leave(&mut self) -> Self {
        Self {
            device: Arc::clone(&self.device),
            pool: Weak::new(),
            memory: std::mem::replace(&mut self.memory, Memory::None),
            last_use: AtomicU64::new(self.last_use()),
            ..*self
        }
    }

    /// Bytes that it has.
    pub(super) fn capacity(&self) -> u64 {
        self.capacity
    }

    /// What it is for.
    pub(super) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Where kernels find it.
    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// Its size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the host works in its memory.
    pub(super) fn is_mapped(&self) -> bool {
        self.mapped.is_some() && !self.is_remote
    }

    /// Whether the host reads so many bytes in so many pieces itself sooner than the device copies
    /// them.
    pub(super) fn is_read_by_host(&self, bytes: usize, pieces: usize) -> bool {
        let is_little = bytes <= GLANCE && pieces <= GLANCES;
        self.mapped.is_some() && (is_little || !self.is_remote)
    }

    /// Its first bytes as memory of the host, if the host sees them and they start at a
    /// multiple of `align`. Who makes references to bytes of it sees to it that the device
    /// does not use these meanwhile, and that the device writes none that are only read.
    pub(crate) fn host_memory(
        self: &Arc<Self>,
        bytes: usize,
        align: usize,
    ) -> Option<HostMemory<'static>> {
        let first = self.range(0, bytes).filter(|_| self.is_mapped());
        let pointer = NonNull::new(first?)?;
        let keeper = Box::new(Arc::clone(self));
        // SAFETY: the range lies in the mapping, which lives as long as the buffer; mapped
        // memory is initialised as far as the host can tell.
        let memory = unsafe { HostMemory::of_device(pointer, bytes, keeper) };
        (memory.alignment() >= align).then_some(memory)
    }

    /// The batch that last used it.
    pub(super) fn last_use(&self) -> u64 {
        self.last_use.load(Ordering::Acquire)
    }

    /// Notes that a batch uses it; whether that is news.
    pub(super) fn note_use(&self, batch: u64) -> bool {
        self.last_use.swap(batch, Ordering::AcqRel) != batch
    }

    /// Forgets by which batch it was used: another stream may use it next, which numbers its
    /// batches for itself.
    pub(super) fn forget_use(&self) {
        self.last_use.store(0, Ordering::Release);
    }

    /// Writes bytes through the mapping. Returns false if there is none or they do not fit.
    ///
    /// # Safety
    ///
    /// Neither the device nor another thread may use that part of the buffer meanwhile.
    pub(super) unsafe fn write(&self, offset: u64, data: &[u8]) -> bool {
        let Some(start) = self.range(offset, data.len()) else {
            return false;
        };
        // SAFETY: the range lies in the mapping (`range`) and is ours (contract).
        copy_bytes(
            unsafe { std::slice::from_raw_parts_mut(start, data.len()) },
            data,
        );
        true
    }

    /// Reads bytes through the mapping. Returns false if there is none or they do not fit.
    ///
    /// # Safety
    ///
    /// Neither the device nor another thread may write that part of the buffer meanwhile.
    pub(super) unsafe fn read(&self, offset: u64, out: &mut [u8]) -> bool {
        let Some(start) = self.range(offset, out.len()) else {
            return false;
        };
        // SAFETY: as in `write`; mapped memory is initialised as far as the host can tell.
        copy_bytes(out, unsafe { std::slice::from_raw_parts(start, out.len()) });
        true
    }

    /// Reads a word through the mapping, which the device may be writing.
    pub(super) fn word(&self, offset: u64) -> Option<u32> {
        let start = self.range(offset, size_of::<u32>())?.cast::<u32>();
        // SAFETY: the range lies in the mapping (`range`); atomic accesses of the host and the
        // device do not race.
        start
            .is_aligned()
            .then(|| unsafe { AtomicU32::from_ptr(start) }.load(Ordering::Acquire))
    }

    /// Refuses a range that is not in it; the driver would not notice.
    pub(super) fn check(&self, offset: u64, length: usize) -> Result<()> {
        match offset.checked_add(length as u64) {
            Some(end) if end <= self.bytes => Ok(()),
            _ => Err(self.outside(offset, length)),
        }
    }

    /// The error for bytes that are not in it, or not where the host sees them.
    pub(super) fn outside(&self, offset: u64, length: usize) -> Error {
        Error::Driver {
            operation: "copying",
            reason: format!(
                "{length} bytes at {offset} are not in a buffer of {} bytes",
                self.bytes
            ),
        }
    }

    /// Where the host sees bytes of it, if it does and they are in it.
    pub(super) fn range(&self, offset: u64, length: usize) -> Option<*mut u8> {
        let end = offset.checked_add(length as u64)?;
        let Mapped(pointer) = self.mapped.filter(|_| end <= self.bytes)?;
        // SAFETY: the offset is within the mapped memory of the buffer.
        Some(unsafe { pointer.as_ptr().add(offset as usize) })
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let pool = self.pool.upgrade();
        match (&self.memory, pool) {
            (Memory::Foreign, _) => return,
            (Memory::Own(_), Some(pool)) => pool.remove(self.capacity),
            (_, Some(pool)) => return pool.keep(self.leave()),
            (_, None) => {}
        }
        // SAFETY: the device is alive, and no batch that uses the buffer is unfinished,
        // for it would hold a handle.
        unsafe { self.device.raw().destroy_buffer(self.raw, None) };
        match std::mem::replace(&mut self.memory, Memory::None) {
            Memory::Part(part) => self.device.blocks().free(part),
            // SAFETY: the buffer that was bound to it is gone.
            Memory::Own(memory) => unsafe { memory.free(&self.device) },
            Memory::None | Memory::Foreign => {}
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer")
            .field("id", &self.id)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
