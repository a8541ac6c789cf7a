//! A kernel for several threads of a tile, instruction by instruction.

mod index;

use super::{Dimensions, Plan};
use crate::mir::{
    Base, Def, End, Function, Inst, InstId, Module, Op, Param, RegionId, SiteId, SlotId, Ty, Value,
};
use crate::opt::lane_sites::LaneSites;
use crate::tree::FunctionId;
use rustc_hash::FxHashMap as HashMap;

/// Some lanes of a thread: along some dimensions one, and all along the others, for which it
/// names the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lanes {
    one: Dimensions,
    lane: [u32; 3],
}

/// A kernel on its way to one whose threads are merged.
pub(super) struct Merging<'p> {
    module: &'p mut Module,
    plan: &'p Plan<'p>,
    kernel: &'p Function,
    merged: Function,
    /// The region that is being filled.
    at: RegionId,
    /// By value of the kernel and lane.
    values: HashMap<(Value, u32), Value>,
    /// By slot of the kernel and lane.
    slots: HashMap<(SlotId, u32), SlotId>,
    /// What loops and blocks of the kernel have become last.
    targets: HashMap<InstId, InstId>,
    /// What the kernel starts with: where its lanes are.
    start: Vec<InstId>,
    /// By field, dimension and lane.
    components: HashMap<(u32, u32, u32), Value>,
    /// How far lanes are apart.
    strides: HashMap<u32, Value>,
    sites: LaneSites,
    /// Functions for lanes but the first.
    callees: HashMap<(FunctionId, u32), FunctionId>,
}

impl<'p> Merging<'p> {
    /// The kernel is no longer in its module.
    pub fn new(module: &'p mut Module, kernel: &'p Function, plan: &'p Plan<'p>) -> Self {
        let mut merged = Function {
            params: Vec::new(),
            slots: Vec::new(),
            values: Vec::new(),
            insts: Vec::new(),
            regions: Vec::new(),
            ..kernel.clone()
        };
        let body = merged.new_region();
        merged.body = body;
        Self {
            at: body,
            module,
            plan,
            kernel,
            merged,
            values: HashMap::default(),
            slots: HashMap::default(),
            targets: HashMap::default(),
            start: Vec::new(),
            components: HashMap::default(),
            strides: HashMap::default(),
            sites: LaneSites::default(),
            callees: HashMap::default(),
        }
    }

    /// The merged kernel.
    pub fn run(mut self) -> Function {
        let all = Lanes {
            one: 0,
            lane: [0; 3],
        };
        for number in 0..self.kernel.slots.len() as u32 {
            let slot = SlotId(number);
            let of = &self.kernel.slots[number as usize];
            for lanes in self.each(self.plan.of_slot(slot), all) {
                let own = self.merged.new_slot(&of.name, of.ty);
                let key = (slot, self.number(self.plan.of_slot(slot), lanes));
                self.slots.insert(key, own);
            }
        }
        for (position, param) in (0..).zip(&self.kernel.params) {
            let own = match *param {
                Param::Value(value) => {
                    let ty = self.kernel.ty(value);
                    let own = self.merged.new_value(ty, Def::Param(position));
                    self.values.insert((value, 0), own);
                    Param::Value(own)
                }
                Param::Slot(slot) => Param::Slot(self.slot(slot, all)),
            };
            self.merged.params.push(own);
        }
        self.insts(self.kernel.body, all);
        let end = self.kernel.region(self.kernel.body).end.clone();
        let body = &mut self.merged.regions[self.merged.body.0 as usize];
        body.end = end;
        let rest = std::mem::replace(&mut body.insts, self.start);
        body.insts.extend(rest);
        self.merged
    }

    /// The lanes apart along these dimensions too.
    fn each(&self, along: Dimensions, of: Lanes) -> Vec<Lanes> {
        let mut all = vec![of];
        for (k, factor) in self.plan.factors.iter().enumerate() {
            if (along & !of.one) >> k & 1 == 1 {
                let apart = all.into_iter().flat_map(|of| {
                    (0..*factor).map(move |lane| {
                        let mut next = of;
                        next.one |= 1 << k;
                        next.lane[k] = lane;
                        next
                    })
                });
                all = apart.collect();
            }
        }
        all
    }

    /// The number of lanes among all that differ along these dimensions.
    fn number(&self, along: Dimensions, lanes: Lanes) -> u32 {
        let mut number = 0;
        for (k, factor) in self.plan.factors.iter().enumerate() {
            if along >> k & 1 == 1 {
                number = number * factor + lanes.lane[k];
            }
        }
        number
    }

