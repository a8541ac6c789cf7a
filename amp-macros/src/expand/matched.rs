//! A `match` of what a helper's `&mut` refers to, in the host version, whose arms use that reference, too; and a
//! `let` with a pattern for it, behind which it is used.
//!
//! ```text
//! match &mut s.state {            { let mut lent = s.place_mut().writing();
//!     Run(n) => {                   let s: &mut Machine = &mut *lent;
//!         *n -= 1;                  match &mut s.state {
//!         s.state = Idle;               Run(n) => { *n -= 1; s.state = Idle; }
//!     }                                 _ => {}
//!     _ => {}                       } }
//! }
//! ```
//!
//! The arms may use it after the last use of what the pattern has bound, which rustc can tell of its own references
//! alone. A `match` whose arms do not name the reference lends the place for itself (`lending.rs`), and so does one in
//! which threads meet or access it atomically: what other OS threads may use too is a copy meanwhile.

use amp_spirv::tree::LocalId;
use proc_macro2::Ident;
use syn::{Expr, ExprMatch, Pat, Stmt, parse_quote_spanned};

use super::{host_version::HostVersion, place::own, types};
use crate::{
    infer::{Callee, NodeId, Resolved, Ty, bare},
    visit::{self, Visit},
};

impl HostVersion<'_> {
    /// The `match` with the reference as one of Rust's own, if it is such a one.
    pub(super) fn matched_with_its_reference(
        &mut self,
        this: NodeId,
        choice: &mut ExprMatch,
    ) -> Option<Expr> {
        let typed = &self.function.typed;
        let mutable = matches!(typed.ty(&*choice.expr), Ty::Reference { mutable: true, .. });
        if !mutable || typed.ty(this).is_reference() {
            return None;
        }
        let (name, local) = self.lent_by(&choice.expr)?;
        let is_used = self.are_named(local, |names| {
            choice.arms.iter().for_each(|arm| names.visit_arm(arm));
        });
        if !is_used {
            return None;
        }
        let lent = self.lent_reference(&name, local)?;
        self.own_references.push(local);
        self.argument(&mut choice.expr, false);
        choice.arms.iter_mut().for_each(|arm| self.arm(arm));
        self.own_references.pop();
        let span = choice.match_token.span;
        Some(parse_quote_spanned!(span=> { #(#lent)* #choice }))
    }

    /// What makes the reference that a `let` takes apart one of Rust's own, up to the end of the block, if the
    /// statements from the `let` on use it.
    pub(super) fn taken_with_its_reference(&mut self, statements: &[Stmt]) -> Option<[Stmt; 2]> {
        let Some((Stmt::Local(local), rest)) = statements.split_first() else {
            return None;
        };
        let init = local.init.as_ref()?;
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        let typed = &self.function.typed;
        let mutable = matches!(typed.ty(&*init.expr), Ty::Reference { mutable: true, .. });
        if !mutable || matches!(pattern, Pat::Ident(_)) {
            return None;
        }
        let (name, local) = self.lent_by(&init.expr)?;
        let is_used = self.are_named(local, |names| {
            let otherwise = init.diverge.iter().map(|(_, otherwise)| otherwise);
            otherwise.for_each(|otherwise| names.visit_expr(otherwise));
            rest.iter()
                .for_each(|statement| names.visit_stmt(statement));
        });
        if !is_used {
            return None;
        }
        let lent = self.lent_reference(&name, local)?;
        self.own_references.push(local);
        Some(lent)
    }

    /// A variable that is a `RefMut` as one of Rust's own references of its name.
    fn lent_reference(&self, name: &Ident, local: LocalId) -> Option<[Stmt; 2]> {
        let target = self.function.typed.locals[local.0 as usize].ty.target();
        let target = types::written(self.program, self.function, target)?;
        let (span, lent) = (name.span(), own("__amp_lent"));
        Some([
            parse_quote_spanned!(span=> let mut #lent = #name.place_mut().writing();),
            parse_quote_spanned!(span=> let #name: &mut #target = &mut *#lent;),
        ])
    }

    /// The variable whose reference leads to a place.
    fn lent_by(&self, place: &Expr) -> Option<(Ident, LocalId)> {
        match bare(place) {
            Expr::Reference(reference) => self.lent_by(&reference.expr),
            Expr::Field(field) => self.lent_by(&field.base),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.lent_by(&unary.expr)
            }
            place @ Expr::Index(_) if self.is_own_index(place) => None,
            Expr::Index(index) => self.lent_by(&index.expr),
            place @ Expr::Path(path) if self.is_reference(place) => {
                let Some(Resolved::Local(local)) = self.function.typed.of(place).path else {
                    return None;
                };
                let ty = &self.function.typed.locals[local.0 as usize].ty;
                let is_value = matches!(ty, Ty::Reference { mutable: true, target }
                    if !matches!(**target, Ty::Slice(_)));
                let name = path.path.get_ident().cloned();
                name.filter(|_| is_value).map(|name| (name, local))
            }
            _ => None,
        }
    }

    /// Whether what is visited names a variable, and threads do not meet there.
    fn are_named(&self, local: LocalId, visited: impl FnOnce(&mut Names<'_, '_>)) -> bool {
        let mut names = Names {
            host_version: self,
            local,
            are_there: false,
            meet: false,
        };
        visited(&mut names);
        names.are_there && !names.meet
    }
}

/// Whether expressions name a variable of a function, and whether threads meet there or access places atomically.
struct Names<'a, 'b> {
    host_version: &'a HostVersion<'b>,
    local: LocalId,
    are_there: bool,
    meet: bool,
}

impl<'ast> Visit<'ast> for Names<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let typed = &self.host_version.function.typed;
        let facts = typed.of(expr);
        self.are_there |= matches!(facts.path, Some(Resolved::Local(named)) if named == self.local);
        self.meet |= matches!(facts.callee, Some(Callee::Atomic(_)))
            || matches!(typed.ty(expr), Ty::Tiled(_) | Ty::Barrier);
        visit::visit_expr(self, expr);
    }
}
