//! The hints of a module to unroll its loops, as a pipeline gets them.
//!
//! The compiler marks the loops of which the constants may decide how long they are, in the
//! order of [`Proofs::loops`](amp_spirv::proof::Proofs::loops). Which of them a driver is asked to
//! unroll depends on the constants and on the driver.

use amp_spirv::artifact::Artifact;

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_LOOP_MERGE: u32 = 246;
/// Of an `OpLoopMerge`: where its loop control stands, and what asks for unrolling or forbids
/// it.
const LOOP_CONTROL: usize = 3;
const UNROLL: u32 = 1;
const DONT_UNROLL: u32 = 2;

/// What a driver makes of a hint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unrolling {
    /// It takes it for what it is.
    Hinted,
    /// It unrolls loops of any length that it is asked to unroll, and others by itself.
    Unhinted,
    /// It unrolls wrongly.
    Forbidden,
}

/// Leaves those hints of a kernel's module that pay with these constants.
pub(super) fn choose(
    words: &mut [u32],
    unrolling: Unrolling,
    artifact: &Artifact,
    constants: &[u64],
) {
    let chosen = match unrolling {
        Unrolling::Hinted => artifact.unrolled(constants),
        Unrolling::Unhinted | Unrolling::Forbidden => Vec::new(),
    };
    limit(words, unrolling, &chosen);
}

/// Takes back the hints of a module that a driver does not get. A module by another compiler has
/// hints that nothing is known of, which stay.
fn limit(module: &mut [u32], unrolling: Unrolling, chosen: &[bool]) {
    let mut chosen = chosen.iter();
    let mut rest = module.get_mut(HEADER..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let length = (first >> 16).max(1) as usize;
        let Some((instruction, following)) = rest.split_at_mut_checked(length) else {
            return;
        };
        if first & 0xffff == OP_LOOP_MERGE
            && let Some(control) = instruction.get_mut(LOOP_CONTROL)
        {
            let is_hinted = *control & UNROLL != 0;
            *control = match unrolling {
                Unrolling::Hinted if is_hinted && chosen.next() == Some(&false) => {
                    *control & !UNROLL
                }
                Unrolling::Hinted => *control,
                Unrolling::Unhinted => *control & !UNROLL,
                Unrolling::Forbidden => *control & !UNROLL | DONT_UNROLL,
            };
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
        let module = [0, 0, 0, 0, 0, 2 << 16, merge, merge, 7, 8, UNROLL, 1 << 16];
        let control = |unrolling, chosen: &[bool]| {
            let mut module = module;
            limit(&mut module, unrolling, chosen);
            assert_eq!(module[5..10], [2 << 16, merge, merge, 7, 8]);
            module[10]
        };
        assert_eq!(control(Unrolling::Forbidden, &[]), DONT_UNROLL);
        assert_eq!(control(Unrolling::Unhinted, &[]), 0);
        assert_eq!(control(Unrolling::Hinted, &[false]), 0);
        assert_eq!(control(Unrolling::Hinted, &[true]), UNROLL);
        assert_eq!(control(Unrolling::Hinted, &[]), UNROLL);
        // A module that is none is left alone.
        limit(&mut [1, 2], Unrolling::Unhinted, &[]);
        limit(&mut [0, 0, 0, 0, 0, merge, 7], Unrolling::Unhinted, &[]);
    }

    #[test]
    fn a_hint_is_for_the_loop_of_its_number() {
        let merge = (4 << 16) | OP_LOOP_MERGE;
        let mut module = vec![0; HEADER];
        for control in [UNROLL, 0, UNROLL, UNROLL] {
            module.extend([merge, 7, 8, control]);
        }
        limit(&mut module, Unrolling::Hinted, &[true, false, true]);
        let controls: Vec<u32> = module[HEADER..].chunks(4).map(|it| it[3]).collect();
        assert_eq!(controls, [UNROLL, 0, 0, UNROLL]);
    }
}
