//! `for` over an array or a slice: a loop over its indices, in which the variable is a copy of the
//! element, or names it.

use amp_spirv::tree;
use syn::{Expr, ExprForLoop, Pat};

use super::{FnLower, load, local_place, slice::Slice, usize_literal};
use crate::{
    attribute::is_unrolled,
    infer::{Each, Len, adapters},
};

impl FnLower<'_, '_> {
    /// The loop, and before it what has to be computed once.
    pub(super) fn each(
        &mut self,
        round: &ExprForLoop,
        each: Each,
        label: tree::LabelId,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Loop {
        let (_, source) = adapters(&round.expr);
        let span = self.span(source);
        if let Some(case) = each.case {
            return self.of_case_visited(round, case, label, statements);
        }
        let slice = match each.length {
            None => {
                // The loop is over what the slice is before it.
                let slice = self.slice(source, statements);
                self.named_as(slice, false, span, statements)
            }
            Some(_) if each.by_reference => Slice::whole(self.borrowed(source, statements)),
            Some(_) => Slice::whole(self.copied(source, statements)),
        };
        let named = |cx: &Self, pattern: Option<&Pat>| match pattern {
            Some(Pat::Ident(ident)) => cx.declared(ident),
            _ => None,
        };
        let Some((pattern, position)) = each.patterns(&round.pat) else {
            unreachable!("inference refuses other patterns")
        };
        let index = named(self, position)
            .unwrap_or_else(|| self.temporary("element", tree::Type::USIZE, span));
        // The body may assign the position; the element stays.
        let fixed = match position {
            Some(_) => self.temporary("element", tree::Type::USIZE, span),
            None => index,
        };
        let at = load(local_place(fixed, tree::Type::USIZE, span));
        let place = self.element_within(&slice, at);
        let mut first = Vec::new();
        if fixed != index {
            let value = Some(load(local_place(index, tree::Type::USIZE, span)));
            first.push(tree::Statement::Let {
                local: fixed,
                value,
            });
        }
        match (pattern, each.by_reference) {
            (Pat::Ident(ident), true) => {
                if let Some(local) = self.declared(ident) {
                    self.frame.references.insert(local, place);
                }
            }
            (Pat::Wild(_), true) => {}
            (Pat::Reference(reference), _) => {
                self.pattern(&reference.pat, load(place), &mut first);
            }
            (pattern, _) => self.pattern(pattern, load(place), &mut first),
        }
        let mut body = self.block(&round.body);
        body.statements.splice(..0, first);
        let end = match each.length {
            Some(length) => self.length(length, span),
            None => self.length_of_slice(&slice, span),
        };
        tree::Loop {
            label,
            kind: tree::LoopKind::For(tree::ForRange {
                local: index,
                start: usize_literal(0, span),
                end,
                inclusive: false,
                adapters: match each.reversed {
                    true => vec![tree::Adapter::Rev],
                    false => Vec::new(),
                },
            }),
            unroll: is_unrolled(&round.attrs),
            body,
        }
    }

    /// A loop over the one value of an `Option` or a `Result`.
    fn of_case_visited(
        &mut self,
        round: &ExprForLoop,
        case: usize,
        label: tree::LabelId,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Loop {
        let span = self.span(&round.expr);
        let whole = self.copied(&round.expr, statements);
        let end = self.count_of_case(&whole, case, span);
        let ty = match self.frame.function.typed.ty(&round.expr).parts().next() {
            Some(ty) => self.consts.ty(ty),
            None => unreachable!("inference finds a value"),
        };
        let mut value = whole;
        value.projections.push(tree::Projection::Field(1));
        value.ty = ty;
        let mut first = Vec::new();
        self.pattern(&round.pat, load(value), &mut first);
        let mut body = self.block(&round.body);
        body.statements.splice(..0, first);
        tree::Loop {
            label,
            kind: tree::LoopKind::For(tree::ForRange {
                local: self.temporary("element", tree::Type::USIZE, span),
                start: usize_literal(0, span),
                end,
                inclusive: false,
                adapters: Vec::new(),
            }),
            unroll: is_unrolled(&round.attrs),
            body,
        }
    }

    /// A copy of an array, which the body cannot change.
    fn copied(&mut self, source: &Expr, statements: &mut Vec<tree::Statement>) -> tree::Place {
        let value = self.expr(source);
        let (ty, span) = (value.ty.clone(), value.span);
        let local = self.temporary("array", ty.clone(), span);
        let value = Some(value);
        statements.push(tree::Statement::Let { local, value });
        local_place(local, ty, span)
    }

    /// The length of an array.
    pub(super) fn length(&mut self, length: Len, span: tree::Span) -> tree::Expr {
        match self.consts.len(length) {
            tree::Len::Literal(number) => usize_literal(number, span),
            tree::Len::Const(id) => tree::Expr {
                kind: tree::ExprKind::Const(id),
                ty: tree::Type::USIZE,
                span,
            },
        }
    }
}
