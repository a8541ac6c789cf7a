//! Comparisons part by part, of two places: of arrays in a loop, unless they are short.

use amp_spirv::tree::{self, BinaryOp, ExprKind, LazyOp, Statement, UnaryOp};

use super::{FnLower, lazy, load, local_place, usize_literal};

/// Arrays of up to this many elements are compared without a loop.
const SHORT: u32 = 16;

impl FnLower<'_, '_> {
    /// Whether all parts are equal.
    pub(super) fn equal_parts(
        &mut self,
        left: tree::Place,
        right: tree::Place,
        span: tree::Span,
    ) -> tree::Expr {
        if is_long(&left.ty) {
            return self.each_compared(
                left,
                right,
                span,
                |lower, left, right| {
                    let equal = lower.equal_parts(left, right, span);
                    vec![(not(equal), false)]
                },
                true,
            );
        }
        let Some(parts) = self.parts_of(&left.ty, span) else {
            return self.compared(BinaryOp::Eq, left, right, span);
        };
        let mut equal = None;
        for part in parts {
            let [left, right] = both(&left, &right, part);
            let part = self.equal_parts(left, right, span);
            equal = Some(match equal {
                None => part,
                Some(others) => lazy(LazyOp::And, others, part),
            });
        }
        equal.unwrap_or_else(|| truth(true, span))
    }

    /// `left op right`, by the first parts that are not equal: those compare strictly, and
    /// so that they decide where they are not ordered.
    pub(super) fn ordered_parts(
        &mut self,
        op: BinaryOp,
        left: tree::Place,
        right: tree::Place,
        span: tree::Span,
    ) -> tree::Expr {
        let strict = match op {
            BinaryOp::Lt | BinaryOp::Le => BinaryOp::Lt,
            _ => BinaryOp::Gt,
        };
        if is_long(&left.ty) {
            return self.each_compared(
                left,
                right,
                span,
                |lower, left, right| {
                    let decided = lower.ordered_parts(strict, left.clone(), right.clone(), span);
                    let equal = lower.equal_parts(left, right, span);
                    vec![(decided, true), (not(equal), false)]
                },
                op != strict,
            );
        }
        let Some(parts) = self.parts_of(&left.ty, span) else {
            return self.compared(op, left, right, span);
        };
        let mut parts = parts.into_iter().rev();
        let Some(last) = parts.next() else {
            return truth(op != strict, span);
        };
        let [l, r] = both(&left, &right, last);
        let mut value = self.ordered_parts(op, l, r, span);
        for part in parts {
            let [l, r] = both(&left, &right, part);
            let decided = self.ordered_parts(strict, l.clone(), r.clone(), span);
            let equal = self.equal_parts(l, r, span);
            value = lazy(LazyOp::Or, decided, lazy(LazyOp::And, equal, value));
        }
        value
    }

    /// The parts of a value, or `None` if it is one number.
    pub(super) fn parts_of(
        &self,
        ty: &tree::Type,
        span: tree::Span,
    ) -> Option<Vec<(tree::Projection, tree::Type)>> {
        let field = |(position, ty)| (tree::Projection::Field(position as u32), ty);
        Some(match ty {
            tree::Type::Unit => Vec::new(),
            tree::Type::Struct(id) => {
                let fields = self.consts.structs[id.0 as usize].fields.iter();
                let types = fields.map(|field| field.ty.clone());
                types.enumerate().map(field).collect()
            }
            tree::Type::Tuple(types) => types.iter().cloned().enumerate().map(field).collect(),
            tree::Type::Array(element, tree::Len::Literal(length)) => {
                let part = |position| {
                    let index = Box::new(usize_literal(position, span));
                    (tree::Projection::Index(index), (**element).clone())
                };
                (0..*length).map(part).collect()
            }
            _ => return None,
        })
    }

