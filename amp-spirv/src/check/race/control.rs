//! The walk over control flow: who goes where, and what is taken to hold.

use std::rc::Rc;

use super::{
    super::symbols::Origin,
    super::value::{Form, Value},
    walk::{Frame, Presence, State, Walker},
};
use crate::tree::{
    BinaryOp, Block, Expr, ExprKind, FunctionId, LabelId, LazyOp, Scalar,
    visit::{self, Node},
};

/// What a thread does at a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// The launch decides, for all threads alike.
    Assume,
    /// Nothing is known.
    Perhaps,
}

/// What the threads do at a condition.
pub(super) struct Decision {
    pub(super) verdicts: Vec<Verdict>,
    /// What is assumed, if anything is.
    condition: Option<Form>,
}

impl<'m> Walker<'m> {
    /// Walks the kernel.
    pub(super) fn kernel(&mut self) {
        let frame = self.frame(None);
        self.frames.push(frame);
        self.block(&self.function.body);
    }

    pub(super) fn decide(&self, values: &[Value]) -> Decision {
        // Those who are not here compute along: what is alike in all does not depend on who
        // computes it.
        let mut forms = values.iter().map(Value::form);
        let common = forms
            .next()
            .flatten()
            .filter(|first| forms.all(|form| form == Some(*first)));
        let taken = |form: &Form, side: bool| {
            let number = self.assumed.get(&(form.clone(), side));
            number.is_some_and(|number| self.assumptions.contains(number))
        };
        let verdict = |value: &Value| match value.form() {
            Some(form) => match form.known() {
                Some(0) => Verdict::No,
                Some(_) => Verdict::Yes,
                None if taken(form, true) => Verdict::Yes,
                None if taken(form, false) => Verdict::No,
                None if Some(form) == common && self.symbols.origin(form) == Origin::Launch => {
                    Verdict::Assume
                }
                None => Verdict::Perhaps,
            },
            None => Verdict::Perhaps,
        };
        let verdicts: Vec<Verdict> = values.iter().map(verdict).collect();
        let assumes = verdicts.contains(&Verdict::Assume);
        Decision {
            verdicts,
            condition: common.filter(|_| assumes).cloned(),
        }
    }

    /// Takes a condition to hold or to fail from here on.
    fn assume(&mut self, condition: Option<&Form>, side: bool) {
        if let Some(condition) = condition {
            let fresh = self.fresh();
            let number = *self
                .assumed
                .entry((condition.clone(), side))
                .or_insert(fresh);
            Rc::make_mut(&mut self.assumptions).insert(number);
        }
    }

    /// Leaves those threads here that take one side of a condition.
    pub(super) fn narrow(&mut self, decision: &Decision, side: bool) {
        let other = if side { Verdict::No } else { Verdict::Yes };
        for (presence, verdict) in self.state.presence.iter_mut().zip(&decision.verdicts) {
            match *verdict {
                verdict if verdict == other => *presence = Presence::Gone,
                Verdict::Perhaps if *presence == Presence::Here => *presence = Presence::Maybe,
                _ => {}
            }
        }
        self.assume(decision.condition.as_ref(), side);
    }

    /// Walks both sides of a condition and brings the threads together again.
    fn branch(
        &mut self,
        decision: &Decision,
        then: impl FnOnce(&mut Self) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        let before = self.state.clone();
        let jumps = self.jumps.clone();
        let assumptions = self.assumptions.clone();

        self.narrow(decision, true);
        let given = self.assumptions.clone();
        let mut values = then(self);
        let grew_then = given != self.assumptions;
        let then_assumptions = std::mem::replace(&mut self.assumptions, assumptions.clone());
        let after_then = std::mem::replace(&mut self.state, before.clone());

        self.narrow(decision, false);
        let given = self.assumptions.clone();
        let others = otherwise(self);
        let grew = grew_then || given != self.assumptions;
        let other_assumptions = std::mem::replace(&mut self.assumptions, assumptions);
        let after_other = std::mem::replace(&mut self.state, before.clone());

        for (thread, (value, other)) in values.iter_mut().zip(others).enumerate() {
            match decision.verdicts[thread] {
                Verdict::Yes => {}
                Verdict::No => *value = other,
                Verdict::Assume | Verdict::Perhaps => value.join(&other),
            }
        }
        if decision.condition.is_some() && before.presence.iter().all(|one| *one != Presence::Maybe)
        {
            // One side has left altogether: what comes is what the other side does.
            if after_then.has_no_thread() && !after_other.has_no_thread() {
                self.state = after_other;
                self.assumptions = other_assumptions;
                return values;
            }
            if after_other.has_no_thread() && !after_then.has_no_thread() {
                self.state = after_then;
                self.assumptions = then_assumptions;
                return values;
            }
        }
        for (thread, jumps) in jumps.into_iter().enumerate() {
            let (side, merged) = match decision.verdicts[thread] {
                Verdict::Yes => (&after_then, None),
                Verdict::No => (&after_other, None),
                Verdict::Assume | Verdict::Perhaps => (&after_then, Some(&after_other)),
            };
            self.rejoin(thread, side, merged);
            if self.jumps[thread] == jumps {
                self.state.presence[thread] = before.presence[thread];
            } else if grew && self.state.presence[thread] == Presence::Here {
                self.state.presence[thread] = Presence::Maybe;
            }
        }
        values
    }

