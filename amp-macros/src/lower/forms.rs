//! Trees that many forms of Rust become: conditions, assignments and operations of values that are trees already.

use amp_spirv::tree::{self, BinaryOp, ExprKind};

use super::{load, local_place};

/// The type of what tells places apart.
pub(super) const NUMBER: tree::Type = tree::Type::Scalar(tree::Scalar::U32);

pub(super) fn number_literal(number: u32, span: tree::Span) -> tree::Expr {
    tree::Expr {
        kind: ExprKind::Literal(tree::Literal::U32(number)),
        ty: NUMBER,
        span,
    }
}

/// Whether a variable holds this number.
pub(super) fn is_number(variable: tree::LocalId, number: u32, span: tree::Span) -> tree::Expr {
    let held = load(local_place(variable, NUMBER, span));
    let kind = ExprKind::Binary(
        BinaryOp::Eq,
        Box::new(held),
        Box::new(number_literal(number, span)),
    );
    let ty = tree::Type::BOOL;
    tree::Expr { kind, ty, span }
}

pub(super) fn binary(op: BinaryOp, left: tree::Expr, right: tree::Expr) -> tree::Expr {
    let span = left.span;
    let ty = match op {
        BinaryOp::Lt | BinaryOp::Le => tree::Type::BOOL,
        _ => left.ty.clone(),
    };
    let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
    tree::Expr { kind, ty, span }
}

/// `{ statements; value }`
pub(super) fn block(
    statements: Vec<tree::Statement>,
    value: Option<tree::Expr>,
    span: tree::Span,
) -> Box<tree::Block> {
    let ty = value
        .as_ref()
        .map_or(tree::Type::Unit, |value| value.ty.clone());
    let value = value.map(Box::new);
    Box::new(tree::Block {
        statements,
        value,
        ty,
        span,
    })
}

/// `if condition { then }`
pub(super) fn when(condition: tree::Expr, then: tree::Statement) -> tree::Statement {
    let span = condition.span;
    let then = block(vec![then], None, span);
    let otherwise = block(Vec::new(), None, span);
    tree::Statement::Expr(tree::Expr {
        kind: ExprKind::If(Box::new(condition), then, otherwise),
        ty: tree::Type::Unit,
        span,
    })
}

/// `if condition { then } else { otherwise }`
pub(super) fn choice(condition: tree::Expr, then: tree::Expr, otherwise: tree::Expr) -> tree::Expr {
    let (ty, span) = (then.ty.clone(), condition.span);
    let then = block(Vec::new(), Some(then), span);
    let otherwise = block(Vec::new(), Some(otherwise), span);
    tree::Expr {
        kind: ExprKind::If(Box::new(condition), then, otherwise),
        ty,
        span,
    }
}

/// `place = value`
pub(super) fn set(place: tree::Place, value: tree::Expr) -> tree::Statement {
    let span = value.span;
    tree::Statement::Expr(tree::Expr {
        kind: ExprKind::Assign(Box::new(place), Box::new(value)),
        ty: tree::Type::Unit,
        span,
    })
}
