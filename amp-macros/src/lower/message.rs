//! What a kernel says.
//!
//! A device stores numbers, so a value of a named type is taken apart: its numbers are the operands, and its
//! names are parts of the text. A value of an enum has another text for each case, and so another message,
//! of which the tag selects one.

use amp_spirv::tree::{self, ExprKind, Message};
use syn::ExprCall;

use super::{FnLower, lazy, load, matching::compare, sequence};
use crate::{
    infer::Ty,
    message::{self, Told, form::Form},
};

/// The text and operands of a value, if a condition is true that no earlier form meets; the last one has none.
type Choice = (Option<tree::Expr>, Form<tree::Place>);

impl FnLower<'_, '_> {
    /// What an assertion, a panic or a print became.
    pub(super) fn told(&mut self, call: &ExprCall, told: Told) -> tree::Expr {
        // Not with the attributes that may stand before it.
        let span = self.span(&*call.func);
        let operands = call.args.iter().skip(1);
        let types: Vec<Ty> = operands
            .clone()
            .map(|operand| self.frame.function.typed.ty(operand).target().clone())
            .collect();
        let values: Vec<tree::Expr> = operands.map(|operand| self.expr(operand)).collect();
        let format = message::format_of(call);
        let said = match types.iter().any(Ty::is_named) {
            true => self.said_in_forms(told, &format, values, &types, span),
            false => said(told, format, values, span),
        };
        if told != Told::Panic {
            return said;
        }
        let leave = self.leave_with_zero(span);
        sequence(vec![tree::Statement::Expr(said)], leave)
    }

    /// A message about values some of which are of named types.
    fn said_in_forms(
        &mut self,
        told: Told,
        format: &str,
        values: Vec<tree::Expr>,
        types: &[Ty],
        span: tree::Span,
    ) -> tree::Expr {
        let mut statements = Vec::new();
        let mut places = Vec::new();
        for value in values {
            places.push(self.held(value, &mut statements));
        }
        let operands = places.iter().zip(types);
        let operands: Vec<Vec<Choice>> = operands
            .map(|(place, ty)| match ty.is_named() {
                true => self.choices(place, ty, span),
                false => vec![(None, Form::Value(place.clone()))],
            })
            .collect();
        let choices = together(operands, |forms| forms);
        let message = |forms: Vec<Form<tree::Place>>| {
            let (text, places) = message::form::written(format, &forms);
            let operands = places.into_iter().map(load).collect();
            said(told, text, operands, span)
        };
        let block = |value: tree::Expr| {
            Box::new(tree::Block {
                statements: vec![tree::Statement::Expr(value)],
                value: None,
                ty: tree::Type::Unit,
                span,
            })
        };
        let chosen = choices
            .into_iter()
            .rev()
            .fold(None, |others, (condition, forms)| {
                let own = message(forms);
                Some(match (condition, others) {
                    (Some(condition), Some(others)) => tree::Expr {
                        kind: ExprKind::If(Box::new(condition), block(own), block(others)),
                        ty: tree::Type::Unit,
                        span,
                    },
                    _ => own,
                })
            });
        statements.extend(chosen.map(tree::Statement::Expr));
        let unit = tree::Expr {
            kind: ExprKind::Unit,
            ty: tree::Type::Unit,
            span,
        };
        sequence(statements, unit)
    }

