//! The walk over control flow.

use super::{
    Range,
    state::{Frame, State, meet},
    walk::Walker,
};
use crate::{
    check::value::{Form, Value},
    tree::{
        Adapter, BinaryOp, Block, Expr, ForRange, FunctionId, LabelId, LazyOp, Loop, LoopKind,
        Scalar, visit,
    },
};

impl<'m> Walker<'m> {
    /// Walks the kernel.
    pub(super) fn kernel(&mut self) {
        self.enter(None);
        self.block(&self.function.body);
    }

    fn enter(&mut self, label: Option<LabelId>) {
        self.frames.push(Frame {
            label,
            exit: None,
            next: None,
            value: None,
        });
    }

    /// Walks what happens on one side of a condition.
    fn side<R>(
        &mut self,
        condition: Option<&Form>,
        side: bool,
        walk: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = self.holding.len();
        self.holding
            .extend(condition.map(|condition| (condition.clone(), side)));
        let result = walk(self);
        self.holding.truncate(outer);
        result
    }

    /// `if`.
    pub(super) fn choice(
        &mut self,
        condition: &'m Expr,
        then: &'m Block,
        otherwise: &'m Block,
    ) -> Value {
        let value = self.expr(condition);
        let condition = value.form();
        match condition.and_then(Form::known) {
            Some(0) => return self.block(otherwise),
            Some(_) => return self.block(then),
            None => {}
        }
        let before = self.state.clone();
        let mut value = self.side(condition, true, |walker| walker.block(then));
        let after_then = std::mem::replace(&mut self.state, before.clone());
        let other = self.side(condition, false, |walker| walker.block(otherwise));
        match (after_then.reachable, self.state.reachable) {
            (true, true) => value.join(&other),
            (false, true) => value = other,
            _ => {}
        }
        self.merge(after_then, condition, &before);
        value
    }

    /// Where the sides of a condition meet: what is written on one side alone is written if
    /// the condition is so.
    fn merge(&mut self, then: State, condition: Option<&Form>, before: &State) {
        let mut joined = then.clone();
        joined.join(&self.state);
        if let Some(condition) = condition
            && then.reachable
            && self.state.reachable
        {
            for (side, mut state) in [(true, then), (false, self.state.clone())] {
                state.writes.retain(|it| !joined.writes.contains(it));
                state.only_if(condition, side, before);
                joined.writes.extend(state.writes);
            }
            joined.writes.truncate(super::WRITES);
        }
        self.state = joined;
    }

    /// `a && b`, `a || b`.
    pub(super) fn lazy(&mut self, op: LazyOp, left: &'m Expr, right: &'m Expr) -> Value {
        let lefts = self.expr(left);
        let before = self.state.clone();
        let rights = self.side(lefts.form(), op == LazyOp::And, |walker| walker.expr(right));
        self.state.join(&before);
        let (combined, decisive) = match op {
            LazyOp::And => (BinaryOp::BitAnd, 0),
            LazyOp::Or => (BinaryOp::BitOr, 1),
        };
        if lefts.form().and_then(Form::known) == Some(decisive) {
            return lefts;
        }
        self.scalar(&[lefts, rights], |symbols, operands| {
            symbols.binary(combined, Scalar::Bool, operands[0], operands[1])
        })
    }

    /// `break` from what has the label, or the end of a call.
    pub(super) fn leave(&mut self, label: Option<LabelId>) {
        if let Some(frame) = self.frames.iter_mut().rfind(|frame| frame.label == label) {
            meet(&mut frame.exit, &self.state);
        }
        self.state.reachable = false;
    }

    /// `continue`.
    pub(super) fn skip(&mut self, label: LabelId) {
        let label = Some(label);
        if let Some(frame) = self.frames.iter_mut().rfind(|frame| frame.label == label) {
            meet(&mut frame.next, &self.state);
        }
        self.state.reachable = false;
    }

    /// `return`, and `panic!`.
    pub(super) fn give_back(&mut self, value: Option<Value>) {
        if !self.state.reachable {
            return;
        }
        if let Some(frame) = self.frames.iter_mut().rfind(|frame| frame.label.is_none()) {
            let value = value.unwrap_or(Value::Unknown);
            match &mut frame.value {
                Some(known) => known.join(&value),
                known => *known = Some(value),
            }
        }
        self.leave(None);
    }

