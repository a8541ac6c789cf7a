//! Slices that are assigned to variables: `rest = &rest[1..];`.
//!
//! A slice is a place, which is known when the kernel is compiled, and where in it the slice starts and
//! ends. So a variable keeps its place: what it is assigned is a slice of the same one. A `&mut [T]`, which
//! Rust would move, is left out.

use amp_spirv::{diagnostic::Code, tree::LocalId};
use syn::{Expr, ExprAssign, Member, PatIdent, UnOp};

use super::{
    context::FnCx,
    node::bare,
    ty::Ty,
    typed::{Resolved, SlicePlace},
};

impl FnCx<'_> {
    /// Notes of which place the slice is that a `let` names.
    pub fn name_slice(&mut self, name: &PatIdent, init: &Expr) {
        if let Some(local) = self.typed.of(name).local
            && let Some(place) = self.place_of_slice(init)
        {
            self.typed.slice_places.insert(local, place);
        }
    }

    /// `variable = slice`
    pub fn assigned_slice(&mut self, assign: &ExprAssign, variable: LocalId) {
        let slice = &*assign.right;
        if self.unifier.shallow(&self.result).is_reference() {
            self.report.error_help(
                Code::Reference,
                assign,
                "a slice is assigned in a function that returns a reference",
                "keep its bounds in variables, and end with one place: `&a[start..end]`",
            );
            return;
        }
        if self.typed.deferred.contains(&variable)
            && !self.typed.slice_places.contains_key(&variable)
            && let Some(place) = self.place_of_slice(slice)
        {
            self.typed.slice_places.insert(variable, place);
            self.typed.places.remove(&variable);
        }
        if *self.typed.ty(slice) != Ty::Error
            && self.place_of_slice(slice) != self.place_of_slice(&assign.left)
        {
            self.report.error_help(
                Code::Reference,
                slice,
                "a slice of another place than that of the variable",
                "assign a part of the same that is written here, `rest = &rest[1..]`; have a function return how much \
                 it takes, `rest = &rest[taken(rest)..]`; give another slice a name of its own",
            );
            self.note_declaration(&assign.left);
            return;
        }
        self.typed.assigned_slices.insert(variable);
    }

    fn place_of_slice(&self, slice: &Expr) -> Option<SlicePlace> {
        match bare(slice) {
            Expr::Reference(reference) => self.place_of_slice(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.place_of_slice(&unary.expr)
            }
            Expr::Index(index) if matches!(bare(&index.index), Expr::Range(_)) => {
                self.place_of_slice(&index.expr)
            }
            Expr::Field(field) => {
                let mut place = self.place_of_slice(&field.base)?;
                place.fields.push(match &field.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(position) => position.index.to_string(),
                });
                Some(place)
            }
            path => {
                let of = self.typed.of(path).path?;
                let named = match of {
                    Resolved::Local(local) => self.typed.slice_places.get(&local).cloned(),
                    Resolved::TileStatic(_) => None,
                    _ => return None,
                };
                Some(named.unwrap_or(SlicePlace {
                    of,
                    fields: Vec::new(),
                }))
            }
        }
    }
}
