//! `if`, labelled blocks, and the ends of regions.
//!
//! What regions pass on becomes phis where they meet. SPIR-V lets control leave only the
//! innermost loop. A labelled block that something breaks out of is therefore a loop that goes
//! round once, and a jump that leaves several constructs takes one step at a time: it notes
//! where it is heading in the function's `escape` variable, leaves the innermost construct, and
//! after that construct's merge a test sends it on. What it passes on waits in variables. The
//! `escape` variable is zero whenever control goes its normal way.

use spirv::{Op as SpvOp, Word};

use super::Emitter;
use super::function::{Diverges, Flow};
use super::jumps::{Construct, Meeting, Target};
use super::types::{UNIT, has_value};
use crate::mir::{End, Inst, InstId, Op, Region, Value};
use crate::tree::Type;

impl<'m> Emitter<'m> {
    /// `if`; gives its results.
    pub fn if_(&mut self, inst: &'m Inst) -> Flow<Vec<Word>> {
        let function = self.current();
        let [yes, no] = [0, 1].map(|k| function.region(inst.regions[k]));
        let condition = self.word(inst.args[0]);
        let mut meeting = Meeting::new(self.types_of(&inst.results));
        let skips_no = self.is_empty(no);
        let skips_yes = !skips_no && self.is_empty(yes);
        for (region, skips) in [(yes, skips_yes), (no, skips_no)] {
            if skips {
                self.insts(&region.insts)?;
            }
        }
        let (head, merge) = (self.b.block, self.b.id());
        let [yes_label, no_label] = [skips_yes, skips_no].map(|skips| match skips {
            true => merge,
            false => self.b.id(),
        });
        self.b.selection_merge(merge);
        self.b.branch_if(condition, yes_label, no_label);
        for (region, label) in [(yes, yes_label), (no, no_label)] {
            if label == merge {
                let values = self.words(region.end.values());
                meeting.edges.push((values, head));
                continue;
            }
            self.b.label(label);
            let values = self
                .insts(&region.insts)
                .and_then(|()| self.end(&region.end));
            if let Ok(values) = values {
                meeting.edges.push((values, self.b.block));
                self.b.branch(merge);
            }
        }
        self.b.label(merge);
        if meeting.edges.is_empty() {
            self.b.unreachable();
            return Err(Diverges);
        }
        Ok(self.meet(&meeting, None))
    }

    /// Whether a region does nothing but yield what is known before it: its instructions are
    /// constants.
    fn is_empty(&self, region: &Region) -> bool {
        let function = self.current();
        let is_constant = |id: &InstId| {
            matches!(
                function.inst(*id).op,
                Op::Literal(_) | Op::Const(_) | Op::Zero
            )
        };
        matches!(region.end, End::Yield(_)) && region.insts.iter().all(is_constant)
    }

    /// A labelled block; gives its results.
    pub fn block(&mut self, id: InstId, inst: &'m Inst) -> Flow<Vec<Word>> {
        let region = inst.regions[0];
        if !self.body.jumps.broken.contains(&id) {
            return self.region(region);
        }
        let (header, body) = (self.b.id(), self.b.id());
        let (merge, next) = self.enter(id, inst, &[]);
        self.b.branch(header);
        self.b.label(header);
        self.b.loop_merge(merge, next);
        self.b.branch(body);
        self.b.label(body);
        if let Ok(values) = self.region(region) {
            self.leave(&values);
            self.b.branch(merge);
        }
        // Nothing goes round again, but a loop must have a way to.
        self.b.label(next);
        self.b.branch(header);
        self.exit()
    }

