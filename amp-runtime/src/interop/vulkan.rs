//! What programs that use Vulkan themselves ask of accelerator views and arrays (C++ AMP §11).

use std::sync::Arc;

use ash::vk;

#[cfg(unix)]
use super::ExportedMemory;
use super::{ExistingDevice, RawBuffer, RawDevice};
use crate::array::Array;
use crate::device::accelerator::Accelerator;
use crate::device::accelerator::view::{AcceleratorView, Backend, QueuingMode};
use crate::device::vulkan::Stream;
use crate::residency::Allocation;
use crate::types::element::Element;
use crate::types::error::{Error, Result};
use crate::types::index::Extent;
use crate::types::part::size_of_extent;

fn stream_of(view: &AcceleratorView) -> Result<&Arc<Stream>> {
    match view.backend() {
        Backend::Vulkan(stream) => Ok(stream),
        Backend::Cpu(_) => Err(Error::UnsupportedFeature(format!(
            "{view} has no Vulkan device; use a view of a Vulkan accelerator"
        ))),
    }
}

impl AcceleratorView {
    /// The Vulkan device behind the view (C++ AMP §11: `get_device`). Objects that are made
    /// with it are destroyed before the view and its arrays are gone.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Error};
    ///
    /// let cpu = Accelerator::cpu().default_view()?;
    /// assert!(matches!(cpu.raw_device(), Err(Error::UnsupportedFeature(_))));
    /// for accelerator in Accelerator::all() {
    ///     let view = accelerator.default_view()?;
    ///     if let Ok(raw) = view.raw_device() {
    ///         println!("{accelerator}: {:?}", raw.physical_device);
    ///     }
    /// }
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedFeature`] on the CPU accelerator.
    pub fn raw_device(&self) -> Result<RawDevice<'_>> {
        Ok(stream_of(self)?.raw_device())
    }

    /// Hands out the queue that the view's kernels run on, which nothing else uses meanwhile
    /// (C++ AMP §11: `scoped_d3d_access_lock`). What has been launched on the view is sent to
    /// it before, and it waits for large transfers, which may go by another queue; what `work`
    /// submits comes behind that, and needs a barrier of its own to see what kernels wrote, as
    /// later kernels need one at its end. `work` must not use views or arrays of the device, which
    /// would wait for the queue.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Error};
    ///
    /// let view = Accelerator::default()?.default_view()?;
    /// if let Ok(raw) = view.raw_device() {
    ///     // SAFETY: the queue is handed out, and of the device.
    ///     let idle = view.with_raw_queue(|queue| unsafe { raw.device.queue_wait_idle(queue) })?;
    ///     assert_eq!(idle, Ok(()));
    /// }
    /// let cpu = Accelerator::cpu().default_view()?;
    /// assert!(matches!(cpu.with_raw_queue(|_| ()), Err(Error::UnsupportedFeature(_))));
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedFeature`] on the CPU accelerator;
    /// [`Error::AcceleratorViewRemoved`] if the device is lost.
    pub fn with_raw_queue<R>(&self, work: impl FnOnce(vk::Queue) -> R) -> Result<R> {
        stream_of(self)?.with_raw_queue(work)
    }
}

