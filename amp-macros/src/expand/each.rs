//! `for` over an array or a slice in the host version: Rust's own, but what it names by reference are places
//! that other threads may write to, as everywhere in host versions (see `reference`).

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::{Expr, ExprForLoop, Pat, PatIdent, Stmt, parse_quote_spanned, spanned::Spanned};

use super::host_version::{HostVersion, run_time};
use crate::infer::{Each, Ty};
use crate::visit::{self, VisitMut};

/// Takes values where a pattern takes references apart.
struct Plain;

impl VisitMut for Plain {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        match pattern {
            Pat::Reference(reference) => *pattern = (*reference.pat).clone(),
            Pat::Tuple(_) | Pat::Paren(_) => visit::visit_pat_mut(self, pattern),
            _ => {}
        }
    }
}

impl HostVersion<'_> {
    /// The iterator of a loop over an array, and what its body begins with; the rest of
    /// the body is rewritten elsewhere.
    pub(super) fn each(&mut self, round: &mut ExprForLoop, each: Each) -> Option<Stmt> {
        let named = match each.patterns(&round.pat) {
            Some((Pat::Ident(ident), _)) if each.by_reference => self
                .is_mutable(ident)
                .map(|mutable| (mutable, &ident.ident)),
            _ => None,
        };
        let Some((mutable, name)) = named else {
            if each.length.is_none() && each.case.is_none() && self.values_of_slice(&mut round.expr)
            {
                Plain.visit_pat_mut(&mut round.pat);
            } else {
                self.visit_source(&mut round.expr, each.by_reference);
            }
            return None;
        };
        // A place is written through its name.
        let writable = parse_quote_spanned! {name.span()=>
            #[allow(unused_mut, unused_variables)]
            let mut #name = #name;
        };
        self.places(&mut round.expr, mutable);
        mutable.then_some(writable)
    }

    fn is_mutable(&self, ident: &PatIdent) -> Option<bool> {
        let local = self.function.typed.of(ident).local?;
        // Of a type that may have no zero, it is Rust's own.
        if self.function.typed.places.contains(&local) {
            return None;
        }
        match self.function.typed.locals[local.0 as usize].ty {
            Ty::Reference { mutable, .. } => Some(mutable),
            _ => None,
        }
    }

    /// The source of a loop whose variable is no reference; whether its pattern takes references apart.
    fn visit_source(&mut self, expr: &mut Expr, by_reference: bool) {
        match expr {
            Expr::MethodCall(_) if self.is_call_of_finder(&*expr) => self.visit_expr_mut(expr),
            Expr::MethodCall(call) => self.visit_source(&mut call.receiver, false),
            Expr::Paren(paren) => self.visit_source(&mut paren.expr, by_reference),
            Expr::Group(group) => self.visit_source(&mut group.expr, by_reference),
            // Loops by value over an array, and over its elements.
            Expr::Path(_) | Expr::Index(_) | Expr::Field(_) if self.is_shared(expr) => {
                let (span, place) = (expr.span(), self.lent(expr, false));
                let and = by_reference.then(|| quote_spanned!(span=> &));
                *expr = Expr::Verbatim(quote_spanned!(span=> (#and #place)));
            }
            other => self.argument(other, false),
        }
    }

    /// The iterator of a slice that other threads may use, as one of values; whether it is one.
    fn values_of_slice(&mut self, expr: &mut Expr) -> bool {
        let span = expr.span();
        match expr {
            Expr::Paren(paren) => return self.values_of_slice(&mut paren.expr),
            Expr::Group(group) => return self.values_of_slice(&mut group.expr),
            Expr::MethodCall(_) if self.is_call_of_finder(&*expr) => return false,
            Expr::MethodCall(call) => {
                if !self.values_of_slice(&mut call.receiver) {
                    return false;
                }
                let is_step = call.method != "enumerate" && call.method != "rev";
                if is_step {
                    *expr = (*call.receiver).clone();
                }
                return true;
            }
            _ => {}
        }
        let of = match &mut *expr {
            Expr::Reference(reference) => &mut *reference.expr,
            other => other,
        };
        if !self.is_shared(of) {
            return false;
        }
        let shared = self.shared(of, false);
        *expr = Expr::Verbatim(quote_spanned!(span=> #shared.named().values()));
        true
    }

    /// `a.iter_mut()`, `&mut a` and `a` that is a reference, as an iterator of places.
    fn places(&mut self, expr: &mut Expr, mutable: bool) {
        let span = expr.span();
        let is_found = self.is_call_of_finder(&*expr);
        let (array, is_reference) = match &mut *expr {
            source if is_found => (source, true),
            Expr::Paren(paren) => return self.places(&mut paren.expr, mutable),
            Expr::Group(group) => return self.places(&mut group.expr, mutable),
            Expr::MethodCall(call) if call.method == "iter" || call.method == "iter_mut" => {
                (&mut *call.receiver, false)
            }
            Expr::MethodCall(call) => return self.places(&mut call.receiver, mutable),
            Expr::Reference(reference) => (&mut *reference.expr, false),
            source => (source, true),
        };
        let each = if mutable { "each_mut" } else { "each" };
        if self.is_shared(array) {
            let shared = self.shared(array, mutable);
            let each = Ident::new(each, span);
            *expr = Expr::Verbatim(quote_spanned!(span=> #shared.named().#each()));
            return;
        }
        let of = if is_reference {
            self.argument(array, false);
            quote_spanned!(span=> #array)
        } else if mutable {
            self.place(array);
            quote_spanned!(span=> &mut #array)
        } else {
            self.visit_expr_mut(array);
            quote_spanned!(span=> &#array)
        };
        let each = run_time(each, span);
        *expr = Expr::Verbatim(quote_spanned!(span=> #each(#of)));
    }
}
