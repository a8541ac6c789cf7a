//! The order of the run time's files: a file uses modules of its own layer and of those below, and
//! the files of a folder, each with its children, use each other without circles.

use std::collections::BTreeSet;

use layers::{Modules, check_circles};

/// From the bottom to the top. Modules of one line may use each other. A module of which nothing is
/// said belongs to the layer of its parent.
const LAYERS: &[&[&str]] = &[
    &["types"],
    &[
        "device::code",
        "device::print",
        "device::profiler",
        "device::shape",
        "device::unreported",
    ],
    &["device::cpu"],
    &[
        "device::vulkan::exit",
        "device::vulkan::gate",
        "device::vulkan::sentry",
    ],
    &[
        "device::vulkan::convert",
        "device::vulkan::debug",
        "device::vulkan::enabled",
        "device::vulkan::facts",
        "device::vulkan::features",
        "device::vulkan::float_atomics",
        "device::vulkan::float_controls",
        "device::vulkan::float_faults",
        "device::vulkan::instance",
        "device::vulkan::lavapipe",
        "device::vulkan::memory",
        "device::vulkan::pipeline_file",
        "device::vulkan::queues",
        "device::vulkan::subgroups",
    ],
    &[
        "device::vulkan::blocks",
        "device::vulkan::calibration",
        "device::vulkan::device",
        "device::vulkan::pipeline",
        "device::vulkan::pipeline_cache",
        "device::vulkan::reserve",
        "device::vulkan::submit_lock",
    ],
    &[
        "device::vulkan::buffer",
        "device::vulkan::copier",
        "device::vulkan::exportable",
        "device::vulkan::load",
        "device::vulkan::specialise",
        "device::vulkan::statistics",
        "device::vulkan::timeline",
    ],
    &["device::vulkan::stream"],
    // What is made of streams: probes, and what the layers above see.
    &["device::vulkan"],
    // The handles of devices and queues: what the layers above know of them.
    &["device"],
    &["intrinsics"],
    &["residency"],
    &["accelerator"],
    &["array", "completion", "copy", "marker", "view"],
    &["kernel"],
    &["graph", "launch", "profile"],
    &["interop"],
    &["private"],
];

#[test]
fn arrows_go_downward_only() {
    let mut upward = BTreeSet::new();
    for (module, used) in Modules::of(env!("CARGO_MANIFEST_DIR")).arrows() {
        if layer(&used) > layer(&module) {
            upward.insert(format!("{module} uses {used}"));
        }
    }
    assert!(upward.is_empty(), "arrows that point upward: {upward:#?}");
}

#[test]
fn files_make_no_circles() {
    check_circles(env!("CARGO_MANIFEST_DIR"));
}

/// How high the layer of a path is.
fn layer(path: &str) -> usize {
    let is_in = |module: &&str| {
        let rest = path.strip_prefix(*module);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let modules = LAYERS.iter().enumerate().flat_map(|(height, layer)| {
        let modules = layer.iter().filter(|module| is_in(module));
        modules.map(move |module| (module.len(), height))
    });
    let (_, height) = modules
        .max()
        .unwrap_or_else(|| panic!("`{path}` is in no layer"));
    height
}
