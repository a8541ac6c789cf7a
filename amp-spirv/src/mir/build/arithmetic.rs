//! Operators, with the checks of those that can fault.
//!
//! A division runs under a guard, so that no device divides by zero whether or not checks are
//! on. Of vectors each component has a guard of its own.

use super::Builder;
use crate::artifact::FaultKind;
use crate::mir::{Op, Value};
use crate::tree::{BinaryOp, Expr, ExprKind, Literal, MathOp, Scalar, Type};

/// An operand of which a literal may save a check.
#[derive(Clone, Copy)]
pub(super) struct Known<'t> {
    pub value: Value,
    pub ty: &'t Type,
    pub literal: Option<Literal>,
}

impl Builder<'_, '_> {
    /// `a op b`; `ty` is the type of `a`, `right` the expression behind `b`.
    pub fn binary(&mut self, op: BinaryOp, ty: &Type, a: Value, b: Value, right: &Expr) -> Value {
        let mut result = match (ty, &right.ty) {
            (Type::Scalar(_), Type::Vector(..)) => right.ty.clone(),
            _ => ty.clone(),
        };
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        if divides
            && component_ty(&result)
                .scalar()
                .is_some_and(Scalar::is_integer)
        {
            return self.by_component(&result, |builder, k| {
                let a = builder.component(ty, a, None, k);
                let b = builder.component(&right.ty, b, Some(right), k);
                builder.divide(Op::Binary(op), a, b)
            });
        }
        if op.is_comparison() {
            result = result.with_scalar(Scalar::Bool);
        }
        self.op(Op::Binary(op), vec![a, b], &result)
    }

    /// A vector of type `ty` from what `component` makes of each position; of a scalar, that.
    pub fn by_component(
        &mut self,
        ty: &Type,
        mut component: impl FnMut(&mut Self, u32) -> Value,
    ) -> Value {
        let Type::Vector(_, components) = *ty else {
            return component(self, 0);
        };
        let parts = (0..components).map(|k| component(self, k)).collect();
        self.op(Op::Construct, parts, ty)
    }

    /// A component of a value, and the literal that it is, if the expression behind the value
    /// tells; a scalar stands for each.
    pub fn component(
        &mut self,
        ty: &Type,
        value: Value,
        expr: Option<&Expr>,
        k: u32,
    ) -> Known<'static> {
        let scalar = component_ty(ty);
        let is_vector = matches!(ty, Type::Vector(..));
        let part = expr.map(|expr| match &expr.kind {
            ExprKind::Construct(parts) if is_vector => &parts[k as usize],
            _ => expr,
        });
        let literal = part.and_then(|part| match part.kind {
            ExprKind::Literal(literal) => Some(literal),
            _ => None,
        });
        let value = match (is_vector, literal) {
            (true, Some(literal)) => self.literal(literal),
            (true, None) => self.extract(value, k, scalar),
            (false, _) => value,
        };
        Known {
            value,
            ty: scalar,
            literal,
        }
    }

    /// An integer operation that divides, with its checks.
    pub fn divide(&mut self, op: Op, a: Known<'_>, b: Known<'_>) -> Value {
        let ty = a.ty;
        let scalar = ty.scalar().unwrap_or(Scalar::U32);
        let literal = b.literal.and_then(Literal::integer);
        let can_be_zero = literal.is_none_or(|value| value == 0);
        let can_overflow = scalar.is_signed() && literal.is_none_or(|value| value == -1);
        let mut notes = Vec::new();
        if can_be_zero {
            let zero = self.number(scalar, 0);
            let ok = self.test(BinaryOp::Ne, b.value, zero);
            let dividend = self.fault_operand(a);
            let zero = self.index_number(0);
            notes.push((FaultKind::DivisionByZero, ok, [dividend, zero]));
        }
        if can_overflow {
            let min = self.number(scalar, scalar.min());
            let minus_one = self.number(scalar, -1);
            let fits = self.test(BinaryOp::Ne, a.value, min);
            let harmless = self.test(BinaryOp::Ne, b.value, minus_one);
            let ok = self.test(BinaryOp::BitOr, fits, harmless);
            let operands = [self.fault_operand(a), self.fault_operand(b)];
            notes.push((FaultKind::DivisionOverflow, ok, operands));
        }
        let conditions: Vec<Value> = notes.iter().map(|(_, ok, _)| *ok).collect();
        let guard = self.all(&conditions);
        for (kind, ok, operands) in notes {
            let site = self.site(kind, self.span);
            self.note(ok, site, operands);
        }
        self.guarded(op, vec![a.value, b.value], guard, ty)
    }

    /// Whether all of some conditions hold.
    pub fn all(&mut self, conditions: &[Value]) -> Option<Value> {
        let (first, others) = conditions.split_first()?;
        let and = |all, condition: &Value| self.test(BinaryOp::BitAnd, all, *condition);
        Some(others.iter().fold(*first, and))
    }

    /// The bits of a number as a fault reports them, as many of them as an index has.
    pub fn fault_operand(&mut self, number: Known<'_>) -> Value {
        let Some(scalar) = number.ty.scalar() else {
            return number.value;
        };
        let unsigned = Type::of(scalar.unsigned());
        let bits = match scalar.is_float() {
            true => self.op(Op::Math(MathOp::ToBits), vec![number.value], unsigned),
            false => self.cast(number.value, number.ty, unsigned),
        };
        self.cast(bits, unsigned, self.tree.index.ty())
    }
}

/// Type of a vector's components; of a scalar, its own.
fn component_ty(ty: &Type) -> &'static Type {
    match ty {
        Type::Vector(scalar, _) | Type::Scalar(scalar) => Type::of(*scalar),
        _ => &Type::Unit,
    }
}

/// The literal that a float's sign makes of it.
pub(super) fn negated(literal: Literal) -> Option<Literal> {
    match literal {
        Literal::F32(bits) => Some(Literal::F32(bits ^ (1 << 31))),
        Literal::Other(Scalar::F64, bits) => Some(Literal::Other(Scalar::F64, bits ^ (1 << 63))),
        _ => None,
    }
}
