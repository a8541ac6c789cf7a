//! `match` and `let ... else`: the value is kept in a variable, and the arms become a
//! chain of tests on its parts, each before the names that it binds.
//!
//! rustc proves on the host version that the arms leave nothing out, and guarded arms do not
//! count there: the last arm without a guard takes all that is left, untested, and
//! what stands behind it is never reached.

use amp_spirv::tree::{self, BinaryOp, ExprKind, LazyOp, UnaryOp};
use syn::{Arm, Expr, ExprMatch, Lit, Pat, RangeLimits};

use super::{FnLower, lazy, load, local_place};
use crate::infer::{Node, Resolved, Ty};

impl FnLower<'_, '_> {
    pub(super) fn match_expr(
        &mut self,
        choice: &ExprMatch,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let mut statements = Vec::new();
        let place = self.taken_apart(&choice.expr, &mut statements);
        let last = choice
            .arms
            .iter()
            .rposition(|arm| !matches!(arm.pat, Pat::Guard(_)))
            .unwrap_or(choice.arms.len().saturating_sub(1));
        let chosen = self.arms(&choice.arms[..=last], &place, &ty);
        statements.extend(chosen.statements);
        tree::Expr {
            ty: chosen.ty.clone(),
            kind: ExprKind::Block(Box::new(tree::Block {
                statements,
                value: chosen.value,
                ty: chosen.ty,
                span,
            })),
            span,
        }
    }

