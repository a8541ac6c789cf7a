//! Accelerators on Vulkan devices that the program has opened itself (C++ AMP §11).
//!
//! What belongs to the program is used as it was made, and never destroyed: only the features
//! and extensions that it was made with, only the queues that are handed over. The adapter of
//! such a device holds it, open, as long as it is there itself, and cannot open it anew.

use std::fmt;
use std::sync::Arc;

use ash::vk::{self, Handle};

use super::adapter::{Adapter, Candidate};
use super::convert;
use super::device::Device;
use super::enabled::Enabled;
use super::instance::{Instance, Keeper};
use super::queues::{Queues, TransferQueue};
use crate::types::error::{Error, Result};
use crate::{Accelerator, AcceleratorView, QueuingMode};

/// A Vulkan device that the program has opened itself, for [`AcceleratorView::from_raw`].
///
/// The device needs Vulkan 1.2, with the features `bufferDeviceAddress`, `timelineSemaphore`,
/// `vulkanMemoryModel` and `scalarBlockLayout`. Kernels need others for some types
/// ([`Properties::features`](crate::Properties::features)): a kernel whose features were not
/// enabled is refused at its launch. Used where they are enabled are `hostQueryReset` (times of
/// transfers), `VK_KHR_calibrated_timestamps` (profiles), `VK_KHR_external_memory_fd` (exportable
/// arrays), `VK_EXT_shader_atomic_float` (atomic additions to floats in views, which are slow without)
/// and, in the instance, `VK_EXT_debug_utils` (names).
#[derive(Clone)]
pub struct ExistingDevice<'a> {
    /// The instance.
    pub instance: &'a ash::Instance,
    /// What the instance was made with, of which matter the version in the application's
    /// information and the names of layers and extensions.
    pub instance_info: &'a vk::InstanceCreateInfo<'a>,
    /// The physical device.
    pub physical_device: vk::PhysicalDevice,
    /// The device.
    pub device: &'a ash::Device,
    /// What the device was made with, of which matter its queues, its extensions, and its
    /// features, in the structures of Vulkan's versions or in those for single features.
    pub device_info: &'a vk::DeviceCreateInfo<'a>,
    /// The queue for kernels and copies, of a family that computes. All views of the accelerator
    /// share it.
    pub queue: RawQueue,
    /// A queue for large transfers, beside the kernels; without it they go on the other one.
    pub transfers: Option<RawQueue>,
    /// What is dropped when nothing uses instance, device and queues any more: with an [`Arc`]
    /// that destroys them when it goes, whoever is the last lets them go (the `AddRef` of
    /// C++ AMP).
    pub keeper: Option<Arc<dyn std::any::Any + Send + Sync>>,
}

/// A queue of a device, which was made without flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RawQueue {
    /// Its family.
    pub family: u32,
    /// Its number within the family.
    pub index: u32,
}

impl fmt::Debug for ExistingDevice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExistingDevice")
            .field("physical_device", &self.physical_device)
            .field("device", &self.device.handle())
            .field("queue", &self.queue)
            .field("transfers", &self.transfers)
            .finish_non_exhaustive()
    }
}

