//! Numeric methods, with the checks of those that can fault.

use super::Builder;
use super::arithmetic::Known;
use crate::artifact::FaultKind;
use crate::mir::{Op, Value};
use crate::tree::{BinaryOp, Expr, Literal, MathOp, Scalar, Type};

impl Builder<'_, '_> {
    /// A numeric method of `operands`, whose values are `values`; its result is of type `ty`.
    pub fn math(&mut self, op: MathOp, ty: &Type, operands: &[Expr], values: Vec<Value>) -> Value {
        let scalar = match operands.first().map(|operand| &operand.ty) {
            Some(Type::Scalar(scalar) | Type::Vector(scalar, _)) => Some(*scalar),
            _ => None,
        };
        let divides = matches!(op, MathOp::DivCeil | MathOp::RemEuclid | MathOp::DivEuclid)
            && scalar.is_some_and(Scalar::is_integer);
        if !divides && op != MathOp::Clamp {
            return self.op(Op::Math(op), values, ty);
        }
        self.by_component(ty, |builder, k| {
            let parts: Vec<Known<'_>> = operands
                .iter()
                .zip(&values)
                .map(|(operand, value)| builder.component(&operand.ty, *value, Some(operand), k))
                .collect();
            match *parts {
                [a, b] => builder.divide(Op::Math(op), a, b),
                [x, low, high] => builder.clamp(x, low, high),
                // The tree's rules.
                _ => unreachable!("a division has two operands, `clamp` three"),
            }
        })
    }

    /// `x.clamp(low, high)`; `x` where that is a fault.
    fn clamp(&mut self, x: Known<'_>, low: Known<'_>, high: Known<'_>) -> Value {
        let values = vec![x.value, low.value, high.value];
        let clamp = Op::Math(MathOp::Clamp);
        if is_ordered(low.literal, high.literal) {
            return self.op(clamp, values, x.ty);
        }
        let mut ok = self.test(BinaryOp::Le, low.value, high.value);
        if x.ty.scalar().is_some_and(Scalar::is_float) {
            // NaN is out of order whatever the driver thinks of it.
            let [low, high] = [low.value, high.value]
                .map(|limit| self.op(Op::Math(MathOp::IsNan), vec![limit], &Type::BOOL));
            let nan = self.test(BinaryOp::BitOr, low, high);
            let numbers = self.not(nan);
            ok = self.test(BinaryOp::BitAnd, ok, numbers);
        }
        let operands = [low, high].map(|limit| self.fault_operand(limit));
        let site = self.site(FaultKind::EmptyClamp, self.span);
        self.note(ok, site, operands);
        let clamped = self.guarded(clamp, values, Some(ok), x.ty);
        self.select(ok, clamped, x.value, x.ty)
    }
}

/// Whether two literals are in order.
fn is_ordered(low: Option<Literal>, high: Option<Literal>) -> bool {
    match (low, high) {
        (Some(Literal::F32(low)), Some(Literal::F32(high))) => {
            f32::from_bits(low) <= f32::from_bits(high)
        }
        (Some(Literal::Other(Scalar::F64, low)), Some(Literal::Other(Scalar::F64, high))) => {
            f64::from_bits(low) <= f64::from_bits(high)
        }
        (Some(low), Some(high)) => match (low.integer(), high.integer()) {
            (Some(low), Some(high)) => low <= high,
            _ => false,
        },
        _ => false,
    }
}
