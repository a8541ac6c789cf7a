//! Which guarded accesses and notes of faults share a branch.
//!
//! ```text
//! %5: bool = in_bounds view 1 %1, %2      %5: bool = in_bounds view 1 %1, %2
//! note_fault #0 %5, %2, %3                %6: u32 = if %5 {
//! %6: u32 = load %1[%2] if %5                 %7: u32 = load %1[%2]
//! %7: u32 = add %6, %4                        %8: u32 = add %7, %4
//! store %1[%2], %7 if %5                      store %1[%2], %8
//! %8: u32 = add %6, %6                        yield %7
//!                                         } else {
//!                                             fault #0 %2, %3
//!                                             %9: u32 = zero
//!                                             yield %9
//!                                         }
//!                                         %10: u32 = add %6, %6
//! ```
//!
//! Notes whose conditions are together the guard of the access that follows share its `if`. So do
//! further accesses under the same guard, with the pure instructions between them whose results
//! only they use. Other notes get an `if` of their own, behind the pure instructions that follow
//! them. What only the report of a fault uses is computed in the branch that records it.
//!
//! Guards that always hold stay, and so do those of divisions and views: these are selected, not
//! branched around. Comes behind all that moves or proves checks, for other passes do not look
//! for the guard of an access around it; and before `quirks`, which hides the zeroes.

use crate::mir::{
    Base, Def, Effects, End, Function, Inst, InstId, Module, Op, RegionId, Ty, Value,
};
use crate::tree::{BinaryOp, Span};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Makes branches of guards and notes.
pub fn run(module: &mut Module) {
    let (bool, usize) = (module.types.bool(), module.types.intern(module.index.ty()));
    for function in &mut module.functions {
        let mut branching = Branching {
            uses: uses(function),
            homes: vec![None; function.insts.len()],
            bool,
            usize,
            function,
        };
        branching.region(branching.function.body);
    }
}

struct Branching<'f> {
    function: &'f mut Function,
    bool: Ty,
    usize: Ty,
    /// By value: how often it is used.
    uses: Vec<u32>,
    /// By instruction: the region that lists it, of those that are done.
    homes: Vec<Option<RegionId>>,
}

