//! The search for devices that can run kernels.

use std::sync::Arc;

#[cfg(test)]
use amp_spirv::artifact::Feature;

use super::adapter::Adapter;
use super::convert;
use super::facts::Candidate;
use super::instance::{Instance, VULKAN, instance};
#[cfg(test)]
use super::pipeline_file::PipelineFile;
#[cfg(test)]
use crate::types::error::Result;
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

/// All devices that can run kernels, in the loader's order.
#[cfg(test)]
pub(crate) fn adapters() -> Vec<Adapter> {
    search().adapters
}

/// The devices as if none worked in the host's memory.
#[cfg(test)]
pub(crate) fn discrete_adapters() -> Vec<Adapter> {
    let mut adapters = adapters();
    adapters.iter_mut().for_each(Adapter::work_elsewhere);
    adapters
}

/// The first device, with a mock in front of it and of all that it is found by, working in
/// the host's memory or not, and keeping its pipelines in a file of its own. `None` where there
/// is no device.
#[cfg(test)]
pub(super) fn doubled_adapter(unified: bool, folder: &std::path::Path) -> Option<Result<Adapter>> {
    if adapters().is_empty() {
        return None;
    }
    let found = super::mock::search();
    let Some(mut adapter) = found.adapters.into_iter().next() else {
        return Some(Err(found.rejected[0].error.clone()));
    };
    if !unified {
        adapter.work_elsewhere();
    }
    let facts = Arc::get_mut(&mut adapter.facts)?;
    facts.is_doubled = true;
    facts.unified = unified;
    // SAFETY: the device is of this instance.
    let properties = unsafe {
        facts
            .instance
            .raw()
            .get_physical_device_properties(facts.raw)
    };
    facts.pipeline_file = Some(PipelineFile::within(folder, &properties));
    Some(Ok(adapter))
}

/// The devices, each with a folder for its pipelines.
#[cfg(test)]
pub(super) fn adapters_that_keep_pipelines(
    name: &str,
) -> Vec<(Adapter, super::pipeline_file::tests::Folder)> {
    let keeping = adapters()
        .into_iter()
        .enumerate()
        .map(|(number, mut adapter)| {
            let folder = super::pipeline_file::tests::Folder::new(&format!("{name}-{number}"));
            if let Some(facts) = Arc::get_mut(&mut adapter.facts) {
                // SAFETY: the device is of this instance.
                let properties = unsafe {
                    facts
                        .instance
                        .raw()
                        .get_physical_device_properties(facts.raw)
                };
                facts.pipeline_file = Some(PipelineFile::within(&folder.0, &properties));
            }
            (adapter, folder)
        });
    keeping.collect()
}

/// The devices as if none had a feature.
#[cfg(test)]
pub(crate) fn adapters_without(feature: Feature) -> Vec<Adapter> {
    let mut adapters = adapters();
    for adapter in &mut adapters {
        if let Some(facts) = Arc::get_mut(&mut adapter.facts) {
            facts.features = facts.features.without(feature);
        }
    }
    adapters
}

/// The devices as if their clock had these ticks and that many valid bits.
#[cfg(test)]
pub(super) fn adapters_with_clock(tick: Option<f32>, bits: u32) -> Vec<Adapter> {
    let mut adapters = adapters();
    for adapter in &mut adapters {
        if let Some(facts) = Arc::get_mut(&mut adapter.facts) {
            (facts.tick, facts.tick_bits) = (tick, bits);
        }
    }
    adapters
}
