//! The walk over loops, the first iterations of which are followed one by one.

use super::{
    super::symbols::{as_number, is_counted},
    super::value::{Form, Value},
    control::{Decision, Verdict, escapes, meet},
    walk::{Presence, Walker},
};
use crate::tree::{
    Adapter, BinaryOp, Expr, ForRange, Loop, LoopKind, Type,
    visit::{self, Node},
};

/// Iterations of a loop that are walked one by one.
const ROUNDS: u32 = 32;
/// Iterations that are taken to happen where it depends on the launch.
const ASSUMED_ROUNDS: u32 = 2;

/// The parts of a range by thread.
struct Range {
    start: Vec<Value>,
    end: Vec<Value>,
    step: Option<Vec<Value>>,
}

impl<'m> Walker<'m> {
    /// `loop`, `while`, `for`.
    pub(super) fn repeat(&mut self, looping: &'m Loop) -> Vec<Value> {
        let range = match &looping.kind {
            LoopKind::For(range) => Some((range, self.range(range))),
            LoopKind::Infinite | LoopKind::While(_) => None,
        };
        let (entry, jumps) = (self.state.presence.clone(), self.jumps.clone());
        let assumptions = self.assumptions.clone();
        let label = Some(looping.label);
        let frame = self.frame(label);
        self.frames.push(frame);
        let visit = self.fresh();
        let mut exact = true;
        let mut assumed = 0;
        let mut round = 0;
        loop {
            let known = self.assumptions.clone();
            self.rounds.push((visit, round));
            let decision = match (&looping.kind, &range) {
                (LoopKind::While(condition), _) => {
                    let values = self.expr(condition);
                    Some(self.decide(&values))
                }
                (LoopKind::For(_), Some((range, parts))) => {
                    let values = self.goes_on(range, parts, round);
                    Some(self.decide(&values))
                }
                _ => None,
            };
            if let Some(decision) = &decision {
                self.finish(decision);
                exact &= decision.verdicts.iter().zip(&self.state.presence).all(
                    |(verdict, presence)| {
                        *presence == Presence::Gone || matches!(verdict, Verdict::Yes | Verdict::No)
                    },
                );
            }
            let certain = self.state.presence.contains(&Presence::Here);
            if !certain || self.fuel == 0 || round == ROUNDS || assumed == ASSUMED_ROUNDS {
                exact &= self.state.has_no_thread();
                self.rounds.pop();
                break;
            }
            if let Some((range, parts)) = &range {
                let values = self.position(range, parts, round);
                self.set(range.local, values);
            }
            self.block(&looping.body);
            self.rounds.pop();
            self.next_round();
            assumed += u32::from(known != self.assumptions);
            round += 1;
        }
        let Some(frame) = self.frames.pop() else {
            return self.unknown();
        };
        let mut values = self.unknown();
        if exact {
            self.results(&mut values, frame.values.clone());
        }
        self.arrive(frame, label, &looping.body, exact);
        if !exact {
            self.rest(looping);
        }
        if !escapes(label, &looping.body) {
            self.state.presence = entry;
            self.jumps = jumps;
            self.assumptions = assumptions;
        }
        values
    }

    /// Those for whom the loop's condition does not hold are out.
    fn finish(&mut self, decision: &Decision) {
        if let Some(frame) = self.frames.last_mut() {
            for (thread, verdict) in decision.verdicts.iter().enumerate() {
                if *verdict != Verdict::Yes && self.state.presence[thread] != Presence::Gone {
                    meet(&mut frame.exits[thread], &self.state, thread);
                }
            }
        }
        self.narrow(decision, true);
    }

