//! References that a `let` names, and the parts of places that it names by reference.
//!
//! In the host version, such a name is a reference of Rust's own where only this thread uses the place and the
//! place is there in any case, or has to be one because it is taken apart; else it is one of the run time's.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprField, ExprIndex, ExprReference, ExprUnary, Pat, UnOp};

use super::{context::FnCx, node::bare, ty::Ty, typed::Resolved};

impl FnCx<'_> {
    /// Whether an initialiser is a reference that a `let` can name.
    pub fn is_kept_reference(&self, init: &Expr) -> bool {
        let found = self.unifier.shallow(self.typed.ty(init));
        (matches!(bare(init), Expr::Reference(_) | Expr::Path(_))
            || Self::is_lending_call(init)
            || self.typed.of(bare(init)).is_kept_slice)
            && matches!(found, Ty::Reference { target, .. } if !self.is_bundle(&target))
    }

    /// Declares the names of `let pattern = &place;`. Those of places that only this thread
    /// uses are references of Rust's own in the host version, too.
    pub fn named_reference(&mut self, pattern: &Pat, ty: &Ty, init: &Expr) {
        if self.is_lent(init) && !self.can_keep_lent(init, ty) {
            self.declare_lost(pattern);
            return;
        }
        let is_written = matches!(
            self.unifier.shallow(ty),
            Ty::Reference { mutable: true, .. }
        );
        let is_slice = matches!(self.unifier.shallow(ty.target()), Ty::Slice(_));
        let is_shared = is_slice
            || match self.unifier.shallow(&self.result).is_reference() && !is_slice && !is_written {
                true => self.names_foreign(init),
                false => self.names_shared(init),
            };
        match pattern {
            Pat::Ident(ident) if is_shared && ident.subpat.is_none() => {
                self.pattern(pattern, ty);
                self.note_own(ident, init);
                self.name_changing(ident, init);
                if is_slice {
                    self.name_slice(ident, init);
                } else if !self.names_foreign(init) {
                    self.own_elements.extend(self.typed.of(ident).local);
                }
            }
            Pat::Wild(_) => {}
            pattern if is_slice => {
                self.slice_apart(pattern);
                self.declare_lost(pattern);
            }
            pattern if is_shared && !self.can_be_own(init) => {
                self.report.error_help(
                    Code::UnsupportedPattern,
                    pattern,
                    "an element, or a place that other threads may use, is taken apart by reference",
                    "name it, `let r = &a[i];`, and then its parts, `r.x`, or take a copy apart",
                );
                self.declare_lost(pattern);
            }
            pattern => self.case(pattern, ty),
        }
    }

    /// Whether a place is, or may be, one that other threads use, or that is not there: an element,
    /// a tile_static variable, what a reference to such a place names, or a part of these.
    pub fn names_shared(&self, place: &Expr) -> bool {
        let place = bare(place);
        match place {
            Expr::Reference(reference) => self.names_shared(&reference.expr),
            Expr::Field(field) => self.names_shared(&field.base),
            Expr::Unary(unary) => {
                matches!(unary.op, UnOp::Deref(_)) && self.names_shared(&unary.expr)
            }
            Expr::Index(_) => true,
            Expr::Array(array) => array.elems.is_empty(),
            Expr::Path(_) => match self.typed.of(place).path {
                Some(Resolved::TileStatic(_)) => true,
                Some(Resolved::Local(local)) => {
                    let function = &self.program.functions[self.owner];
                    let position = local.0 as usize;
                    let is_own = self.typed.places.contains(&local)
                        || function.is_member && position < function.params.len();
                    matches!(self.typed.locals[position].ty, Ty::Reference { .. }) && !is_own
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the host version has a reference of Rust's own to a place, or can have one: the place, or the
    /// one behind the variable that leads to it, is an element of the thread's own.
    fn can_be_own(&mut self, place: &Expr) -> bool {
        let mut root = bare(place);
        while let Expr::Reference(ExprReference { expr, .. })
        | Expr::Field(ExprField { base: expr, .. })
        | Expr::Index(ExprIndex { expr, .. })
        | Expr::Unary(ExprUnary { expr, .. }) = root
        {
            root = bare(expr);
        }
        if let Some(Resolved::Local(local)) = self.typed.of(root).path
            && self.own_elements.contains(&local)
        {
            self.typed.places.insert(local);
        }
        !self.names_foreign(place)
    }
}
