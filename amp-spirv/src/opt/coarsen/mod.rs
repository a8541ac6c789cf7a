//! Threads that run several threads of their tile: `#[amp_kernel(coarsen(2))]`.
//!
//! ```text
//! fn k#0(%0: TiledIndex<1>, ..) {     merged 2, of a tile of 8
//!     %2: usize = extract local..     fn k#0(%0: TiledIndex<1>, ..) {
//!     %3: f32 = load %1[%2]               %2: usize = extract local..
//!     store part@0[%2], %3                %3: usize = literal 4
//!     barrier                             %4: usize = add %2, %3
//!     %4: f32 = load part@0[%5]           %5: f32 = load %1[%2]
//!     %6: f32 = mul %3, %4                %6: f32 = load %1[%4]
//!     ..                                  store part@0[%2], %5
//!                                         store part@0[%4], %6
//!                                         barrier
//!                                         %7: f32 = load part@0[%8]
//!                                         %9: f32 = mul %5, %7
//!                                         %10: f32 = mul %6, %7
//!                                         ..
//! ```
//!
//! The threads of a tile of 8 by 8 with `coarsen(2, 4)` are 4 by 2, and each runs 8 threads of the
//! tile, its *lanes*, as many apart: neighbours among threads stay neighbours in memory. What a
//! thread does is done instruction by instruction for all its lanes: once, if it is the same in
//! all of them; and if it varies along one dimension of the tile, once for each lane along that
//! one. So a product of matrices that loads `a[row]` and `b[column]` for each term loads 2 + 4
//! elements for 8 terms. Any order of what threads do between two barriers is one that a launch
//! may have, so this one is.
//!
//! Where lanes go different ways each goes its own, one after the other: the lanes along the
//! dimensions along which a condition varies, or the number of a loop's rounds, or where a jump
//! leaves it. Among those along the other dimensions all stays as above.
//! What threads wait in they come to together, which the checks of the tree prove, so barriers and
//! the loops around them are there once; `exits.rs` has no lane jump out of these alone.
//!
//! Comes behind [`launch_checks`](super::launch_checks): what is proven for all threads of a tile
//! is proven for the lanes. Needs calls to be inlined: in those that are left nothing waits.
//! Leaves out what varies in a thread alone: values that are equal in fact are computed for each
//! lane if [`Uniformity`] does not say so.

mod exits;
mod merge;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap as HashMap;

use self::merge::Merging;
use super::dce;
use crate::analysis::effects::touches;
use crate::analysis::uniformity::{Uniformity, Varies};
use crate::mir::{Base, End, Function, InstId, Module, Op, RegionId, SlotId, Value};
use crate::tree::{Coarsening, Domain};

/// Merges the threads of a tile as its kernel asks for.
pub fn run(module: &mut Module) {
    let Some(Coarsening { factors, .. }) = module.options.coarsening.take() else {
        return;
    };
    if factors.iter().all(|it| *it == 1) || !matches!(module.domain, Domain::Tiled { .. }) {
        return;
    }
    let Some(mut kernel) = module.functions.pop() else {
        return;
    };
    exits::run(module, &mut kernel);
    module.functions.push(kernel);
    let facts = Uniformity::of(module).pop();
    let (Some(facts), Some(kernel)) = (facts, module.functions.pop()) else {
        return;
    };
    let plan = Plan::of(&kernel, &factors, facts);
    let mut merged = Merging::new(module, &kernel, &plan).run();
    dce::run(&mut merged);
    module.functions.push(merged);
    module.merged = factors;
}

/// Dimensions of the tile, as bits.
type Dimensions = u32;

/// How a kernel's threads are merged.
struct Plan<'k> {
    kernel: &'k Function,
    factors: &'k [u32],
    facts: Uniformity,
    /// By instruction: along which dimensions lanes run it one after the other.
    apart: Vec<Dimensions>,
    /// By instruction: whether all lanes go the same way in it, whatever the facts say.
    together: Vec<bool>,
    /// What a counted loop carries: along which dimensions its results vary, which these are when
    /// the loop has counted to its end.
    results: HashMap<Value, Dimensions>,
    /// By slot: along which dimensions lanes have one each.
    slots: Vec<Dimensions>,
    /// Something has come to be done apart.
    grown: bool,
}

impl<'k> Plan<'k> {
    fn of(kernel: &'k Function, factors: &'k [u32], facts: Uniformity) -> Self {
        let mut plan = Plan {
            kernel,
            factors,
            facts,
            apart: vec![0; kernel.insts.len()],
            together: vec![false; kernel.insts.len()],
            results: HashMap::default(),
            slots: Vec::new(),
            grown: true,
        };
        for id in kernel.live_insts() {
            plan.together[id.0 as usize] = meets(kernel, id);
            let inst = kernel.inst(id);
            if let Op::For | Op::ForInclusive = inst.op {
                let carried = &kernel.region(inst.regions[0]).params[1..];
                for (carried, result) in carried.iter().zip(&inst.results) {
                    let varies = plan.among(plan.facts.value(*result));
                    plan.results.insert(*carried, varies);
                }
            }
        }
        plan.jumps(kernel.body, &mut Vec::new());
        while std::mem::take(&mut plan.grown) {
            plan.region(kernel.body, &mut Vec::new());
        }
        let slots = (0..kernel.slots.len() as u32).map(SlotId);
        plan.slots = slots.map(|it| plan.among(plan.facts.slot(it))).collect();
        plan.writes(kernel.body, 0);
        plan
    }

