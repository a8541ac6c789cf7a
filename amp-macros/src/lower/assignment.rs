//! Assignments of values to places, and of slices to variables.

use amp_spirv::tree;
use syn::{Expr, ExprAssign};

use super::{FnLower, forms::set, load, local_place, sequence};

impl FnLower<'_, '_> {
    /// `place = value`, or a slice for a variable.
    pub(super) fn assign(&mut self, assign: &ExprAssign) -> tree::Expr {
        if let Some(bounds) = self.assigned_bounds(&assign.left) {
            return self.assign_slice(bounds, assign);
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
}
