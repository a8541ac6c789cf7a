//! What every round of a loop computes again.
//!
//! ```text
//! loop {                              %3: u32 = mul %1, %1
//!     %3: u32 = mul %1, %1            loop {
//!     ...                                 ...
//! ```
//!
//! Pure instructions move before the loop if their operands and guard are from outside; checks
//! of bounds are among them. Nothing that can fault is pure without a guard, so what moves
//! may be computed although the loop has no round.
//!
//! Leaves out loads, and what rounds compute only under conditions.

use crate::mir::{Effects, Function, InstId, Op, RegionId, Value};

/// Moves what a function's loops compute again and again.
pub fn run(function: &mut Function) {
    let mut depths = vec![0; function.values.len()];
    define(function, function.body, 1, &mut depths);
    region(function, function.body, 1, &mut depths);
}

/// Notes for each value how many regions it is in.
fn define(function: &Function, region: RegionId, depth: u32, depths: &mut [u32]) {
    let region = function.region(region);
    for param in &region.params {
        depths[param.0 as usize] = depth;
    }
    for id in &region.insts {
        let inst = function.inst(*id);
        for result in &inst.results {
            depths[result.0 as usize] = depth;
        }
        for inner in &inst.regions {
            define(function, *inner, depth + 1, depths);
        }
    }
}

/// Handles the loops in a region, inner ones first.
fn region(function: &mut Function, id: RegionId, depth: u32, depths: &mut [u32]) {
    let insts = std::mem::take(&mut function.regions[id.0 as usize].insts);
    let mut kept = Vec::with_capacity(insts.len());
    for inst in insts {
        for inner in function.inst(inst).regions.clone() {
            region(function, inner, depth + 1, depths);
        }
        if matches!(
            function.inst(inst).op,
            Op::Loop | Op::For | Op::ForInclusive
        ) {
            let body = function.inst(inst).regions[0];
            hoist(function, body, depth, depths, &mut kept);
        }
        kept.push(inst);
    }
    function.regions[id.0 as usize].insts = kept;
}

/// Moves instructions of a loop's body to `before`, which is in `depth` regions.
fn hoist(
    function: &mut Function,
    body: RegionId,
    depth: u32,
    depths: &mut [u32],
    before: &mut Vec<InstId>,
) {
    let insts = std::mem::take(&mut function.regions[body.0 as usize].insts);
    let mut kept = Vec::with_capacity(insts.len());
    for id in insts {
        let inst = function.inst(id);
        let is_pure = inst.op.info().effects == Effects::default() && inst.regions.is_empty();
        let is_outside = |value: &Value| depths[value.0 as usize] <= depth;
        if is_pure && inst.args.iter().chain(&inst.guard).all(is_outside) {
            for result in &inst.results {
                depths[result.0 as usize] = depth;
            }
            before.push(id);
        } else {
            kept.push(id);
        }
    }
    function.regions[body.0 as usize].insts = kept;
}

#[cfg(test)]
mod tests {
    use crate::opt::{each, tests::body_becomes};

    #[track_caller]
    fn becomes(before: &str, expected: &str) {
        body_becomes(before, expected, |module| each(module, super::run));
    }

    #[test]
    fn pure_instructions_leave_all_loops_that_they_can() {
        becomes(
            "    for %4, %4, %4 as %5: u32 {
        for %4, %4, %4 as %6: u32 {
            %7: bool = in_bounds view 1 %2, %3
            %8: u32 = mul %5, %5
            %9: u32 = add %8, %6
            store %2[%3], %9 if %7
            yield
        }
        yield
    }
    return
",
            "    %5: bool = in_bounds view 1 %2, %3
    for %4, %4, %4 as %6: u32 {
        %7: u32 = mul %6, %6
        for %4, %4, %4 as %8: u32 {
            %9: u32 = add %7, %8
            store %2[%3], %9 if %5
            yield
        }
        yield
    }
    return
",
        );
    }
}
