//! Asking a device for its clock, where it can be asked.

use ash::{ext, khr, vk};

use super::facts::Facts;
use super::gate;

/// The functions for it, by either of their names.
pub(super) enum Calibration {
    Khr(khr::calibrated_timestamps::Device),
    Ext(ext::calibrated_timestamps::Device),
}

impl Calibration {
    /// The functions, if the device has a clock and was opened with an extension for it.
    pub(super) fn new(facts: &Facts, device: &ash::Device) -> Option<Self> {
        let instance = facts.instance.functions();
        facts.tick?;
        if facts.enabled.has(khr::calibrated_timestamps::NAME) {
            let functions = khr::calibrated_timestamps::Device::new(instance, device);
            Some(Self::Khr(functions))
        } else if facts.enabled.has(ext::calibrated_timestamps::NAME) {
            let functions = ext::calibrated_timestamps::Device::new(instance, device);
            Some(Self::Ext(functions))
        } else {
            None
        }
    }

    /// What the device's clock says.
    pub(super) fn now(&self) -> Result<u64, vk::Result> {
        let info =
            [vk::CalibratedTimestampInfoKHR::default().time_domain(vk::TimeDomainKHR::DEVICE)];
        let _inside = gate::enter();
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