    /// Puts a thread where it is after one side, or after one of two.
    fn rejoin(&mut self, thread: usize, side: &State, other: Option<&State>) {
        let presence = side.presence[thread];
        let locals = &mut self.state.locals[thread];
        self.state.presence[thread] = match other.map(|other| other.presence[thread]) {
            Some(Presence::Gone) if presence == Presence::Gone => Presence::Gone,
            Some(_) => Presence::Maybe,
            None => presence,
        };
        match other {
            Some(other) if presence == Presence::Gone => locals.clone_from(&other.locals[thread]),
            Some(other) if other.presence[thread] != Presence::Gone => {
                locals.clone_from(&side.locals[thread]);
                for (local, other) in locals.iter_mut().zip(&other.locals[thread]) {
                    local.join(other);
                }
            }
            _ => locals.clone_from(&side.locals[thread]),
        }
    }

    /// `if`.
    pub(super) fn choice(
        &mut self,
        condition: &'m Expr,
        then: &'m Block,
        otherwise: &'m Block,
    ) -> Vec<Value> {
        let values = self.expr(condition);
        let decision = self.decide(&values);
        self.branch(
            &decision,
            |walker| walker.block(then),
            |walker| walker.block(otherwise),
        )
    }

    /// `a && b`, `a || b`.
    pub(super) fn lazy(&mut self, op: LazyOp, left: &'m Expr, right: &'m Expr) -> Vec<Value> {
        let lefts = self.expr(left);
        let decision = self.decide(&lefts);
        let mut rights = self.unknown();
        let walk = |walker: &mut Self| {
            rights = walker.expr(right);
            walker.unknown()
        };
        let (combined, skip) = match op {
            LazyOp::And => (BinaryOp::BitAnd, 0),
            LazyOp::Or => (BinaryOp::BitOr, 1),
        };
        match op {
            LazyOp::And => self.branch(&decision, walk, |walker| walker.unknown()),
            LazyOp::Or => self.branch(&decision, |walker| walker.unknown(), walk),
        };
        let mut values = Vec::new();
        for (left, right) in lefts.iter().zip(&rights) {
            let value = match (left.form(), right.form()) {
                (Some(left), _) if left.known() == Some(skip) => Some(Form::constant(skip)),
                (Some(left), Some(right)) => {
                    self.symbols.binary(combined, Scalar::Bool, left, right)
                }
                _ => None,
            };
            values.push(value.map_or(Value::Unknown, Value::Scalar));
        }
        values
    }

    pub(super) fn frame(&self, label: Option<LabelId>) -> Frame {
        Frame {
            label,
            exits: vec![None; self.threads()],
            nexts: vec![None; self.threads()],
            values: vec![None; self.threads()],
        }
    }

    /// `break` from what has the label, or `return`.
    pub(super) fn leave(&mut self, label: Option<LabelId>, values: Option<Vec<Value>>) {
        let Some(frame) = self.frames.iter_mut().rfind(|frame| frame.label == label) else {
            return;
        };
        for thread in 0..self.state.presence.len() {
            if self.state.presence[thread] == Presence::Gone {
                continue;
            }
            self.jumps[thread] += 1;
            meet(&mut frame.exits[thread], &self.state, thread);
            if let Some(values) = &values {
                match &mut frame.values[thread] {
                    Some(value) => value.join(&values[thread]),
                    value => *value = Some(values[thread].clone()),
                }
            }
            self.state.presence[thread] = Presence::Gone;
        }
    }

    /// `continue`.
    pub(super) fn skip(&mut self, label: LabelId) {
        let Some(frame) = self
            .frames
            .iter_mut()
            .rfind(|frame| frame.label == Some(label))
        else {
            return;
        };
        for thread in 0..self.state.presence.len() {
            if self.state.presence[thread] != Presence::Gone {
                self.jumps[thread] += 1;
                meet(&mut frame.nexts[thread], &self.state, thread);
                self.state.presence[thread] = Presence::Gone;
            }
        }
    }

