//! What is done for lavapipe (Mesa 22.3), whose compiler has faults.
//!
//! It takes zeroes that it knows for something else, for which kernels have a
//! specialization constant; and when it unrolls a loop with several exits it may take one
//! of them for another, so it is told not to unroll these. Other loops are left to it: local arrays
//! that a loop indexes are in registers only if it is unrolled. It takes a hint to unroll for a
//! command, however long the loop, so it gets none.

use std::ops::RangeInclusive;

use ash::vk;

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_FUNCTION_END: u32 = 56;
const OP_LOOP_MERGE: u32 = 246;
const OP_LABEL: u32 = 248;
/// The instructions that branch somewhere, and those that leave the function.
const BRANCHES: RangeInclusive<u32> = 249..=251;
const RETURNS: RangeInclusive<u32> = 252..=255;
/// Of an `OpLoopMerge`: where its loop control stands, what asks for unrolling and what forbids it.
const LOOP_CONTROL: usize = 3;
const UNROLL: u32 = 1;
const DONT_UNROLL: u32 = 2;

/// Whether a driver is lavapipe.
pub(super) fn is_lavapipe(driver: &vk::PhysicalDeviceDriverProperties) -> bool {
    driver.driver_id == vk::DriverId::MESA_LLVMPIPE
}

/// A loop whose blocks are being read.
struct Loop {
    /// Where its control is in the module.
    control: usize,
    /// The label behind it.
    merge: u32,
    exits: usize,
}

/// Forbids to unroll the loops of a module that have several exits, and takes back all hints. The
/// blocks of a loop are those between its header and the label behind it.
pub(super) fn forbid_unrolling(module: &mut [u32]) {
    let mut open: Vec<Loop> = Vec::new();
    let mut at = HEADER;
    while let Some(&first) = module.get(at) {
        let (length, opcode) = ((first >> 16).max(1) as usize, first & 0xffff);
        let Some(operands) = module.get(at + 1..at + length) else {
            return;
        };
        match opcode {
            OP_FUNCTION_END => open.clear(),
            OP_LOOP_MERGE if operands.len() >= LOOP_CONTROL => open.push(Loop {
                control: at + LOOP_CONTROL,
                merge: operands[0],
                exits: 0,
            }),
            OP_LABEL => {
                let is_behind = |it: &mut Loop| operands.first() == Some(&it.merge);
                if let Some(ended) = open.pop_if(is_behind) {
                    let control = &mut module[ended.control];
                    *control &= !UNROLL;
                    if ended.exits > 1 {
                        *control |= DONT_UNROLL;
                    }
                }
            }
            _ if BRANCHES.contains(&opcode) => {
                for it in &mut open {
                    it.exits += operands.iter().filter(|&&id| id == it.merge).count();
                }
            }
            _ if RETURNS.contains(&opcode) => open.iter_mut().for_each(|it| it.exits += 2),
            _ => {}
        }
        at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: u32 = (2 << 16) | OP_LABEL;
    const MERGE: u32 = (4 << 16) | OP_LOOP_MERGE;
    const BRANCH: u32 = (2 << 16) | 249;
    const BRANCH_IF: u32 = (4 << 16) | 250;
    const RETURN: u32 = (1 << 16) | 253;

    /// The controls of the loops of a module without a header, whose hints are all to unroll.
    fn controls(instructions: &[u32]) -> Vec<u32> {
        let mut module = [&[0; HEADER], instructions].concat();
        let at = |(at, word): (usize, &u32)| (*word == MERGE).then_some(at + LOOP_CONTROL);
        let loops: Vec<usize> = module.iter().enumerate().filter_map(at).collect();
        forbid_unrolling(&mut module);
        loops.into_iter().map(|at| module[at]).collect()
    }

    #[test]
    fn loops_of_several_exits_are_not_unrolled() {
        let enter = [LABEL, 1, MERGE, 9, 3, UNROLL, BRANCH_IF, 7, 2, 9, LABEL, 2];
        let leave = [BRANCH, 3, LABEL, 3, BRANCH, 1, LABEL, 9];
        let around = |inside: &[u32]| controls(&[&enter, inside, &leave, &[RETURN]].concat());
        assert_eq!(around(&[]), [0]);
        assert_eq!(around(&[BRANCH_IF, 7, 9, 4, LABEL, 4]), [DONT_UNROLL]);
        assert_eq!(
            around(&[BRANCH_IF, 7, 5, 4, LABEL, 5, RETURN, LABEL, 4]),
            [DONT_UNROLL]
        );
        // One in it.
        let inner = [
            MERGE, 19, 13, UNROLL, BRANCH_IF, 7, 12, 19, LABEL, 12, BRANCH, 13, LABEL, 13,
        ];
        let again = [BRANCH, 11, LABEL, 19];
        let twice = |inside: &[u32]| {
            around(&[&[BRANCH, 11, LABEL, 11], &inner[..], inside, &again].concat())
        };
        assert_eq!(twice(&[]), [0, 0]);
        let other_exit = [BRANCH_IF, 7, 19, 14, LABEL, 14];
        assert_eq!(twice(&other_exit), [0, DONT_UNROLL]);
    }

    #[test]
    fn what_is_no_module_is_left_alone() {
        forbid_unrolling(&mut [1, 2]);
        forbid_unrolling(&mut [0, 0, 0, 0, 0, MERGE, 7]);
        forbid_unrolling(&mut [0, 0, 0, 0, 0, (3 << 16) | OP_LOOP_MERGE, 7, 8]);
    }
}
