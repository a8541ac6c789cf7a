//! What functions that return references find, in the host version: Rust's own references, into Rust's
//! own places or into copies of what other threads may use.
//!
//! ```text
//! a[i].x_mut()               (*a.place_mut(i).writing()).x_mut()
//! m[i].d[0] = x              *at_mut(&mut m[i].d, 0) = x
//! let row = a[i].row(0);     let lent; let row = (*{ lent = a.place(i).reading(); &lent }).row(0);
//! ```

use proc_macro2::TokenStream;
use quote::{format_ident, quote_spanned};
use syn::{Block, Expr, Stmt, parse_quote, spanned::Spanned};

use super::{host_version::HostVersion, place::own};
use crate::{
    infer::{Node, bare},
    visit::VisitMut,
};

impl HostVersion<'_> {
    /// Whether an expression is an index of the user's own.
    pub(super) fn is_own_index(&self, expr: impl Node) -> bool {
        self.function.typed.of(expr).indexes_own
    }

    /// Whether a place is one that a function returns, or a part of one.
    pub(super) fn is_found(&self, place: &Expr) -> bool {
        let place = bare(place);
        match place {
            Expr::Reference(reference) => self.is_found(&reference.expr),
            Expr::Field(field) => self.is_found(&field.base),
            Expr::Unary(unary) => self.is_found(&unary.expr),
            Expr::Index(_) if self.is_own_index(place) => true,
            Expr::Index(index) => self.is_found(&index.expr),
            _ => self.is_call_of_finder(place),
        }
    }

    /// Whether a place is one that a function finds in what it is lent.
    pub(super) fn is_lent(&self, place: &Expr) -> bool {
        let place = bare(place);
        match place {
            Expr::Reference(reference) => self.is_lent(&reference.expr),
            Expr::Field(field) => self.is_lent(&field.base),
            Expr::Unary(unary) => self.is_lent(&unary.expr),
            Expr::Index(index) => {
                let is_own = self.is_own_index(place);
                is_own && self.is_shared(&index.expr) || self.is_lent(&index.expr)
            }
            Expr::Call(_) | Expr::MethodCall(_) if self.is_call_of_finder(place) => {
                let callee = self.function.typed.of(place).callee.as_ref();
                let receives = match place {
                    Expr::MethodCall(call) => self.is_lent(&call.receiver),
                    _ => false,
                };
                receives || self.lends(place, callee)
            }
            _ => false,
        }
    }

    /// Whether an expression calls a function that returns a reference.
    pub(super) fn is_call_of_finder(&self, expr: &Expr) -> bool {
        let function = self.function.typed.of(expr).helper();
        function.is_some_and(|function| self.program.functions[function].result.is_reference())
    }

    /// `base[index]` of the user's own; a place that is written has its own indices evaluated before.
    pub(super) fn own_index(&mut self, expr: &mut Expr, indices: Option<&mut Vec<TokenStream>>) {
        let Expr::Index(index) = expr else { return };
        index.attrs.clear();
        if self.is_shared(&index.expr) {
            let base = self.lent(&mut index.expr, indices.is_some());
            let span = base.span();
            *index.expr = Expr::Verbatim(quote_spanned!(span=> (#base)));
        } else if let Some(indices) = indices {
            self.place_part(&mut index.expr, indices);
        } else {
            self.visit_expr_mut(&mut index.expr);
        }
        self.visit_expr_mut(&mut index.index);
    }

    /// A place that the function returns.
    pub(super) fn returned(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.place(&mut reference.expr);
            }
            Expr::Reference(reference) => self.visit_expr_mut(&mut reference.expr),
            name => self.argument(name, false),
        }
    }

    /// Keeps what a `let` names a part of: it is made where it stands, behind what is evaluated before it.
    pub(super) fn kept(&mut self, lent: Expr) -> Expr {
        let Some(kept) = &mut self.kept else {
            return lent;
        };
        let span = lent.span();
        let name = own(&format_ident!("__amp_lent_{}", kept.len()).to_string());
        kept.push(parse_quote!(let #name;));
        Expr::Verbatim(quote_spanned!(span=> (*{ #name = #lent; &#name })))
    }

    /// The statements of a block, with what they keep before them.
    pub(super) fn statements(&mut self, block: &mut Block) {
        let mut before: Vec<(usize, Stmt)> = Vec::new();
        let outside = self.own_references.len();
        for at in 0..block.stmts.len() {
            let lent = self.taken_with_its_reference(&block.stmts[at..]);
            before.extend(lent.into_iter().flatten().map(|lent| (at, lent)));
            let statement = &mut block.stmts[at];
            let outer = match self.names_found(statement) {
                true => self.kept.replace(Vec::new()),
                false => self.kept.take(),
            };
            self.visit_stmt_mut(statement);
            let kept = std::mem::replace(&mut self.kept, outer);
            before.extend(kept.into_iter().flatten().map(|kept| (at, kept)));
        }
        self.own_references.truncate(outside);
        for (at, kept) in before.into_iter().rev() {
            block.stmts.insert(at, kept);
        }
    }

    /// Whether a statement names a place that a function returns.
    fn names_found(&self, statement: &Stmt) -> bool {
        let Stmt::Local(local) = statement else {
            return false;
        };
        local.init.as_ref().is_some_and(|init| {
            self.function.typed.ty(&init.expr).is_reference() && self.is_found(&init.expr)
                || self.finds_kept(&init.expr)
        })
    }
}
