//! `loop`, `while` and `for`.
//!
//! Three shapes. `loop` and `while` test, if at all, in the block after the header.
//! `a..b`, also with one `step_by`, counts up to `b`; its step never passes `b`, so
//! that nothing wraps. Every other range is an arithmetic progression of a known
//! length: a first value, a stride, and the number of its last element, all in
//! wrapping arithmetic of the register's width, so that it is exact at both ends of the type:
//!
//! ```text
//! if !empty { k = 0; loop { x = first + k * stride; body; if k == last break; k += 1 } }
//! ```

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use super::fault::Check;
use super::function::{Diverges, Flow, Slot};
use super::scalar::{is_signed, machine};
use super::types::UNIT;
use crate::artifact::FaultKind;
use crate::ir::{Adapter, Block, Expr, ExprKind, ForRange, Loop, LoopKind, Scalar, Span, Type};

/// A counter's first value and the way to its next.
struct Counter {
    ty: Word,
    first: Word,
}

/// A range as an arithmetic progression.
struct Progression {
    empty: Word,
    first: Word,
    /// Number of the last element, counted from zero.
    last: Word,
    stride: Word,
}

/// A step of a range.
struct Step {
    /// As wide as the range's numbers and unsigned, never zero.
    width: Word,
    /// Whether there is no second element: the step is zero, or no number is so far away. The
    /// width is then the greatest, with which there could be one. Nothing if that cannot be.
    stays: Option<Word>,
}

impl<'m> Emitter<'m> {
    /// A loop; `ty` is the type of its value.
    pub fn loop_(&mut self, body: &'m Loop, ty: &Type, span: Span) -> Flow<Word> {
        self.body.open_loops += 1;
        let value = self.rounds(body, ty);
        self.body.open_loops -= 1;
        let value = value?;
        if self.body.is_kernel && self.body.open_loops == 0 {
            self.try_loop(span);
        }
        if *ty == Type::Never {
            self.leave_with_zero();
            return Err(Diverges);
        }
        Ok(value)
    }

    fn rounds(&mut self, body: &'m Loop, ty: &Type) -> Flow<Word> {
        match &body.kind {
            LoopKind::Infinite => self.infinite(body, None, ty),
            LoopKind::While(condition) => self.infinite(body, Some(condition), ty),
            LoopKind::For(range) => {
                let start = self.expr(&range.start)?;
                let end = self.expr(&range.end)?;
                match (range.inclusive, range.adapters.as_slice()) {
                    (false, []) => self.in_versions(range, end, &body.body, |emitter| {
                        emitter.counting(range, start, end, None, body)
                    }),
                    (false, [Adapter::StepBy(step)]) => {
                        let taken = self.step(step, &range.start.ty)?;
                        self.in_versions(range, end, &body.body, |emitter| {
                            emitter.counting(range, start, end, Some((step, taken.width)), body)
                        })
                    }
                    _ => {
                        let progression = self.progression(range, start, end)?;
                        self.progressing(range, progression, body)
                    }
                }
            }
        }
    }

    fn infinite(&mut self, body: &'m Loop, condition: Option<&'m Expr>, ty: &Type) -> Flow<Word> {
        let (header, start) = (self.b.id(), self.b.id());
        // Even a loop that is never left needs a way out: a driver may end it.
        let always = condition.is_none().then(|| self.hidden_true());
        let (merge, next) = self.enter(body.label, ty);
        let (u32_ty, zero, one) = (self.b.scalar.u32, self.b.u32(0), self.b.u32(1));
        let (round, following) = (self.b.id(), self.b.id());
        let before = self.b.block;
        self.b.branch(header);
        self.b.label(header);
        let edges = [zero, before, following, next];
        self.b.define(round, Op::Phi, u32_ty, &edges);
        self.b.loop_merge(merge, next);
        self.b.branch(start);
        self.b.label(start);
        let holds = match condition {
            None => Ok(always),
            Some(condition) => self.expr(condition).map(Some),
        };
        if let Ok(Some(holds)) = holds {
            let inside = self.b.id();
            self.complete();
            self.b.branch_if(holds, inside, merge);
            self.b.label(inside);
        }
        if holds.is_ok() && self.block(&body.body).is_ok() {
            self.b.branch(next);
        }
        self.b.label(next);
        self.b.define(following, Op::IAdd, u32_ty, &[round, one]);
        self.b.branch(header);
        let value = self.exit(ty)?;
        self.note_rounds(round);
        Ok(value)
    }

