//! Ways out of what threads wait in, as conditions.
//!
//! ```text
//! loop {                              loop {
//!     barrier                             barrier
//!     %1 = ...                            %1 = ...
//!     for .. {                            %2, .. = for .. with false {
//!         if %1 { continue 'loop }            if %1 { break with true }
//!     }                                   }
//!     %3 = ...                            if %2 {} else {
//! }                                           %3 = ...
//!                                         }
//!                                     }
//! ```
//!
//! A loop or block in which threads wait for each other runs for all merged threads together, so
//! none of them may jump out of it, or into its next round, alone: what it leaves out is in a
//! condition instead. That all of them leave such a loop together is checked on the tree, since
//! others wait in it.
//!
//! So does one from which threads leave together what they wait in.
//!
//! Leaves out all others, which each thread can run for itself.

use super::meets;
use crate::mir::{End, Function, Inst, InstId, Module, Op, RegionId, Ty, Value};
use crate::opt::{flatten, returns};
use crate::tree::Literal;

/// Has a kernel leave what its threads wait in at the end only.
pub(super) fn run(module: &mut Module, kernel: &mut Function) {
    returns::run(kernel);
    for id in kernel.live_insts() {
        let inst = kernel.inst(id);
        if inst.op.is_loop() && meets(kernel, id) {
            without_continue(kernel, id);
        }
    }
    flatten::run(kernel);
    // Inner ones before those around them.
    let blocks = kernel.live_insts();
    for block in blocks.into_iter().rev() {
        if kernel.inst(block).op == Op::Block && meets(kernel, block) {
            Leaving::new(module, kernel, block).run();
        }
    }
    flatten::run(kernel);
}

/// The regions in an instruction, with those in them.
fn regions_in(function: &Function, id: InstId) -> Vec<RegionId> {
    let mut found = function.inst(id).regions.clone();
    let mut next = 0;
    while let Some(region) = found.get(next) {
        let insts = function.region(*region).insts.iter();
        let inner = insts.flat_map(|it| function.inst(*it).regions.clone());
        found.extend(inner.collect::<Vec<_>>());
        next += 1;
    }
    found
}

/// Puts what a loop does into a block, which is left in place of jumps to the next round.
fn without_continue(kernel: &mut Function, id: InstId) {
    let goes_on = |end: &End| matches!(end, End::Continue(to, _) if *to == id);
    let inner = regions_in(kernel, id);
    if !inner.iter().any(|it| goes_on(&kernel.region(*it).end)) {
        return;
    }
    let (body, span) = (kernel.inst(id).regions[0], kernel.inst(id).span);
    let counted = usize::from(kernel.inst(id).op != Op::Loop);
    let carried = kernel.region(body).params[counted..].iter();
    let types: Vec<Ty> = carried.map(|it| kernel.ty(*it)).collect();
    let block = kernel.new_inst(Inst::new(Op::Block, Vec::new(), span), &types);
    for region in inner {
        let end = &mut kernel.regions[region.0 as usize].end;
        if goes_on(end) {
            *end = match end.clone() {
                End::Continue(_, values) if region == body => End::Yield(values),
                End::Continue(_, values) => End::Break(block, values),
                other => other,
            };
        }
    }
    let round = kernel.new_region();
    let results = kernel.inst(block).results.clone();
    let whole = &mut kernel.regions[body.0 as usize];
    let insts = std::mem::replace(&mut whole.insts, vec![block]);
    let end = std::mem::replace(&mut whole.end, End::Yield(results));
    let round_region = &mut kernel.regions[round.0 as usize];
    (round_region.insts, round_region.end) = (insts, end);
    kernel.insts[block.0 as usize].regions = vec![round];
}

/// What a region that may have left a block yields besides its own values.
#[derive(Clone, Copy)]
enum Says {
    /// Whether it has, and what the block yields then.
    Way,
    /// What the block yields: it always has.
    Values,
}

/// A block that is to be left at its end.
struct Leaving<'m> {
    function: &'m mut Function,
    block: InstId,
    bool: Ty,
    /// The types of its results.
    types: Vec<Ty>,
}

impl<'m> Leaving<'m> {
    fn new(module: &mut Module, function: &'m mut Function, block: InstId) -> Self {
        let results = function.inst(block).results.iter();
        let types = results.map(|it| function.ty(*it)).collect();
        Self {
            bool: module.types.bool(),
            block,
            types,
            function,
        }
    }

    fn run(mut self) {
        let region = self.function.inst(self.block).regions[0];
        let end = &mut self.function.regions[region.0 as usize].end;
        if let End::Yield(values) = end {
            *end = End::Break(self.block, values.clone());
        }
        self.region(region, &[], Says::Values);
    }

    /// Whether a jump out of the block stands in an instruction.
    fn is_left_in(&self, id: InstId) -> bool {
        let regions = regions_in(self.function, id);
        let mut ends = regions.iter().map(|it| &self.function.region(*it).end);
        ends.any(|end| matches!(end, End::Break(to, _) if *to == self.block))
    }