    /// The place of what a pattern takes apart.
    pub(super) fn taken_apart(
        &mut self,
        value: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Place {
        match (self.frame.function.typed.ty(value), value) {
            // Its parts are places too.
            (Ty::Reference { .. }, _) => self.borrowed(value, statements),
            (ty, Expr::Tuple(tuple)) if ty.is_side_by_side() => {
                let parts = tuple.elems.iter();
                let places = parts.map(|part| self.taken_apart(part, statements));
                let places = places.collect();
                let (ty, span) = (tree::Type::BOOL, self.span(value));
                let local = self.temporary("side by side", ty.clone(), span);
                self.side_by_side.insert(local, places);
                local_place(local, ty, span)
            }
            _ => {
                let kept = self.expr(value);
                let (place, kept) = self.keep(value, kept);
                statements.push(kept);
                place
            }
        }
    }

    /// `let pattern = value else { otherwise };`
    pub(super) fn let_else(
        &mut self,
        pattern: &Pat,
        place: &tree::Place,
        otherwise: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) {
        if let Some(test) = self.test(pattern, place) {
            let span = test.span;
            let fails = tree::Expr {
                kind: ExprKind::Unary(UnaryOp::Not, Box::new(test)),
                ty: tree::Type::BOOL,
                span,
            };
            let leave = self.as_block(otherwise);
            let stay = tree::Block {
                statements: Vec::new(),
                value: None,
                ty: tree::Type::Unit,
                span,
            };
            statements.push(tree::Statement::Expr(tree::Expr {
                kind: ExprKind::If(Box::new(fails), Box::new(leave), Box::new(stay)),
                ty: tree::Type::Unit,
                span,
            }));
        }
        self.bind(pattern, place, statements);
    }

    /// A variable for the value that is taken apart.
    pub(super) fn keep(
        &mut self,
        at: impl crate::report::Locate,
        value: tree::Expr,
    ) -> (tree::Place, tree::Statement) {
        let span = self.span(at);
        let local = self.temporary("match", value.ty.clone(), span);
        let place = local_place(local, value.ty.clone(), span);
        let value = Some(value);
        (place, tree::Statement::Let { local, value })
    }

    /// What the arms do; the last one is not tested.
    fn arms(&mut self, arms: &[Arm], place: &tree::Place, ty: &tree::Type) -> tree::Block {
        let Some((arm, rest)) = arms.split_first() else {
            unreachable!("inference refuses a `match` without arms")
        };
        let (pattern, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            pattern => (pattern, None),
        };
        let mut names = Vec::new();
        self.bind(pattern, place, &mut names);
        let test = match rest {
            [] => None,
            _ => self.test(pattern, place),
        };
        let guard = match rest {
            [] => None,
            _ => guard.map(|guard| self.expr(guard)),
        };
        // A guard sees the names of its arm; they keep their values for the body.
        let condition = match (test, guard) {
            (test, None) => test,
            (test, Some(guard)) => {
                let names = std::mem::take(&mut names);
                Some(self.guarded(pattern, place, test, names, guard))
            }
        };
        let body = self.as_block(&arm.body);
        let body = if names.is_empty() {
            body
        } else {
            let (body_ty, span) = (body.ty.clone(), body.span);
            let inner = tree::Expr {
                kind: ExprKind::Block(Box::new(body)),
                ty: body_ty,
                span,
            };
            block_of(names, inner)
        };
        let Some(condition) = condition else {
            return body;
        };
        let otherwise = self.arms(rest, place, ty);
        let span = condition.span;
        let ty = match (&body.ty, &otherwise.ty) {
            (tree::Type::Never, tree::Type::Never) => tree::Type::Never,
            _ => ty.clone(),
        };
        let choice = tree::Expr {
            kind: ExprKind::If(Box::new(condition), Box::new(body), Box::new(otherwise)),
            ty,
            span,
        };
        block_of(Vec::new(), choice)
    }

    /// Whether the value matches; `None` if it always does.
    pub(super) fn test(&mut self, pattern: &Pat, place: &tree::Place) -> Option<tree::Expr> {
        let span = self.span(pattern);
        match pattern {
            Pat::Paren(paren) => self.test(&paren.pat, place),
            Pat::Reference(pattern) => self.test(&pattern.pat, place),
            Pat::Ident(ident) => match &ident.subpat {
                Some((_, part)) => self.test(part, place),
                None => self.constant_test(ident, place, span),
            },
            Pat::Path(path) => self.constant_test(path, place, span),
            Pat::Lit(literal) => {
                let value = load(place.clone());
                Some(match &literal.lit {
                    Lit::Bool(wanted) if wanted.value => value,
                    Lit::Bool(_) => tree::Expr {
                        kind: ExprKind::Unary(UnaryOp::Not, Box::new(value)),
                        ty: tree::Type::BOOL,
                        span,
                    },
                    number => equal(
                        place,
                        tree::Expr {
                            kind: ExprKind::Literal(self.literal(number, &place.ty)),
                            ty: place.ty.clone(),
                            span,
                        },
                    ),
                })
            }
            Pat::Range(range) => {
                let start = range.start.as_ref().map(|start| {
                    let bound = self.bound(start, place);
                    compare(BinaryOp::Ge, place, bound, span)
                });
                let end = range.end.as_ref().map(|end| {
                    let bound = self.bound(end, place);
                    let op = match range.limits {
                        RangeLimits::Closed(_) => BinaryOp::Le,
                        _ => BinaryOp::Lt,
                    };
                    compare(op, place, bound, span)
                });
                all(start.into_iter().chain(end))
            }
            Pat::Or(choice) => {
                // One that always matches decides for all.
                let cases: Option<Vec<tree::Expr>> = choice
                    .cases
                    .iter()
                    .map(|case| self.test(case, place))
                    .collect();
                cases?
                    .into_iter()
                    .reduce(|left, right| lazy(LazyOp::Or, left, right))
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                let case = self.case_of_pattern(pattern);
                let case = case.map(|(position, _)| self.is_case(place, position, span));
                let parts = self.apart(pattern, place).into_iter();
                let tests = parts.filter_map(|(part, place)| self.test(part, &place));
                let tests: Vec<tree::Expr> = case.into_iter().chain(tests).collect();
                all(tests)
            }
            _ => None,
        }
    }

    /// Gives the names of a pattern their values.
    pub(super) fn bind(
        &mut self,
        pattern: &Pat,
        place: &tree::Place,
        statements: &mut Vec<tree::Statement>,
    ) {
        match pattern {
            Pat::Paren(paren) => self.bind(&paren.pat, place, statements),
            Pat::Reference(pattern) => self.bind(&pattern.pat, place, statements),
            Pat::Ident(ident) => {
                if let Some(local) = self.declared(ident)
                    && self.is_by_reference(ident)
                {
                    self.frame.references.insert(local, place.clone());
                } else if let Some(local) = self.declared(ident) {
                    let value = Some(load(place.clone()));
                    statements.push(tree::Statement::Let { local, value });
                }
                if let Some((_, part)) = &ident.subpat {
                    self.bind(part, place, statements);
                }
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                for (part, place) in self.apart(pattern, place) {
                    self.bind(part, &place, statements);
                }
                statements.extend(self.rest(pattern, place));
            }
            Pat::Or(choice) => {
                let cases = choice.cases.iter();
                let cases: Vec<_> = cases.map(|case| self.values(case, place)).collect();
                let Some(((_, names), others)) = cases.split_last() else {
                    return;
                };
                for (local, value) in names {
                    // Its value is that of the first pattern which matches.
                    let value = others
                        .iter()
                        .rev()
                        .fold(value.clone(), |other, (test, names)| {
                            let named = names.iter().find(|(name, _)| name == local);
                            match (test, named) {
                                (Some(test), Some((_, value))) => {
                                    choose(test.clone(), value.clone(), other)
                                }
                                (None, Some((_, value))) => value.clone(),
                                (_, None) => other,
                            }
                        });
                    statements.push(tree::Statement::Let {
                        local: *local,
                        value: Some(value),
                    });
                }
            }
            _ => {}
        }
    }

    /// When a pattern matches, and what its names are then.
    fn values(
        &mut self,
        pattern: &Pat,
        place: &tree::Place,
    ) -> (Option<tree::Expr>, Vec<(tree::LocalId, tree::Expr)>) {
        let mut statements = Vec::new();
        self.bind(pattern, place, &mut statements);
        let name = |statement| match statement {
            tree::Statement::Let { local, value } => Some((local, value?)),
            _ => None,
        };
        let names = statements.into_iter().filter_map(name).collect();
        (self.test(pattern, place), names)
    }

    /// Whether a name of a pattern is one for the place of a part.
    fn is_by_reference(&self, ident: &syn::PatIdent) -> bool {
        let typed = &self.frame.function.typed;
        let local = typed.of(ident).local;
        local.is_some_and(|local| matches!(typed.locals[local.0 as usize].ty, Ty::Reference { .. }))
    }

    /// Whether the value is what a pattern names; `None` if that is a variable.
    fn constant_test(
        &mut self,
        node: impl Node + Copy,
        place: &tree::Place,
        span: tree::Span,
    ) -> Option<tree::Expr> {
        if let Some((position, _)) = self.case(self.resolved(node)) {
            return Some(self.is_case(place, position, span));
        }
        if let Some(Resolved::Const(index)) = self.resolved(node)
            && self.parts_of(&place.ty, span).is_some()
        {
            return Some(self.equal_to_constant(index, place, span));
        }
        let constant = self.pattern_constant(node, place, span)?;
        Some(equal(place, constant))
    }

    /// Whether all parts are those of a constant.
    fn equal_to_constant(
        &mut self,
        constant: usize,
        place: &tree::Place,
        span: tree::Span,
    ) -> tree::Expr {
        let ty = place.ty.clone();
        let value = Some(self.constant(constant, ty.clone(), span));
        let local = self.temporary("constant", ty.clone(), span);
        let kept = tree::Statement::Let { local, value };
        let equal = self.equal_parts(place.clone(), local_place(local, ty, span), span);
        tree::Expr {
            kind: ExprKind::Block(Box::new(block_of(vec![kept], equal))),
            ty: tree::Type::BOOL,
            span,
        }
    }

    /// The constant that a pattern names, if it is no variable.
    fn pattern_constant(
        &mut self,
        node: impl Node,
        place: &tree::Place,
        span: tree::Span,
    ) -> Option<tree::Expr> {
        let kind = match self.resolved(node) {
            Some(Resolved::Const(index)) => ExprKind::Const(self.consts.id(index)),
            Some(Resolved::Variant { of, position }) => {
                ExprKind::Literal(self.variant(of, position))
            }
            _ => return None,
        };
        let ty = place.ty.clone();
        Some(tree::Expr { kind, ty, span })
    }

    fn bound(&mut self, bound: &Expr, place: &tree::Place) -> tree::Expr {
        let span = self.span(bound);
        let constant = match bound {
            Expr::Path(path) => self.pattern_constant(path, place, span),
            _ => None,
        };
        constant.unwrap_or_else(|| {
            let Expr::Lit(literal) = bound else {
                unreachable!("inference refuses other bounds")
            };
            tree::Expr {
                kind: ExprKind::Literal(self.literal(&literal.lit, &place.ty)),
                ty: place.ty.clone(),
                span,
            }
        })
    }
}

/// Statements and then an expression, as a block.
pub(super) fn block_of(mut statements: Vec<tree::Statement>, last: tree::Expr) -> tree::Block {
    let (ty, span) = (last.ty.clone(), last.span);
    let value = if matches!(ty, tree::Type::Unit | tree::Type::Never) {
        statements.push(tree::Statement::Expr(last));
        None
    } else {
        Some(Box::new(last))
    };
    tree::Block {
        statements,
        value,
        ty,
        span,
    }
}

/// `if test { value } else { other }`
fn choose(test: tree::Expr, value: tree::Expr, other: tree::Expr) -> tree::Expr {
    let (ty, span) = (value.ty.clone(), value.span);
    let [value, other] = [value, other].map(|value| Box::new(block_of(Vec::new(), value)));
    let kind = ExprKind::If(Box::new(test), value, other);
    tree::Expr { kind, ty, span }
}

/// `place op bound`, as the pattern at `span` says.
pub(super) fn compare(
    op: BinaryOp,
    place: &tree::Place,
    bound: tree::Expr,
    span: tree::Span,
) -> tree::Expr {
    tree::Expr {
        kind: ExprKind::Binary(op, Box::new(load(place.clone())), Box::new(bound)),
        ty: tree::Type::BOOL,
        span,
    }
}

fn equal(place: &tree::Place, value: tree::Expr) -> tree::Expr {
    let span = value.span;
    compare(BinaryOp::Eq, place, value, span)
}

fn all(tests: impl IntoIterator<Item = tree::Expr>) -> Option<tree::Expr> {
    tests
        .into_iter()
        .reduce(|left, right| lazy(LazyOp::And, left, right))
}
