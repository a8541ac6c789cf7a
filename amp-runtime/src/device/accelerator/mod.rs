//! [`Accelerator`]: a device that runs kernels, with the state that its clones share.

pub(crate) mod view;

use std::fmt;
use std::sync::{Arc, Mutex};

use super::access::DefaultAccess;
use super::vulkan::Adapter;
use view::DefaultView;

/// Something that runs kernels.
///
/// ```
/// use amp_runtime::Accelerator;
///
/// for accelerator in Accelerator::all() {
///     println!("{accelerator}");
/// }
/// assert!(Accelerator::all().contains(&Accelerator::cpu()));
/// ```
#[derive(Clone)]
pub struct Accelerator {
    pub(crate) inner: Arc<Inner>,
}

/// What the clones of an accelerator share.
pub(crate) struct Inner {
    pub(crate) device: Device,
    pub(crate) default_view: Mutex<DefaultView>,
    pub(crate) access: DefaultAccess,
}

/// The kinds of devices.
pub(crate) enum Device {
    Cpu,
    /// The same in checked mode.
    CheckedCpu,
    Vulkan(Adapter),
}

impl Accelerator {
    /// An accelerator on a Vulkan device.
    pub(crate) fn new_vulkan(adapter: Adapter) -> Self {
        Self::of(Device::Vulkan(adapter))
    }

    pub(crate) fn of(device: Device) -> Self {
        let inner = Inner {
            device,
            default_view: Mutex::default(),
            access: DefaultAccess::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The Vulkan device, if it is one.
    pub(crate) fn adapter(&self) -> Option<&Adapter> {
        match &self.inner.device {
            Device::Cpu | Device::CheckedCpu => None,
            Device::Vulkan(adapter) => Some(adapter),
        }
    }
}

impl PartialEq for Accelerator {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for Accelerator {}

impl fmt::Display for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}

impl fmt::Debug for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accelerator")
            .field("description", &self.description())
            .field("device_path", &self.device_path())
            .field("dedicated_memory", &self.dedicated_memory())
            .field("is_emulated", &self.is_emulated())
            .finish()
    }
}
