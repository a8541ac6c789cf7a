//! Cases of enums with fields: values with their tag, and tests of it.

use amp_spirv::tree::{self, BinaryOp, ExprKind};
use syn::{Expr, ExprTry, Pat};

use super::{FnLower, comparison::not, generic::cast, load, local_place, matching::compare};
use crate::{
    infer::{Callee, CaseDef, Resolved, Ty, Unwrapped},
    message::Told,
};

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

    /// The value that the derived `Default` makes: zeroes, but for enums and for what has one of its own.
    pub(super) fn default_value(&mut self, of: &Ty, span: tree::Span) -> tree::Expr {
        let ty = self.consts.ty(of);
        let mut own = self.frame.function.typed.own_defaults.iter();
        if let Some((_, function)) = own.find(|(known, _)| known == of) {
            return self.own_call(*function, &[], ty, span);
        }
        let kind = match of {
            Ty::Enum(index) if let Some(position) = self.consts.program.enums[*index].default => {
                ExprKind::Literal(self.variant(*index, position))
            }
            Ty::Struct(index, _)
                if let Some(position) = self.consts.program.structs[*index].default_case() =>
            {
                return self.of_case((position, 1), Vec::new(), ty, span);
            }
            _ if self.consts.program.is_zero_by_default(of) => ExprKind::Zero,
            Ty::Struct(index, applied) => {
                let fields = self.consts.program.fields(*index, applied);
                self.default_values(fields.iter().map(|(_, field)| field), span)
            }
            Ty::Tuple(parts) => self.default_values(parts, span),
            Ty::Array(element, _) => match self.default_value(element, span) {
                value if matches!(value.kind, ExprKind::Zero) => ExprKind::Zero,
                value => ExprKind::Repeat(Box::new(value)),
            },
            _ => ExprKind::Zero,
        };
        tree::Expr { kind, ty, span }
    }

    fn default_values<'t>(
        &mut self,
        types: impl IntoIterator<Item = &'t Ty>,
        span: tree::Span,
    ) -> ExprKind {
        let types = types.into_iter();
        let values: Vec<tree::Expr> = types.map(|ty| self.default_value(ty, span)).collect();
        let mut kinds = values.iter().map(|value| &value.kind);
        match kinds.all(|kind| matches!(kind, ExprKind::Zero)) {
            true => ExprKind::Zero,
            false => ExprKind::Construct(values),
        }
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

impl FnLower<'_, '_> {
    /// `x?`
    pub(super) fn propagated(
        &mut self,
        expr: &Expr,
        tried: &ExprTry,
        span: tree::Span,
    ) -> tree::Expr {
        let program = self.program;
        let Ty::Struct(of, _) = self.frame.function.typed.ty(&tried.expr) else {
            // It never completes.
            return self.expr(&tried.expr);
        };
        let cases = &program.structs[*of].cases;
        let is_kept = |case: &&CaseDef| matches!(&*case.name, "Some" | "Ok");
        let (position, kept) = numbered(cases, is_kept);
        let (none, other) = numbered(cases, |case| !is_kept(case));
        let value = self.expr(&tried.expr);
        let mut statements = Vec::new();
        let whole = self.held(value, &mut statements);
        let result = match &self.frame.exit {
            Some(exit) => exit.result.clone(),
            None => self.consts.ty(&self.frame.function.result),
        };
        let error = self
            .field_of(&whole, other.first)
            .filter(|_| !other.fields.is_empty());
        let error = error.map(|error| self.error_made(expr, load(error), &result, span));
        let values = error.into_iter().collect();
        let failed = self.of_case((none, other.first), values, result, span);
        let leave = tree::Expr {
            kind: self.leave(Some(failed)),
            ty: tree::Type::Never,
            span,
        };
        self.kept_or(&whole, (position, kept), leave, statements)
    }

    /// The error of `x?` as the function returns it in `result`.
    fn error_made(
        &self,
        expr: &Expr,
        error: tree::Expr,
        result: &tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let Some(callee) = self.frame.function.typed.of(expr).callee.as_ref() else {
            return error;
        };
        let parts = self.parts_of(result, span).unwrap_or_default();
        let Some((_, ty)) = parts.last().cloned() else {
            return error;
        };
        match callee {
            Callee::Helper(function) => tree::Expr {
                kind: ExprKind::Call(self.ids[function], vec![error]),
                ty,
                span,
            },
            _ => cast(error, ty, span),
        }
    }

    /// `x.unwrap()` and the like, whose receiver this is.
    pub(super) fn unwrapped(
        &mut self,
        receiver: &Expr,
        unwrapped: &Unwrapped,
        span: tree::Span,
    ) -> tree::Expr {
        let program = self.program;
        let Unwrapped { of, position, .. } = unwrapped;
        let value = self.expr(receiver);
        let mut statements = Vec::new();
        let whole = self.held(value, &mut statements);
        let said = tree::Expr {
            kind: ExprKind::Message(tree::Message {
                kind: Told::Panic.kind(),
                format: unwrapped.format(),
                operands: Vec::new(),
            }),
            ty: tree::Type::Unit,
            span,
        };
        let leave = self.leave_with_zero(span);
        let leave = super::sequence(vec![tree::Statement::Expr(said)], leave);
        let case = &program.structs[*of].cases[*position];
        self.kept_or(&whole, (*position, case), leave, statements)
    }

    /// A variable for a value that is looked at twice.
    pub(super) fn held(
        &mut self,
        value: tree::Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Place {
        let (ty, span) = (value.ty.clone(), value.span);
        let local = self.temporary("tried", ty.clone(), span);
        let value = Some(value);
        statements.push(tree::Statement::Let { local, value });
        local_place(local, ty, span)
    }

    /// The only field of a case, or what leaves if the value is of another one.
    fn kept_or(
        &mut self,
        whole: &tree::Place,
        (position, case): (usize, &CaseDef),
        leave: tree::Expr,
        mut statements: Vec<tree::Statement>,
    ) -> tree::Expr {
        let span = leave.span;
        let block = |statements, ty| {
            Box::new(tree::Block {
                statements,
                value: None,
                ty,
                span,
            })
        };
        let is_other = not(self.is_case(whole, position, span));
        let leaves = block(vec![tree::Statement::Expr(leave)], tree::Type::Never);
        let stays = block(Vec::new(), tree::Type::Unit);
        statements.push(tree::Statement::Expr(tree::Expr {
            kind: ExprKind::If(Box::new(is_other), leaves, stays),
            ty: tree::Type::Unit,
            span,
        }));
        let field = self.field_of(whole, case.first);
        let field = field.unwrap_or_else(|| unreachable!("the case has a field"));
        super::sequence(statements, load(field))
    }

    /// The part of the value at a place.
    pub(super) fn field_of(&self, whole: &tree::Place, position: usize) -> Option<tree::Place> {
        let (projection, ty) = self.parts_of(&whole.ty, whole.span)?.get(position)?.clone();
        let mut part = whole.clone();
        part.projections.push(projection);
        part.ty = ty;
        Some(part)
    }
}

/// The first of these cases that is wanted, with its position.
fn numbered(cases: &[CaseDef], wanted: impl Fn(&&CaseDef) -> bool) -> (usize, &CaseDef) {
    let mut cases = cases.iter().enumerate();
    let found = cases.find(|(_, case)| wanted(case));
    found.unwrap_or_else(|| unreachable!("`Option` and `Result` have both"))
}

fn tag(position: usize, span: tree::Span) -> tree::Expr {
    tree::Expr {
        kind: ExprKind::Literal(tree::Literal::U32(position as u32)),
        ty: tree::Type::Scalar(tree::Scalar::U32),
        span,
    }
}
