//! Asking a device for its clock, where it can be asked.

use std::ffi::CStr;

use ash::{ext, khr, vk};

use super::adapter::Facts;

/// The functions for it, by either of their names.
pub(super) enum Calibration {
    Khr(khr::calibrated_timestamps::Device),
    Ext(ext::calibrated_timestamps::Device),
}

impl Calibration {
    /// The extension for it that a device offers.
    pub(super) fn extension(facts: &Facts) -> Option<&'static CStr> {
        facts.tick?;
        // SAFETY: the device is of this instance.
        let offered = unsafe {
            let instance = &facts.instance.raw;
            instance.enumerate_device_extension_properties(facts.raw)
        };
        let offered = offered.unwrap_or_default();
        let names = [
            khr::calibrated_timestamps::NAME,
            ext::calibrated_timestamps::NAME,
        ];
        names.into_iter().find(|name| {
            let is_it = |it: &vk::ExtensionProperties| it.extension_name_as_c_str() == Ok(name);
            offered.iter().any(is_it)
        })
    }

    /// The functions, for a device that was opened with the extension.
    pub(super) fn new(facts: &Facts, device: &ash::Device) -> Option<Self> {
        let instance = &facts.instance.raw;
        let extension = Self::extension(facts)?;
        Some(if extension == khr::calibrated_timestamps::NAME {
            Self::Khr(khr::calibrated_timestamps::Device::new(instance, device))
        } else {
            Self::Ext(ext::calibrated_timestamps::Device::new(instance, device))
        })
    }

    /// What the device's clock says.
    pub(super) fn now(&self) -> Result<u64, vk::Result> {
        let info =
            [vk::CalibratedTimestampInfoKHR::default().time_domain(vk::TimeDomainKHR::DEVICE)];
        // SAFETY: the extension is enabled, and every device that has it can be asked for
        // its own clock.
        let (stamps, _) = unsafe {
            match self {
                Self::Khr(functions) => functions.get_calibrated_timestamps(&info),
                Self::Ext(functions) => functions.get_calibrated_timestamps(&info),
            }
        }?;
        Ok(stamps[0])
    }
}