fn invalid<T>(what: impl fmt::Display) -> Result<T> {
    Err(Error::InvalidArgument(format!(
        "the existing device {what}"
    )))
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

impl ExistingDevice<'_> {
    /// # Safety
    ///
    /// As for [`AcceleratorView::from_raw`].
    unsafe fn adapter(&self) -> Result<Adapter> {
        let handles = [
            ("instance", self.instance.handle().is_null()),
            ("physical device", self.physical_device.is_null()),
            ("device", self.device.handle().is_null()),
        ];
        if let Some((name, _)) = handles.into_iter().find(|(_, is_null)| *is_null) {
            return invalid(format_args!("has a null handle for its {name}"));
        }
        let keeper: Option<Keeper> = self.keeper.clone();
        // SAFETY: by contract.
        let instance = unsafe { Instance::existing(self.instance, self.instance_info, keeper) };
        let instance = Arc::new(instance);
        // SAFETY: the instance is alive (contract).
        let devices = unsafe { instance.raw().enumerate_physical_devices() };
        let operation = "listing the devices of an instance";
        let devices =
            devices.map_err(|result| convert::error(operation, result, "the instance"))?;
        if !devices.contains(&self.physical_device) {
            return invalid("has a physical device that its instance does not have");
        }

        let candidate = Candidate::new(&instance, self.physical_device);
        let candidate = candidate.map_err(|rejected| rejected.error)?;
        let lacks = |what: String| {
            Error::UnsupportedFeature(format!(
                "the existing device, {}, cannot be an accelerator, for it lacks {what}; open it \
                 with that, and say so in its `DeviceCreateInfo`",
                candidate.name
            ))
        };
        candidate.check_version().map_err(|what| {
            Error::UnsupportedFeature(format!(
                "the existing device, {}, cannot be an accelerator, for it lacks {what}: the \
                 device has {}, and its instance was made for {}; make it for a later version, or \
                 use another device",
                candidate.name,
                version(candidate.device_version()),
                version(instance.version)
            ))
        })?;
        // SAFETY: by contract.
        let enabled = unsafe { Enabled::of(self.device_info) };
        let mut lacking = enabled.lacking();
        // Vectors lie in memory as in Rust. A device of ours has that where it can be had.
        if enabled.vulkan12.scalar_block_layout == vk::FALSE {
            lacking.push("scalarBlockLayout");
        }
        if !lacking.is_empty() {
            return Err(lacks(lacking.join(", ")));
        }
        // SAFETY: by contract.
        let queues = unsafe { self.queues(&candidate.families) }?;
        let facts = Arc::new(candidate.facts(enabled, queues).map_err(lacks)?);
        // SAFETY: by contract; the facts hold the instance, and that the keeper.
        let device = unsafe { Device::existing(&facts, self.device.clone()) }?;
        Ok(Adapter::of(device))
    }

    /// The queues, if the device has them.
    ///
    /// # Safety
    ///
    /// All pointers in its information are valid.
    unsafe fn queues(&self, families: &[vk::QueueFamilyProperties]) -> Result<Queues> {
        use vk::QueueFlags as Does;
        let info = self.device_info;
        let made = match info.queue_create_info_count {
            0 => &[],
            // SAFETY: by contract there are so many.
            count => unsafe {
                std::slice::from_raw_parts(info.p_queue_create_infos, count as usize)
            },
        };
        // The bits of a queue's timestamps that are valid.
        let check = |RawQueue { family, index }: RawQueue, does: Does, what: &str| {
            let Some(properties) = families.get(family as usize) else {
                let count = families.len();
                return invalid(format_args!(
                    "has no queues of family {family}; there are {count} families, which count \
                     from 0"
                ));
            };
            if !properties.queue_flags.intersects(does) {
                return invalid(format_args!(
                    "has queues of family {family} that cannot {what}; pass one that can"
                ));
            }
            let of_family = made.iter().filter(|made| {
                made.queue_family_index == family
                    && made.flags == vk::DeviceQueueCreateFlags::empty()
            });
            let count = of_family.map(|made| made.queue_count).max().unwrap_or(0);
            if index >= count {
                return invalid(format_args!(
                    "has no queue {index} of family {family}, of which it was made with {count}; \
                     they count from 0"
                ));
            }
            Ok(properties.timestamp_valid_bits)
        };
        let tick_bits = check(self.queue, Does::COMPUTE, "compute")?;
        let transfers = match self.transfers {
            None => None,
            Some(queue) if queue == self.queue => {
                return invalid("has one queue for kernels and transfers; leave out the latter");
            }
            Some(queue) => Some(TransferQueue {
                family: queue.family,
                index: queue.index,
                // Who computes or draws can copy.
                tick_bits: check(
                    queue,
                    Does::TRANSFER | Does::COMPUTE | Does::GRAPHICS,
                    "copy",
                )?,
            }),
        };
        Ok(Queues {
            family: self.queue.family,
            first: self.queue.index,
            count: 1,
            tick_bits,
            transfers,
        })
    }
}

/// A version as people write it.
fn version(number: u32) -> String {
    let (major, minor) = (vk::api_version_major(number), vk::api_version_minor(number));
    format!("Vulkan {major}.{minor}")
}
