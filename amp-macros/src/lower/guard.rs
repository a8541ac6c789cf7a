//! Guards of arms.
//!
//! Rust tries a guard once for each alternative of the pattern that matches, until it holds.
//! The names of an arm do not depend on the alternative, so it is enough to count those that
//! match: `(0, _) | (_, 0) if guard` becomes
//!
//! ```text
//! { let tries = (x.0 == 0) as u32 + (x.1 == 0) as u32;
//!   loop { if tries == 0 { break false } if guard { break true } tries -= 1; } }
//! ```

use amp_spirv::tree::{self, BinaryOp, ExprKind, LazyOp};
use syn::Pat;

use super::{FnLower, lazy, load, local_place, sequence};

const COUNT: tree::Type = tree::Type::Scalar(tree::Scalar::U32);

impl FnLower<'_, '_> {
    /// Whether a value matches a pattern and the guard of its arm, which sees its names, holds.
    pub(super) fn guarded(
        &mut self,
        pattern: &Pat,
        place: &tree::Place,
        test: Option<tree::Expr>,
        names: Vec<tree::Statement>,
        guard: tree::Expr,
    ) -> tree::Expr {
        if guard.has_effect() && has_alternatives(pattern) {
            let tries = self.matching(pattern, place);
            return sequence(names, self.tried(tries, guard));
        }
        let guard = sequence(names, guard);
        match test {
            Some(test) => lazy(LazyOp::And, test, guard),
            None => guard,
        }
    }

    /// How many of a pattern's alternatives match.
    fn matching(&mut self, pattern: &Pat, place: &tree::Place) -> tree::Expr {
        let span = self.span(pattern);
        let combine = |op, counts: Vec<tree::Expr>| {
            let combined = counts.into_iter().reduce(|left, right| tree::Expr {
                kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
                ty: COUNT,
                span,
            });
            combined.unwrap_or_else(|| count(1, span))
        };
        match pattern {
            Pat::Paren(paren) => self.matching(&paren.pat, place),
            Pat::Or(choice) => {
                let cases = choice.cases.iter();
                combine(
                    BinaryOp::Add,
                    cases.map(|case| self.matching(case, place)).collect(),
                )
            }
            Pat::Ident(ident) if let Some((_, part)) = &ident.subpat => self.matching(part, place),
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                let parts = self.apart(pattern, place).into_iter();
                combine(
                    BinaryOp::Mul,
                    parts
                        .map(|(part, place)| self.matching(part, &place))
                        .collect(),
                )
            }
            _ => match self.test(pattern, place) {
                Some(test) => tree::Expr {
                    kind: ExprKind::Cast(Box::new(test)),
                    ty: COUNT,
                    span,
                },
                None => count(1, span),
            },
        }
    }

    /// Whether a guard holds in one of so many tries.
    fn tried(&mut self, tries: tree::Expr, guard: tree::Expr) -> tree::Expr {
        let span = guard.span;
        let left = self.temporary("tries", COUNT, span);
        let left_place = local_place(left, COUNT, span);
        let label = tree::LabelId(self.next_label);
        self.next_label += 1;
        let expr = |kind, ty| tree::Expr { kind, ty, span };
        let block = |statements| tree::Block {
            statements,
            value: None,
            ty: tree::Type::Unit,
            span,
        };
        let leave_if = |condition, holds| {
            let value = expr(
                ExprKind::Literal(tree::Literal::Bool(holds)),
                tree::Type::BOOL,
            );
            let leave = expr(
                ExprKind::Break(label, Some(Box::new(value))),
                tree::Type::Never,
            );
            let mut then = block(vec![tree::Statement::Expr(leave)]);
            then.ty = tree::Type::Never;
            let choice = ExprKind::If(Box::new(condition), Box::new(then), Box::new(block(vec![])));
            tree::Statement::Expr(expr(choice, tree::Type::Unit))
        };
        let none_left = expr(
            ExprKind::Binary(
                BinaryOp::Eq,
                Box::new(load(left_place.clone())),
                Box::new(count(0, span)),
            ),
            tree::Type::BOOL,
        );
        let one_less = expr(
            ExprKind::AssignOp(
                BinaryOp::Sub,
                Box::new(left_place),
                Box::new(count(1, span)),
            ),
            tree::Type::Unit,
        );
        let tries_all = expr(
            ExprKind::Loop(Box::new(tree::Loop {
                label,
                kind: tree::LoopKind::Infinite,
                unroll: false,
                body: block(vec![
                    leave_if(none_left, false),
                    leave_if(guard, true),
                    tree::Statement::Expr(one_less),
                ]),
            })),
            tree::Type::BOOL,
        );
        let first = tree::Statement::Let {
            local: left,
            value: Some(tries),
        };
        sequence(vec![first], tries_all)
    }
}

/// Whether more than one alternative of a pattern may match.
fn has_alternatives(pattern: &Pat) -> bool {
    struct Alternatives(bool);
    impl<'a> crate::visit::Visit<'a> for Alternatives {
        fn visit_pat_or(&mut self, _: &'a syn::PatOr) {
            self.0 = true;
        }
    }
    let mut found = Alternatives(false);
    crate::visit::Visit::visit_pat(&mut found, pattern);
    found.0
}

fn count(number: u32, span: tree::Span) -> tree::Expr {
    tree::Expr {
        kind: ExprKind::Literal(tree::Literal::U32(number)),
        ty: COUNT,
        span,
    }
}