impl<T: Element, const N: usize> Array<T, N> {
    /// The Vulkan buffer behind the array (C++ AMP §11: `get_buffer`), with all elements
    /// current and what kernels do with them sent to the queue. It is alive as long as the
    /// array.
    ///
    /// Who writes to it says so afterwards by `view_mut().refresh()`. Commands of others that use
    /// it are complete before the array is dropped, or used by the host.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::default()?.default_view()?;
    /// let array = Array::builder(4).on(&view).data(&[1, 2, 3, 4]).build()?;
    /// if let Ok(raw) = array.raw_buffer() {
    ///     println!("{:?} at {:#x}", raw.buffer, raw.address);
    ///     assert_eq!(raw.bytes, 16);
    /// }
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedFeature`] for an array on the CPU accelerator;
    /// [`Error::AcceleratorViewRemoved`] if the device is lost.
    pub fn raw_buffer(&self) -> Result<RawBuffer> {
        let view = self.accelerator_view();
        let stream = stream_of(&view)?;
        let allocation = self.window.allocation();
        let buffer = allocation.on_stream(stream, allocation.whole())?;
        stream.raw_buffer(&buffer, allocation.whole().size() as u64)
    }

    /// An array over an existing Vulkan buffer, from its first byte on (C++ AMP §11:
    /// `make_array`). The array holds what the buffer does, and does not destroy it. The
    /// host does not access its elements in place.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::default()?.default_view()?;
    /// let array = Array::builder(4).on(&view).data(&[1u32, 2, 3, 4]).build()?;
    /// if let Ok(raw) = array.raw_buffer() {
    ///     // SAFETY: buffers of arrays have what it takes, and this one is not used otherwise
    ///     // until the other array is gone and the view has been waited for.
    ///     let same = unsafe { Array::<u16, 2>::from_raw_buffer(&view, [2, 4], raw.buffer) }?;
    ///     assert_eq!(same.to_vec()?, [1, 0, 2, 0, 3, 0, 4, 0]);
    ///     drop(same);
    ///     view.wait()?;
    /// }
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Safety
    ///
    /// - The buffer is of the view's device ([`AcceleratorView::raw_device`]), bound to memory
    ///   that was allocated for device addresses, and has the usages storage buffer, transfer
    ///   source, transfer destination and device address. It was made with at least as many
    ///   bytes as the elements have: Vulkan tells only how much memory a buffer takes, which
    ///   drivers round up, so that a buffer which is a little too small is not found out.
    /// - If the device has several [`queue_families`](RawDevice::queue_families), it is shared
    ///   between them.
    /// - It is alive until the array is dropped and [`AcceleratorView::wait`] has returned after
    ///   that, and nothing else writes to it until then, or reads it while kernels or copies
    ///   write it. What others write with the array's work at rest is seen after
    ///   `view_mut().refresh()`.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedFeature`] on the CPU accelerator, [`Error::InvalidExtent`],
    /// [`Error::InvalidArgument`] if the buffer is null, takes less memory than the elements, or
    /// does not start at a multiple of 16 bytes.
    #[allow(unsafe_code)]
    pub unsafe fn from_raw_buffer(
        view: &AcceleratorView,
        extent: impl Into<Extent<N>>,
        buffer: vk::Buffer,
    ) -> Result<Self> {
        let extent = extent.into();
        let stream = stream_of(view)?;
        let shape = extent.to_array();
        let bytes = size_of_extent(&shape, size_of::<T>())? * size_of::<T>();
        // SAFETY: by contract.
        let buffer = unsafe { stream.foreign_buffer(&shape, bytes as u64, buffer) }?;
        let allocation = Allocation::of_buffer(view, stream, &buffer, bytes, align_of::<T>());
        Ok(Self::over(view, allocation, extent))
    }
}

