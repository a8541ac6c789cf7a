//! Numeric methods: the way to integers or floats, and what both have.

use spirv::Word;

use super::Emitter;
use super::fault::Check;
use super::scalar::is_signed;
use crate::artifact::FaultKind;
use crate::ir::{Expr, ExprKind, Literal, MathOp, Scalar, Span, Type, UnaryOp};

impl Emitter<'_> {
    /// A numeric method of `operands`, whose values are `values`.
    pub fn math(&mut self, op: MathOp, expr: &Expr, operands: &[Expr], values: &[Word]) -> Word {
        let Some(receiver) = operands.first() else {
            return values.first().copied().unwrap_or(0);
        };
        if let Type::Vector(..) = expr.ty {
            return self.vector_math(op, expr, operands, values);
        }
        match (op, receiver.ty.scalar()) {
            (MathOp::Select, _) => {
                let ty = self.ty(&expr.ty);
                self.b.select(ty, values[0], values[1], values[2])
            }
            (MathOp::FromBits, _) => {
                let is_known = matches!(receiver.kind, ExprKind::Literal(_));
                let bits = match expr.ty.scalar() {
                    Some(Scalar::F32) if !is_known => self.unrelated_bits(values[0]),
                    _ => values[0],
                };
                let number = self.with_bits(bits, &expr.ty);
                self.opaque(number, &expr.ty)
            }
            (MathOp::ToBits, Some(Scalar::F32)) => {
                let bits = self.bits(values[0], &receiver.ty);
                self.unrelated_bits(bits)
            }
            (MathOp::ToBits, _) => self.bits(values[0], &receiver.ty),
            (_, Some(Scalar::F64)) => self.double_math(op, operands, values, expr.span),
            // Of the halves only methods whose results need no rounding.
            (_, Some(scalar)) if scalar.is_float() => {
                self.float_math(op, operands, values, expr.span)
            }
            _ => self.integer_math(op, operands, values, expr.span),
        }
    }

    /// `x.clamp(low, high)` from the result that it has if `low <= high` (`ok`).
    pub fn clamp_checked(
        &mut self,
        x: Word,
        clamped: Word,
        ok: Word,
        operands: &[Expr],
        values: &[Word],
        span: Span,
    ) -> Word {
        if is_ordered(&operands[1], &operands[2]) {
            return clamped;
        }
        let ty = &operands[0].ty;
        let bits = [
            self.fault_operand(values[1], ty),
            self.fault_operand(values[2], ty),
        ];
        let site = self.fault_site(FaultKind::EmptyClamp, span);
        self.watch(vec![Check {
            ok,
            site,
            operands: bits,
        }]);
        let id = self.ty(ty);
        self.b.select(id, ok, clamped, x)
    }
}

/// Whether two literals are in order.
fn is_ordered(low: &Expr, high: &Expr) -> bool {
    let (ExprKind::Literal(low), ExprKind::Literal(high)) = (&low.kind, &high.kind) else {
        return false;
    };
    match (*low, *high) {
        (Literal::F32(low), Literal::F32(high)) => f32::from_bits(low) <= f32::from_bits(high),
        (Literal::Other(Scalar::F64, low), Literal::Other(Scalar::F64, high)) => {
            f64::from_bits(low) <= f64::from_bits(high)
        }
        (low, high) => match (low.integer(), high.integer()) {
            (Some(low), Some(high)) => low <= high,
            _ => false,
        },
    }
}

/// The value of an integer literal.
pub(super) fn integer_literal(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Literal(literal) => literal.integer(),
        ExprKind::Unary(UnaryOp::Neg, inner) if is_signed(&expr.ty) => {
            integer_literal(inner).map(|value| -value)
        }
        _ => None,
    }
}
