//! `loop`, `while` and `for`.
//!
//! `a..b`, also with one `step_by`, is an [`Op::For`], `a..=b` an [`Op::ForInclusive`]. Every
//! other range is an arithmetic progression of a known length: a first value, a stride, and the
//! number of its last element, all in wrapping arithmetic of the unsigned integer that is as wide
//! as the range's numbers, so that it is exact at both ends of the type:
//!
//! ```text
//! if !empty { for k in 0..=last { x = first + k * stride; body } }
//! ```

use super::{Builder, Flow, Local, has_value};
use crate::artifact::FaultKind;
use crate::mir::{End, Op, SlotId, Value};
use crate::tree::{
    Adapter, BinaryOp, Expr, ExprKind, ForRange, LocalId, Loop, LoopKind, MathOp, Scalar, Type,
    UnaryOp, visit,
};

/// A range as an arithmetic progression.
struct Progression {
    empty: Value,
    first: Value,
    /// Number of the last element, counted from zero.
    last: Value,
    stride: Value,
}

/// A step of a range.
struct Step {
    /// As wide as the range's numbers and unsigned, never zero.
    width: Value,
    /// Whether there is no second element: the step is zero, or no number is so far away. The
    /// width is then the greatest, with which there could be one. Nothing if that cannot be.
    stays: Option<Value>,
}