impl AcceleratorView {
    /// A view on a Vulkan device that the program has opened itself (C++ AMP §11:
    /// `create_accelerator_view`), and which stays the program's.
    ///
    /// The view's [accelerator](Self::accelerator) is a new one, of this device alone:
    /// [`Accelerator::all`] does not list it, and it equals no other one.
    /// [`create_view`](Accelerator::create_view) makes further views on the same queue, as long
    /// as the device is not lost. Its [default view](Accelerator::default_view) is the same one
    /// only while the program holds it, unless it is the [default
    /// accelerator](Accelerator::set_default). Data is shared with other devices by way of the
    /// host.
    ///
    /// ```
    /// use amp_runtime::interop::{ExistingDevice, RawQueue, ash};
    /// use amp_runtime::{AcceleratorView, Array, QueuingMode};
    /// use ash::vk;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let Ok(entry) = (unsafe { ash::Entry::load() }) else {
    ///     return Ok(()); // A machine without Vulkan.
    /// };
    /// let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
    /// let instance_info = vk::InstanceCreateInfo::default().application_info(&application);
    /// let instance = unsafe { entry.create_instance(&instance_info, None) }?;
    /// let Some(&physical_device) = unsafe { instance.enumerate_physical_devices() }?.first() else {
    ///     return Ok(());
    /// };
    ///
    /// let mut features = vk::PhysicalDeviceVulkan12Features::default()
    ///     .buffer_device_address(true)
    ///     .timeline_semaphore(true)
    ///     .vulkan_memory_model(true)
    ///     .scalar_block_layout(true);
    /// // Of a family that computes, as the first one nearly always does.
    /// let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
    /// let device_info =
    ///     vk::DeviceCreateInfo::default().queue_create_infos(&queues).push_next(&mut features);
    /// let device = unsafe { instance.create_device(physical_device, &device_info, None) }?;
    ///
    /// let existing = ExistingDevice {
    ///     instance: &instance,
    ///     instance_info: &instance_info,
    ///     physical_device,
    ///     device: &device,
    ///     device_info: &device_info,
    ///     queue: RawQueue { family: 0, index: 0 },
    ///     transfers: None,
    ///     keeper: None,
    /// };
    /// // SAFETY: this is how they were made, and they are destroyed after the view and its array.
    /// let view = unsafe { AcceleratorView::from_raw(&existing, QueuingMode::Automatic) }?;
    /// let array = Array::builder(4).on(&view).data(&[1, 2, 3, 4]).build()?;
    /// assert_eq!(array.to_vec()?, [1, 2, 3, 4]);
    /// drop((array, view));
    ///
    /// unsafe {
    ///     device.destroy_device(None);
    ///     instance.destroy_instance(None);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    ///
    /// - The instance and the device are alive, and were made with what the structures say; all
    ///   pointers in these are valid during this call.
    /// - Instance, device and queues stay until everything is dropped that holds the accelerator:
    ///   it itself, its views, arrays on these, views of data that was used on them, graphs,
    ///   futures. When that has come to pass, the keeper is dropped. An accelerator that is made
    ///   the [default one](Accelerator::set_default) is never dropped.
    /// - Until then nothing else uses the queues at the same time as this crate does, which may be
    ///   in any call that concerns the accelerator or what holds it. The queue for kernels is used
    ///   within [`with_raw_queue`](Self::with_raw_queue), which sees to that; the one for
    ///   transfers is not used. Presenting to a queue uses it, and waiting for a device uses all
    ///   of its queues. This call is made once for a queue.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedFeature`] if the device lacks something that it needs, which is named,
    /// or it was not enabled; [`Error::InvalidArgument`] for handles that are null, a physical
    /// device that is not the instance's, and queues that the device does not have, that cannot
    /// do what they are for, or that are one.
    #[allow(unsafe_code)]
    pub unsafe fn from_raw(existing: &ExistingDevice<'_>, mode: QueuingMode) -> Result<Self> {
        // SAFETY: by contract.
        let adapter = unsafe { existing.adapter() }?;
        Accelerator::new_vulkan(adapter).create_view(mode)
    }
}

#[cfg(unix)]
impl<T: Element, const N: usize> Array<T, N> {
    /// Exports the memory of an [exportable](crate::ArrayBuilder::exportable) array, for other
    /// programs and for devices that another library has opened (CUDA, OpenGL). Waits
    /// until all elements are there, so that an importer may read them at once; each call
    /// gives a new descriptor of the same memory, which stays as long as anything refers to
    /// it, even when the array is gone.
    ///
    /// What kernels write later is there after [`AcceleratorView::wait`]; what
    /// others write is seen after `view_mut().refresh()`. In between the two sides have to
    /// agree on who has the memory, as a read of what is being written returns anything.
    /// Nothing is recorded that hands the buffer to other families of queues
    /// (`VK_QUEUE_FAMILY_EXTERNAL`): it is the waits that order both sides.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array, Error};
    ///
    /// let view = Accelerator::default()?.default_view()?;
    /// let builder = Array::builder(4).on(&view).data(&[1, 2, 3, 4]).exportable();
    /// match builder.build() {
    ///     Ok(array) => {
    ///         let exported = array.export_fd()?;
    ///         assert_eq!(exported.bytes, 16);
    ///         println!("memory of {} bytes: {:?}", exported.allocation_size, exported.fd);
    ///     }
    ///     Err(Error::UnsupportedFeature(why)) => println!("{why}"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// [`AcceleratorView::wait`]: crate::AcceleratorView::wait
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedFeature`] for an array that is not exportable. If a kernel that
    /// wrote the elements faulted and nothing has reported that yet, or the device is lost;
    /// [`Error::Driver`] if the process has too many open files.
    pub fn export_fd(&self) -> Result<ExportedMemory> {
        let view = self.accelerator_view();
        let allocation = self.window.allocation();
        let refused = || {
            Error::UnsupportedFeature(format!(
                "an array on {view} cannot be exported, for it was not built to be; say \
                 `exportable()` when it is built"
            ))
        };
        let stream = stream_of(&view)?;
        let buffer = allocation.on_stream(stream, allocation.whole())?;
        let own = buffer.own_memory().ok_or_else(refused)?;
        stream.wait_for(&buffer)?;
        allocation.take_fault()?;

        stream.export_fd(own, buffer.bytes(), allocation.whole().size() as u64)
    }
}