    /// Compares the elements of two arrays in a loop. `decide` makes of two elements the
    /// conditions under which they decide, with what they decide; if none of them does, it is
    /// `otherwise`.
    fn each_compared(
        &mut self,
        left: tree::Place,
        right: tree::Place,
        span: tree::Span,
        decide: impl FnOnce(&mut Self, tree::Place, tree::Place) -> Vec<(tree::Expr, bool)>,
        otherwise: bool,
    ) -> tree::Expr {
        let tree::Type::Array(element, len) = left.ty.clone() else {
            unreachable!("long arrays are arrays")
        };
        let expr = |kind, ty| tree::Expr { kind, ty, span };
        let block = |statements, value: Option<tree::Expr>, ty| {
            let value = value.map(Box::new);
            Box::new(tree::Block {
                statements,
                value,
                ty,
                span,
            })
        };
        let [whole, round] = [0, 1].map(|label| tree::LabelId(self.next_label + label));
        self.next_label += 2;
        let local = self.temporary("element", tree::Type::USIZE, span);
        let index = Box::new(load(local_place(local, tree::Type::USIZE, span)));
        let part = (tree::Projection::Index(index), *element);
        let [left, right] = both(&left, &right, part);
        let steps = decide(self, left, right)
            .into_iter()
            .map(|(condition, result)| {
                let result = Some(Box::new(truth(result, span)));
                let leave = expr(ExprKind::Break(whole, result), tree::Type::Never);
                let kind = ExprKind::If(
                    Box::new(condition),
                    block(vec![Statement::Expr(leave)], None, tree::Type::Never),
                    block(Vec::new(), None, tree::Type::Unit),
                );
                Statement::Expr(expr(kind, tree::Type::Unit))
            });
        let body = *block(steps.collect(), None, tree::Type::Unit);
        let end = match len {
            tree::Len::Literal(number) => usize_literal(number, span),
            tree::Len::Const(id) => expr(ExprKind::Const(id), tree::Type::USIZE),
        };
        let range = tree::ForRange {
            local,
            start: usize_literal(0, span),
            end,
            inclusive: false,
            adapters: Vec::new(),
        };
        let kind = tree::LoopKind::For(range);
        let loop_ = Box::new(tree::Loop {
            label: round,
            kind,
            unroll: false,
            body,
        });
        let loop_ = expr(ExprKind::Loop(loop_), tree::Type::Unit);
        let otherwise = Some(truth(otherwise, span));
        let inside = block(vec![Statement::Expr(loop_)], otherwise, tree::Type::BOOL);
        expr(ExprKind::LabelledBlock(whole, inside), tree::Type::BOOL)
    }

    fn compared(
        &mut self,
        op: BinaryOp,
        left: tree::Place,
        right: tree::Place,
        span: tree::Span,
    ) -> tree::Expr {
        self.binary(op, load(left), load(right), tree::Type::BOOL, span)
    }
}

/// The same part of two places.
fn both(
    left: &tree::Place,
    right: &tree::Place,
    (projection, ty): (tree::Projection, tree::Type),
) -> [tree::Place; 2] {
    [left, right].map(|whole| {
        let mut part = whole.clone();
        part.projections.push(projection.clone());
        part.ty = ty.clone();
        part
    })
}

/// Whether values of a type are compared in a loop.
fn is_long(ty: &tree::Type) -> bool {
    match ty {
        tree::Type::Array(_, tree::Len::Literal(length)) => *length > SHORT,
        tree::Type::Array(_, tree::Len::Const(_)) => true,
        _ => false,
    }
}

/// `!value`
pub(super) fn not(value: tree::Expr) -> tree::Expr {
    let span = value.span;
    tree::Expr {
        kind: ExprKind::Unary(UnaryOp::Not, Box::new(value)),
        ty: tree::Type::BOOL,
        span,
    }
}

fn truth(value: bool, span: tree::Span) -> tree::Expr {
    tree::Expr {
        kind: ExprKind::Literal(tree::Literal::Bool(value)),
        ty: tree::Type::BOOL,
        span,
    }
}
