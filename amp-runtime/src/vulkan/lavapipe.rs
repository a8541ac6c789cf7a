//! What is done for lavapipe (Mesa 22.3), whose compiler has faults.
//!
//! It takes zeroes that it knows for something else, for which kernels have a
//! specialization constant; and when it unrolls a loop with several exits it may take one
//! of them for another, so it is told [not to unroll](super::unroll).

use ash::vk;

/// Whether a driver is lavapipe.
pub(super) fn is_lavapipe(driver: &vk::PhysicalDeviceDriverProperties) -> bool {
    driver.driver_id == vk::DriverId::MESA_LLVMPIPE
}
