//! Early returns of a kernel, as ways out of a block.
//!
//! ```text
//! if %1 { return }                    block {
//! %2 = ...                                if %1 { break }
//! return                                  %2 = ...
//!                                     }
//!                                     return
//! ```
//!
//! For passes that have a thread run several others: one that is done leaves the others to go on.

use super::flatten;
use crate::mir::{End, Function, Inst, Op, Region, RegionId};

/// Has a kernel return at its end only; the block stays if it is left in ways that
/// [`flatten`] leaves out.
pub(super) fn run(kernel: &mut Function) {
    if !has_early_return(kernel) {
        return;
    }
    let body = kernel.body;
    let block = kernel.new_inst(Inst::new(Op::Block, Vec::new(), kernel.span), &[]);
    for (number, region) in kernel.regions.iter_mut().enumerate() {
        if let End::Return(_) = region.end {
            region.end = match number == body.0 as usize {
                true => End::Yield(Vec::new()),
                false => End::Break(block, Vec::new()),
            };
        }
    }
    kernel.insts[block.0 as usize].regions = vec![body];
    kernel.body = kernel.new_region();
    kernel.regions[kernel.body.0 as usize] = Region {
        params: Vec::new(),
        insts: vec![block],
        end: End::Return(None),
    };
    flatten::run(kernel);
}

fn has_early_return(kernel: &Function) -> bool {
    let mut found = false;
    kernel.walk(kernel.body, &mut |_, inst| {
        let returns = |it: &RegionId| matches!(kernel.region(*it).end, End::Return(_));
        found |= inst.regions.iter().any(returns);
    });
    found
}