    fn insts(&mut self, region: RegionId, lanes: Lanes) {
        let kernel = self.kernel;
        for &id in &kernel.region(region).insts {
            let inst = kernel.inst(id);
            match inst.op {
                Op::If | Op::Block | Op::Loop | Op::For | Op::ForInclusive => {
                    for lanes in self.each(self.plan.apart(id), lanes) {
                        if !self.construct(id, inst, lanes) {
                            break;
                        }
                    }
                }
                _ if self.place(inst).is_some() => {}
                _ => {
                    for lanes in self.each(self.along(inst), lanes) {
                        self.copy(inst, lanes);
                    }
                }
            }
        }
    }

    /// The dimensions along which lanes do an instruction without regions each.
    fn along(&self, inst: &Inst) -> Dimensions {
        let of = |values: &[Value]| -> Dimensions {
            let values = values.iter();
            values.fold(0, |all, it| all | self.plan.of_value(*it))
        };
        let effects = inst.op.info().effects;
        match inst.op {
            // Done together, and seen by all.
            Op::Barrier(..) | Op::Fence(_) | Op::DeviceFence => 0,
            // A thread notes its first fault alone.
            Op::NoteFault(_) | Op::NoteCut(_) => of(&inst.args[..1]),
            _ if effects.fixed => self.plan.all(),
            _ if effects.writes.is_some() => {
                let guards = inst.guard.as_slice();
                let slots = inst.op.accesses().into_iter().map(|it| match it.base {
                    Base::Slot(slot) => self.plan.of_slot(slot),
                    _ => 0,
                });
                slots.fold(of(&inst.args) | of(guards), |all, it| all | it)
            }
            _ => of(&inst.results),
        }
    }

    /// An instruction without regions.
    fn copy(&mut self, inst: &Inst, lanes: Lanes) {
        let mut op = inst.op.clone();
        for access in op.accesses_mut() {
            if let Base::Slot(slot) = &mut access.base {
                *slot = self.slot(*slot, lanes);
            }
        }
        match &mut op {
            Op::NoteFault(site) | Op::NoteCut(site) | Op::Message(_, site) => {
                *site = self.site(*site, lanes);
            }
            Op::Call(callee) => *callee = self.callee(*callee, lanes),
            _ => {}
        }
        let mut copy = Inst::new(op, self.all(&inst.args, lanes), inst.span);
        copy.slots = inst.slots.iter().map(|it| self.slot(*it, lanes)).collect();
        copy.guard = inst.guard.map(|guard| self.value(guard, lanes));
        let types: Vec<Ty> = inst.results.iter().map(|it| self.kernel.ty(*it)).collect();
        let own = self.add(copy, &types);
        for (result, own) in inst.results.iter().zip(own) {
            self.define(*result, own, lanes);
        }
    }

    /// An instruction with regions. Whether control gets past it.
    fn construct(&mut self, id: InstId, inst: &Inst, lanes: Lanes) -> bool {
        let first = match inst.op {
            Op::If => 1,
            Op::For | Op::ForInclusive => 3,
            _ => 0,
        };
        let mut args = self.all(&inst.args[..first], lanes);
        let carried = self.carried(inst);
        args.extend(self.passed(&inst.args[first..], carried, lanes));
        let mut copy = Inst::new(inst.op.clone(), args, inst.span);
        copy.unroll = inst.unroll;
        let own = self.merged.new_inst(copy, &[]);
        self.merged.regions[self.at.0 as usize].insts.push(own);
        self.targets.insert(id, own);
        let outer = self.at;
        for region in &inst.regions {
            let copy = self.merged.new_region();
            self.merged.insts[own.0 as usize].regions.push(copy);
            self.at = copy;
            self.params(inst, *region, lanes);
            self.insts(*region, lanes);
            self.end(inst, *region, lanes);
        }
        self.at = outer;
        let types = self.expanded(&inst.results, lanes);
        for (value, lanes) in types {
            let result = self.merged.new_result(own, self.kernel.ty(value));
            self.define(value, result, lanes);
        }
        self.merged.completes(own)
    }