    /// A call: its threads come back, whatever they do in it.
    pub(super) fn call(&mut self, callee: FunctionId, arguments: &'m [Expr]) -> Vec<Value> {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|argument| self.expr(argument))
            .collect();
        let function = self.module.function(callee);
        let locals = (0..self.threads()).map(|thread| {
            let mut locals: Vec<Value> = arguments
                .iter()
                .map(|values| values[thread].clone())
                .collect();
            locals.resize(function.locals.len(), Value::Unknown);
            locals
        });
        let locals = locals.collect();
        let caller = std::mem::replace(&mut self.function, function);
        let outside = std::mem::replace(&mut self.state.locals, locals);
        let (presence, jumps) = (self.state.presence.clone(), self.jumps.clone());
        let assumptions = self.assumptions.clone();
        let frame = self.frame(None);
        self.frames.push(frame);

        let mut values = self.block(&function.body);

        if let Some(frame) = self.frames.pop() {
            self.results(&mut values, frame.values);
        }
        self.function = caller;
        self.state = State {
            presence,
            locals: outside,
        };
        self.jumps = jumps;
        self.assumptions = assumptions;
        values
    }

    /// Joins what a block ends with and what it was left with.
    pub(super) fn results(&self, values: &mut [Value], left: Vec<Option<Value>>) {
        for (thread, left) in left.into_iter().enumerate() {
            match left {
                Some(left) if self.state.presence[thread] == Presence::Gone => {
                    values[thread] = left
                }
                Some(left) => values[thread].join(&left),
                None => {}
            }
        }
    }

    /// `'label: { .. }`.
    pub(super) fn labelled(&mut self, label: LabelId, block: &'m Block) -> Vec<Value> {
        let (entry, jumps) = (self.state.presence.clone(), self.jumps.clone());
        let assumptions = self.assumptions.clone();
        let frame = self.frame(Some(label));
        self.frames.push(frame);
        let mut values = self.block(block);
        let Some(mut frame) = self.frames.pop() else {
            return values;
        };
        self.results(&mut values, std::mem::take(&mut frame.values));
        self.arrive(frame, Some(label), block, true);
        if !escapes(Some(label), block) {
            self.state.presence = entry;
            self.jumps = jumps;
            self.assumptions = assumptions;
        }
        values
    }

    /// Behind a loop or labelled block; `exact` if each thread has been followed to there.
    pub(super) fn arrive(
        &mut self,
        frame: Frame,
        label: Option<LabelId>,
        body: &'m Block,
        exact: bool,
    ) {
        let escapes = escapes(label, body);
        for (thread, exit) in frame.exits.into_iter().enumerate() {
            let Some((presence, locals)) = exit else {
                continue;
            };
            if self.state.presence[thread] == Presence::Gone {
                self.state.presence[thread] = presence;
                self.state.locals[thread] = locals;
            } else {
                self.state.presence[thread] = Presence::Maybe;
                for (local, other) in self.state.locals[thread].iter_mut().zip(&locals) {
                    local.join(other);
                }
            }
        }
        if escapes && !exact {
            self.state.presence.fill(Presence::Maybe);
        }
    }
}

/// Adds a way to a point.
pub(super) fn meet(point: &mut Option<(Presence, Vec<Value>)>, state: &State, thread: usize) {
    let (presence, locals) = (state.presence[thread], &state.locals[thread]);
    match point {
        Some((known, values)) => {
            if *known != presence {
                *known = Presence::Maybe;
            }
            for (value, local) in values.iter_mut().zip(locals) {
                value.join(local);
            }
        }
        None => *point = Some((presence, locals.clone())),
    }
}

/// Whether a jump in a block goes further than to the end of what has the label.
pub(super) fn escapes(label: Option<LabelId>, block: &Block) -> bool {
    let mut inner: Vec<LabelId> = label.into_iter().collect();
    let mut targets = Vec::new();
    let mut returns = false;
    visit::block(block, &mut |node| {
        let Node::Expr(expr) = node else { return };
        match &expr.kind {
            ExprKind::Loop(looping) => inner.push(looping.label),
            ExprKind::LabelledBlock(label, _) => inner.push(*label),
            ExprKind::Break(label, _) | ExprKind::Continue(label) => targets.push(*label),
            ExprKind::Return(_) | ExprKind::Panic => returns = true,
            _ => {}
        }
    });
    returns || targets.iter().any(|target| !inner.contains(target))
}
