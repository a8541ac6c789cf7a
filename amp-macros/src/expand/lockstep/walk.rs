//! Finds the [`Shapes`] of a kernel: what is assigned to its variables, and under which control flow.
//! It goes over the function until nothing changes.

use std::collections::{HashMap, HashSet};

use amp_spirv::tree::LocalId;
use syn::{Block, Expr, Local, Pat};

use super::{
    quiet::{Quiet, QuietHelpers},
    shape::{Shape, Shapes},
    strided::Strided,
};
use crate::infer::{BinaryKind, FunctionDef, NodeId, Program, Ty, bare};
use crate::visit::{self, Visit};

/// Of a kernel, whose body this is. `varying` are variables that are taken to be anything.
pub(super) fn shapes<'a>(
    program: &'a Program,
    function: &'a FunctionDef,
    helpers: &'a QuietHelpers,
    body: &Block,
    varying: &[LocalId],
) -> Shapes<'a> {
    let mut shapes = Shapes {
        function,
        quiet: Quiet::of(program, function, helpers),
        tiled: matches!(function.params.first(), Some(index) if matches!(index.ty, Ty::Tiled(_))),
        locals: vec![None; function.typed.locals.len()],
        points: HashMap::new(),
        loops: HashMap::new(),
        assigned: HashSet::new(),
        changed: false,
    };
    for param in &mut shapes.locals[..function.params.len()] {
        *param = Some(Shape::Uniform);
    }
    for local in varying {
        shapes.locals[local.0 as usize] = Some(Shape::Varying);
    }
    loop {
        shapes.changed = false;
        let mut walk = Walk {
            shapes: &mut shapes,
            control: Shape::Uniform,
            loops: Vec::new(),
        };
        walk.visit_block(body);
        if !shapes.changed {
            return shapes;
        }
    }
}

/// The walk that finds what is assigned to variables, and under which control flow.
struct Walk<'w, 'a> {
    shapes: &'w mut Shapes<'a>,
    control: Shape,
    /// The loops around.
    loops: Vec<NodeId>,
}

impl Walk<'_, '_> {
    fn under(&mut self, control: Shape, walk: impl FnOnce(&mut Self)) {
        let around = self.control;
        self.control = around.and(control);
        walk(self);
        self.control = around;
    }

    fn in_loop(&mut self, at: NodeId, control: Shape, walk: impl FnOnce(&mut Self)) {
        let leaves = self.shapes.leaves(at);
        self.loops.push(at);
        self.under(control.and(leaves), walk);
        self.loops.pop();
    }

    /// Some threads may leave the loops around here.
    fn leave(&mut self) {
        for at in &self.loops {
            let known = self.shapes.loops.entry(*at).or_insert(Shape::Uniform);
            let leaves = known.and(self.control);
            self.shapes.changed |= *known != leaves;
            *known = leaves;
        }
    }

    fn declare(&mut self, pattern: &Pat, shape: Shape) {
        for local in self.shapes.declared(pattern) {
            self.shapes.raise(local, shape);
        }
    }

    /// The shape of a variable that gets a value of this shape here.
    fn under_control(&self, shape: Shape) -> Shape {
        match shape {
            Shape::Step | Shape::Clamped if self.control.is_of_row() => shape,
            shape => shape.and(self.control),
        }
    }

    fn bind(&mut self, pattern: &Pat, value: &Expr) {
        match (pattern, bare(value)) {
            (Pat::Type(typed), value) => self.bind(&typed.pat, value),
            (Pat::Paren(paren), value) => self.bind(&paren.pat, value),
            (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
                for (name, value) in names.elems.iter().zip(&values.elems) {
                    self.bind(name, value);
                }
            }
            (Pat::Slice(names), value) if self.shapes.point(value).is_some() => {
                let (rest, last) = self
                    .shapes
                    .point(value)
                    .unwrap_or((Shape::Varying, Shape::Varying));
                for (at, name) in names.elems.iter().enumerate() {
                    let shape = if at + 1 == names.elems.len() {
                        last
                    } else {
                        rest
                    };
                    let shape = self.under_control(shape);
                    self.declare(name, shape);
                }
            }
            (Pat::Ident(name), value) => {
                let local = self.shapes.function.typed.of(name).local;
                let is_index = matches!(
                    self.shapes.function.typed.ty(value),
                    Ty::Index(_) | Ty::Array(..)
                );
                if let (Some(local), true, Some(point)) =
                    (local, is_index, self.shapes.point(value))
                    && self.control == Shape::Uniform
                    && point.0.is_of_row()
                    && point.1 != Shape::Varying
                    && !self.shapes.assigned.contains(&local)
                {
                    self.shapes.points.insert(local, point);
                }
                let shape = self.under_control(self.shapes.shape(value));
                self.declare(pattern, shape);
            }
            (pattern, value) => {
                let shape = self.shapes.shape(value).and(self.control);
                self.declare(pattern, shape);
            }
        }
    }

