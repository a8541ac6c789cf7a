//! Operations on vectors: each component by the operation on scalars.
//!
//! A device runs one thread a lane, so operations on its vectors gain nothing over
//! operations on their components, and those are where exactness is taken care of. What
//! vectors are for is memory: [`super::place`] loads and stores them as a whole.

use spirv::{Op, Word};

use super::Emitter;
use crate::ir::{BinaryOp, Expr, ExprKind, MathOp, Scalar, Span, Type, UnaryOp};

impl Emitter<'_> {
    /// The SPIR-V type of a vector.
    pub fn vector_ty(&mut self, scalar: Scalar, components: u32) -> Word {
        let component = self.ty(Type::of(scalar));
        let operands = [component, components];
        self.b.intern(Op::TypeVector, None, &operands)
    }

    /// `op value`
    pub fn vector_unary(&mut self, op: UnaryOp, ty: &Type, value: Word) -> Word {
        self.by_component(ty, |emitter, k| {
            let (scalar, value) = emitter.component(ty, value, k);
            emitter.unary(op, scalar, value)
        })
    }

    /// `a op b`; `ty` is the type of `a`, `right` the expression behind `b`.
    pub fn vector_binary(
        &mut self,
        op: BinaryOp,
        ty: &Type,
        a: Word,
        b: Word,
        right: &Expr,
        span: Span,
    ) -> Word {
        let mut result = match ty {
            Type::Vector(..) => ty.clone(),
            _ => right.ty.clone(),
        };
        if op.is_comparison() {
            result = result.with_scalar(Scalar::Bool);
        }
        self.by_component(&result, |emitter, k| {
            let (scalar, a) = emitter.component(ty, a, k);
            let (_, b) = emitter.component(&right.ty, b, k);
            emitter.binary(op, scalar, a, b, &part(right, k), span)
        })
    }

    /// `value as target`
    pub fn vector_cast(&mut self, value: Word, source: &Type, target: &Type) -> Word {
        self.by_component(target, |emitter, k| {
            let (from, value) = emitter.component(source, value, k);
            let to = component_ty(target);
            emitter.cast(value, from, to)
        })
    }

    /// A numeric method of `operands`, whose values are `values`.
    pub fn vector_math(
        &mut self,
        op: MathOp,
        expr: &Expr,
        operands: &[Expr],
        values: &[Word],
    ) -> Word {
        self.by_component(&expr.ty, |emitter, k| {
            let parts: Vec<Expr> = operands.iter().map(|operand| part(operand, k)).collect();
            let values: Vec<Word> = operands
                .iter()
                .zip(values)
                .map(|(operand, value)| emitter.component(&operand.ty, *value, k).1)
                .collect();
            let scalar = stand_in(component_ty(&expr.ty), expr.span);
            emitter.math(op, &scalar, &parts, &values)
        })
    }

    /// A vector of type `ty` from what `component` makes of each position.
    fn by_component(
        &mut self,
        ty: &Type,
        mut component: impl FnMut(&mut Self, u32) -> Word,
    ) -> Word {
        let Type::Vector(_, components) = *ty else {
            return component(self, 0);
        };
        let parts = (0..components).map(|k| component(self, k)).collect();
        self.aggregate(ty, parts)
    }

    /// Type and value of a component; a scalar stands for each.
    fn component(&mut self, ty: &Type, value: Word, k: u32) -> (&'static Type, Word) {
        let scalar = component_ty(ty);
        match ty {
            Type::Vector(..) => match self.b.part(value, k) {
                Some(part) => (scalar, part),
                None => {
                    let id = self.ty(scalar);
                    (scalar, self.b.extract(id, value, k))
                }
            },
            _ => (scalar, value),
        }
    }
}

/// Type of a vector's components; of a scalar, its own.
fn component_ty(ty: &Type) -> &'static Type {
    match ty {
        Type::Vector(scalar, _) | Type::Scalar(scalar) => Type::of(*scalar),
        _ => &Type::Unit,
    }
}

/// The expression behind a component: a literal, which may save a check, or its type.
fn part(operand: &Expr, k: u32) -> Expr {
    let part = match (&operand.kind, &operand.ty) {
        (ExprKind::Construct(parts), Type::Vector(..)) => &parts[k as usize],
        _ => operand,
    };
    match part.kind {
        ExprKind::Literal(_) => part.clone(),
        _ => stand_in(component_ty(&operand.ty), operand.span),
    }
}

/// An expression of which only the type is known; its value has been emitted.
fn stand_in(ty: &Type, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Unit,
        ty: ty.clone(),
        span,
    }
}
