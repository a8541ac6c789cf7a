//! Pipelines: kernels specialised for a workgroup size and constants, made once.
//!
//! Two threads that want the same pipeline get one, and no thread waits for a pipeline that it
//! does not want. How one is made is [`specialise`](super::specialise)'s, and what the driver keeps
//! from one process to the next [`pipeline_cache`](super::pipeline_cache)'s.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use amp_spirv::artifact::{Artifact, FloatFaults, PUSH_CONSTANT_BYTES};
use ash::vk;

use super::convert;
use super::facts::Facts;
use super::pipeline_cache::PipelineCache;
use crate::device::code::Switches;
use crate::device::shape::Shape;
use crate::types::error::Result;

/// A pipeline; it lives as long as its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pipeline(pub(super) vk::Pipeline);

/// Everything that a pipeline depends on. An artifact is known by its address: it is a
/// `static`, so another one cannot take its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) artifact: usize,
    pub(super) size: [u32; 3],
    pub(super) switches: Switches,
    pub(super) linear: bool,
    pub(super) float_faults: FloatFaults,
    pub(super) constants: &'static [u64],
}

impl Key {
    pub(super) fn new(
        artifact: &'static Artifact,
        constants: &'static [u64],
        shape: &Shape,
        switches: Switches,
        float_faults: FloatFaults,
    ) -> Self {
        Self {
            artifact: std::ptr::from_ref(artifact).addr(),
            size: shape.size,
            switches: Switches {
                wide: shape.lanes > 1,
                ..switches
            },
            linear: shape.linear,
            float_faults,
            constants,
        }
    }
}

/// One pipeline, or its place while a thread makes it.
type Cell = Arc<Mutex<Option<Pipeline>>>;

/// The pipelines of a device, with the layout that they share.
pub(super) struct Pipelines {
    pub(super) layout: vk::PipelineLayout,
    pub(super) cache: PipelineCache,
    made: Mutex<HashMap<Key, Cell>>,
}

impl Pipelines {
    /// No pipelines yet, and a cache with what a file has.
    pub(super) fn new(device: &ash::Device, facts: &Facts) -> Result<Self> {
        let failed = |result| convert::error("setting up pipelines", result, &facts.name);
        let ranges = [vk::PushConstantRange::default()
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
            .size(PUSH_CONSTANT_BYTES)];
        let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&ranges);
        // SAFETY: every device has 128 bytes of push constants.
        let layout = unsafe { device.create_pipeline_layout(&layout, None) }.map_err(failed)?;
        let cache = match PipelineCache::new(device, facts.pipeline_file.clone()) {
            Ok(cache) => cache,
            Err(result) => {
                // SAFETY: made above and not used.
                unsafe { device.destroy_pipeline_layout(layout, None) };
                return Err(failed(result));
            }
        };
        Ok(Self {
            layout,
            cache,
            made: Mutex::default(),
        })
    }

    /// How many pipelines of a kernel there are.
    pub(super) fn count_of(&self, artifact: &'static Artifact) -> usize {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let artifact = std::ptr::from_ref(artifact).addr();
        made.iter()
            .filter(|(key, cell)| {
                let cell = cell.lock().unwrap_or_else(PoisonError::into_inner);
                key.artifact == artifact && cell.is_some()
            })
            .count()
    }

    /// The pipeline of a key, made if it is the first time. Threads that want the same one
    /// wait for the one that makes it; others go on.
    pub(super) fn get(
        &self,
        key: Key,
        make: impl FnOnce() -> Result<Pipeline>,
    ) -> Result<Pipeline> {
        let cell = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(made.entry(key).or_default())
        };
        let mut cell = cell.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = *cell {
            return Ok(pipeline);
        }
        Ok(*cell.insert(make()?))
    }

    /// Destroys everything.
    ///
    /// # Safety
    ///
    /// The device must be the one that it was made with, and idle.
    pub(super) unsafe fn destroy(&mut self, device: &ash::Device) {
        let made = self.made.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (_, cell) in made.drain() {
            if let Some(Pipeline(raw)) = *cell.lock().unwrap_or_else(PoisonError::into_inner) {
                // SAFETY: of this device, which is idle (contract).
                unsafe { device.destroy_pipeline(raw, None) };
            }
        }
        // SAFETY: as above.
        unsafe {
            self.cache.destroy();
            device.destroy_pipeline_layout(self.layout, None);
        }
    }
}
