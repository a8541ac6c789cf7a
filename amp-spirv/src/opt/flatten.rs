//! Blocks that are left in the middle, as conditions.
//!
//! ```text
//! %4 = block {                        %4 = if %1 {
//!     if %1 { break block %2 }            yield %2
//!     %3 = ...                        } else {
//!     yield %3                            %3 = ...
//! }                                       yield %3
//!                                     }
//! ```
//!
//! A device has no way out of a block but that of a loop. Here the rest of a block moves to
//! where control goes on, and a block that nothing breaks any more is its instructions.
//!
//! Leaves out blocks that are left from within loops.

use super::replace::Replaced;
use crate::mir::{Def, End, Function, InstId, Op, RegionId};

/// Flattens the blocks of a function.
pub fn run(function: &mut Function) {
    let mut flattening = Flattening {
        replaced: Replaced::new(function),
        function,
    };
    flattening.region(flattening.function.body);
    let Flattening { replaced, function } = flattening;
    replaced.apply(function);
}

struct Flattening<'f> {
    function: &'f mut Function,
    /// Results of blocks and conditions that are other values now.
    replaced: Replaced,
}

impl Flattening<'_> {
    fn region(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.function.regions[region.0 as usize].insts);
        let mut flat = Vec::with_capacity(insts.len());
        for id in insts {
            self.inst(id, &mut flat);
        }
        self.function.regions[region.0 as usize].insts = flat;
    }

    fn inst(&mut self, id: InstId, flat: &mut Vec<InstId>) {
        for region in self.function.inst(id).regions.clone() {
            self.region(region);
        }
        if self.function.inst(id).op != Op::Block {
            return flat.push(id);
        }
        let body = self.function.inst(id).regions[0];
        self.sink(id, body);
        let End::Yield(values) = &self.function.region(body).end else {
            return flat.push(id);
        };
        if self.is_left(id, body) {
            return flat.push(id);
        }
        let results = self.function.inst(id).results.clone();
        for (result, value) in results.into_iter().zip(values.clone()) {
            self.replaced.set(result, value);
        }
        flat.append(&mut self.function.regions[body.0 as usize].insts);
    }

    /// Moves what follows a condition with a way out of the block into its other way. The
    /// region yields what the block does.
    fn sink(&mut self, block: InstId, region: RegionId) {
        let insts = &self.function.region(region).insts;
        let leaves = |way: &RegionId| matches!(self.function.region(*way).end, End::Break(to, _) if to == block);
        let found = insts.iter().position(|id| {
            let inst = self.function.inst(*id);
            inst.op == Op::If && inst.regions.iter().any(leaves)
        });
        let Some(position) = found else { return };
        let condition = insts[position];
        let ways = self.function.inst(condition).regions.clone();
        let stays: Vec<RegionId> = ways.iter().filter(|way| !leaves(way)).copied().collect();
        let rest = self.function.regions[region.0 as usize]
            .insts
            .split_off(position + 1);
        let end = std::mem::replace(
            &mut self.function.regions[region.0 as usize].end,
            End::Unreachable,
        );
        for &way in &ways {
            let way = &mut self.function.regions[way.0 as usize];
            if let End::Break(to, values) = &way.end
                && *to == block
            {
                way.end = End::Yield(values.clone());
            }
        }
        // What the condition gave is what its other way gave.
        let old = std::mem::take(&mut self.function.insts[condition.0 as usize].results);
        for &way in &stays {
            let this = &mut self.function.regions[way.0 as usize];
            if let End::Yield(values) = &this.end {
                for (old, value) in old.iter().zip(values) {
                    self.replaced.set(*old, *value);
                }
                this.insts.extend(&rest);
                this.end = end.clone();
            }
        }
        let types: Vec<_> = self.function.inst(block).results.clone();
        let mut results = Vec::with_capacity(types.len());
        for (position, result) in (0..).zip(types) {
            let ty = self.function.ty(result);
            let value = self.function.new_value(ty, Def::Inst(condition, position));
            results.push(value);
        }
        self.function.insts[condition.0 as usize]
            .results
            .clone_from(&results);
        self.function.regions[region.0 as usize].end = End::Yield(results);
        for way in stays {
            self.sink(block, way);
        }
    }

    /// Whether anything in a region breaks a block.
    fn is_left(&self, block: InstId, region: RegionId) -> bool {
        let region = self.function.region(region);
        matches!(region.end, End::Break(to, _) if to == block)
            || region.insts.iter().any(|id| {
                let regions = &self.function.inst(*id).regions;
                regions.iter().any(|inner| self.is_left(block, *inner))
            })
    }
}
