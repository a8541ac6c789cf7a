//! Cases of enums with fields: values with their tag, and tests of it.

use amp_spirv::tree::{self, BinaryOp, ExprKind};
use syn::Pat;

use super::{FnLower, matching::compare};
use crate::infer::{CaseDef, Resolved};

impl<'p> FnLower<'_, 'p> {
    /// The position of a case in its enum, and the case.
    pub(super) fn case(&self, meaning: Option<Resolved>) -> Option<(usize, &'p CaseDef)> {
        let Some(Resolved::Case { of, position }) = meaning else {
            return None;
        };
        Some((position, &self.program.structs[of].cases[position]))
    }

    /// The case that a pattern names.
    pub(super) fn case_of_pattern(&self, pattern: &Pat) -> Option<(usize, &'p CaseDef)> {
        let meaning = match pattern {
            Pat::Struct(pattern) => self.resolved(pattern),
            Pat::TupleStruct(pattern) => self.resolved(pattern),
            _ => None,
        };
        self.case(meaning)
    }

    /// A value of a case whose fields are known.
    pub(super) fn of_case(
        &mut self,
        (position, first): (usize, usize),
        values: Vec<tree::Expr>,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let tree::Type::Struct(id) = ty else {
            unreachable!("an enum with fields is a struct")
        };
        let fields = self.consts.structs[id.0 as usize].fields.iter();
        let types = fields.map(|field| field.ty.clone());
        let mut parts: Vec<tree::Expr> = types
            .map(|ty| tree::Expr {
                kind: ExprKind::Zero,
                ty,
                span,
            })
            .collect();
        parts[0] = tag(position, span);
        for (part, value) in parts.iter_mut().skip(first).zip(values) {
            *part = value;
        }
        let kind = ExprKind::Construct(parts);
        tree::Expr { kind, ty, span }
    }

    /// Whether the value at a place is of a case.
    pub(super) fn is_case(
        &self,
        place: &tree::Place,
        position: usize,
        span: tree::Span,
    ) -> tree::Expr {
        let mut stored = place.clone();
        stored.projections.push(tree::Projection::Field(0));
        stored.ty = tree::Type::Scalar(tree::Scalar::U32);
        compare(BinaryOp::Eq, &stored, tag(position, span), span)
    }
}

fn tag(position: usize, span: tree::Span) -> tree::Expr {
    tree::Expr {
        kind: ExprKind::Literal(tree::Literal::U32(position as u32)),
        ty: tree::Type::Scalar(tree::Scalar::U32),
        span,
    }
}
