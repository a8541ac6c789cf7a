//! What only this thread uses: variables, parts of these, and what leads there.
//!
//! A slice of it may become a value: the host version has a reference of Rust's own to it. Left out are elements of
//! views and tile_static variables, and what a function finds in these.

use amp_spirv::tree::LocalId;
use syn::{Expr, ExprField, ExprIndex, ExprReference, ExprUnary, PatIdent};

use super::{context::FnCx, node::bare, ty::Ty, typed::Resolved};

impl FnCx<'_> {
    /// Notes that a variable names what only this thread uses, if a place is such a one.
    pub fn note_own(&mut self, name: &PatIdent, place: &Expr) {
        if let Some(local) = self.typed.of(name).local
            && self.is_thread_own(place)
        {
            self.thread_own.insert(local, self.root(place));
        }
    }

    /// Whether a slice is one of what only this thread uses: then the variables that lead to it are references of
    /// Rust's own in the host version.
    pub fn is_of_own(&mut self, slice: &Expr) -> bool {
        let is_own = self.is_thread_own(slice);
        let mut root = self.root(slice).filter(|_| is_own);
        while let Some(local) = root {
            root = self.thread_own.get(&local).copied().flatten();
            if self.thread_own.contains_key(&local) {
                self.typed.places.insert(local);
            }
        }
        is_own
    }

    /// The variable that a place is a part of, or that refers to it.
    fn root(&self, place: &Expr) -> Option<LocalId> {
        let place = bare(place);
        match place {
            Expr::Reference(ExprReference { expr, .. })
            | Expr::Field(ExprField { base: expr, .. })
            | Expr::Index(ExprIndex { expr, .. })
            | Expr::Unary(ExprUnary { expr, .. }) => self.root(expr),
            _ => match self.typed.of(place).path {
                Some(Resolved::Local(local)) => Some(local),
                _ => None,
            },
        }
    }

    fn is_thread_own(&self, place: &Expr) -> bool {
        let place = bare(place);
        match place {
            _ if self.typed.of(place).is_kept_slice => true,
            Expr::Reference(reference) => self.is_thread_own(&reference.expr),
            Expr::Unary(unary) => self.is_thread_own(&unary.expr),
            Expr::Field(field) => self.is_thread_own(&field.base),
            Expr::Index(index) => {
                let base = self.unifier.shallow(self.typed.ty(&*index.expr));
                !matches!(base, Ty::View(_)) && self.is_thread_own(&index.expr)
            }
            Expr::Path(_) => match self.typed.of(place).path {
                Some(Resolved::TileStatic(_)) => false,
                Some(Resolved::Local(local)) => {
                    let function = &self.program.functions[self.owner];
                    let position = local.0 as usize;
                    !self.typed.locals[position].ty.is_reference()
                        || function.is_member && position < function.params.len()
                        || self.typed.places.contains(&local)
                        || self.thread_own.contains_key(&local)
                }
                _ => true,
            },
            call => !self.is_lent(call),
        }
    }
}
