//! References to read that are assigned to variables: `best = &points[i];`, `let r; if c { r = &a; } else { r = &b; }`.
//!
//! Nothing changes a place while a reference to read names it, unless other threads write to it. So such a
//! variable holds a copy of the place, on a device; in the host version it is a reference, for rustc to
//! prove this. `slice` has those for slices. A `&mut T` is left out: what is written has one place.

use amp_spirv::{diagnostic::Code, tree::LocalId};
use syn::{Expr, ExprAssign, ExprCall, Ident, PatIdent};

use super::{
    context::FnCx, kept::KEPT_FROM_SHARED, node::bare, program::ParamDef, ty::Ty, typed::Resolved,
};
use crate::visit::{self, Visit};

impl FnCx<'_> {
    /// A `let` without a value: what it declares may be a reference.
    pub fn deferred(&mut self, name: &PatIdent) {
        if let Some(local) = self.typed.of(name).local {
            self.typed.deferred.insert(local);
            self.typed.places.insert(local);
        }
    }

    /// Notes that a variable names a place by reference which others may change.
    pub fn name_changing(&mut self, name: &PatIdent, place: &Expr) {
        if let Some(local) = self.typed.of(name).local
            && self.may_change(place)
        {
            self.typed.changing.insert(local);
        }
    }

    /// Whether others may write to a place while a reference to read names it.
    pub fn may_change(&self, place: &Expr) -> bool {
        let place = bare(place);
        match place {
            Expr::Reference(reference) => self.may_change(&reference.expr),
            Expr::Field(field) => self.may_change(&field.base),
            Expr::Unary(unary) => self.may_change(&unary.expr),
            Expr::Index(index) => match self.unifier.shallow(self.typed.ty(&index.expr)) {
                Ty::View(view) => view.mutable,
                _ => self.may_change(&index.expr),
            },
            Expr::Path(_) => match self.typed.of(place).path {
                Some(Resolved::TileStatic(_)) => true,
                Some(Resolved::Local(local)) => {
                    let params = &self.program.functions[self.owner].params;
                    let waits = |param: &ParamDef| matches!(param.ty, Ty::Tiled(_) | Ty::Barrier);
                    let is_given = (local.0 as usize) < params.len();
                    self.typed.changing.contains(&local) || is_given && params.iter().any(waits)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The variable for references that an assignment gives another, of this type.
    pub fn reference_variable(&self, assign: &ExprAssign, ty: &Ty) -> Option<LocalId> {
        let Some(Resolved::Local(local)) = self.typed.of(bare(&assign.left)).path else {
            return None;
        };
        match self.unifier.shallow(ty) {
            Ty::Reference {
                mutable: false,
                target,
            } => !self.is_bundle(&target),
            Ty::Var(_) | Ty::Error => {
                self.typed.deferred.contains(&local) && self.refers(&assign.right)
            }
            _ => false,
        }
        .then_some(local)
    }

    /// Whether syntax tells that a value is a reference.
    pub fn refers(&self, value: &Expr) -> bool {
        match bare(value) {
            Expr::Reference(_) => true,
            Expr::Path(path) => {
                let meaning = path.path.get_ident().and_then(|name| self.scopes.get(name));
                matches!(meaning, Some(Resolved::Local(local))
                    if self.unifier.shallow(&self.typed.locals[local.0 as usize].ty).is_reference())
            }
            _ => false,
        }
    }

    /// `variable = reference`
    pub fn assign_reference(&mut self, assign: &ExprAssign, variable: LocalId, ty: &Ty) {
        let value = &*assign.right;
        let found = match value {
            Expr::Reference(reference) => self.borrowed(value, reference),
            other => self.expr(other),
        };
        let found = match self.is_kept_reference(value) {
            true => found,
            false => self.storable(found, value),
        };
        if self.unifier.shallow(&found).is_reference() {
            self.unifier.refer(ty, &found);
        }
        let ty = &self.unifier.shallow(ty);
        self.typed.locals[variable.0 as usize].ty = ty.clone();
        if !self.coerce(&found, ty, value) {
            self.note_declaration(&assign.left);
            return;
        }
        let Ty::Reference { mutable, target } = self.unifier.shallow(ty) else {
            return;
        };
        let refused = if mutable {
            Some((
                "a `&mut` reference is chosen, or a variable gets it later",
                "choose the index, `let i = if c { 0 } else { 1 }; let r = &mut a[i];`, write in each case, or have an \
                 `#[amp_fn]` return the reference",
            ))
        } else if let Ty::Slice(_) = self.unifier.shallow(&target) {
            return self.assigned_slice(assign, variable);
        } else if self.typed.changing.contains(&variable) || self.may_change(value) {
            Some((
                "a choice of places that other threads may change",
                "choose the index, `let i = if c { 0 } else { 1 }; let r = &a[i];`, or the value",
            ))
        } else if self.is_lent(value) {
            Some((KEPT_FROM_SHARED, "choose the index, or the value"))
        } else {
            None
        };
        if let Some((message, help)) = refused {
            self.report
                .error_help(Code::Reference, value, message, help);
            self.typed.locals[variable.0 as usize].ty = Ty::Error;
            return;
        }
        self.typed.assigned_references.insert(variable);
        if self.names_foreign(value) {
            self.typed.places.remove(&variable);
            self.own_elements.remove(&variable);
        }
    }
}

/// Whether a body assigns a name to a variable, or makes it a value, `Some(name)`.
pub fn keeps(body: &Expr, name: &Ident) -> bool {
    struct Kept<'a>(&'a dyn Fn(&Expr) -> bool, bool);
    let is_it = |value: &Expr| matches!(bare(value), Expr::Path(path) if path.path.is_ident(name));
    impl Visit<'_> for Kept<'_> {
        fn visit_expr_assign(&mut self, assign: &ExprAssign) {
            self.1 |= (self.0)(&assign.right);
            visit::visit_expr_assign(self, assign);
        }

        fn visit_expr_call(&mut self, call: &ExprCall) {
            let is_some = matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some"));
            self.1 |= is_some && call.args.iter().any(self.0);
            visit::visit_expr_call(self, call);
        }
    }
    let mut kept = Kept(&is_it, false);
    kept.visit_expr(body);
    kept.1
}
