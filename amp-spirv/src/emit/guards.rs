//! Lists of instructions: which of them share a branch.
//!
//! A check is three instructions or more: its condition, the note of its fault, and the access
//! that it guards. Where the notes before an access are of what its guard says, all of them
//! become one branch, which further accesses under the same guard share with what is computed
//! between them alone:
//!
//! ```text
//! if guard { load .. store } else { record the fault; zero }
//! ```
//!
//! Other notes become a branch of their own, behind the pure instructions that follow them.

use std::collections::HashSet;

use spirv::Word;

use super::Emitter;
use super::fault::Check;
use super::function::{Flow, Register};
use super::place::Place;
use super::types::has_value;
use crate::mir::{Bound, Effects, Function, Inst, InstId, Op, Value};
use crate::tree::{BinaryOp, Len};

/// Something that a guard or a check says.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Fact {
    /// A component of an index is below that of a view's extent.
    Component(Value, u32, Value),
    /// An index is below a length.
    Below(Value, Len),
    /// Anything else.
    Holds(Value),
}

impl<'m> Emitter<'m> {
    /// Emits a list of instructions.
    pub fn insts(&mut self, list: &'m [InstId]) -> Flow<()> {
        let function = self.current();
        let mut notes: Vec<&Inst> = Vec::new();
        let mut at = 0;
        while let Some(id) = list.get(at) {
            let inst = function.inst(*id);
            at += 1;
            match (&inst.op, inst.guard) {
                (Op::NoteFault(_), _) => notes.push(inst),
                (_, Some(guard)) if is_access(inst) && function.always_holds(guard) => {
                    self.inst(*id)?;
                }
                (_, Some(guard)) if is_access(inst) => {
                    let facts = function.facts([guard]);
                    let conditions = notes.iter().map(|note| note.args[0]);
                    if !notes.is_empty() && function.facts(conditions) != facts {
                        self.flush(&mut notes);
                    }
                    let end = self.end_of_branch(list, at, guard);
                    self.branch_of(&list[at - 1..end], guard, std::mem::take(&mut notes));
                    at = end;
                }
                (_, guard) => {
                    if guard.is_some() || !is_silent(inst) {
                        self.flush(&mut notes);
                    }
                    self.inst(*id)?;
                }
            }
        }
        self.flush(&mut notes);
        Ok(())
    }

    /// Records the faults that are noted, in a branch of their own.
    fn flush(&mut self, notes: &mut Vec<&'m Inst>) {
        if let Some(note) = notes.first() {
            self.at(note.span);
            let checks = self.checks(notes);
            self.watch(checks);
            notes.clear();
        }
    }