    fn types_of(&self, values: &[Value]) -> Vec<&'m Type> {
        values.iter().map(|value| self.type_of(*value)).collect()
    }

    /// Opens a construct with the values that it carries; gives its merge block and continue
    /// target.
    pub fn enter(&mut self, id: InstId, inst: &'m Inst, carried: &[Value]) -> (Word, Word) {
        let mut results = Meeting::new(self.types_of(&inst.results));
        if self.body.jumps.far_breaks.contains(&id) {
            results.variables = Some(self.variables(&results.types));
        }
        let mut carried = Meeting::new(self.types_of(carried));
        if self.body.jumps.far_continues.contains(&id) {
            carried.variables = Some(self.variables(&carried.types));
        }
        let (merge, next) = (self.b.id(), self.b.id());
        self.body.constructs.push(Construct {
            id,
            merge,
            next,
            results,
            carried,
            completes: false,
            passing: Vec::new(),
        });
        (merge, next)
    }

    fn variables(&mut self, types: &[&Type]) -> Vec<Word> {
        let mut variable = |ty: &&Type| {
            let ty = has_value(ty).then(|| self.ty(ty))?;
            Some(self.b.variable(ty, ""))
        };
        let words = types.iter().map(|ty| variable(ty).unwrap_or(UNIT));
        words.collect()
    }

    /// Notes that the current block, which is about to branch there, brings values to a
    /// meeting of the innermost construct.
    fn bring(&mut self, values: &[Word], again: bool) {
        let block = self.b.block;
        let Some(construct) = self.body.constructs.last_mut() else {
            return;
        };
        let meeting = match again {
            true => &mut construct.carried,
            false => &mut construct.results,
        };
        meeting.edges.push((values.to_vec(), block));
        let variables = meeting.variables.clone().unwrap_or_default();
        self.keep(&variables, values);
    }

    /// Puts values into the variables where they wait.
    fn keep(&mut self, variables: &[Word], values: &[Word]) {
        for (variable, value) in variables.iter().zip(values) {
            if *variable != UNIT {
                self.b.store(*variable, *value);
            }
        }
    }

    /// Notes that the current block is about to leave the innermost construct with its results.
    pub fn leave(&mut self, values: &[Word]) {
        self.bring(values, false);
        if let Some(construct) = self.body.constructs.last_mut() {
            construct.completes = true;
        }
    }

    /// The same, with zeroes: what control never does, but a driver must not know.
    pub fn leave_never(&mut self) {
        let zeroes = self.nothing();
        if let Some(construct) = self.body.constructs.last_mut() {
            construct.results.edges.push((zeroes, self.b.block));
            construct.completes = true;
        }
    }

    /// Notes that the current block is about to go to the next round of the innermost construct.
    pub fn go_on(&mut self, values: &[Word]) {
        self.bring(values, true);
    }

    /// Something to stand for each result of the innermost construct.
    fn nothing(&mut self) -> Vec<Word> {
        let types = match self.body.constructs.last() {
            Some(construct) => construct.results.types.clone(),
            None => Vec::new(),
        };
        types.into_iter().map(|ty| self.zero(ty)).collect()
    }

    /// The values at the start of a block that others bring them to, under the ids that were
    /// promised for them, if there are such.
    fn meet(&mut self, meeting: &Meeting<'m>, promised: Option<&[Word]>) -> Vec<Word> {
        if promised.is_none()
            && meeting.variables.is_none()
            && let [(values, _)] = &*meeting.edges
        {
            return values.clone();
        }
        let mut words = Vec::with_capacity(meeting.types.len());
        for (k, ty) in meeting.types.iter().enumerate() {
            if !has_value(ty) {
                words.push(UNIT);
                continue;
            }
            let word = match promised {
                Some(promised) => promised[k],
                None => self.b.id(),
            };
            let id = self.ty(ty);
            if let Some(variables) = &meeting.variables {
                self.b.define(word, SpvOp::Load, id, &[variables[k]]);
            } else if meeting.edges.is_empty() {
                let null = self.b.null(id);
                self.b.define(word, SpvOp::CopyObject, id, &[null]);
            } else {
                let edges = meeting.edges.iter();
                let operands: Vec<Word> = edges.flat_map(|(it, block)| [it[k], *block]).collect();
                self.b.define(word, SpvOp::Phi, id, &operands);
            }
            words.push(word);
        }
        words
    }

    /// Starts the continue target of the innermost construct, and defines what it carries
    /// under the ids that were promised for it.
    pub fn start_next(&mut self, promised: &[Word]) {
        let Some(construct) = self.body.constructs.last_mut() else {
            return;
        };
        let next = construct.next;
        let carried = std::mem::replace(&mut construct.carried, Meeting::new(Vec::new()));
        self.b.label(next);
        self.meet(&carried, Some(promised));
    }

    /// Closes the innermost construct at its merge block; gives its results.
    pub fn exit(&mut self) -> Flow<Vec<Word>> {
        let Some(construct) = self.body.constructs.pop() else {
            return Err(Diverges);
        };
        self.b.label(construct.merge);
        let mut passing = construct.passing.into_iter().peekable();
        if passing.peek().is_none() && !construct.completes {
            self.b.unreachable();
            return Err(Diverges);
        }
        let results = self.meet(&construct.results, None);
        while let Some((target, code)) = passing.next() {
            if !construct.completes && passing.peek().is_none() {
                self.pass_on(target, code);
                return Err(Diverges);
            }
            let (leave, stay) = (self.b.id(), self.b.id());
            let escape = self.escape();
            let heading = self.b.load(self.b.scalar.u32, escape);
            let leaves = self.b.test(SpvOp::IEqual, heading, code);
            self.b.selection_merge(stay);
            self.b.branch_if(leaves, leave, stay);
            self.b.label(leave);
            self.pass_on(target, code);
            self.b.label(stay);
        }
        Ok(results)
    }

    /// Emits the end of a region; gives what it yields.
    pub fn end(&mut self, end: &'m End) -> Flow<Vec<Word>> {
        match end {
            End::Yield(values) => return Ok(self.words(values)),
            End::Break(construct, values) => {
                let target = Target {
                    construct: *construct,
                    again: false,
                };
                self.jump(target, values);
            }
            End::Continue(construct, values) => {
                let target = Target {
                    construct: *construct,
                    again: true,
                };
                self.jump(target, values);
            }
            End::Return(value) => {
                let value = value.filter(|value| has_value(self.type_of(*value)));
                let value = value.map(|value| self.word(value));
                self.b.ret(value);
            }
            End::Unreachable => self.b.unreachable(),
        }
        Err(Diverges)
    }

    /// Starts a jump.
    fn jump(&mut self, target: Target, values: &[Value]) {
        let values = self.words(values);
        let innermost = self.body.constructs.last();
        if innermost.is_some_and(|it| it.id == target.construct) {
            return self.arrive(target, &values);
        }
        let known = innermost.and_then(|it| it.passing.iter().find(|(known, _)| *known == target));
        let known = known.map(|(_, code)| *code);
        let code = known.unwrap_or_else(|| {
            self.body.escapes += 1;
            self.b.u32(self.body.escapes)
        });
        let constructs = &mut self.body.constructs;
        if let Some(construct) = constructs.iter().find(|it| it.id == target.construct) {
            let meeting = match target.again {
                true => &construct.carried,
                false => &construct.results,
            };
            let variables = meeting.variables.clone().unwrap_or_default();
            self.keep(&variables, &values);
        }
        let escape = self.escape();
        self.b.store(escape, code);
        self.leave_innermost(target, code);
    }

    /// Goes on with a jump that left a construct.
    fn pass_on(&mut self, target: Target, code: Word) {
        if self.body.constructs.last().map(|it| it.id) == Some(target.construct) {
            let (escape, zero) = (self.escape(), self.b.u32(0));
            self.b.store(escape, zero);
            // What it passes on waits in variables.
            self.arrive(target, &[]);
        } else {
            self.leave_innermost(target, code);
        }
    }

    /// Ends a jump, whose target is the innermost construct.
    fn arrive(&mut self, target: Target, values: &[Word]) {
        let Some((merge, next)) = self.body.constructs.last().map(|it| (it.merge, it.next)) else {
            return;
        };
        if target.again {
            self.go_on(values);
            self.b.branch(next);
        } else {
            self.leave(values);
            self.b.branch(merge);
        }
    }

    /// Leaves the innermost construct on the way to one further out.
    fn leave_innermost(&mut self, target: Target, code: Word) {
        let zeroes = self.nothing();
        if let Some(construct) = self.body.constructs.last_mut() {
            if !construct.passing.contains(&(target, code)) {
                construct.passing.push((target, code));
            }
            construct.results.edges.push((zeroes, self.b.block));
            let merge = construct.merge;
            self.b.branch(merge);
        }
    }

    fn escape(&mut self) -> Word {
        if let Some(variable) = self.body.escape {
            return variable;
        }
        let zero = self.b.u32(0);
        let variable = self
            .b
            .variable_with(self.b.scalar.u32, "escape", Some(zero));
        self.body.escape = Some(variable);
        variable
    }
}
