//! What `Scalar` has, of the types that type parameters stand for.

use amp_spirv::tree::{self, ExprKind};
use syn::Expr;

use super::{FnLower, usize_literal};
use crate::infer::Known;

impl FnLower<'_, '_> {
    /// A constant that the compiler knows.
    pub(super) fn known(&mut self, known: Known, ty: tree::Type, span: tree::Span) -> tree::Expr {
        let literal = |value| tree::Expr {
            kind: ExprKind::Literal(tree::Literal::I32(value)),
            ty: tree::Type::I32,
            span,
        };
        match known {
            Known::Length(number) => cast(usize_literal(number, span), ty, span),
            Known::Zero => cast(literal(0), ty, span),
            Known::OfBound(_) => unreachable!("instances know the types of their parameters"),
            Known::One => cast(literal(1), ty, span),
        }
    }

    /// `value as T`, which may be what it is already.
    pub(super) fn converted(
        &mut self,
        value: &Expr,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let value = self.expr(value);
        cast(value, ty, span)
    }
}

pub(super) fn cast(value: tree::Expr, ty: tree::Type, span: tree::Span) -> tree::Expr {
    if value.ty == ty {
        return value;
    }
    let kind = ExprKind::Cast(Box::new(value));
    tree::Expr { kind, ty, span }
}