    fn checks(&mut self, notes: &[&'m Inst]) -> Vec<Check> {
        let check = |note: &&Inst| {
            let [ok, first, second] = [0, 1, 2].map(|k| self.word(note.args[k]));
            let site = match note.op {
                Op::NoteFault(site) => self.faults.number(site),
                _ => 0,
            };
            Check {
                ok,
                site,
                operands: [first, second],
            }
        };
        notes.iter().map(check).collect()
    }

    /// Where a branch ends whose first access is just before `start`: behind the last access
    /// under the same guard to which only instructions lead that are pure, and whose results
    /// only such use.
    fn end_of_branch(&self, list: &[InstId], start: usize, guard: Value) -> usize {
        let function = self.current();
        let mut end = start;
        let mut between: Vec<Value> = Vec::new();
        for (position, id) in list.iter().enumerate().skip(start) {
            let inst = function.inst(*id);
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
        let function = self.current();
        let args = list.iter().flat_map(|id| &function.inst(*id).args);
        let inside = args.filter(|arg| **arg == value).count() as u32;
        self.body.uses[value.0 as usize] > inside
    }

    /// A branch of accesses under a guard, and of what is between them.
    fn branch_of(&mut self, list: &'m [InstId], guard: Value, notes: Vec<&'m Inst>) {
        let function = self.current();
        let first = function.inst(list[0]);
        self.at(first.span);
        let ok = self.word(guard);
        let place = self.first_place(first);
        let outer: Vec<Value> = list
            .iter()
            .flat_map(|id| &function.inst(*id).results)
            .copied()
            .filter(|it| has_value(self.type_of(*it)) && self.is_used_outside(*it, list))
            .collect();
        let cleared: Vec<&Inst> = list
            .iter()
            .map(|id| function.inst(*id))
            .filter(|inst| matches!(&inst.op, Op::Copy(to, _) if to.is_slot()))
            .collect();
        let has_else = !notes.is_empty() || !outer.is_empty() || !cleared.is_empty();
        let (pass, merge) = (self.b.id(), self.b.id());
        let fail = if has_else { self.b.id() } else { merge };
        self.b.selection_merge(merge);
        self.b.branch_if(ok, pass, fail);

        self.b.label(pass);
        for id in list {
            let inst = function.inst(*id);
            if is_access(inst) {
                self.at(inst.span);
                let shared = place.as_ref().filter(|it| it.is_of(inst));
                let word = self.access(inst, shared);
                if let Some(result) = inst.results.first() {
                    self.set(*result, Register::Word(word));
                }
            } else {
                // It is pure: control comes out of it.
                let _ = self.inst(*id);
            }
        }
        let passed = (self.words(&outer), self.b.block);
        self.b.branch(merge);

        if !has_else {
            return self.b.label(merge);
        }
        self.b.label(fail);
        let checks = self.checks(&notes);
        self.record_fault(&checks);
        for copy in cleared {
            self.clear_first(copy);
        }
        let zeroes: Vec<Word> = outer
            .iter()
            .map(|value| self.hidden_zero_of(self.type_of(*value)))
            .collect();
        let failed = self.b.block;
        self.b.branch(merge);
        self.b.label(merge);
        for ((value, word), zero) in outer.iter().zip(passed.0).zip(zeroes) {
            let ty = self.ty(self.type_of(*value));
            let phi = self.b.phi(ty, &[(word, passed.1), (zero, failed)]);
            self.set(*value, Register::Word(phi));
        }
    }

    /// The place of an access, found before its branch.
    fn first_place(&mut self, inst: &'m Inst) -> Option<Place<'m>> {
        match &inst.op {
            Op::Load(access) | Op::Store(access) | Op::Atomic(_, access) => {
                Some(self.place(access, &inst.args))
            }
            _ => None,
        }
    }
}

impl Function {
    /// What some conditions say together, besides what always holds.
    fn facts(&self, conditions: impl IntoIterator<Item = Value>) -> HashSet<Fact> {
        let mut facts = HashSet::new();
        let mut rest: Vec<Value> = conditions.into_iter().collect();
        while let Some(condition) = rest.pop() {
            let Some(inst) = self.def_inst(condition) else {
                facts.insert(Fact::Holds(condition));
                continue;
            };
            match (&inst.op, &*inst.args) {
                (Op::Binary(BinaryOp::BitAnd), [a, b]) => rest.extend([*a, *b]),
                _ if self.always_holds(condition) => {}
                (Op::InBounds(Bound::View(_), _), [view, components @ ..]) => {
                    let components = (0..).zip(components);
                    facts.extend(components.map(|(k, it)| Fact::Component(*view, k, *it)));
                }
                (Op::InBounds(Bound::Len(len), _), [index]) => {
                    facts.insert(Fact::Below(*index, *len));
                }
                (Op::Binary(BinaryOp::Lt), [a, b]) => {
                    facts.insert(self.below(*a, *b).unwrap_or(Fact::Holds(condition)));
                }
                _ => {
                    facts.insert(Fact::Holds(condition));
                }
            }
        }
        facts
    }

    /// `a < b` as a check of an index.
    fn below(&self, a: Value, b: Value) -> Option<Fact> {
        let bound = self.def_inst(b)?;
        match &bound.op {
            Op::ViewExtent(k) => Some(Fact::Component(bound.args[0], *k, a)),
            Op::Const(id) => Some(Fact::Below(a, Len::Const(*id))),
            Op::Literal(len) => {
                let len = u32::try_from(len.count()?).ok()?;
                Some(Fact::Below(a, Len::Literal(len)))
            }
            _ => None,
        }
    }
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