    /// The values that a loop carries.
    fn carried(&self, inst: &Inst) -> &'p [Value] {
        let params = |region: RegionId| &*self.kernel.region(region).params;
        match inst.op {
            Op::Loop => params(inst.regions[0]),
            Op::For | Op::ForInclusive => &params(inst.regions[0])[1..],
            _ => &[],
        }
    }

    /// Values once for each of the lanes that may hold different ones.
    fn expanded(&self, values: &[Value], lanes: Lanes) -> Vec<(Value, Lanes)> {
        let each = values.iter().flat_map(|value| {
            let lanes = self.each(self.plan.of_value(*value), lanes);
            lanes.into_iter().map(|lanes| (*value, lanes))
        });
        each.collect()
    }

    /// Values for what takes them, once for each of its lanes.
    fn passed(&mut self, values: &[Value], to: &[Value], lanes: Lanes) -> Vec<Value> {
        let mut passed = Vec::new();
        for (value, to) in values.iter().zip(to) {
            for lanes in self.each(self.plan.of_value(*to), lanes) {
                passed.push(self.value(*value, lanes));
            }
        }
        passed
    }

    /// What a loop's region takes.
    fn params(&mut self, inst: &Inst, region: RegionId, lanes: Lanes) {
        let params = &self.kernel.region(region).params;
        let carried = self.carried(inst);
        if let [counter, ..] = &params[..params.len() - carried.len()] {
            let own = self.merged.region_param(self.at, self.kernel.ty(*counter));
            // It is the same in all of them, if a fact is too careful.
            for lanes in self.each(self.plan.of_value(*counter), lanes) {
                self.define(*counter, own, lanes);
            }
        }
        for (value, lanes) in self.expanded(carried, lanes) {
            let own = self.merged.region_param(self.at, self.kernel.ty(value));
            self.define(value, own, lanes);
        }
    }

    /// How a region ends that an instruction owns.
    fn end(&mut self, owner: &Inst, region: RegionId, lanes: Lanes) {
        let kernel = self.kernel;
        let end = match &kernel.region(region).end {
            End::Yield(values) => {
                let to = match owner.op {
                    Op::If | Op::Block => &*owner.results,
                    _ => self.carried(owner),
                };
                End::Yield(self.passed(values, to, lanes))
            }
            End::Break(to, values) => {
                let results = &kernel.inst(*to).results;
                End::Break(self.targets[to], self.passed(values, results, lanes))
            }
            End::Continue(to, values) => {
                let carried = self.carried(kernel.inst(*to));
                End::Continue(self.targets[to], self.passed(values, carried, lanes))
            }
            // A kernel returns nothing.
            other => other.clone(),
        };
        self.merged.regions[self.at.0 as usize].end = end;
    }

    fn define(&mut self, value: Value, own: Value, lanes: Lanes) {
        let number = self.number(self.plan.of_value(value), lanes);
        self.values.insert((value, number), own);
    }

    /// A value of the kernel in the first of some lanes.
    fn value(&mut self, value: Value, lanes: Lanes) -> Value {
        if let Some(own) = self.place_of(value, lanes) {
            return own;
        }
        let number = self.number(self.plan.of_value(value), lanes);
        self.values[&(value, number)]
    }

    fn all(&mut self, values: &[Value], lanes: Lanes) -> Vec<Value> {
        values.iter().map(|it| self.value(*it, lanes)).collect()
    }

    fn slot(&self, slot: SlotId, lanes: Lanes) -> SlotId {
        self.slots[&(slot, self.number(self.plan.of_slot(slot), lanes))]
    }

    fn site(&mut self, site: SiteId, lanes: Lanes) -> SiteId {
        let lane = self.number(self.plan.all(), lanes);
        self.sites.of(&mut self.module.sites, site, lane)
    }

    /// A function whose faults are those of a lane.
    fn callee(&mut self, callee: FunctionId, lanes: Lanes) -> FunctionId {
        let lane = self.number(self.plan.all(), lanes);
        if lane == 0 {
            return callee;
        }
        if let Some(known) = self.callees.get(&(callee, lane)) {
            return *known;
        }
        let mut function = self.module.functions[callee.0 as usize].clone();
        let mut own = false;
        for inst in &mut function.insts {
            match &mut inst.op {
                Op::NoteFault(site) | Op::NoteCut(site) | Op::Message(_, site) => {
                    *site = self.sites.of(&mut self.module.sites, *site, lane);
                    own = true;
                }
                Op::Call(inner) => {
                    let of = self.callee(*inner, lanes);
                    own |= of != *inner;
                    *inner = of;
                }
                _ => {}
            }
        }
        let mut id = callee;
        if own {
            self.module.functions.push(function);
            id = FunctionId(self.module.functions.len() as u32 - 1);
        }
        self.callees.insert((callee, lane), id);
        id
    }

    /// Adds an instruction to the current region.
    fn add(&mut self, inst: Inst, types: &[Ty]) -> Vec<Value> {
        let id = self.merged.new_inst(inst, types);
        self.merged.regions[self.at.0 as usize].insts.push(id);
        self.merged.inst(id).results.clone()
    }
}
