//! What `Scalar` has, of the types that type parameters stand for.

use amp_spirv::ir::{self, ExprKind};
use syn::Expr;

use super::{FnLower, usize_literal};
use crate::infer::Known;

impl FnLower<'_, '_> {
    /// A constant that the compiler knows.
    pub(super) fn known(&mut self, known: Known, ty: ir::Type, span: ir::Span) -> ir::Expr {
        let literal = |value| ir::Expr {
            kind: ExprKind::Literal(ir::Literal::I32(value)),
            ty: ir::Type::I32,
            span,
        };
        match known {
            Known::Length(number) => usize_literal(number, span),
            Known::Zero => cast(literal(0), ty, span),
            Known::OfBound => unreachable!("instances know the types of their parameters"),
            Known::One => cast(literal(1), ty, span),
        }
    }

    /// `value as T`, which may be what it is already.
    pub(super) fn converted(&mut self, value: &Expr, ty: ir::Type, span: ir::Span) -> ir::Expr {
        let value = self.expr(value);
        cast(value, ty, span)
    }
}

fn cast(value: ir::Expr, ty: ir::Type, span: ir::Span) -> ir::Expr {
    if value.ty == ty {
        return value;
    }
    let kind = ExprKind::Cast(Box::new(value));
    ir::Expr { kind, ty, span }
}
