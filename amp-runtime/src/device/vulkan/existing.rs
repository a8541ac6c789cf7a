//! Accelerators on Vulkan devices that the program has opened itself (C++ AMP §11).
//!
//! What belongs to the program is used as it was made, and never destroyed: only the features
//! and extensions that it was made with, only the queues that are handed over. The adapter of
//! such a device holds it, open, as long as it is there itself, and cannot open it anew.

use std::fmt;
use std::sync::Arc;

use ash::vk::{self, Handle};

use super::adapter::Adapter;
use super::convert;
use super::device::Device;
use super::enabled::Enabled;
use super::facts::Candidate;
use super::instance::{Instance, Keeper};
use super::queues::{Queues, TransferQueue};
use crate::types::error::{Error, Result};

/// A Vulkan device that the program has opened itself, for
/// [`AcceleratorView::from_raw`](crate::AcceleratorView::from_raw).
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
    /// that destroys them when it goes, the last user lets them go (the `AddRef` of
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

impl ExistingDevice<'_> {
    /// # Safety
    ///
    /// As for [`AcceleratorView::from_raw`](crate::AcceleratorView::from_raw).
    pub(crate) unsafe fn adapter(&self) -> Result<Adapter> {
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
