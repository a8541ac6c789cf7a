//! Calls replaced by what they call.
//!
//! ```text
//! %3: f32 = call at(%a, %i)           %4: bool = in_bounds %a[%i]
//!                                     %3: f32 = load %a[%i] if %4
//! ```
//!
//! So that the passes behind it see what an index is compared with and what a loop leaves
//! alone. A function that returns in the middle becomes a block, each `return` a `break` of it,
//! which [`flatten`] makes conditions.
//!
//! Inlines what takes views, what is small, what is called once, and what threads wait in where
//! they are to be merged by `coarsen`; functions that nothing calls
//! any more go. Leaves out functions that
//! never return, and those whose floats are of another exactness than the caller's, which only a
//! function as a whole has.

use super::flatten;
use crate::mir::{
    Base, Def, End, Function, Inst, InstId, Module, Op, Param, RegionId, SlotId, Value, ValueInfo,
};
use crate::tree::{FunctionId, Type};
use rustc_hash::FxHashMap as HashMap;

/// Functions of no more instructions are inlined wherever they are called.
const SMALL: usize = 24;

/// A function stops inlining when it has as many instructions.
const LARGE: usize = 20_000;

/// Inlines calls in all functions, callees first.
pub fn run(module: &mut Module) {
    let mut calls = vec![0_u32; module.functions.len()];
    for function in &module.functions {
        for inst in function.live_insts() {
            if let Op::Call(callee) = function.inst(inst).op {
                calls[callee.0 as usize] += 1;
            }
        }
    }
    for index in 0..module.functions.len() {
        let (callees, rest) = module.functions.split_at_mut(index);
        let caller = &mut rest[0];
        for at in caller.live_insts() {
            let Op::Call(callee) = caller.inst(at).op else {
                continue;
            };
            let (number, callee) = (callee.0 as usize, &callees[callee.0 as usize]);
            let takes_views = callee.params.iter().any(|param| match param {
                Param::Value(value) => {
                    matches!(module.types[callee.ty(*value)], Type::View(_))
                }
                Param::Slot(_) => false,
            });
            let size = callee.live_insts().len();
            // Threads that are merged wait once for all.
            let waits = module.options.coarsening.is_some() && waits(callee);
            let wanted = takes_views || size <= SMALL || calls[number] == 1 || waits;
            let fits = caller.insts.len() + size <= LARGE || waits;
            let returns = module.types[callee.result] != Type::Never;
            if wanted && fits && returns && callee.fast_math == caller.fast_math {
                inline(caller, at, callee);
            }
        }
        flatten::run(caller);
    }
    drop_uncalled(module);
}

fn waits(function: &Function) -> bool {
    let mut insts = function.live_insts().into_iter();
    insts.any(|id| matches!(function.inst(id).op, Op::Barrier(..)))
}

/// Removes the functions that nothing calls.
fn drop_uncalled(module: &mut Module) {
    let mut called = vec![false; module.functions.len()];
    let mut kernel = true;
    // Callers come after what they call.
    for (index, function) in module.functions.iter().enumerate().rev() {
        called[index] |= std::mem::take(&mut kernel);
        for inst in function.live_insts() {
            if let Op::Call(callee) = function.inst(inst).op {
                called[callee.0 as usize] |= called[index];
            }
        }
    }
    let mut stay = called.iter();
    module.functions.retain(|_| *stay.next().unwrap_or(&true));
    let moved = |callee: FunctionId| {
        let before = &called[..callee.0 as usize];
        FunctionId(before.iter().filter(|called| **called).count() as u32)
    };
    for inst in module.functions.iter_mut().flat_map(|it| &mut it.insts) {
        if let Op::Call(callee) = &mut inst.op {
            *callee = moved(*callee);
        }
    }
}