impl Branching<'_> {
    fn region(&mut self, region: RegionId) {
        let list = std::mem::take(&mut self.function.regions[region.0 as usize].insts);
        let mut notes: Vec<InstId> = Vec::new();
        let mut at = 0;
        while let Some(&id) = list.get(at) {
            let inst = self.function.inst(id);
            at += 1;
            if let Op::NoteFault(_) = inst.op {
                if !self.function.always_holds(inst.args[0]) {
                    notes.push(id);
                }
                continue;
            }
            let is_access = is_access(inst);
            let guard = inst.guard.filter(|it| !self.function.always_holds(*it));
            match guard.filter(|_| is_access) {
                Some(guard) => {
                    let conditions = notes.iter().map(|it| self.function.inst(*it).args[0]);
                    if self.conjuncts(conditions) != self.conjuncts([guard]) {
                        self.flush(&mut notes, region);
                    }
                    let end = self.end_of_branch(&list, at, guard);
                    let notes = std::mem::take(&mut notes);
                    self.branch(&list[at - 1..end], guard, &notes, region);
                    at = end;
                }
                None => {
                    if guard.is_some() || !is_silent(inst) {
                        self.flush(&mut notes, region);
                    }
                    for inner in self.function.inst(id).regions.clone() {
                        self.region(inner);
                    }
                    self.list(id, region);
                }
            }
        }
        self.flush(&mut notes, region);
        let list = &mut self.function.regions[region.0 as usize].insts;
        list.retain(|id| self.homes[id.0 as usize] == Some(region));
    }

    /// Lists an instruction in a region, which takes it from where it was.
    fn list(&mut self, id: InstId, region: RegionId) {
        self.function.regions[region.0 as usize].insts.push(id);
        self.homes.resize(self.function.insts.len(), None);
        self.homes[id.0 as usize] = Some(region);
    }

    /// Where a branch ends whose first access is just before `start`: behind the last access
    /// under the same guard to which only instructions lead that are pure, and whose results
    /// only such use.
    fn end_of_branch(&self, list: &[InstId], start: usize, guard: Value) -> usize {
        let mut end = start;
        let mut between: Vec<Value> = Vec::new();
        for (position, id) in list.iter().enumerate().skip(start) {
            let inst = self.function.inst(*id);
            if is_access(inst) && inst.guard == Some(guard) {
                let inside = &list[start - 1..=position];
                if between.iter().any(|it| self.is_used_outside(*it, inside)) {
                    break;
                }
                end = position + 1;
                between.clear();
            } else if is_pure(inst) && inst.guard.is_none() {
                between.extend(&inst.results);
            } else {
                break;
            }
        }
        end
    }

    fn is_used_outside(&self, value: Value, list: &[InstId]) -> bool {
        let args = list.iter().flat_map(|id| &self.function.inst(*id).args);
        let inside = args.filter(|arg| **arg == value).count() as u32;
        self.uses[value.0 as usize] > inside
    }

    /// Makes a branch of accesses under a guard, what is between them, and the notes before.
    fn branch(&mut self, list: &[InstId], guard: Value, notes: &[InstId], region: RegionId) {
        let span = self.function.inst(list[0]).span;
        let [then, otherwise] = [(); 2].map(|()| self.function.new_region());
        self.find_place(list, region);
        for &id in list {
            let inst = self.function.inst(id);
            if let Op::Copy(to, _) = &inst.op
                && to.is_slot()
            {
                let clear = Inst::new(Op::Clear(to.clone()), Vec::new(), inst.span);
                let clear = self.function.new_inst(clear, &[]);
                self.list(clear, otherwise);
            }
        }
        let results = list.iter().flat_map(|id| &self.function.inst(*id).results);
        let outer: Vec<Value> = results
            .copied()
            .filter(|it| self.is_used_outside(*it, list))
            .collect();
        let mut zeroes: Vec<Value> = Vec::new();
        for value in &outer {
            let ty = self.function.ty(*value);
            let known = zeroes.iter().find(|it| self.function.ty(**it) == ty);
            let zero = known.copied().unwrap_or_else(|| {
                let zero = Inst::new(Op::Zero, Vec::new(), span);
                self.add(zero, ty, otherwise)
            });
            zeroes.push(zero);
        }
        let inner = self.insides(list, &outer);
        for &id in list {
            self.function.insts[id.0 as usize].guard = None;
            self.list(id, then);
        }
        let ends = [(then, inner), (otherwise, zeroes)];
        self.if_(guard, ends, outer, span, region);
        self.fault(notes, otherwise);
    }

    /// Computes the position of the element that is accessed first, for all accesses to it, where
    /// that takes more than its index.
    fn find_place(&mut self, list: &[InstId], region: RegionId) {
        let first = self.function.inst(list[0]);
        let Some(base @ Base::Element(2..)) = first.op.accesses().first().map(|it| it.base) else {
            return;
        };
        let element = first.args[..base.operands()].to_vec();
        let position = Inst::new(Op::Position, element.clone(), first.span);
        let position = self.add(position, self.usize, region);
        for id in list {
            let Inst { op, args, .. } = &mut self.function.insts[id.0 as usize];
            let mut at = 0;
            for access in op.accesses_mut() {
                if access.base == base && args[at..].starts_with(&element) {
                    access.base = Base::Position;
                    args.splice(at + 1..at + element.len(), [position]);
                }
                at += access.operands();
            }
        }
    }

    /// Records faults that are noted, in a branch of their own.
    fn flush(&mut self, notes: &mut Vec<InstId>, region: RegionId) {
        let notes = std::mem::take(notes);
        let conditions = notes.iter().map(|it| self.function.inst(*it).args[0]);
        let conditions: Vec<Value> = conditions.collect();
        let Some((first, others)) = conditions.split_first() else {
            return;
        };
        let (span, bool) = (self.function.inst(notes[0]).span, self.bool);
        let are_checks = conditions.iter().all(|it| self.is_check(*it));
        let mut condition = |op, args| {
            let inst = Inst::new(op, args, span);
            self.add(inst, bool, region)
        };
        let mut all = others.iter().fold(*first, |all, other| {
            condition(Op::Binary(BinaryOp::BitAnd), vec![all, *other])
        });
        if !are_checks {
            let unchecked = condition(Op::Unchecked, Vec::new());
            all = condition(Op::Binary(BinaryOp::BitOr), vec![unchecked, all]);
        }
        let [then, otherwise] = [(); 2].map(|()| self.function.new_region());
        let ends = [then, otherwise].map(|it| (it, Vec::new()));
        self.if_(all, ends, Vec::new(), span, region);
        self.fault(&notes, otherwise);
    }

    /// Lists an `if` whose regions end with these values.
    fn if_(
        &mut self,
        condition: Value,
        ends: [(RegionId, Vec<Value>); 2],
        results: Vec<Value>,
        span: Span,
        region: RegionId,
    ) {
        let mut inst = Inst::new(Op::If, vec![condition], span);
        for (region, values) in ends {
            inst.regions.push(region);
            self.function.regions[region.0 as usize].end = End::Yield(values);
        }
        self.uses[condition.0 as usize] += 1;
        let id = self.function.new_inst(inst, &[]);
        for (position, result) in (0..).zip(&results) {
            self.function.values[result.0 as usize].def = Def::Inst(id, position);
        }
        self.function.insts[id.0 as usize].results = results;
        self.list(id, region);
    }

    /// Gives instructions other results in place of those that their branch passes on.
    fn insides(&mut self, list: &[InstId], outer: &[Value]) -> Vec<Value> {
        let mut inner = Vec::with_capacity(outer.len());
        for &value in outer {
            let Def::Inst(id, position) = self.function.def(value) else {
                continue;
            };
            let new = self
                .function
                .new_value(self.function.ty(value), Def::Inst(id, position));
            self.uses.resize(self.function.values.len(), 1);
            self.function.insts[id.0 as usize].results[position as usize] = new;
            for id in list {
                let args = &mut self.function.insts[id.0 as usize].args;
                for arg in args.iter_mut().filter(|arg| **arg == value) {
                    *arg = new;
                }
            }
            inner.push(new);
        }
        inner
    }

    /// Records the first of some faults, one of which there is, and computes there what only that
    /// needs.
    fn fault(&mut self, notes: &[InstId], otherwise: RegionId) {
        let Some(&last) = notes.last() else {
            return;
        };
        let (mut sites, mut args): (Vec<_>, Vec<Value>) = (Vec::new(), Vec::new());
        for &id in notes {
            let note = self.function.inst(id);
            if let Op::NoteFault(site) = note.op {
                sites.push(site);
                args.extend(&note.args);
            }
            if id == last {
                // The last needs no condition: it is the fault if none of the others is.
                let condition = args.remove(args.len() - 3);
                self.uses[condition.0 as usize] -= 1;
            }
        }
        self.sink(&args, otherwise);
        let span = self.function.inst(notes[0]).span;
        let fault = Inst::new(Op::Fault(sites), args, span);
        let fault = self.function.new_inst(fault, &[]);
        self.list(fault, otherwise);
    }

    /// Moves what is computed around a region for some operands alone there.
    fn sink(&mut self, operands: &[Value], to: RegionId) {
        let mut seen: HashMap<Value, u32> = HashMap::default();
        let mut moved: Vec<InstId> = Vec::new();
        let mut open = operands.to_vec();
        while let Some(value) = open.pop() {
            let seen = seen.entry(value).or_default();
            *seen += 1;
            let Def::Inst(id, _) = self.function.def(value) else {
                continue;
            };
            let inst = self.function.inst(id);
            let is_last = *seen == self.uses[value.0 as usize];
            if is_last && is_pure(inst) && self.homes[id.0 as usize].is_some() {
                moved.push(id);
                open.extend(inst.args.iter().chain(&inst.guard));
            }
        }
        for id in moved.into_iter().rev() {
            self.list(id, to);
        }
    }

    /// Lists a new instruction; gives its result.
    fn add(&mut self, inst: Inst, ty: Ty, region: RegionId) -> Value {
        for arg in &inst.args {
            self.uses[arg.0 as usize] += 1;
        }
        let id = self.function.new_inst(inst, &[ty]);
        self.uses.resize(self.function.values.len(), 1);
        self.list(id, region);
        self.function.inst(id).results[0]
    }

    /// What some conditions say together, besides what always holds.
    fn conjuncts(&self, conditions: impl IntoIterator<Item = Value>) -> HashSet<Value> {
        let mut found = HashSet::default();
        let mut rest: Vec<Value> = conditions.into_iter().collect();
        while let Some(condition) = rest.pop() {
            match self.function.def_inst(condition) {
                Some(inst) if inst.op == Op::Binary(BinaryOp::BitAnd) => rest.extend(&inst.args),
                _ if self.function.always_holds(condition) => {}
                _ => {
                    found.insert(condition);
                }
            }
        }
        found
    }

    /// Whether a condition holds where checks are disabled.
    fn is_check(&self, condition: Value) -> bool {
        self.function
            .def_inst(condition)
            .is_some_and(|inst| match inst.op {
                Op::InBounds(..) => true,
                Op::Binary(BinaryOp::BitAnd) => inst.args.iter().all(|it| self.is_check(*it)),
                _ => false,
            })
    }
}

/// How often each value of a function is used.
fn uses(function: &Function) -> Vec<u32> {
    let mut uses = vec![0; function.values.len()];
    let mut count = |values: &[Value]| {
        for value in values {
            uses[value.0 as usize] += 1;
        }
    };
    count(function.region(function.body).end.values());
    function.walk(function.body, &mut |_, inst| {
        count(&inst.args);
        count(inst.guard.as_slice());
        for region in &inst.regions {
            count(function.region(*region).end.values());
        }
    });
    uses
}

fn is_access(inst: &Inst) -> bool {
    !inst.op.accesses().is_empty()
}

/// Whether an instruction does nothing but compute its results.
fn is_pure(inst: &Inst) -> bool {
    inst.regions.is_empty() && inst.op.info().effects == Effects::default()
}

/// Whether it makes no difference if a fault is noted before an instruction or after it.
fn is_silent(inst: &Inst) -> bool {
    let effects = inst.op.info().effects;
    inst.regions.is_empty() && !effects.fixed && !effects.convergent
}

#[cfg(test)]
mod tests;