    fn assign(&mut self, place: &Expr, shape: Shape) {
        let Some(local) = self.shapes.variable(place) else {
            return;
        };
        self.shapes.changed |= self.shapes.assigned.insert(local);
        self.shapes.changed |= self.shapes.points.remove(&local).is_some();
        let mut shape = shape.and(self.control);
        let mut place = bare(place);
        while let Expr::Index(syn::ExprIndex { expr: base, .. })
        | Expr::Field(syn::ExprField { base, .. }) = place
        {
            if let Expr::Index(index) = place {
                shape = shape.and(self.shapes.shape(&index.index));
            }
            place = bare(base);
        }
        self.shapes.raise(local, shape);
    }
}

impl<'ast> Visit<'ast> for Walk<'_, '_> {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_local(&mut self, local: &'ast Local) {
        visit::visit_local(self, local);
        match &local.init {
            Some(init) => self.bind(&local.pat, &init.expr),
            None => {
                // What is assigned later, once.
                for declared in self.shapes.declared(&local.pat) {
                    self.shapes.changed |= self.shapes.assigned.insert(declared);
                }
            }
        }
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        visit::visit_expr_assign(self, assign);
        let shape = self.shapes.shape(&assign.right);
        self.assign(&assign.left, shape);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if let BinaryKind::Lazy(_) = BinaryKind::of(&binary.op) {
            self.visit_expr(&binary.left);
            let left = self.shapes.shape(&binary.left);
            self.under(left, |walk| walk.visit_expr(&binary.right));
            return;
        }
        visit::visit_expr_binary(self, binary);
        if let BinaryKind::Assign(_) = BinaryKind::of(&binary.op) {
            let shape = self
                .shapes
                .shape(&binary.left)
                .and(self.shapes.shape(&binary.right));
            self.assign(&binary.left, shape);
        }
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.visit_expr(&branch.cond);
        let condition = self.shapes.shape(&branch.cond);
        self.under(condition, |walk| {
            walk.visit_block(&branch.then_branch);
            if let Some((_, otherwise)) = &branch.else_branch {
                walk.visit_expr(otherwise);
            }
        });
    }

    fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
        self.visit_expr(&choice.expr);
        let shape = self.shapes.shape(&choice.expr);
        self.under(shape, |walk| {
            for arm in &choice.arms {
                walk.declare(&arm.pat, Shape::Varying);
                visit::visit_arm(walk, arm);
            }
        });
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        let at = self.shapes.function.typed.id(expr);
        match expr {
            Expr::While(round) => {
                let condition = self.shapes.shape(&round.cond);
                self.in_loop(at, condition, |walk| visit::visit_expr(walk, expr));
            }
            Expr::Loop(_) => {
                self.in_loop(at, Shape::Uniform, |walk| visit::visit_expr(walk, expr));
            }
            Expr::ForLoop(round) => {
                self.visit_expr(&round.expr);
                let range = self.shapes.range(&round.expr);
                let is_strided = Strided::of(self.shapes, &round.expr).is_some();
                self.in_loop(at, range, |walk| {
                    let shape = match is_strided {
                        true => Shape::Step,
                        false => walk.control,
                    };
                    walk.declare(&round.pat, shape);
                    walk.visit_block(&round.body);
                });
            }
            Expr::MethodCall(call) => {
                visit::visit_expr(self, expr);
                if self.shapes.assigns_to_receiver(expr) {
                    self.assign(&call.receiver, Shape::Varying);
                }
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_expr_break(&mut self, jump: &'ast syn::ExprBreak) {
        visit::visit_expr_break(self, jump);
        self.leave();
    }

    fn visit_expr_continue(&mut self, _: &'ast syn::ExprContinue) {
        self.leave();
    }

    fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
        self.leave();
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        visit::visit_expr_reference(self, reference);
        if reference.mutability.is_some() {
            self.assign(&reference.expr, Shape::Varying);
        }
    }
}