    /// The forms of a value that is, or is a part of, one of a named type.
    fn choices(&mut self, place: &tree::Place, ty: &Ty, span: tree::Span) -> Vec<Choice> {
        let program = self.program;
        match ty {
            Ty::Enum(index) => {
                let variants = &program.enums[*index].variants;
                let last = variants.len().saturating_sub(1);
                let variants = variants.iter().enumerate();
                let choices = variants.map(|(position, (name, _))| {
                    let number = tree::Expr {
                        kind: ExprKind::Literal(self.variant(*index, position)),
                        ty: place.ty.clone(),
                        span,
                    };
                    let is_own = compare(tree::BinaryOp::Eq, place, number, span);
                    let condition = (position < last).then_some(is_own);
                    (condition, Form::Named(name.clone(), Vec::new()))
                });
                choices.collect()
            }
            Ty::Struct(index, applied) if program.structs[*index].is_enum() => {
                let cases = &program.structs[*index].cases;
                let types = program.fields(*index, applied);
                let last = cases.len() - 1;
                let mut all = Vec::new();
                for (position, case) in cases.iter().enumerate() {
                    let fields = (case.first..).zip(&case.fields);
                    let parts: Vec<_> = fields
                        .map(|(at, name)| {
                            let part = self.field_of(place, at);
                            let part = part.unwrap_or_else(|| place.clone());
                            (self.choices(&part, &types[at].1, span), name.clone())
                        })
                        .collect();
                    let names: Vec<String> = parts.iter().map(|(_, name)| name.clone()).collect();
                    let parts = parts.into_iter().map(|(part, _)| part).collect();
                    let is_own = self.is_case(place, position, span);
                    let is_own = (position < last).then_some(is_own);
                    let of_case = together(parts, |forms| {
                        let names = names.iter().map(|name| case.is_named.then(|| name.clone()));
                        Form::Named(case.name.clone(), names.zip(forms).collect())
                    });
                    all.extend(
                        of_case
                            .into_iter()
                            .map(|(condition, form)| (both(is_own.clone(), condition), form)),
                    );
                }
                all
            }
            Ty::Struct(..) | Ty::Tuple(_) | Ty::Array(..) => self.choices_of_parts(place, ty, span),
            _ => vec![(None, Form::Value(place.clone()))],
        }
    }

    /// The forms of a struct, tuple or array.
    fn choices_of_parts(&mut self, place: &tree::Place, ty: &Ty, span: tree::Span) -> Vec<Choice> {
        let program = self.program;
        let types: Vec<Ty> = match ty {
            Ty::Struct(index, applied) => {
                let fields = program.fields(*index, applied).into_iter();
                fields.map(|(_, ty)| ty).collect()
            }
            Ty::Tuple(parts) => parts.clone(),
            Ty::Array(element, _) => {
                let parts = self.parts_of(&place.ty, span).unwrap_or_default();
                vec![(**element).clone(); parts.len()]
            }
            _ => Vec::new(),
        };
        let parts = types.iter().enumerate().map(|(at, ty)| {
            let part = self.field_of(place, at);
            self.choices(&part.unwrap_or_else(|| place.clone()), ty, span)
        });
        let parts: Vec<Vec<Choice>> = parts.collect();
        together(parts, |forms| match ty {
            Ty::Struct(index, _) => {
                let structure = &program.structs[*index];
                let fields = structure.fields.iter();
                let names = fields.map(|(name, _)| (!structure.is_tuple).then(|| name.clone()));
                Form::Named(structure.name.clone(), names.zip(forms).collect())
            }
            Ty::Tuple(_) => Form::Tuple(forms),
            _ => Form::List(forms),
        })
    }
}

/// A message with its operands.
fn said(told: Told, format: String, operands: Vec<tree::Expr>, span: tree::Span) -> tree::Expr {
    tree::Expr {
        kind: ExprKind::Message(Message {
            kind: told.kind(),
            format,
            operands,
        }),
        ty: tree::Type::Unit,
        span,
    }
}

/// The forms of several values at once.
fn together<F>(
    parts: Vec<Vec<Choice>>,
    make: impl Fn(Vec<Form<tree::Place>>) -> F,
) -> Vec<(Option<tree::Expr>, F)> {
    let mut all = vec![(None, Vec::new())];
    for choices in parts {
        let before = std::mem::take(&mut all);
        for (first, forms) in before {
            for (second, form) in &choices {
                let mut forms: Vec<Form<tree::Place>> = forms.clone();
                forms.push(form.clone());
                all.push((both(first.clone(), second.clone()), forms));
            }
        }
    }
    let made = all.into_iter();
    made.map(|(condition, forms)| (condition, make(forms)))
        .collect()
}

/// Whether two conditions are true, of which each may be missing.
fn both(first: Option<tree::Expr>, second: Option<tree::Expr>) -> Option<tree::Expr> {
    match (first, second) {
        (Some(first), Some(second)) => Some(lazy(tree::LazyOp::And, first, second)),
        (first, second) => first.or(second),
    }
}
