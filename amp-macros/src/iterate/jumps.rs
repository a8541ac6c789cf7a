//! `break` and `continue` of a `for` over a chain that has become several loops.

use syn::{Expr, Lifetime, parse_quote_spanned, spanned::Spanned};

use super::{
    build,
    drive::{Loops, lifetime},
};
use crate::visit::{self, VisitMut};

/// The jumps of a loop's body, where the loop has become a chain of several.
struct Jumps<'a> {
    /// The user's label of the loop.
    own: Option<&'a Lifetime>,
    /// What is around all loops, and around the body.
    around: &'a Lifetime,
    next: &'a Lifetime,
    depth: usize,
    leaves: bool,
    continues: bool,
}

impl Jumps<'_> {
    fn is_own(&self, label: Option<&Lifetime>) -> bool {
        match label {
            Some(label) => self.own.is_some_and(|own| own.ident == label.ident),
            None => self.depth == 0,
        }
    }
}

impl VisitMut for Jumps<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Break(jump) if self.is_own(jump.label.as_ref()) => {
                jump.label = Some(self.around.clone());
                self.leaves = true;
            }
            Expr::Continue(jump) if self.is_own(jump.label.as_ref()) => {
                let next = self.next;
                self.continues = true;
                *expr = parse_quote_spanned!(expr.span()=> break #next);
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                self.depth += 1;
                visit::visit_expr_mut(self, expr);
                self.depth -= 1;
            }
            Expr::Closure(_) => {}
            _ => visit::visit_expr_mut(self, expr),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Loops<'_> {
    /// The body of a `for`, in whose loops its jumps find their way.
    pub fn body(&mut self, mut body: Expr, label: Option<&Lifetime>) -> Expr {
        let (Some(around), span) = (self.exit.clone(), self.span) else {
            return body;
        };
        let next = lifetime(self.names.fresh("next", span));
        let mut jumps = Jumps {
            own: label,
            around: &around,
            next: &next,
            depth: 0,
            leaves: false,
            continues: false,
        };
        jumps.visit_expr_mut(&mut body);
        if jumps.leaves {
            self.left.push(around.ident.clone());
        }
        match jumps.continues {
            true => build::of_block(build::as_block(body, span), Some(next)),
            false => body,
        }
    }
}
