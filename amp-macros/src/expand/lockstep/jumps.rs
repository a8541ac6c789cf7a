//! [`Jumps`]: where the control flow of a statement leads, and what it assigns to.

use std::collections::HashSet;

use amp_spirv::tree::LocalId;
use syn::Expr;

use super::shape::{Shape, Shapes};
use crate::infer::{BinaryKind, Callee};
use crate::message::Told;
use crate::visit::{self, Visit};

/// What a statement does to the control flow around it and to variables.
pub(super) struct Jumps<'p, 'a> {
    shapes: &'p Shapes<'a>,
    pub(super) meets: bool,
    /// A `break` or `continue` of a loop around it.
    pub(super) leaves: bool,
    pub(super) returns: bool,
    pub(super) has_closures: bool,
    depth: usize,
    declared: HashSet<LocalId>,
    assigned: Vec<LocalId>,
}

impl<'p, 'a> Jumps<'p, 'a> {
    pub(super) fn of(shapes: &'p Shapes<'a>, walk: impl FnOnce(&mut Self)) -> Self {
        let mut jumps = Jumps {
            shapes,
            meets: false,
            leaves: false,
            returns: false,
            has_closures: false,
            depth: 0,
            declared: HashSet::new(),
            assigned: Vec::new(),
        };
        walk(&mut jumps);
        jumps
    }

    /// The variables of its surroundings that it assigns to although they are the same in all threads.
    pub(super) fn uniform(&self) -> Vec<LocalId> {
        let shapes = self.shapes;
        let is_uniform = |local: &&LocalId| {
            !self.declared.contains(local) && shapes.of_local(**local) == Shape::Uniform
        };
        self.assigned.iter().filter(is_uniform).copied().collect()
    }

    fn assigns(&mut self, place: &Expr) {
        self.assigned.extend(self.shapes.variable(place));
    }

    fn in_loop(&mut self, walk: impl FnOnce(&mut Self)) {
        self.depth += 1;
        walk(self);
        self.depth -= 1;
    }
}

impl<'ast> Visit<'ast> for Jumps<'_, '_> {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
        let local = self.shapes.function.typed.of(ident).local;
        self.declared.extend(local);
        visit::visit_pat_ident(self, ident);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match self.shapes.function.typed.of(expr).callee {
            Some(Callee::Barrier(_) | Callee::Subgroup(_)) => self.meets = true,
            Some(Callee::Told(Told::Panic) | Callee::Unwrap(_)) => self.returns = true,
            _ => {}
        }
        match expr {
            Expr::Assign(assign) => self.assigns(&assign.left),
            Expr::Binary(binary) => {
                if let BinaryKind::Assign(_) = BinaryKind::of(&binary.op) {
                    self.assigns(&binary.left);
                }
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.assigns(&reference.expr);
            }
            Expr::MethodCall(call) if self.shapes.assigns_to_receiver(expr) => {
                self.assigns(&call.receiver);
            }
            Expr::Break(jump) => self.leaves |= self.depth == 0 || jump.label.is_some(),
            Expr::Continue(jump) => self.leaves |= self.depth == 0 || jump.label.is_some(),
            Expr::Return(_) => self.returns = true,
            Expr::Closure(_) => self.has_closures = true,
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                return self.in_loop(|jumps| visit::visit_expr(jumps, expr));
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}
