//! Comparisons part by part, of two places.

use amp_spirv::ir::{self, BinaryOp, ExprKind, LazyOp};

use super::{FnLower, lazy, load, usize_literal};

impl FnLower<'_, '_> {
    /// Whether all parts are equal.
    pub(super) fn equal_parts(
        &mut self,
        left: ir::Place,
        right: ir::Place,
        span: ir::Span,
    ) -> ir::Expr {
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
        left: ir::Place,
        right: ir::Place,
        span: ir::Span,
    ) -> ir::Expr {
        let Some(parts) = self.parts_of(&left.ty, span) else {
            return self.compared(op, left, right, span);
        };
        let strict = match op {
            BinaryOp::Lt | BinaryOp::Le => BinaryOp::Lt,
            _ => BinaryOp::Gt,
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
        ty: &ir::Type,
        span: ir::Span,
    ) -> Option<Vec<(ir::Projection, ir::Type)>> {
        let field = |(position, ty)| (ir::Projection::Field(position as u32), ty);
        Some(match ty {
            ir::Type::Unit => Vec::new(),
            ir::Type::Struct(id) => {
                let fields = self.consts.structs[id.0 as usize].fields.iter();
                let types = fields.map(|field| field.ty.clone());
                types.enumerate().map(field).collect()
            }
            ir::Type::Tuple(types) => types.iter().cloned().enumerate().map(field).collect(),
            ir::Type::Array(element, ir::Len::Literal(length)) => {
                let part = |position| {
                    let index = Box::new(usize_literal(position, span));
                    (ir::Projection::Index(index), (**element).clone())
                };
                (0..*length).map(part).collect()
            }
            _ => return None,
        })
    }

    fn compared(
        &mut self,
        op: BinaryOp,
        left: ir::Place,
        right: ir::Place,
        span: ir::Span,
    ) -> ir::Expr {
        self.binary(op, load(left), load(right), ir::Type::BOOL, span)
    }
}

/// The same part of two places.
fn both(
    left: &ir::Place,
    right: &ir::Place,
    (projection, ty): (ir::Projection, ir::Type),
) -> [ir::Place; 2] {
    [left, right].map(|whole| {
        let mut part = whole.clone();
        part.projections.push(projection.clone());
        part.ty = ty.clone();
        part
    })
}

fn truth(value: bool, span: ir::Span) -> ir::Expr {
    ir::Expr {
        kind: ExprKind::Literal(ir::Literal::Bool(value)),
        ty: ir::Type::BOOL,
        span,
    }
}