impl<'m> Builder<'m, '_> {
    /// A loop; `ty` is the type of its value, which goes into the slot if it is bulk.
    pub fn loop_(
        &mut self,
        looping: &'m Loop,
        ty: &Type,
        into: Option<SlotId>,
    ) -> Flow<Option<Value>> {
        match &looping.kind {
            LoopKind::Infinite => self.infinite(looping, None, ty, into),
            LoopKind::While(condition) => self.infinite(looping, Some(condition), ty, into),
            LoopKind::For(range) => self.for_(looping, range).map(|()| None),
        }
    }

    fn infinite(
        &mut self,
        looping: &'m Loop,
        condition: Option<&'m Expr>,
        ty: &Type,
        into: Option<SlotId>,
    ) -> Flow<Option<Value>> {
        let (carried, values) = self.carried(looping);
        let before = self.state.clone();
        let inst = self.open(Op::Loop, values);
        self.function.insts[inst.0 as usize].unroll = looping.unroll;
        self.enter(looping.label, inst, into, carried.clone());
        let region = self.new_region(inst);
        let around = std::mem::replace(&mut self.region, region);
        self.take(&carried);
        if self.round(looping, condition).is_ok() {
            let values = self.current(&carried);
            self.end(End::Yield(values));
        }
        self.region = around;
        let exits = self.leave();
        self.state = before;
        if exits.is_empty() {
            return self.never();
        }
        Ok(self.close(inst, exits, &carried, ty))
    }

    /// Condition and body of a loop.
    fn round(&mut self, looping: &'m Loop, condition: Option<&'m Expr>) -> Flow<()> {
        if let Some(condition) = condition {
            let condition = self.value(condition)?;
            let test = self.open(Op::If, vec![condition]);
            let goes_on = self.new_region(test);
            self.function.regions[goes_on.0 as usize].end = End::Yield(Vec::new());
            let ends = self.new_region(test);
            let around = std::mem::replace(&mut self.region, ends);
            let exit = self.exit(None, true);
            self.region = around;
            if let Some(construct) = self.constructs.last_mut() {
                construct.exits.push(exit);
            }
        }
        self.block(&looping.body).map(|_| ())
    }

    /// The variables that a loop carries, and their values before it: zero for the names of a
    /// pattern that its rounds declare. Of a view that its rounds declare nothing is known in it
    /// until they do.
    fn carried(&mut self, looping: &'m Loop) -> (Vec<LocalId>, Vec<Value>) {
        let mut carried = Vec::new();
        for local in visit::assigned(looping) {
            match (self.local_ty(local), self.state[local.0 as usize]) {
                (Type::View(_), _) => self.state[local.0 as usize] = Local::Absent,
                (_, Local::Value(_)) => carried.push(local),
                (ty, Local::Absent) if self.outliving.contains(&(local, looping.label)) => {
                    self.state[local.0 as usize] = Local::Value(self.zero(ty));
                    carried.push(local);
                }
                (_, Local::Absent | Local::Slot(_)) => {}
            }
        }
        let values = self.current(&carried);
        (carried, values)
    }

    /// Makes parameters of the region the values of variables.
    fn take(&mut self, locals: &[LocalId]) {
        for local in locals {
            let param = self.param(self.local_ty(*local));
            self.state[local.0 as usize] = Local::Value(param);
        }
    }

    /// A new parameter of the region.
    pub fn param(&mut self, ty: &Type) -> Value {
        let ty = self.ty(ty);
        self.function.region_param(self.region, ty)
    }

    fn for_(&mut self, looping: &'m Loop, range: &'m ForRange) -> Flow<()> {
        let start = self.value(&range.start)?;
        let end = self.value(&range.end)?;
        let ty = &range.start.ty;
        let one = |builder: &mut Self| builder.number(unsigned(ty), 1);
        let itself = |_: &mut Self, number| number;
        match (range.inclusive, range.adapters.as_slice()) {
            (false, [Adapter::StepBy(step)]) => {
                let step = self.step(step, ty)?.width;
                self.counting(looping, range, Op::For, [start, end, step], ty, itself)
            }
            (inclusive, []) => {
                let step = one(self);
                let op = match inclusive {
                    true => Op::ForInclusive,
                    false => Op::For,
                };
                self.counting(looping, range, op, [start, end, step], ty, itself)
            }
            _ => {
                let progression = self.progression(range, start, end)?;
                self.progressing(looping, range, &progression)
            }
        }
    }

    /// A loop that counts numbers of type `ty`, and makes the range's variable of each.
    fn counting(
        &mut self,
        looping: &'m Loop,
        range: &'m ForRange,
        op: Op,
        numbers: [Value; 3],
        ty: &Type,
        variable: impl FnOnce(&mut Self, Value) -> Value,
    ) -> Flow<()> {
        let (carried, values) = self.carried(looping);
        let before = self.state.clone();
        let inst = self.open(op, [&numbers[..], &values].concat());
        self.function.insts[inst.0 as usize].unroll = looping.unroll;
        self.enter(looping.label, inst, None, carried.clone());
        let region = self.new_region(inst);
        let around = std::mem::replace(&mut self.region, region);
        let number = self.param(ty);
        self.take(&carried);
        let value = variable(self, number);
        self.state[range.local.0 as usize] = Local::Value(value);
        if self.block(&looping.body).is_ok() {
            let values = self.current(&carried);
            self.end(End::Yield(values));
        }
        self.region = around;
        let exits = self.leave();
        self.state = before;
        self.close(inst, exits, &carried, &Type::Unit);
        Ok(())
    }

    fn progressing(
        &mut self,
        looping: &'m Loop,
        range: &'m ForRange,
        progression: &Progression,
    ) -> Flow<()> {
        let ty = &range.start.ty;
        let word = Type::of(unsigned(ty));
        let some = self.not(progression.empty);
        let count = |builder: &mut Self| {
            let [zero, one] = [0, 1].map(|number| builder.number(unsigned(ty), number));
            let numbers = [zero, progression.last, one];
            let variable = |builder: &mut Self, k| {
                let op = Op::Binary(BinaryOp::Mul);
                let distance = builder.op(op, vec![k, progression.stride], word);
                let op = Op::Binary(BinaryOp::Add);
                let value = builder.op(op, vec![progression.first, distance], word);
                builder.cast(value, word, ty)
            };
            builder.counting(looping, range, Op::ForInclusive, numbers, word, variable)?;
            Ok(None)
        };
        self.branches(some, count, |_| Ok(None), &Type::Unit)?;
        Ok(())
    }

    fn progression(&mut self, range: &'m ForRange, start: Value, end: Value) -> Flow<Progression> {
        let ty = &range.start.ty;
        let scalar = unsigned(ty);
        let word = Type::of(scalar);
        let binary = |builder: &mut Self, op, a, b| builder.op(Op::Binary(op), vec![a, b], word);
        let [from, to] = [start, end].map(|number| self.cast(number, ty, word));
        let distance = binary(self, BinaryOp::Sub, to, from);
        let one = self.number(scalar, 1);
        let (empty, mut last) = if range.inclusive {
            (self.test(BinaryOp::Lt, end, start), distance)
        } else {
            let some = self.test(BinaryOp::Lt, start, end);
            let last = binary(self, BinaryOp::Sub, distance, one);
            (self.not(some), last)
        };
        let (mut first, mut stride) = (from, one);
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev => {
                    let span = binary(self, BinaryOp::Mul, last, stride);
                    first = binary(self, BinaryOp::Add, first, span);
                    stride = self.op(Op::Unary(UnaryOp::Neg), vec![stride], word);
                }
                Adapter::StepBy(step) => {
                    let Step { width, stays } = self.step(step, ty)?;
                    let zero = self.number(scalar, 0);
                    let divides = stays.map(|_| self.test(BinaryOp::Ne, width, zero));
                    let op = Op::Binary(BinaryOp::Div);
                    let count = self.guarded(op, vec![last, width], divides, word);
                    last = match stays {
                        None => count,
                        Some(stays) => self.select(stays, zero, count, word),
                    };
                    stride = binary(self, BinaryOp::Mul, stride, width);
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

    /// A step through a range of numbers of type `ty`. One of zero is a fault.
    fn step(&mut self, step: &'m Expr, ty: &Type) -> Flow<Step> {
        let scalar = unsigned(ty);
        let index = self.tree.index.scalar();
        if let Some(step) = literal(step)
            && (1..=scalar.max()).contains(&step.into())
        {
            let width = self.number(scalar, step.into());
            return Ok(Step { width, stays: None });
        }
        let whole = self.value(step)?;
        let width = self.cast(whole, &step.ty, Type::of(scalar));
        let zero = self.index_number(0);
        let ok = self.test(BinaryOp::Ne, whole, zero);
        let site = self.site(FaultKind::ZeroStep, step.span);
        self.note(ok, site, [zero, zero]);
        let mut stays = self.test(BinaryOp::Eq, whole, zero);
        if index.max() > scalar.max() {
            let most = self.number(index, scalar.max());
            let leads_out = self.test(BinaryOp::Gt, whole, most);
            stays = self.test(BinaryOp::BitOr, stays, leads_out);
        }
        let widest = self.number(scalar, scalar.max());
        Ok(Step {
            width: self.select(stays, widest, width, Type::of(scalar)),
            stays: Some(stays),
        })
    }

    /// One of two values.
    pub fn select(&mut self, condition: Value, yes: Value, no: Value, ty: &Type) -> Value {
        debug_assert!(has_value(ty));
        let operands = vec![condition, yes, no];
        self.op(Op::Math(MathOp::Select), operands, ty)
    }
}

/// The unsigned integer as wide as the numbers of a range.
fn unsigned(ty: &Type) -> Scalar {
    ty.scalar().map_or(Scalar::U32, Scalar::unsigned)
}

fn literal(expr: &Expr) -> Option<u64> {
    match expr.kind {
        ExprKind::Literal(literal) => literal.count(),
        _ => None,
    }
}
