//! The walk over control flow: where the threads of a tile part and where they meet.

use super::{
    cause::{Cause, Jump, Step, Why},
    flow::{Away, Flow, Frame, Interval, Since, Target, add_away, add_since, meet, note_jump},
    value::Value,
    walk::Walker,
};
use crate::tree::{Adapter, Block, Expr, ForRange, LabelId, Loop, LoopKind, Span};

/// Loops and blocks within each other for which it is told what comes behind them. It takes
/// time that grows with a power of this.
const TOLD_APART: usize = 8;

impl<'m> Walker<'_, 'm> {
    /// `a && b`, `a || b`.
    pub(super) fn lazy(&mut self, left: &'m Expr, right: &'m Expr) -> Value<'m> {
        let mut value = self.expr(left);
        if !self.flow.reachable {
            return value;
        }
        let skipped = self.flow.clone();
        let guarded = self.guarded(&value, left.span, |walker| walker.expr(right));
        let divided = value.why().is_some();
        value.join(&guarded);
        self.meet(&skipped, divided);
        value
    }

    /// `if`.
    pub(super) fn choice(
        &mut self,
        condition: &'m Expr,
        then: &'m Block,
        otherwise: &'m Block,
    ) -> Value<'m> {
        let decided = self.expr(condition);
        if !self.flow.reachable {
            return Value::UNIFORM;
        }
        let before = self.flow.clone();
        let mut value = self.guarded(&decided, condition.span, |walker| walker.block(then));
        let after_then = std::mem::replace(&mut self.flow, before);
        let other = self.guarded(&decided, condition.span, |walker| walker.block(otherwise));
        value.join(&other);
        let decided = decided.why();
        if let Some(why) = &decided {
            value.vary(&Cause::through(condition.span, Step::Condition, why));
        }
        self.meet(&after_then, decided.is_some());
        value
    }

    /// Walks what only those threads do for which `condition` is so.
    fn guarded<R>(
        &mut self,
        condition: &Value<'m>,
        span: Span,
        walk: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = self.guard.clone();
        if let Some(why) = condition.why() {
            let guard = Cause::through(span, Step::Condition, &why);
            self.guard = Cause::all([guard].into_iter().chain(outer.clone()));
        }
        let result = walk(self);
        self.guard = outer;
        result
    }

    /// The two sides of a condition meet.
    fn meet(&mut self, other: &Flow<'m>, divided: bool) {
        if divided {
            self.flow.join_divided(other);
        } else {
            self.flow.join(other);
        }
    }

    /// `'label: { .. }`.
    pub(super) fn labelled(&mut self, label: LabelId, block: &'m Block) -> Value<'m> {
        let since = self.flow.since.clone();
        self.frames.push(Frame::new(label, since, Away::new()));
        let value = self.block(block);
        let Some(mut frame) = self.frames.pop() else {
            return value;
        };
        if self.flow.reachable {
            frame.value.join(&value);
        }
        meet(&mut frame.exit, &self.flow);
        self.arrive(frame, block.span)
    }

    /// `loop`, `while`, `for`.
    pub(super) fn repeat(&mut self, looping: &'m Loop) -> Value<'m> {
        let range = match &looping.kind {
            LoopKind::For(range) => Some(self.range(range)),
            LoopKind::Infinite | LoopKind::While(_) => None,
        };
        if !self.flow.reachable {
            return Value::UNIFORM;
        }
        // An earlier visit, in an earlier iteration of a loop around this one, began with no
        // more than this one, so what it ended with holds here too. Without it every visit
        // would start over, and nested loops would cost 2 to the power of their depth.
        let since = self.flow.since.clone();
        let mut head = self.flow.clone();
        let mut escapes = Away::new();
        if let Some((known, away)) = self.heads.get(&looping.label) {
            head.join(known);
            escapes.clone_from(away);
        }
        loop {
            self.flow = head.clone();
            let frame = Frame::new(looping.label, since.clone(), escapes.clone());
            self.frames.push(frame);
            self.enter(looping, range.as_ref());
            self.block(&looping.body);
            let Some(mut frame) = self.frames.pop() else {
                return Value::UNIFORM;
            };
            meet(&mut frame.next, &self.flow);

            let mut grown = add_away(&mut escapes, &frame.escapes);
            if let Some(mut next) = frame.next.take() {
                next.away.remove(&Target::next(looping.label));
                // Who left in this iteration is away in the next.
                add_away(&mut next.away, &escapes);
                grown |= head.join(&next);
            }
            if !grown {
                self.heads.insert(looping.label, (head.clone(), escapes));
                self.flow = Flow {
                    reachable: false,
                    ..head
                };
                return self.arrive(frame, looping.body.span);
            }
        }
    }

    /// The bounds of a `for`, evaluated once; joined, as the variable takes its values
    /// from all of them.
    fn range(&mut self, range: &'m ForRange) -> (Value<'m>, Span) {
        let mut span = range.start.span;
        let mut value = Value::UNIFORM;
        let steps = range.adapters.iter().filter_map(|adapter| match adapter {
            Adapter::Rev => None,
            Adapter::StepBy(step) => Some(step),
        });
        for part in [&range.start, &range.end].into_iter().chain(steps) {
            let part_value = self.expr(part);
            let is_first = value.why().is_none();
            if value.join(&part_value) && is_first {
                span = part.span;
            }
        }
        (value, span)
    }

    /// What comes before the body in each iteration: whether there is one.
    fn enter(&mut self, looping: &'m Loop, range: Option<&(Value<'m>, Span)>) {
        let decided = match (&looping.kind, range) {
            (LoopKind::Infinite, _) => return,
            (LoopKind::While(condition), _) => {
                let value = self.expr(condition);
                value
                    .why()
                    .map(|why| Cause::through(condition.span, Step::Condition, &why))
            }
            (LoopKind::For(_), range) => range.and_then(|(value, span)| {
                value
                    .why()
                    .map(|why| Cause::through(*span, Step::Range, &why))
            }),
        };
        if !self.flow.reachable {
            return;
        }
        if let Some(why) = decided {
            self.divide(Target::past(looping.label), &why);
        }
        if let Some(frame) = self.frames.last_mut() {
            meet(&mut frame.exit, &self.flow);
        }
        if let (LoopKind::For(for_range), Some((value, span))) = (&looping.kind, range) {
            self.set(for_range.local, value.clone(), *span);
        }
    }

    /// Behind a loop or labelled block with this body.
    fn arrive(&mut self, frame: Frame<'m>, body: Span) -> Value<'m> {
        match frame.exit {
            Some(exit) => self.flow = exit,
            None => self.flow.reachable = false,
        }
        add_away(&mut self.flow.away, &frame.escapes);
        self.flow.away.remove(&Target::past(frame.label));
        self.flow.away.remove(&Target::next(frame.label));
        let has_barrier = |flow: &Flow<'m>| {
            let mut intervals = flow.since.keys();
            intervals.any(|interval| !frame.since.contains_key(interval))
        };
        // Threads that leave together are all outside, or all inside.
        let together = frame.escapes.is_empty() && self.divergence().is_none();
        if together && self.frames.len() < TOLD_APART && has_barrier(&self.flow) {
            self.left(body);
        }
        frame.value
    }

    /// All threads have left a loop or block with barriers: what others write in it from here
    /// on, which is after another barrier, is no longer what they may write at the same time.
    fn left(&mut self, body: Span) {
        let mut since = Since::new();
        for (interval, mut past) in std::mem::take(&mut self.flow.since) {
            let now = Interval {
                left: Some(body),
                ..interval
            };
            let written = past.written.iter().map(|variable| (now, *variable));
            self.analysis.written.extend(written);
            past.before.insert(interval);
            add_since(&mut since, &Since::from([(now, past)]));
        }
        self.flow.since = since;
    }

    /// `break`.
    pub(super) fn leave(
        &mut self,
        label: LabelId,
        value: Option<&'m Expr>,
        span: Span,
    ) -> Value<'m> {
        let mut value = value.map_or(Value::UNIFORM, |value| self.expr(value));
        if !self.flow.reachable {
            return Value::UNIFORM;
        }
        if let Some(why) = self.part(Target::past(label), Jump::Break, span) {
            value.vary(&why);
        }
        self.forget_inner(label);
        if let Some(frame) = self.frames.iter_mut().rfind(|frame| frame.label == label) {
            frame.value.join(&value);
            meet(&mut frame.exit, &self.flow);
        }
        self.flow.reachable = false;
        Value::UNIFORM
    }

    /// The threads that are here jump out of every frame within that of `label`. A thread that
    /// left one of these for its end goes on there, and so comes to where these threads go,
    /// or is away for a reason that is seen on that way.
    fn forget_inner(&mut self, label: LabelId) {
        let inner = self
            .frames
            .iter()
            .rev()
            .map(|frame| frame.label)
            .take_while(|inner| *inner != label);
        for inner in inner {
            self.flow.away.remove(&Target::past(inner));
            self.flow.away.remove(&Target::next(inner));
        }
    }

    /// `continue`.
    pub(super) fn skip(&mut self, label: LabelId, span: Span) -> Value<'m> {
        self.part(Target::next(label), Jump::Continue, span);
        self.forget_inner(label);
        if let Some(frame) = self.frames.iter_mut().rfind(|frame| frame.label == label) {
            meet(&mut frame.next, &self.flow);
        }
        self.flow.reachable = false;
        Value::UNIFORM
    }

    /// `return`, and `panic!`, which returns too.
    pub(super) fn give_back(
        &mut self,
        value: Option<&'m Expr>,
        jump: Jump,
        span: Span,
    ) -> Value<'m> {
        let mut value = value.map_or(Value::UNIFORM, |value| self.expr(value));
        if !self.flow.reachable {
            return Value::UNIFORM;
        }
        if let Some(why) = self.part(Target::Return, jump, span) {
            value.vary(&why);
        }
        self.result.join(&value);
        add_since(&mut self.returned, &self.flow.since);
        self.flow.reachable = false;
        Value::UNIFORM
    }

    /// The threads that are here jump; the reason, if they are not the whole tile.
    fn part(&mut self, target: Target, jump: Jump, span: Span) -> Option<Why<'m>> {
        let why = Cause::through(span, Step::Jump(jump), &self.divergence()?);
        self.divide(target, &why);
        Some(why)
    }

    /// Some threads of the tile, but not all, make for `target`.
    pub(super) fn divide(&mut self, target: Target, why: &Why<'m>) {
        note_jump(&mut self.flow.away, target, why);
        let frame = |label: u32| self.frames.iter().rposition(|frame| frame.label.0 == label);
        // The scopes that they leave, from the outermost. A loop that they stay in by
        // `continue` is not left.
        let outermost = match target {
            Target::Break(label) => frame(label).unwrap_or(0),
            Target::Continue(label) => frame(label).map_or(0, |frame| frame + 1),
            Target::Return => 0,
        };
        for frame in &mut self.frames[outermost..] {
            note_jump(&mut frame.escapes, target, why);
        }
    }
}
