//! `Loop`, `For` and `ForInclusive`.
//!
//! What a loop carries are phis of its header. A `Loop` tests, if at all, where a `while` says
//! so. `For` counts up to its end, which its step never passes, so that nothing wraps.
//! `ForInclusive` does the same where nothing can wrap; otherwise a phi says whether there is
//! a further round:
//!
//! ```text
//! more = start <= end; while more { body; more = end - x >= step; x += step }
//! ```
//!
//! Loops have a hint to be unrolled only where the source says so: see docs/compiler.md.
//!
//! Every loop is left at its top, where its phis are what leaves it: lavapipe gives threads
//! that left early the last round's value of all else.

use spirv::{GlslStd450Op as GLOp, LoopControl, Op as SpvOp, Word};

use super::Emitter;
use super::function::{Diverges, Flow, Register};
use super::scalar::{is_signed, machine};
use super::types::{UNIT, has_value};
use crate::analysis::loops::can_wrap;
use crate::artifact::FaultKind;
use crate::mir::{Inst, InstId, Op, Value};
use crate::tree::{Scalar, Type};

/// What the driver is asked to do with a loop.
fn hint(inst: &Inst) -> LoopControl {
    match inst.unroll {
        true => LoopControl::UNROLL,
        false => LoopControl::NONE,
    }
}

impl<'m> Emitter<'m> {
    /// A loop; gives its results.
    pub fn loop_(&mut self, id: InstId, inst: &'m Inst) -> Flow<Vec<Word>> {
        self.body.open_loops += 1;
        let results = match inst.op {
            Op::Loop => self.infinite(id, inst),
            _ => self.counting(id, inst),
        };
        self.body.open_loops -= 1;
        let results = results?;
        if !self.current().completes(id) {
            // It is only left where a driver ends it.
            let site = self.fault_site(FaultKind::LoopCut, inst.span);
            let zero = self.index_number(0);
            self.try_loops(site, [zero; 2]);
            self.leave_with_zero();
            return Err(Diverges);
        }
        Ok(results)
    }

    fn infinite(&mut self, id: InstId, inst: &'m Inst) -> Flow<Vec<Word>> {
        let region_id = inst.regions[0];
        let region = self.current().region(region_id);
        // Even a loop that is never left needs a way out: a driver may end it.
        let is_tested = self.current().has_test(region_id);
        let always = (!is_tested).then(|| self.hidden_true());
        let (merge, next) = self.enter(id, inst, &region.params);
        let [header, start, round, following] = [(); 4].map(|()| self.b.id());
        let (u32_ty, zero, one) = (self.b.scalar.u32, self.b.u32(0), self.b.u32(1));
        let before = self.b.block;
        self.b.branch(header);
        self.b.label(header);
        let edges = [zero, before, following, next];
        self.b.define(round, SpvOp::Phi, u32_ty, &edges);
        let carried = self.carry(&region.params, &inst.args, before, next);
        self.b.loop_merge_with(hint(inst), merge, next);
        self.b.branch(start);
        self.b.label(start);
        if let Some(always) = always {
            let inside = self.b.id();
            self.leave_never();
            self.b.branch_if(always, inside, merge);
            self.b.label(inside);
        }
        if let Ok(values) = self.region(region_id) {
            self.go_on(&values);
            self.b.branch(next);
        }
        self.start_next(&carried);
        self.b.define(following, SpvOp::IAdd, u32_ty, &[round, one]);
        self.b.branch(header);
        let results = self.exit()?;
        self.note_rounds(round);
        Ok(results)
    }

    /// `while`
    pub fn test(&mut self, args: &[Value]) {
        let Some(merge) = self.body.constructs.last().map(|it| it.merge) else {
            return;
        };
        let (condition, values) = (self.word(args[0]), self.words(&args[1..]));
        let inside = self.b.id();
        self.leave(&values);
        self.b.branch_if(condition, inside, merge);
        self.b.label(inside);
    }

    /// Phis of a header for what a loop carries; gives the ids of what comes from the continue
    /// target, which have to be defined there.
    fn carry(&mut self, params: &[Value], first: &[Value], before: Word, next: Word) -> Vec<Word> {
        let mut promised = Vec::with_capacity(params.len());
        for (param, first) in params.iter().zip(first) {
            let ty = self.type_of(*param);
            if !has_value(ty) {
                promised.push(UNIT);
                continue;
            }
            let (id, again, first) = (self.ty(ty), self.b.id(), self.word(*first));
            let phi = self.b.phi(id, &[(first, before), (again, next)]);
            self.set(*param, Register::Word(phi));
            promised.push(again);
        }
        promised
    }

