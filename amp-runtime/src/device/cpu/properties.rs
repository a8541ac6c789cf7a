//! What there is to know about the CPU accelerator.

use amp_spirv::artifact::Feature;

use super::lanes;
use crate::device::shape::MAX_TILE_THREADS;
use crate::types::properties::{AcceleratorKind, FloatPromises, Properties};

impl Properties {
    pub(crate) fn of_cpu() -> Self {
        let widths = || vec![16, 32, 64];
        let threads = MAX_TILE_THREADS as u32;
        Self {
            kind: AcceleratorKind::Cpu,
            vulkan: None,
            driver: concat!("amp ", env!("CARGO_PKG_VERSION")).into(),
            features: Feature::ALL.map(Feature::name).into(),
            lacking: Vec::new(),
            floats: FloatPromises {
                denormals: widths(),
                signed_zeroes_infinities_nans: widths(),
                round_to_nearest: widths(),
            },
            subgroup_size: lanes::SIZE as u32,
            subgroup_operations: vec!["basic", "vote", "arithmetic", "ballot", "shuffle"],
            max_tile_threads: threads,
            max_tile: [threads; 3],
            max_tiles: [u32::MAX; 3],
            tiles_progress: false,
            tile_static_bytes: None,
            queues: 1,
            tick_nanoseconds: Some(1.0),
        }
    }
}