    /// A call that is walked.
    pub(super) fn call(&mut self, callee: FunctionId, mut locals: Vec<Value>) -> Value {
        if !self.state.reachable {
            return Value::Unknown;
        }
        let function = self.module.function(callee);
        locals.resize(function.locals.len(), Value::Unknown);
        let caller = std::mem::replace(&mut self.function, function);
        let outside = std::mem::replace(&mut self.state.locals, locals);
        self.enter(None);
        let value = self.block(&function.body);
        self.give_back(Some(value));
        self.function = caller;
        let Some(frame) = self.frames.pop() else {
            return Value::Unknown;
        };
        self.arrive(frame.exit);
        self.state.locals = outside;
        frame.value.unwrap_or(Value::Unknown)
    }

    /// Behind a loop, labelled block or call.
    fn arrive(&mut self, exit: Option<State>) {
        match exit {
            Some(exit) => self.state = exit,
            None => self.state.reachable = false,
        }
    }

    /// `'label: { .. }`.
    pub(super) fn labelled(&mut self, label: LabelId, block: &'m Block) -> Value {
        self.enter(Some(label));
        let value = self.block(block);
        let Some(frame) = self.frames.pop() else {
            return value;
        };
        let is_left = frame.exit.is_some();
        let mut exit = frame.exit;
        meet(&mut exit, &self.state);
        self.arrive(exit);
        if is_left { Value::Unknown } else { value }
    }

    /// `loop`, `while`, `for`. What holds before a round holds before each: nothing that has
    /// been written is forgotten.
    pub(super) fn repeat(&mut self, looping: &'m Loop) -> Value {
        let range = match &looping.kind {
            LoopKind::For(range) => self.range(range),
            LoopKind::Infinite | LoopKind::While(_) => None,
        };
        if !self.state.reachable {
            return Value::Unknown;
        }
        for local in visit::assigned(looping) {
            self.set(local, Value::Unknown);
        }
        let before = self.state.clone();
        self.enter(Some(looping.label));
        let mut exit = None;
        match &looping.kind {
            LoopKind::Infinite => {}
            LoopKind::While(condition) => {
                self.expr(condition);
                meet(&mut exit, &self.state);
            }
            LoopKind::For(of) => {
                let variable = range.as_ref().map(|range| range.variable.clone());
                self.set(of.local, variable.map_or(Value::Unknown, Value::Scalar));
            }
        }
        self.block(&looping.body);
        let Some(frame) = self.frames.pop() else {
            return Value::Unknown;
        };
        if let LoopKind::For(_) = looping.kind {
            if let Some(next) = &frame.next {
                self.state.join(next);
            }
            meet(&mut exit, &self.after(before, range));
        }
        if let Some(left) = &frame.exit {
            meet(&mut exit, left);
        }
        self.arrive(exit);
        Value::Unknown
    }

    /// What holds after all rounds of a `for`, at the end of one of which the walk is.
    fn after(&self, before: State, range: Option<Range>) -> State {
        let mut after = before;
        let (Some(range), true) = (range, self.state.reachable) else {
            return after;
        };
        let known = [&range.start, &range.end].map(Form::known);
        if let [Some(start), Some(end)] = known
            && start < end
        {
            after.whole.clone_from(&self.state.whole);
        }
        for write in &self.state.writes {
            if !after.writes.contains(write) {
                let mut write = write.clone();
                write.ranges.insert(0, range.clone());
                after.writes.push(write);
            }
        }
        after
    }

    /// What the variable of a `for` goes through, if that is simple.
    fn range(&mut self, range: &'m ForRange) -> Option<Range> {
        let ty = range.start.ty.scalar();
        let start = self.expr(&range.start);
        let end = self.expr(&range.end);
        let mut step = Some(Value::constant(1));
        for adapter in &range.adapters {
            if let Adapter::StepBy(by) = adapter {
                step = Some(self.expr(by)).filter(|_| by.ty == range.start.ty);
            }
        }
        let ty = ty.filter(|ty| !ty.is_signed() && ty.is_integer())?;
        let variable = self.symbols.round();
        let mut end = end.form()?.clone();
        if range.inclusive {
            // A range up to the last number there is has no end.
            end = Form::constant(end.known().filter(|end| i128::from(*end) < ty.max())? + 1);
        }
        Some(Range {
            variable,
            ty,
            start: start.form()?.clone(),
            end,
            step: step.filter(|_| range.adapters.len() < 2)?.form()?.clone(),
        })
    }
}
