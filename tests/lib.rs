//! What the tests share: the accelerators to run on, and comparison of their results.

#![forbid(unsafe_code)]

use amp::{Accelerator, AcceleratorView};

/// The views that device tests run on: every Vulkan device, and the CPU accelerator.
///
/// # Panics
///
/// If the environment says `AMP_REQUIRE_VULKAN=1` and there is no Vulkan device: a test
/// run that is meant to cover devices must not pass without one.
pub fn views() -> Vec<AcceleratorView> {
    let all = Accelerator::all();
    let vulkan = all.iter().any(|accelerator| accelerator.device_path() != "cpu");
    let required = std::env::var("AMP_REQUIRE_VULKAN").is_ok_and(|value| value == "1");
    assert!(vulkan || !required, "AMP_REQUIRE_VULKAN=1, but there is no Vulkan device");
    all.iter()
        .map(|accelerator| accelerator.default_view().expect("a listed accelerator can be used"))
        .collect()
}
