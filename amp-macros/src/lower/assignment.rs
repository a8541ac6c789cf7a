//! Assignments of values to places, and of slices and references to variables.
//!
//! A variable for references to read that are assigned is one for what they refer to, which nothing changes
//! meanwhile. What is made of such a reference refers to what it had then.

use amp_spirv::tree;
use syn::{Expr, ExprAssign, PatIdent};

use super::{FnLower, forms::set, load, local_place, sequence};
use crate::infer::{Resolved, Ty, bare};

impl FnLower<'_, '_> {
    /// `place = value`, or a slice or a reference for a variable.
    pub(super) fn assign(&mut self, assign: &ExprAssign) -> tree::Expr {
        if let Some(bounds) = self.assigned_bounds(&assign.left) {
            return self.assign_slice(bounds, assign);
        }
        if let Some(held) = self.assigned_reference(&assign.left) {
            return self.assign_reference(held, assign);
        }
        let value = self.expr(&assign.right);
        let (value, place) = self.assigned_place(&assign.left, value);
        let span = self.span(assign);
        self.assignment(None, place, value, span)
    }

    /// The left side of an assignment, and the value, which is evaluated before a place has to be found.
    pub(super) fn assigned_place(
        &mut self,
        expr: &Expr,
        value: tree::Expr,
    ) -> (tree::Expr, tree::Place) {
        let outer = std::mem::take(&mut self.pending);
        let place = self.own_place(expr);
        let found = std::mem::replace(&mut self.pending, outer);
        if found.is_empty() {
            return (value, place);
        }
        let (ty, span) = (value.ty.clone(), value.span);
        let local = self.temporary("assigned", ty.clone(), span);
        let value = Some(value);
        self.pending.push(tree::Statement::Let { local, value });
        self.pending.extend(found);
        (load(local_place(local, ty, span)), place)
    }

    /// `variable = slice`: the bounds of one become those of the other.
    fn assign_slice(&mut self, bounds: [tree::LocalId; 2], assign: &ExprAssign) -> tree::Expr {
        let span = self.span(assign);
        let mut statements = Vec::new();
        let slice = self.slice(&assign.right, &mut statements);
        let values = self.bounds_of_slice(&slice, span);
        self.first_slice(&assign.left, slice);
        for (bound, value) in bounds.into_iter().zip(values) {
            let bound = local_place(bound, tree::Type::USIZE, span);
            statements.push(set(bound, value));
        }
        let nothing = tree::Expr {
            kind: tree::ExprKind::Unit,
            ty: tree::Type::Unit,
            span,
        };
        sequence(statements, nothing)
    }

    /// `variable = reference`: what the variable holds becomes what the reference refers to.
    fn assign_reference(&mut self, held: tree::Place, assign: &ExprAssign) -> tree::Expr {
        let span = self.span(assign);
        let mut statements = Vec::new();
        let place = self.borrowed(&assign.right, &mut statements);
        let (held, value) = (Box::new(held), Box::new(load(place)));
        let (kind, ty) = (tree::ExprKind::Assign(held, value), tree::Type::Unit);
        sequence(statements, tree::Expr { kind, ty, span })
    }

    /// The variable for what an assigned reference refers to.
    fn assigned_reference(&self, variable: &Expr) -> Option<tree::Place> {
        let Some(Resolved::Local(local)) = self.frame.function.typed.of(bare(variable)).path else {
            return None;
        };
        let typed = &self.frame.function.typed;
        let place = self.frame.references.get(&self.frame.local(local));
        place
            .filter(|_| typed.assigned_references.contains(&local))
            .cloned()
    }

    /// Whether a name is that of a variable for references that are assigned.
    pub(super) fn is_assigned(&self, name: &PatIdent) -> bool {
        let typed = &self.frame.function.typed;
        let local = typed.of(name).local;
        local.is_some_and(|local| typed.assigned_references.contains(&local))
    }

    /// A variable for what an assigned reference refers to, at first this place.
    pub(super) fn reassigned(
        &mut self,
        place: tree::Place,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Place {
        let held = self.copy_of(place, statements);
        if let tree::Root::Local(local) = held.root {
            self.held.insert(local);
        }
        held
    }

    fn copy_of(
        &mut self,
        place: tree::Place,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Place {
        let copy = self.held(load(place), statements);
        if let tree::Root::Local(local) = copy.root {
            self.copies.insert(local);
        }
        copy
    }

    /// A place that stays what it is if an assigned reference has led to it.
    pub(super) fn unassigned(
        &mut self,
        place: tree::Place,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Place {
        match place.root {
            tree::Root::Local(local) if self.held.contains(&local) => {
                self.copy_of(place, statements)
            }
            _ => place,
        }
    }

    /// `let r;` of a reference or a slice; whether it is one.
    pub(super) fn defer(&mut self, name: &PatIdent, statements: &mut Vec<tree::Statement>) -> bool {
        let typed = &self.frame.function.typed;
        let Some(own) = typed.of(name).local else {
            return false;
        };
        let Ty::Reference { target, .. } = &typed.locals[own.0 as usize].ty else {
            return false;
        };
        let span = self.span(name);
        let declared = self.frame.local(own);
        if let Ty::Slice(_) = **target {
            let bounds = ["start", "length"].map(|name| {
                let local = self.temporary(name, tree::Type::USIZE, span);
                statements.push(tree::Statement::Let { local, value: None });
                local
            });
            self.deferred.insert(declared, bounds);
            return true;
        }
        let ty = self.consts.ty(target);
        let local = self.temporary("reference", ty.clone(), span);
        statements.push(tree::Statement::Let { local, value: None });
        self.held.insert(local);
        self.frame
            .references
            .insert(declared, local_place(local, ty, span));
        true
    }

    /// A value that is made of a reference, or what is behind one that is no place.
    pub(super) fn kept_value(&mut self, expr: &Expr) -> Option<tree::Expr> {
        let typed = &self.frame.function.typed;
        if typed.of(expr).is_kept {
            let mut statements = Vec::new();
            let place = self.borrowed(expr, &mut statements);
            return Some(sequence(statements, load(place)));
        }
        let Expr::Unary(unary) = expr else {
            return None;
        };
        let is_place = matches!(
            bare(&unary.expr),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_)
        );
        let is_kept = self.program.kept(typed.ty(&unary.expr)).is_some();
        (is_kept && !is_place).then(|| self.expr(&unary.expr))
    }
}