    /// What lanes write one after the other, each has of its own, though all write the same: the
    /// next one reads what was there before.
    fn writes(&mut self, region: RegionId, apart: Dimensions) {
        let kernel = self.kernel;
        for id in &kernel.region(region).insts {
            let inst = kernel.inst(*id);
            let written = touches(inst).filter(|touch| touch.writes);
            let written = written.filter_map(|touch| match touch.place.access.base {
                Base::Slot(slot) => Some(slot),
                _ => None,
            });
            for slot in written.chain(inst.slots.iter().copied()) {
                self.slots[slot.0 as usize] |= apart;
            }
            for inner in &inst.regions {
                self.writes(*inner, apart | self.apart(*id));
            }
        }
    }

    /// The dimensions along which threads are merged.
    fn all(&self) -> Dimensions {
        self.among(Varies::ANY)
    }

    fn among(&self, varies: Varies) -> Dimensions {
        let dimensions = (0..)
            .zip(self.factors)
            .filter(|(k, factor)| **factor > 1 && varies.includes(Varies::along(*k)));
        dimensions.fold(0, |all, (k, _)| all | 1 << k)
    }

    /// The dimensions along which lanes may hold different values.
    fn of_value(&self, value: Value) -> Dimensions {
        let of_result = self.results.get(&value).copied();
        self.among(self.facts.value(value)) | of_result.unwrap_or_default()
    }

    fn of_slot(&self, slot: SlotId) -> Dimensions {
        self.slots[slot.0 as usize]
    }

    fn apart(&self, id: InstId) -> Dimensions {
        self.apart[id.0 as usize]
    }

    /// Lanes come together to a jump out of what they wait in.
    fn jumps(&mut self, region: RegionId, around: &mut Vec<InstId>) {
        let kernel = self.kernel;
        if let End::Break(to, _) | End::Continue(to, _) = kernel.region(region).end
            && self.together[to.0 as usize]
        {
            for id in around.iter().rev().take_while(|id| **id != to) {
                self.together[id.0 as usize] = true;
            }
        }
        for id in &kernel.region(region).insts {
            around.push(*id);
            for inner in &kernel.inst(*id).regions {
                self.jumps(*inner, around);
            }
            around.pop();
        }
    }

    /// Lanes along which a condition or the rounds of a loop vary run it one after the other, and
    /// then what is around it and left from there.
    fn region(&mut self, region: RegionId, around: &mut Vec<InstId>) {
        let kernel = self.kernel;
        if let End::Break(to, _) | End::Continue(to, _) = kernel.region(region).end {
            let within = around.iter().rev().take_while(|id| **id != to);
            let apart = within.fold(0, |all, id| all | self.apart(*id));
            self.set_apart(to, apart);
        }
        for id in &kernel.region(region).insts {
            let inst = kernel.inst(*id);
            let choice = match inst.op {
                Op::If => &inst.args[..1],
                Op::For | Op::ForInclusive => &inst.args[..3],
                _ => &[],
            };
            let apart = choice.iter().fold(0, |all, it| all | self.of_value(*it));
            self.set_apart(*id, apart);
            around.push(*id);
            for inner in &inst.regions {
                self.region(*inner, around);
            }
            around.pop();
        }
    }

    fn set_apart(&mut self, id: InstId, apart: Dimensions) {
        let known = &mut self.apart[id.0 as usize];
        if !self.together[id.0 as usize] && *known | apart != *known {
            *known |= apart;
            self.grown = true;
        }
    }
}

/// Whether lanes run an instruction together: threads wait for each other in it, or leave from it
/// what they wait in.
fn meets(function: &Function, id: InstId) -> bool {
    let mut inner = Vec::new();
    let mut left = Vec::new();
    for region in &function.inst(id).regions {
        function.walk(*region, &mut |id, _| inner.push(id));
    }
    for of in inner.iter().chain([&id]) {
        for region in &function.inst(*of).regions {
            if let End::Break(to, _) | End::Continue(to, _) = function.region(*region).end {
                left.push(to);
            }
        }
    }
    left.retain(|to| *to != id && !inner.contains(to));
    waits(function, id) || left.into_iter().any(|to| waits(function, to))
}

/// Whether threads wait for each other in an instruction.
fn waits(function: &Function, id: InstId) -> bool {
    let mut found = false;
    for region in &function.inst(id).regions {
        function.walk(*region, &mut |_, inst| {
            found |= matches!(inst.op, Op::Barrier(..));
        });
    }
    found
}
