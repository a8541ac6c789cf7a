//! `for` over an array in the twin: Rust's own, but what it names by reference are places
//! that other threads may write to, as everywhere in twins (see `reference`).

use quote::quote_spanned;
use syn::{
    Expr, ExprForLoop, Pat, PatIdent, Stmt, parse_quote_spanned, spanned::Spanned,
    visit_mut::VisitMut,
};

use super::twin::{Twin, run_time};
use crate::infer::{Each, Ty, key};

impl Twin<'_> {
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
            self.visit_source(&mut round.expr);
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
        let local = self.function.typed.bindings.get(&key(ident))?;
        match self.function.typed.locals[local.0 as usize].ty {
            Ty::Reference { mutable, .. } => Some(mutable),
            _ => None,
        }
    }

    /// The source of a loop whose variable is no reference.
    fn visit_source(&mut self, expr: &mut Expr) {
        match expr {
            Expr::MethodCall(call) => self.visit_source(&mut call.receiver),
            Expr::Paren(paren) => self.visit_source(&mut paren.expr),
            Expr::Group(group) => self.visit_source(&mut group.expr),
            other => self.argument(other),
        }
    }

    /// `a.iter_mut()`, `&mut a` and `a` that is a reference, as an iterator of places.
    fn places(&mut self, expr: &mut Expr, mutable: bool) {
        let span = expr.span();
        let of = match &mut *expr {
            Expr::Paren(paren) => return self.places(&mut paren.expr, mutable),
            Expr::Group(group) => return self.places(&mut group.expr, mutable),
            Expr::MethodCall(call) if call.method == "iter" || call.method == "iter_mut" => {
                match mutable {
                    true => self.place(&mut call.receiver),
                    false => self.visit_expr_mut(&mut call.receiver),
                }
                let array = &call.receiver;
                match mutable {
                    true => quote_spanned!(span=> &mut #array),
                    false => quote_spanned!(span=> &#array),
                }
            }
            Expr::MethodCall(call) => return self.places(&mut call.receiver, mutable),
            source => {
                self.argument(source);
                quote_spanned!(span=> #source)
            }
        };
        let each = run_time(if mutable { "each_mut" } else { "each" }, span);
        *expr = Expr::Verbatim(quote_spanned!(span=> #each(#of)));
    }
}