    /// Those who left an iteration early are back.
    fn next_round(&mut self) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        for (thread, next) in frame.nexts.iter_mut().enumerate() {
            let Some((presence, locals)) = next.take() else {
                continue;
            };
            if self.state.presence[thread] == Presence::Gone {
                self.state.presence[thread] = presence;
                self.state.locals[thread] = locals;
            } else {
                for (local, other) in self.state.locals[thread].iter_mut().zip(&locals) {
                    local.join(other);
                }
            }
        }
    }

    /// The iterations that are not walked: they assign variables and pass barriers.
    fn rest(&mut self, looping: &'m Loop) {
        let mut waits = false;
        let mut note = |node: Node<'m>| {
            if let Node::Expr(expr) = node {
                waits |= self.reach.expr(&expr.kind).barrier;
            }
        };
        if let LoopKind::While(condition) = &looping.kind {
            visit::expr(condition, &mut note);
        }
        visit::block(&looping.body, &mut note);
        let assigned = visit::assigned(looping);
        for locals in &mut self.state.locals {
            for local in &assigned {
                locals[local.0 as usize] = Value::Unknown;
            }
        }
        if waits {
            self.barrier();
        }
    }

    fn range(&mut self, range: &'m ForRange) -> Range {
        let start = self.expr(&range.start);
        let end = self.expr(&range.end);
        let mut step = None;
        for adapter in &range.adapters {
            if let Adapter::StepBy(by) = adapter {
                step = Some(self.steps(by, &range.start.ty));
            }
        }
        Range { start, end, step }
    }

    /// The steps through a range of numbers of type `ty`, by thread.
    fn steps(&mut self, by: &'m Expr, ty: &Type) -> Vec<Value> {
        let values = self.expr(by);
        let (Some(from), Some(to)) = (by.ty.scalar(), ty.scalar()) else {
            return values;
        };
        let fits = |known: u64| i128::from(known) <= to.max();
        let in_range = |value: Value| match value.form() {
            // A wider step leads out of the range.
            Some(form) if from.bits() <= to.bits() || form.known().is_some_and(fits) => {
                Value::Scalar(self.symbols.cast(from, to.unsigned(), form))
            }
            _ => Value::Unknown,
        };
        values.into_iter().map(in_range).collect()
    }

    /// `start + round * step`, by thread, unless that is past all numbers.
    fn ahead(&self, range: &ForRange, parts: &Range, round: u32) -> Vec<Value> {
        let Some(ty) = range.start.ty.scalar().filter(|ty| is_counted(*ty)) else {
            return vec![Value::Unknown; self.threads()];
        };
        let one = Value::constant(1);
        (0..self.threads())
            .map(|thread| {
                let step = parts.step.as_ref().map_or(&one, |steps| &steps[thread]);
                let (Some(start), Some(step)) = (parts.start[thread].form(), step.form()) else {
                    return Value::Unknown;
                };
                if let (Some(first), Some(by)) = (start.known(), step.known()) {
                    let last = as_number(ty, first) + i128::from(by) * i128::from(round);
                    if by == 0 || last > ty.max() {
                        return Value::Unknown;
                    }
                }
                Value::Scalar(start.add(step, round.into(), ty))
            })
            .collect()
    }

    /// Whether there is an iteration of this number, by thread.
    fn goes_on(&mut self, range: &ForRange, parts: &Range, round: u32) -> Vec<Value> {
        let Some(ty) = range.start.ty.scalar() else {
            return self.unknown();
        };
        if range.adapters.len() > 1 {
            return self.unknown();
        }
        let op = if range.inclusive {
            BinaryOp::Le
        } else {
            BinaryOp::Lt
        };
        let ahead = self.ahead(range, parts, round);
        let mut values = Vec::new();
        for (ahead, end) in ahead.iter().zip(&parts.end) {
            let goes = match (ahead.form(), end.form()) {
                (Some(ahead), Some(end)) => self.symbols.binary(op, ty, ahead, end),
                _ => None,
            };
            values.push(goes.map_or(Value::Unknown, Value::Scalar));
        }
        values
    }

    /// The variable of the loop in this iteration, by thread.
    fn position(&self, range: &ForRange, parts: &Range, round: u32) -> Vec<Value> {
        if !matches!(range.adapters[..], [Adapter::Rev]) {
            return self.ahead(range, parts, round);
        }
        let before_end = round + u32::from(!range.inclusive);
        let back = Form::constant(before_end.into());
        let ty = range.start.ty.scalar().filter(|ty| is_counted(*ty));
        let position = |end: &Value| match (end.form(), ty) {
            (Some(end), Some(ty)) => Value::Scalar(end.minus(&back, ty)),
            _ => Value::Unknown,
        };
        parts.end.iter().map(position).collect()
    }
}
