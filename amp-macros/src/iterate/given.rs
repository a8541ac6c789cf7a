//! What is done with the items of an iterator that a function returns, as the closure that the function is
//! given.
//!
//! What leaves the body of a loop leaves the closure, notes where it leads, and goes on there behind the call.
//! `take` ends the iterator with the last item that it wants. Left out are `?` and `break` with a value.

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprClosure, Lifetime, Pat, Stmt, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, Refusal, build,
    called::Yield,
    drive::{Loops, lifetime, none, some},
    item::Item,
    passed_on,
    place::is_behind,
};
use crate::visit::{self, VisitMut};

impl Yield {
    /// The names of the closure's parameters, and the item that they are.
    pub(super) fn item(&self, names: &mut Names, span: Span) -> (Vec<Ident>, Item) {
        let parameters: Vec<Ident> = self
            .parts
            .iter()
            .map(|_| names.fresh("item", span))
            .collect();
        let parts = self
            .parts
            .iter()
            .zip(&parameters)
            .map(|(part, name)| match part {
                None => Item::Value(parse_quote_spanned!(span=> #name)),
                Some(mutable) => Item::Place {
                    place: parse_quote_spanned!(span=> *#name),
                    mutable: *mutable,
                },
            });
        let mut parts: Vec<Item> = parts.collect();
        let item = match parts.len() {
            1 => parts.remove(0),
            _ => Item::Tuple(parts),
        };
        (parameters, item)
    }
}

impl Loops<'_> {
    /// The call that does with each item what `body` says, until one of `ends` holds.
    pub(super) fn called(
        &mut self,
        of: &Yield,
        parameters: &[Ident],
        mut body: Expr,
        ends: Vec<Expr>,
    ) -> Made<Vec<Stmt>> {
        let span = self.span;
        if let Some(attribute) = self.marks.attrs.first() {
            return Err(Refusal::new(
                attribute.span(),
                "an attribute on a loop over the iterator that a function returns",
                "leave it out: the loop stands in the function",
            ));
        }
        let mut out = Out {
            jump: self.names.fresh("jump", span),
            value: self.names.fresh("value", span),
            labels: Vec::new(),
            jumps: Vec::new(),
            has_value: false,
            refused: None,
        };
        out.visit_expr_mut(&mut body);
        if let Some(refusal) = out.refused {
            return Err(refusal);
        }
        let (jump, value) = (&out.jump, &out.value);
        let mut statements: Vec<Stmt> = Vec::new();
        if !out.jumps.is_empty() {
            statements.push(parse_quote_spanned!(span=> let mut #jump = 0_u32;));
        }
        if out.has_value {
            let none: Expr = none(span);
            statements.push(parse_quote_spanned!(span=> let mut #value = #none;));
        }
        let is_over = ends
            .into_iter()
            .reduce(|one, other| parse_quote_spanned!(span=> #one || #other))
            .unwrap_or_else(|| parse_quote_spanned!(span=> false));
        let over = self.names.fresh("is_over", span);
        let done = build::block(vec![build::statement(body, span)], Some(is_over), span);
        let done = build::of_block(done, None);
        // The body may leave at its end.
        let given: ExprClosure = parse_quote_spanned! {span=> |#(#parameters),*| {
            #[allow(unreachable_code)]
            let #over = #done;
            #over
        }};
        let mut call = of.call.clone();
        passed_on::add(&mut call, std::iter::once(Expr::Closure(given)));
        statements.push(build::statement(call, span));
        for (number, target) in out.jumps.iter().enumerate() {
            let number = proc_macro2::Literal::u32_unsuffixed(number as u32 + 1);
            let jumped = match target {
                Target::Return if out.has_value => {
                    let found: Pat = some(&parse_quote_spanned!(span=> #value), span);
                    parse_quote_spanned! {span=> if let #found = #value { return #value; } }
                }
                Target::Return => parse_quote_spanned!(span=> if #jump == #number { return; }),
                Target::Break(label) => {
                    parse_quote_spanned!(span=> if #jump == #number { break #label; })
                }
                Target::Continue(label) => {
                    parse_quote_spanned!(span=> if #jump == #number { continue #label; })
                }
            };
            statements.push(jumped);
        }
        Ok(statements)
    }
}

/// Where a jump leads that leaves the body.
#[derive(PartialEq)]
enum Target {
    Return,
    Break(Lifetime),
    Continue(Lifetime),
}

/// Has the jumps of a body leave the closure that it becomes.
struct Out {
    /// The variable that tells which jump it was, and that of the value that is returned.
    jump: Ident,
    value: Ident,
    /// The labels within the body.
    labels: Vec<Ident>,
    jumps: Vec<Target>,
    has_value: bool,
    refused: Option<Refusal>,
}

impl Out {
    fn leaves(&mut self, target: Target, value: Option<&Expr>, span: Span) -> Expr {
        let known = self.jumps.iter().position(|known| *known == target);
        let position = known.unwrap_or_else(|| {
            self.jumps.push(target);
            self.jumps.len() - 1
        });
        let number = proc_macro2::Literal::u32_unsuffixed(position as u32 + 1);
        let jump = &self.jump;
        match value {
            None => parse_quote_spanned!(span=> { #jump = #number; return true; }),
            Some(value) => {
                self.has_value = true;
                let (name, value): (_, Expr) = (&self.value, some(value, span));
                parse_quote_spanned!(span=> { #name = #value; #jump = #number; return true; })
            }
        }
    }

    fn is_within(&self, label: &Option<Lifetime>) -> bool {
        label
            .as_ref()
            .is_none_or(|label| self.labels.contains(&label.ident))
    }
}

impl VisitMut for Out {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let span = expr.span();
        let label = match expr {
            Expr::Closure(_) => return,
            Expr::Return(jump) => {
                let value = jump.expr.take();
                *expr = self.leaves(Target::Return, value.as_deref(), span);
                return;
            }
            Expr::Break(jump) if !self.is_within(&jump.label) && jump.expr.is_none() => {
                let label = jump
                    .label
                    .take()
                    .unwrap_or_else(|| lifetime(self.jump.clone()));
                *expr = self.leaves(Target::Break(label), None, span);
                return;
            }
            Expr::Continue(jump) if !self.is_within(&jump.label) => {
                let label = jump
                    .label
                    .take()
                    .unwrap_or_else(|| lifetime(self.jump.clone()));
                *expr = self.leaves(Target::Continue(label), None, span);
                return;
            }
            Expr::Try(_) | Expr::Break(_) if !matches!(expr, Expr::Break(jump) if self.is_within(&jump.label)) =>
            {
                self.refused = Some(Refusal::new(
                    span,
                    "this leaves a loop over the iterator that a function returns, with a value",
                    "take the value apart, `let Some(x) = value else { return None };`, or assign a variable \
                     and `break`",
                ));
                return;
            }
            Expr::ForLoop(round) => round.label.clone(),
            Expr::While(round) => round.label.clone(),
            Expr::Loop(round) => round.label.clone(),
            Expr::Block(block) => block.label.clone(),
            _ => None,
        };
        let depth = self.labels.len();
        self.labels.extend(label.map(|label| label.name.ident));
        visit::visit_expr_mut(self, expr);
        self.labels.truncate(depth);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Item {
    /// Whether it is, or has in it, what neither a position nor a copy tells.
    pub(super) fn is_lent(&self) -> bool {
        match self {
            Item::Value(_) => false,
            Item::Place { place, mutable } => *mutable && is_behind(place),
            Item::Neighbours(of) => is_behind(&of.base),
            Item::Tuple(parts) => parts.iter().any(Item::is_lent),
        }
    }

    /// The item where copies tell what its references are to, if these are no parts of slices and not written; with
    /// what names the references.
    pub(super) fn by_copies(
        &self,
        names: &mut Names,
        named: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<Item> {
        Some(match self {
            Item::Value(_) => self.clone(),
            Item::Place { mutable: true, .. } | Item::Neighbours(_) => return None,
            Item::Place { place, .. } => {
                let name = names.fresh("copied", span);
                named.push(parse_quote_spanned!(span=> let #name = &#place;));
                Item::Place {
                    place: parse_quote_spanned!(span=> *#name),
                    mutable: false,
                }
            }
            Item::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.by_copies(names, named, span));
                Item::Tuple(parts.collect::<Option<_>>()?)
            }
        })
    }
}
