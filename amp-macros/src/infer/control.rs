//! Control flow: `if`, loops, blocks, jumps.

use amp_spirv::{diagnostic::Code, tree::LabelId};
use syn::{Block, Expr, ExprForLoop, ExprIf, Label, Lifetime, Pat, spanned::Spanned};

use super::{
    cause::ValueOf,
    context::{Class, FnCx},
    node::bare,
    scope::Jump,
    ty::{Kind, Ty},
};
use crate::{
    language::name::Name,
    report::{Locate, Place},
    suggest::suggest_or,
};

impl FnCx<'_> {
    /// Type of a control-flow expression.
    pub fn control(&mut self, expr: &Expr) -> Ty {
        match expr {
            Expr::If(branch) => self.branch(branch),
            Expr::Block(block) => match &block.label {
                None => self.block(&block.block),
                Some(label) => self.labelled_block(expr, label, &block.block),
            },
            Expr::While(round) => {
                self.scopes.enter();
                self.condition(&round.cond);
                self.loop_body(expr, round.label.as_ref(), &round.body, None);
                self.scopes.leave();
                Ty::Unit
            }
            Expr::Loop(round) => {
                let value = self.unifier.fresh(Kind::Any);
                let left =
                    self.loop_body(expr, round.label.as_ref(), &round.body, Some(value.clone()));
                if left { value } else { Ty::Never }
            }
            Expr::ForLoop(round) => {
                self.for_loop(expr, round);
                Ty::Unit
            }
            Expr::Break(jump) => {
                let value = jump
                    .expr
                    .as_ref()
                    .map(|value| (self.value(value), value.locate()));
                self.jump(expr, jump.label.as_ref(), value, true);
                Ty::Never
            }
            Expr::Continue(jump) => {
                self.jump(expr, jump.label.as_ref(), None, false);
                Ty::Never
            }
            Expr::Return(jump) => {
                let (found, span) = match &jump.expr {
                    Some(value) => (self.value(value), value.locate()),
                    None => (Ty::Unit, expr.locate()),
                };
                self.expect_result(&found, span);
                Ty::Never
            }
            _ => Ty::Error,
        }
    }

    fn branch(&mut self, branch: &ExprIf) -> Ty {
        self.scopes.enter();
        self.condition(&branch.cond);
        let then = self.block(&branch.then_branch);
        self.scopes.leave();
        let Some((_, otherwise)) = &branch.else_branch else {
            self.expect(&then, &Ty::Unit, ValueOf(&branch.then_branch));
            return Ty::Unit;
        };
        let other = self.expr(otherwise);
        let other = self.slice_as_value(otherwise, other);
        if self.unifier.shallow(&then) == Ty::Never {
            return other;
        }
        let place = match &**otherwise {
            Expr::Block(block) => ValueOf(&block.block).locate(),
            other => other.locate(),
        };
        if !self.expect(&other, &then, place) {
            let first = ValueOf(&branch.then_branch);
            self.report.note(first, "the other branch has this type");
            return Ty::Error;
        }
        then
    }

    fn condition(&mut self, condition: &Expr) {
        let found = self.expr(condition);
        self.expect(&found, &Ty::BOOL, condition);
    }

    fn labelled_block(&mut self, expr: &Expr, label: &Label, block: &Block) -> Ty {
        let value = self.unifier.fresh(Kind::Any);
        let id = self.new_label();
        self.typed.note(expr).label = Some(id);
        self.scopes.jumps.push(Jump {
            name: Some(Name::of(&label.name.ident)),
            place: label.name.locate(),
            label: id,
            is_loop: false,
            value: Some(value.clone()),
            left: false,
        });
        let found = self.block(block);
        let left = self.scopes.jumps.pop().is_some_and(|jump| jump.left);
        if !left && self.unifier.shallow(&found) == Ty::Never {
            return Ty::Never;
        }
        self.expect(&found, &value, ValueOf(block));
        value
    }

    /// Reads a loop's body; true if a `break` leaves the loop.
    fn loop_body(
        &mut self,
        expr: &Expr,
        label: Option<&Label>,
        body: &Block,
        value: Option<Ty>,
    ) -> bool {
        let id = self.new_label();
        self.typed.note(expr).label = Some(id);
        self.scopes.jumps.push(Jump {
            name: label.map(|label| Name::of(&label.name.ident)),
            place: label.map_or_else(|| start_of(expr), |label| label.name.locate()),
            label: id,
            is_loop: true,
            value,
            left: false,
        });
        let found = self.block(body);
        self.expect(&found, &Ty::Unit, ValueOf(body));
        self.scopes.jumps.pop().is_some_and(|jump| jump.left)
    }

    fn for_loop(&mut self, expr: &Expr, round: &ExprForLoop) {
        self.scopes.enter();
        if !is_range(&round.expr) {
            self.each(expr, round);
        } else {
            let ty = self.range(&round.expr, matches!(*round.pat, Pat::Wild(_)));
            if matches!(&*round.pat, Pat::Ident(_) | Pat::Wild(_)) {
                self.pattern(&round.pat, &ty);
            } else {
                self.declare_lost(&round.pat);
                self.report.error_help(
                    Code::UnsupportedPattern,
                    &round.pat,
                    "the variable of a `for` over numbers must be a name",
                    "name it, and take it apart in the body",
                );
            }
        }
        self.loop_body(expr, round.label.as_ref(), &round.body, None);
        self.scopes.leave();
    }

    /// Type of the numbers in `a..b` with its adapters, which may be `unseen`: not used.
    fn range(&mut self, expr: &Expr, unseen: bool) -> Ty {
        let expr = bare(expr);
        match expr {
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                self.range(&call.receiver, unseen)
            }
            Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let ty = self.range(&call.receiver, unseen);
                let step = self.expr(&call.args[0]);
                self.expect(&step, &Ty::USIZE, &call.args[0]);
                ty
            }
            Expr::Range(range) => {
                let (Some(start), Some(end)) = (&range.start, &range.end) else {
                    self.report.error_help(
                        Code::UnsupportedSyntax,
                        range,
                        "a range without start or end",
                        "write both: `0..n`",
                    );
                    return Ty::Error;
                };
                let ty = self.expr(start);
                let other = self.expr(end);
                self.expect(&other, &ty, end);
                self.oblige(&ty, Class::Integer, "..", range.limits.span());
                if unseen {
                    self.unseen(start, end);
                }
                ty
            }
            other => {
                self.report.error_help(
                    Code::UnsupportedSyntax,
                    other,
                    "this method of a range",
                    "write `for i in a..b`, with `..=`, `.rev()` and `.step_by(n)` where needed",
                );
                Ty::Error
            }
        }
    }

    fn jump(
        &mut self,
        expr: &Expr,
        label: Option<&Lifetime>,
        value: Option<(Ty, Place)>,
        leaves: bool,
    ) {
        let name = label.map(|label| label.ident.to_string());
        let what = if leaves { "break" } else { "continue" };
        let wanted = label.map(|label| Name::of(&label.ident));
        let Some(jump) = self.scopes.jump(wanted.as_ref()) else {
            let (message, help) = match &name {
                Some(name) => {
                    let labels = self
                        .scopes
                        .jumps
                        .iter()
                        .filter_map(|jump| jump.name.as_ref());
                    let labels = labels.map(Name::text).map(|label| format!("'{label}"));
                    let labels: Vec<String> = labels.collect();
                    (
                        format!("`{what} '{name}` with no such label around it"),
                        suggest_or(
                            &format!("'{name}"),
                            labels.iter().map(String::as_str),
                            "name a loop or block that encloses it",
                        ),
                    )
                }
                None => (
                    format!("`{what}` outside of a loop"),
                    "use `return`, or label a block".to_owned(),
                ),
            };
            self.report.error_help(Code::StrayJump, expr, message, help);
            return;
        };
        let id: LabelId = jump.label;
        let (is_loop, wanted, target) = (jump.is_loop, jump.value.clone(), jump.place);
        jump.left |= leaves;
        self.typed.note(expr).label = Some(id);
        if !leaves {
            if !is_loop {
                self.report.error_help(
                    Code::StrayJump,
                    expr,
                    "`continue` of a block",
                    "only loops continue; `break` leaves a block",
                );
                self.report.note(target, "it names this block");
            }
            return;
        }
        match (value, wanted) {
            (Some((found, span)), Some(wanted)) => {
                self.expect(&found, &wanted, span);
            }
            (None, Some(wanted)) => {
                self.expect(&Ty::Unit, &wanted, expr);
            }
            (Some((_, span)), None) => {
                self.report.error_help(
                    Code::StrayJump,
                    span,
                    "`break` with a value in a loop that has none",
                    "only `loop` and labelled blocks have a value",
                );
                self.report.note(target, "it leaves this loop");
            }
            (None, None) => {}
        }
    }
}

/// The word that a loop starts with.
fn start_of(expr: &Expr) -> Place {
    match expr {
        Expr::While(round) => round.while_token.span.locate(),
        Expr::Loop(round) => round.loop_token.span.locate(),
        Expr::ForLoop(round) => round.for_token.span.locate(),
        other => other.locate(),
    }
}

/// Whether a `for` is over a range, with whatever methods.
fn is_range(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Range(_) => true,
        Expr::MethodCall(call) => is_range(&call.receiver),
        _ => false,
    }
}