    /// The body of a `for`, whose variable starts as `value`.
    fn round(&mut self, range: &ForRange, value: Word, body: &'m Block, next: Word) {
        if let Slot::Variable(variable) = self.body.slots[range.local.0 as usize] {
            self.b.store(variable, value);
        }
        if self.block(body).is_ok() {
            self.b.branch(next);
        }
    }

    /// `a..b`, or `(a..b).step_by(n)` with the step in registers.
    fn counting(
        &mut self,
        range: &'m ForRange,
        start: Word,
        end: Word,
        step: Option<(&'m Expr, Word)>,
        body: &'m Loop,
    ) -> Flow<Word> {
        let counter = Counter {
            ty: self.ty(&range.start.ty),
            first: start,
        };
        let less = self.less(&range.start.ty);
        let (merge, next) = self.enter(body.label, &Type::Unit);
        let (header, test, inside) = (self.b.id(), self.b.id(), self.b.id());
        let (value, following) = (self.b.id(), self.b.id());
        let before = self.b.block;
        self.b.branch(header);

        self.b.label(header);
        let edges = [counter.first, before, following, next];
        self.b.define(value, Op::Phi, counter.ty, &edges);
        self.b.loop_merge(merge, next);
        self.b.branch(test);
        self.b.label(test);
        let within = self.b.test(less, value, end);
        self.complete();
        self.b.branch_if(within, inside, merge);
        self.b.label(inside);
        self.round(range, value, &body.body, next);

        self.b.label(next);
        let increment = match step {
            None => self.number(unsigned(&range.start.ty), 1),
            Some((step, width)) if never_passes(step, &range.end) => width,
            Some((_, width)) => {
                // No further than to the end: `value + width` may be past the type's.
                let word = self.scalar_ty(unsigned(&range.start.ty));
                let rest = self.b.op(Op::ISub, word, &[end, value]);
                self.b.glsl(GLOp::UMin, word, &[width, rest])
            }
        };
        self.b
            .define(following, Op::IAdd, counter.ty, &[value, increment]);
        self.b.branch(header);
        self.exit(&Type::Unit)
    }

    /// Any other range.
    fn progression(&mut self, range: &'m ForRange, start: Word, end: Word) -> Flow<Progression> {
        let ty = &range.start.ty;
        let scalar = unsigned(ty);
        let word = self.scalar_ty(scalar);
        let one = self.number(scalar, 1);
        let less = self.less(ty);
        let distance = self.b.op(Op::ISub, word, &[end, start]);
        let (empty, mut last) = if range.inclusive {
            (self.b.test(less, end, start), distance)
        } else {
            let some = self.b.test(less, start, end);
            let last = self.b.op(Op::ISub, word, &[distance, one]);
            (self.b.not(some), last)
        };
        let mut first = match is_signed(ty) {
            true => self.b.bitcast(word, start),
            false => start,
        };
        let mut stride = one;
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev => {
                    let span = self.b.op(Op::IMul, word, &[last, stride]);
                    first = self.b.op(Op::IAdd, word, &[first, span]);
                    stride = self.b.op(Op::SNegate, word, &[stride]);
                }
                Adapter::StepBy(step) => {
                    let Step { width, stays } = self.step(step, ty)?;
                    let count = self.b.op(Op::UDiv, word, &[last, width]);
                    last = match stays {
                        None => count,
                        Some(stays) => {
                            let zero = self.number(scalar, 0);
                            self.b.select(word, stays, zero, count)
                        }
                    };
                    stride = self.b.op(Op::IMul, word, &[stride, width]);
                }
            }
        }
        Ok(Progression {
            empty,
            first,
            last,
            stride,
        })
    }

    fn progressing(
        &mut self,
        range: &'m ForRange,
        progression: Progression,
        body: &'m Loop,
    ) -> Flow<Word> {
        let ty = &range.start.ty;
        let scalar = unsigned(ty);
        let word = self.scalar_ty(scalar);
        let (some, done) = (self.b.id(), self.b.id());
        self.b.selection_merge(done);
        self.b.branch_if(progression.empty, done, some);
        self.b.label(some);

        let (zero, one) = (self.number(scalar, 0), self.number(scalar, 1));
        let (merge, next) = self.enter(body.label, &Type::Unit);
        let (header, inside) = (self.b.id(), self.b.id());
        let [k, following_k, value, following_value] = [(); 4].map(|()| self.b.id());
        let before = self.b.block;
        self.b.branch(header);

        self.b.label(header);
        self.b
            .define(k, Op::Phi, word, &[zero, before, following_k, next]);
        let edges = [progression.first, before, following_value, next];
        self.b.define(value, Op::Phi, word, &edges);
        self.b.loop_merge(merge, next);
        self.b.branch(inside);
        self.b.label(inside);
        let x = match is_signed(ty) {
            true => {
                let id = self.ty(ty);
                self.b.bitcast(id, value)
            }
            false => value,
        };
        self.round(range, x, &body.body, next);

        self.b.label(next);
        self.b.define(following_k, Op::IAdd, word, &[k, one]);
        let stride = progression.stride;
        self.b
            .define(following_value, Op::IAdd, word, &[value, stride]);
        let is_last = self.b.test(Op::IEqual, k, progression.last);
        self.complete();
        self.b.branch_if(is_last, merge, header);
        let left = self.exit(&Type::Unit);
        if left.is_ok() {
            self.b.branch(done);
        }
        self.b.label(done);
        Ok(UNIT)
    }

    /// A step through a range of numbers of type `ty`. One of zero is a fault.
    fn step(&mut self, step: &'m Expr, ty: &Type) -> Flow<Step> {
        let scalar = unsigned(ty);
        let word = self.scalar_ty(scalar);
        let whole = self.expr(step)?;
        let width = self.cast(whole, &step.ty, Type::of(scalar));
        if literal(step).is_some_and(|step| step != 0 && i128::from(step) <= scalar.max()) {
            return Ok(Step { width, stays: None });
        }
        let index = self.ir.index.scalar();
        let zero = self.number(index, 0);
        self.check_step(whole, zero, step.span);
        let mut stays = self.b.test(Op::IEqual, whole, zero);
        if index.max() > scalar.max() {
            let most = self.number(index, scalar.max());
            let leads_out = self.b.test(Op::UGreaterThan, whole, most);
            stays = self.b.test(Op::LogicalOr, stays, leads_out);
        }
        let widest = self.number(scalar, scalar.max());
        Ok(Step {
            width: self.b.select(word, stays, widest, width),
            stays: Some(stays),
        })
    }

    fn check_step(&mut self, step: Word, zero: Word, span: Span) {
        let nothing = self.index_number(0);
        let site = self.fault_site(FaultKind::ZeroStep, span);
        let ok = self.b.test(Op::INotEqual, step, zero);
        self.watch(vec![Check {
            ok,
            site,
            operands: [nothing, nothing],
        }]);
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
        self.b
            .define(position, Op::Phi, u32_ty, &[zero, before, following, next]);
        self.b.loop_merge(merge, next);
        self.b.branch(test);
        self.b.label(test);
        let within = self.b.test(Op::ULessThan, position, count);
        self.b.branch_if(within, inside, merge);
        self.b.label(inside);
        body(self, position);
        self.b.branch(next);
        self.b.label(next);
        self.b.define(following, Op::IAdd, u32_ty, &[position, one]);
        self.b.branch(header);
        self.b.label(merge);
    }

    /// The comparison `<` of integers.
    pub fn less(&self, ty: &Type) -> Op {
        match is_signed(ty) {
            true => Op::SLessThan,
            false => Op::ULessThan,
        }
    }
}

/// The unsigned integer of the register that the numbers of a range travel in.
fn unsigned(ty: &Type) -> Scalar {
    ty.scalar()
        .map_or(Scalar::U32, |scalar| machine(scalar).unsigned())
}

fn literal(expr: &Expr) -> Option<u64> {
    match expr.kind {
        ExprKind::Literal(literal) => literal.count(),
        _ => None,
    }
}

/// Whether a value below `end` plus the step stays within the type.
fn never_passes(step: &Expr, end: &Expr) -> bool {
    let max = end.ty.scalar().map_or(0, Scalar::max);
    match (literal(step), literal(end)) {
        (Some(step), Some(end)) => i128::from(end) + i128::from(step) <= max,
        _ => false,
    }
}
