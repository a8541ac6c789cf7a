//! What is done for lavapipe (Mesa 22.3), whose compiler has faults.
//!
//! It takes zeroes that it knows for something else, for which kernels have a
//! specialization constant; and when it unrolls a loop with several exits it may take one
//! of them for another, so it is told not to unroll.

use ash::vk;

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_LOOP_MERGE: u32 = 246;
/// Of an `OpLoopMerge`: where its loop control stands, what asks for unrolling and what forbids it.
const LOOP_CONTROL: usize = 3;
const UNROLL: u32 = 1;
const DONT_UNROLL: u32 = 2;

/// Whether a driver is lavapipe.
pub(super) fn is_lavapipe(driver: &vk::PhysicalDeviceDriverProperties) -> bool {
    driver.driver_id == vk::DriverId::MESA_LLVMPIPE
}

/// Forbids to unroll any loop of a module.
pub(super) fn forbid_unrolling(module: &mut [u32]) {
    let mut rest = module.get_mut(HEADER..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let length = (first >> 16).max(1) as usize;
        let Some((instruction, following)) = rest.split_at_mut_checked(length) else {
            return;
        };
        if first & 0xffff == OP_LOOP_MERGE
            && let Some(control) = instruction.get_mut(LOOP_CONTROL)
        {
            *control = *control & !UNROLL | DONT_UNROLL;
        }
        rest = following;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_found_among_other_instructions() {
        let merge = (4 << 16) | OP_LOOP_MERGE;
        let mut module = vec![0, 0, 0, 0, 0, 2 << 16, merge, merge, 7, 8, UNROLL, 1 << 16];
        forbid_unrolling(&mut module);
        assert_eq!(
            module[5..],
            [2 << 16, merge, merge, 7, 8, DONT_UNROLL, 1 << 16]
        );
        // What is no module is left alone.
        forbid_unrolling(&mut [1, 2]);
        forbid_unrolling(&mut [0, 0, 0, 0, 0, merge, 7]);
    }
}