/// Replaces a call.
fn inline(caller: &mut Function, call: InstId, callee: &Function) {
    let inst = caller.inst(call).clone();
    let mut copy = Copy {
        caller,
        callee,
        block: call,
        values: HashMap::default(),
        slots: Vec::new(),
        insts: HashMap::default(),
    };
    let mut slots = inst.slots.iter().copied();
    let mut given = vec![None; callee.slots.len()];
    if let Some(result) = callee.result_slot {
        given[result.0 as usize] = slots.next();
    }
    let mut args = inst.args.iter().copied();
    for param in &callee.params {
        match param {
            Param::Value(value) => {
                if let Some(arg) = args.next() {
                    copy.values.insert(*value, arg);
                }
            }
            Param::Slot(slot) => given[slot.0 as usize] = slots.next(),
        }
    }
    for (slot, given) in callee.slots.iter().zip(given) {
        let slot = given.unwrap_or_else(|| copy.caller.new_slot(&slot.name, slot.ty));
        copy.slots.push(slot);
    }
    let body = copy.region(callee.body);
    let block = &mut caller.insts[call.0 as usize];
    block.op = Op::Block;
    block.args.clear();
    block.slots.clear();
    block.regions = vec![body];
}

/// A function's body on its way into a caller.
struct Copy<'f> {
    caller: &'f mut Function,
    callee: &'f Function,
    /// The call, which becomes the block that returns leave.
    block: InstId,
    /// Values of the callee in the caller.
    values: HashMap<Value, Value>,
    /// Slots of the callee in the caller.
    slots: Vec<SlotId>,
    /// Instructions of the callee, which ends refer to, in the caller.
    insts: HashMap<InstId, InstId>,
}

impl Copy<'_> {
    fn region(&mut self, id: RegionId) -> RegionId {
        let copy = self.caller.new_region();
        let callee = self.callee;
        for &param in &callee.region(id).params {
            let value = self.caller.region_param(copy, callee.ty(param));
            self.values.insert(param, value);
        }
        for &inst in &callee.region(id).insts {
            let inst = self.inst(inst);
            self.caller.regions[copy.0 as usize].insts.push(inst);
        }
        let end = match &callee.region(id).end {
            End::Yield(values) => End::Yield(self.all(values)),
            End::Break(inst, values) => End::Break(self.insts[inst], self.all(values)),
            End::Continue(inst, values) => End::Continue(self.insts[inst], self.all(values)),
            End::Return(value) => {
                let values = self.all(value.as_slice());
                match id == callee.body {
                    true => End::Yield(values),
                    false => End::Break(self.block, values),
                }
            }
            End::Unreachable => End::Unreachable,
        };
        self.caller.regions[copy.0 as usize].end = end;
        copy
    }

    fn inst(&mut self, id: InstId) -> InstId {
        let Inst {
            op,
            args,
            slots,
            guard,
            unroll,
            regions,
            results,
            span,
        } = self.callee.inst(id);
        let copy = InstId(self.caller.insts.len() as u32);
        self.insts.insert(id, copy);
        let inst = Inst {
            op: self.op(op),
            args: self.all(args),
            slots: slots
                .iter()
                .map(|slot| self.slots[slot.0 as usize])
                .collect(),
            guard: guard.map(|guard| self.values[&guard]),
            unroll: *unroll,
            regions: Vec::new(),
            results: Vec::new(),
            span: *span,
        };
        self.caller.insts.push(inst);
        let regions: Vec<RegionId> = regions.iter().map(|region| self.region(*region)).collect();
        self.caller.insts[copy.0 as usize].regions = regions;
        for (position, &result) in (0..).zip(results) {
            let ValueInfo { ty, .. } = self.callee.values[result.0 as usize];
            let value = self.caller.new_value(ty, Def::Inst(copy, position));
            self.caller.insts[copy.0 as usize].results.push(value);
            self.values.insert(result, value);
        }
        copy
    }

    fn all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.values[value]).collect()
    }

    fn op(&self, op: &Op) -> Op {
        let mut op = op.clone();
        for access in op.accesses_mut() {
            if let Base::Slot(slot) = &mut access.base {
                *slot = self.slots[slot.0 as usize];
            }
        }
        op
    }
}