    /// Has a region that yields values of these types say more.
    fn region(&mut self, region: RegionId, types: &[Ty], says: Says) {
        let insts = self.function.region(region).insts.iter();
        let Some(at) = insts.clone().position(|it| self.is_left_in(*it)) else {
            return self.end(region, types, says);
        };
        let whole = &mut self.function.regions[region.0 as usize];
        let rest = whole.insts.split_off(at + 1);
        let end = std::mem::replace(&mut whole.end, End::Unreachable);
        let Some(leaving) = whole.insts.pop() else {
            return;
        };
        let left = self.inst(leaving, region);
        self.function.regions[region.0 as usize].insts.push(leaving);
        if rest.is_empty() && end == End::Unreachable {
            let mut values = self.zeroes(region, types);
            values.extend(&left[says as usize..]);
            self.function.regions[region.0 as usize].end = End::Yield(values);
            return;
        }
        let [then, otherwise] = [0, 1].map(|_| self.function.new_region());
        let mut values = self.zeroes(then, types);
        values.extend(&left[says as usize..]);
        self.function.regions[then.0 as usize].end = End::Yield(values);
        let others = &mut self.function.regions[otherwise.0 as usize];
        (others.insts, others.end) = (rest, end);
        self.region(otherwise, types, says);
        let mut condition = Inst::new(Op::If, vec![left[0]], self.function.inst(leaving).span);
        condition.regions = vec![then, otherwise];
        let said = [&[self.bool], &*self.types].concat();
        let types = [types, &said[says as usize..]].concat();
        let condition = self.function.new_inst(condition, &types);
        let results = self.function.inst(condition).results.clone();
        let whole = &mut self.function.regions[region.0 as usize];
        whole.insts.push(condition);
        whole.end = End::Yield(results);
    }

    /// The same of a region in which nothing leaves the block but its end.
    fn end(&mut self, region: RegionId, types: &[Ty], says: Says) {
        let values = match self.function.region(region).end.clone() {
            End::Break(to, values) if to == self.block => {
                let mut all = self.zeroes(region, types);
                if let Says::Way = says {
                    all.push(self.left(region, true));
                }
                all.extend(values);
                all
            }
            End::Yield(values) => self.stays(region, values),
            _ => return,
        };
        self.function.regions[region.0 as usize].end = End::Yield(values);
    }

    /// What passes these values on without leaving the block, at the end of a region.
    fn stays(&mut self, region: RegionId, mut values: Vec<Value>) -> Vec<Value> {
        values.push(self.left(region, false));
        let types = self.types.clone();
        values.extend(self.zeroes(region, &types));
        values
    }

    /// Has an instruction of a region, which is the next, say whether it has left the block.
    fn inst(&mut self, id: InstId, around: RegionId) -> Vec<Value> {
        let inst = self.function.inst(id).clone();
        let old: Vec<Ty> = inst
            .results
            .iter()
            .map(|it| self.function.ty(*it))
            .collect();
        match inst.op {
            Op::If => {
                for region in &inst.regions {
                    self.region(*region, &old, Says::Way);
                }
            }
            _ => {
                let carried = matches!(inst.op, Op::For | Op::ForInclusive);
                let mut passed = Vec::new();
                if carried {
                    let first = self.stays(around, Vec::new());
                    self.function.insts[id.0 as usize].args.extend(first);
                    let types = [&[self.bool], &*self.types].concat();
                    let body = inst.regions[0];
                    let params = types.iter().map(|ty| self.function.region_param(body, *ty));
                    passed = params.collect();
                }
                for region in regions_in(self.function, id) {
                    self.jump(region, id, &old, &passed);
                }
                if inst.op == Op::Block {
                    self.yields(inst.regions[0]);
                }
            }
        }
        let types = [&[self.bool], &*self.types].concat();
        let results = types.iter().map(|ty| self.function.new_result(id, *ty));
        results.collect()
    }

    fn yields(&mut self, region: RegionId) {
        if let End::Yield(values) = self.function.region(region).end.clone() {
            let values = self.stays(region, values);
            self.function.regions[region.0 as usize].end = End::Yield(values);
        }
    }

    /// The end of a region in a loop or block, which is left in place of the block around it. A
    /// counted loop passes what it carries.
    fn jump(&mut self, region: RegionId, inner: InstId, old: &[Ty], passed: &[Value]) {
        let is_body = self.function.inst(inner).regions[0] == region;
        let end = match self.function.region(region).end.clone() {
            End::Break(to, values) if to == self.block => {
                let mut all = self.zeroes(region, old);
                all.push(self.left(region, true));
                all.extend(values);
                End::Break(inner, all)
            }
            End::Break(to, values) if to == inner => End::Break(inner, self.stays(region, values)),
            End::Continue(to, mut values) if to == inner => {
                values.extend(passed);
                End::Continue(to, values)
            }
            End::Yield(mut values) if is_body => {
                values.extend(passed);
                End::Yield(values)
            }
            other => other,
        };
        self.function.regions[region.0 as usize].end = end;
    }

    fn left(&mut self, region: RegionId, left: bool) -> Value {
        self.add(region, Op::Literal(Literal::Bool(left)), self.bool)
    }

    fn zeroes(&mut self, region: RegionId, types: &[Ty]) -> Vec<Value> {
        let zeroes = types.iter().map(|ty| self.add(region, Op::Zero, *ty));
        zeroes.collect()
    }

    /// Adds an instruction at the end of a region.
    fn add(&mut self, region: RegionId, op: Op, ty: Ty) -> Value {
        let span = self.function.inst(self.block).span;
        let id = self
            .function
            .new_inst(Inst::new(op, Vec::new(), span), &[ty]);
        self.function.regions[region.0 as usize].insts.push(id);
        self.function.inst(id).results[0]
    }
}
