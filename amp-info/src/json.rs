//! The same as JSON.

use amp::Rejected;
use serde_json::{Value, json};

use crate::Entry;
use crate::choice::Choice;

/// Everything, for programs.
pub fn document(entries: &[Entry], rejected: &[Rejected], choice: &Choice) -> Value {
    let (path, error) = match &choice.accelerator {
        Ok(accelerator) => (Some(accelerator.device_path()), None),
        Err(error) => (None, Some(error)),
    };
    json!({
        "amp": env!("CARGO_PKG_VERSION"),
        "default": { "device_path": path, "reason": choice.reason, "error": error },
        "accelerators": entries.iter().map(accelerator).collect::<Vec<_>>(),
        "rejected": rejected.iter().map(no_accelerator).collect::<Vec<_>>(),
    })
}

fn no_accelerator(rejected: &Rejected) -> Value {
    json!({
        "description": rejected.description,
        "lacking": rejected.lacking,
        "error": rejected.error.to_string(),
    })
}

fn accelerator(entry: &Entry) -> Value {
    let Entry {
        accelerator,
        properties,
        software_floats,
    } = entry;
    let memory = accelerator.memory();
    let heaps = memory.heaps().iter().map(|heap| {
        json!({
            "bytes": heap.bytes(),
            "is_local": heap.is_local(),
            "budget": heap.budget(),
            "used": heap.used(),
        })
    });
    let floats = &properties.floats;
    let (software, failure) = match software_floats {
        Ok(operations) => (Some(operations), None),
        Err(error) => (None, Some(error)),
    };
    json!({
        "description": accelerator.description(),
        "device_path": accelerator.device_path(),
        "kind": properties.kind.to_string(),
        "driver": properties.driver,
        "vulkan": properties.vulkan,
        "version": accelerator.version(),
        "has_display": accelerator.has_display(),
        "is_emulated": accelerator.is_emulated(),
        "is_debug": accelerator.is_debug(),
        "supports_cpu_shared_memory": accelerator.supports_cpu_shared_memory(),
        "default_cpu_access_type": format!("{:?}", accelerator.default_cpu_access_type()),
        "supports_double_precision": accelerator.supports_double_precision(),
        "supports_limited_double_precision": accelerator.supports_limited_double_precision(),
        "features": properties.features,
        "lacking": properties.lacking,
        "floats": {
            "denormals": floats.denormals,
            "signed_zeroes_infinities_nans": floats.signed_zeroes_infinities_nans,
            "round_to_nearest": floats.round_to_nearest,
            "in_software": software,
            "error": failure,
        },
        "subgroups": {
            "size": properties.subgroup_size,
            "operations": properties.subgroup_operations,
        },
        "tiles_progress": properties.tiles_progress,
        "limits": {
            "tile_threads": properties.max_tile_threads,
            "tile": properties.max_tile,
            "tiles": properties.max_tiles,
            "tile_static_bytes": properties.tile_static_bytes,
        },
        "memory": {
            "dedicated_kilobytes": accelerator.dedicated_memory(),
            "heaps": heaps.collect::<Vec<_>>(),
        },
        "queues": properties.queues,
        "tick_nanoseconds": properties.tick_nanoseconds,
    })
}
