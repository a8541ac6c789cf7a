//! Guards with `let`: what they bind is kept for the body of their arm.
//!
//! ```text
//! match x { Some(i) if let Some(y) = v[i] => f(y), .. }
//! { let mut kept = None;
//!   match x { Some(i) if { kept = if let Some(y) = v[i] { Some((y,)) } else { None }; kept.is_some() } => {
//!       let (y,) = kept.unwrap(); f(y) } .. } }
//! ```
//!
//! So a guard is computed once. Left to inference, which refuses them, are guards that bind several references, and
//! those that bind one to write.

use syn::{Arm, BinOp, Expr, Ident, Pat, PatIdent, Stmt, parse_quote_spanned, spanned::Spanned};

use crate::{
    iterate::Names,
    language::name::is_type_name,
    visit::{self, Visit, VisitMut},
};

/// The `match` without such guards, if it has one.
pub fn of_match(expr: &Expr, names: &mut Names) -> Option<Expr> {
    let Expr::Match(choice) = expr else {
        return None;
    };
    let mut plain = choice.clone();
    let mut kept = Vec::new();
    for arm in &mut plain.arms {
        kept.extend(keep(arm, names));
    }
    let span = choice.match_token.span;
    (!kept.is_empty()).then(|| parse_quote_spanned!(span=> { #(#kept)* #plain }))
}

/// Has the body of an arm what its guard binds, and declares the variable for it.
fn keep(arm: &mut Arm, names: &mut Names) -> Option<Stmt> {
    let Pat::Guard(guarded) = &mut arm.pat else {
        return None;
    };
    let guard = &*guarded.guard;
    if !has_let(guard) {
        return None;
    }
    let span = guarded.if_token.span;
    let mut bound = Bound(Vec::new());
    bound.visit_expr(guard);
    let (variable, bound) = (names.fresh("kept", span), bound.0);
    let values = bound.iter().map(|name| &name.ident);
    // A reference is a value in an `Option` alone.
    let (values, pattern): (Expr, Pat) = match &*bound {
        [name] => {
            let value = &name.ident;
            (
                parse_quote_spanned!(span=> #value),
                Pat::Ident(name.clone()),
            )
        }
        _ => (
            parse_quote_spanned!(span=> (#(#values,)*)),
            parse_quote_spanned!(span=> (#(#bound,)*)),
        ),
    };
    Unchanged.visit_expr_mut(&mut guarded.guard);
    let (guard, body) = (&guarded.guard, &arm.body);
    *arm.body = parse_quote_spanned! {body.span()=> {
        #[allow(unused_variables)]
        let #pattern = #variable.unwrap();
        #body
    }};
    *guarded.guard = parse_quote_spanned! {span=> {
        #variable = if #guard {
            ::core::option::Option::Some(#values)
        } else {
            ::core::option::Option::None
        };
        #variable.is_some()
    }};
    Some(parse_quote_spanned!(span=> let mut #variable = ::core::option::Option::None;))
}

/// Whether a `let` is among conditions that `&&` joins.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
            has_let(&both.left) || has_let(&both.right)
        }
        _ => false,
    }
}

/// Has the names in a guard not change, as those in the body do.
struct Unchanged;

impl VisitMut for Unchanged {
    fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
        if name.by_ref.is_none() {
            name.mutability = None;
        }
        visit::visit_pat_ident_mut(self, name);
    }
}

/// The names that the patterns of a condition bind, once each.
struct Bound(Vec<PatIdent>);

impl Visit<'_> for Bound {
    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Let(test) => self.visit_pat(&test.pat),
            Expr::Binary(both) if has_let(expr) => {
                self.visit_expr(&both.left);
                self.visit_expr(&both.right);
            }
            _ => {}
        }
    }

    fn visit_pat_ident(&mut self, name: &PatIdent) {
        let is_bound = |it: &Ident| self.0.iter().any(|other| other.ident == *it);
        if !is_type_name(&name.ident.to_string()) && !is_bound(&name.ident) {
            self.0.push(PatIdent {
                by_ref: None,
                subpat: None,
                ..name.clone()
            });
        }
        visit::visit_pat_ident(self, name);
    }
}