    /// `For` and `ForInclusive`.
    fn counting(&mut self, id: InstId, inst: &'m Inst) -> Flow<Vec<Word>> {
        let region = self.current().region(inst.regions[0]);
        let [start, end, step] = [0, 1, 2].map(|k| self.word(inst.args[k]));
        let (variable, params) = (region.params[0], &region.params[1..]);
        let ty = self.type_of(variable);
        let id_of_ty = self.ty(ty);
        let is_inclusive = inst.op == Op::ForInclusive;
        let wraps = can_wrap(self.ir, self.current(), inst);
        let at_most = match is_signed(ty) {
            true => SpvOp::SLessThanEqual,
            false => SpvOp::ULessThanEqual,
        };
        let some = (is_inclusive && wraps).then(|| self.b.test(at_most, start, end));

        let (merge, next) = self.enter(id, inst, params);
        let [header, test, inside, value, following, more, further] = [(); 7].map(|()| self.b.id());
        let before = self.b.block;
        self.b.branch(header);

        self.b.label(header);
        let edges = [start, before, following, next];
        self.b.define(value, SpvOp::Phi, id_of_ty, &edges);
        if let Some(some) = some {
            let edges = [some, before, further, next];
            self.b.define(more, SpvOp::Phi, self.b.scalar.bool, &edges);
        }
        let carried = self.carry(params, &inst.args[3..], before, next);
        self.set(variable, Register::Word(value));
        self.b.loop_merge_with(hint(inst), merge, next);
        self.b.branch(test);
        self.b.label(test);
        let within = match some {
            Some(_) => more,
            None if is_inclusive => self.b.test(at_most, value, end),
            None => self.b.test(self.less(ty), value, end),
        };
        let left = self.words(params);
        self.leave(&left);
        self.b.branch_if(within, inside, merge);
        self.b.label(inside);
        if let Ok(values) = self.region(inst.regions[0]) {
            self.go_on(&values);
            self.b.branch(next);
        }

        self.start_next(&carried);
        let word = self.scalar_ty(unsigned(ty));
        let mut increment = step;
        if wraps {
            let rest = self.b.op(SpvOp::ISub, word, &[end, value]);
            if some.is_some() {
                let bool = self.b.scalar.bool;
                let operands = [rest, step];
                self.b
                    .define(further, SpvOp::UGreaterThanEqual, bool, &operands);
            } else {
                // No further than to the end: `value + step` may be past the type's.
                increment = self.b.glsl(GLOp::UMin, word, &[step, rest]);
            }
        }
        let operands = [value, increment];
        self.b.define(following, SpvOp::IAdd, id_of_ty, &operands);
        self.b.branch(header);
        self.exit()
    }

    /// Runs `body` for each number below `count`.
    pub fn count_up(&mut self, count: Word, body: impl FnOnce(&mut Self, Word)) {
        let u32_ty = self.b.scalar.u32;
        let (zero, one) = (self.b.u32(0), self.b.u32(1));
        let [header, test, inside, next, merge] = [(); 5].map(|()| self.b.id());
        let (position, following) = (self.b.id(), self.b.id());
        let before = self.b.block;
        self.b.branch(header);
        self.b.label(header);
        let edges = [zero, before, following, next];
        self.b.define(position, SpvOp::Phi, u32_ty, &edges);
        self.b.loop_merge(merge, next);
        self.b.branch(test);
        self.b.label(test);
        let within = self.b.test(SpvOp::ULessThan, position, count);
        self.b.branch_if(within, inside, merge);
        self.b.label(inside);
        body(self, position);
        self.b.branch(next);
        self.b.label(next);
        let operands = [position, one];
        self.b.define(following, SpvOp::IAdd, u32_ty, &operands);
        self.b.branch(header);
        self.b.label(merge);
    }

    /// The comparison `<` of integers.
    pub fn less(&self, ty: &Type) -> SpvOp {
        match is_signed(ty) {
            true => SpvOp::SLessThan,
            false => SpvOp::ULessThan,
        }
    }
}

/// The unsigned integer of the register that the numbers of a range travel in.
fn unsigned(ty: &Type) -> Scalar {
    ty.scalar()
        .map_or(Scalar::U32, |scalar| machine(scalar).unsigned())
}
