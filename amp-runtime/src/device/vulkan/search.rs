//! The search for devices that can run kernels.

use std::sync::Arc;

use super::adapter::{Adapter, Candidate};
use super::convert;
use super::instance::{Instance, VULKAN, instance};
use crate::types::rejected::Rejected;

/// What a search has found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Devices that can run kernels, in the loader's order.
    pub(crate) adapters: Vec<Adapter>,
    /// Devices that cannot, and Vulkan if it cannot be used.
    pub(crate) rejected: Vec<Rejected>,
}

/// Searches the machine.
pub(crate) fn search() -> Found {
    let found = match instance() {
        Ok(instance) => devices_of(&instance),
        Err(rejected) => Found::nothing(*rejected),
    };
    for rejected in &found.rejected {
        tracing::info!(%rejected, "not an accelerator");
    }
    found
}

/// The devices of an instance.
pub(super) fn devices_of(instance: &Arc<Instance>) -> Found {
    // SAFETY: the instance is alive.
    let devices = match unsafe { instance.raw().enumerate_physical_devices() } {
        Ok(devices) => devices,
        Err(result) => {
            let error = convert::error("asking for devices", result, VULKAN);
            return Found::nothing(*Rejected::failed(VULKAN, error));
        }
    };
    let mut found = Found::default();
    for device in devices {
        let candidate = Candidate::new(instance, device);
        match candidate.and_then(|candidate| candidate.best()) {
            Ok(facts) => found.adapters.push(Adapter::new(facts)),
            Err(rejected) => found.rejected.push(*rejected),
        }
    }
    found
}

impl Found {
    /// No device, for this.
    pub(super) fn nothing(rejected: Rejected) -> Self {
        Self {
            adapters: Vec::new(),
            rejected: vec![rejected],
        }
    }
}
