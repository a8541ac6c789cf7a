//! Places: variables, their parts, elements of views.

use amp_spirv::tree::{self, BinaryOp};
use syn::{Expr, ExprIndex, UnOp};

use super::{
    FnLower,
    forms::{binary, choice},
    frame::Part,
    load, local_place,
    slice::Slice,
    usize_literal,
};
use crate::{
    infer::{Resolved, Ty, bare},
    report::Place,
};

impl FnLower<'_, '_> {
    /// The place that an expression names, if it names one.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<tree::Place> {
        if let Some(part) = self.part(expr) {
            return match part {
                Part::Value(place) => Some(place),
                Part::View(_) | Part::Bundle(..) => None,
            };
        }
        let expr = bare(expr);
        if let Some((function, arguments)) = self.finder(expr) {
            let is_slice = matches!(
                self.program.functions[function].result.target(),
                Ty::Slice(_)
            );
            let span = self.span(Place::of(expr));
            return (!is_slice).then(|| self.found_place(function, &arguments, span));
        }
        match expr {
            // Nothing is behind it.
            _ if *self.frame.function.typed.ty(expr) == Ty::Barrier => None,
            // A reference's own place is what it refers to.
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::Path(_) => {
                let root = match self.resolved(expr)? {
                    Resolved::Local(local) => {
                        if let Some(place) = self.frame.references.get(&local) {
                            return Some(place.clone());
                        }
                        match &self.locals[local.0 as usize].ty {
                            tree::Type::View(_) => return None,
                            _ => tree::Root::Local(local),
                        }
                    }
                    Resolved::TileStatic(id) => tree::Root::TileStatic(id),
                    Resolved::Const(_)
                    | Resolved::Known(_)
                    | Resolved::Variant { .. }
                    | Resolved::Case { .. }
                    | Resolved::Unit => return None,
                };
                let ty = self.type_of_value(expr);
                Some(tree::Place {
                    root,
                    projections: Vec::new(),
                    ty,
                    span: self.span(Place::of(expr)),
                })
            }
            Expr::Field(field) => {
                let mut place = self.place(&field.base)?;
                let position = self.field_position(field);
                place.projections.push(match place.ty {
                    // A column of a matrix.
                    tree::Type::Array(..) => {
                        let position = usize_literal(position, place.span);
                        tree::Projection::Index(Box::new(position))
                    }
                    _ => tree::Projection::Field(position),
                });
                place.ty = self.type_of_value(expr);
                Some(place)
            }
            Expr::Index(index) => {
                if let Ty::View(_) = self.frame.function.typed.ty(&index.expr) {
                    return Some(self.element(index));
                }
                if self.is_slice(&index.expr) {
                    let ty = self.type_of_value(expr);
                    return self.element_of_slice(index, ty);
                }
                let mut place = self.place(&index.expr)?;
                place.projections.push(match self.has_one(&index.expr) {
                    true => tree::Projection::Field(1),
                    false => tree::Projection::Index(Box::new(self.expr(&index.index))),
                });
                place.ty = self.type_of_value(expr);
                place.span = self.span(Place::of(expr));
                Some(place)
            }
            _ => None,
        }
    }

    /// Whether an expression is an `Option` or a `Result`, of which a chain visits the one value.
    fn has_one(&self, expr: &Expr) -> bool {
        let ty = self.frame.function.typed.ty(expr);
        self.program.visited_case(ty).is_some()
    }

    /// What an atomic operation is applied to.
    pub(super) fn own_place(&mut self, expr: &Expr) -> tree::Place {
        self.place(expr)
            .expect("inference refuses to assign what is no place")
    }

    /// `value[index]` where the value is no place: it is kept in a variable first.
    pub(super) fn index_of_value(
        &mut self,
        (node, expr): (&Expr, &ExprIndex),
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        if self.is_slice(&expr.expr) {
            return self.element_of_slice_of_value(expr, ty);
        }
        let value = self.expr(&expr.expr);
        let index = self.expr(&expr.index);
        if let (tree::Type::Extent(rank), tree::ExprKind::Literal(tree::Literal::Usize(position))) =
            (&value.ty, &index.kind)
            && position < rank
        {
            let kind = tree::ExprKind::Field(Box::new(value), *position);
            return tree::Expr { kind, ty, span };
        }
        let local = self.temporary("indexed", value.ty.clone(), span);
        let array = local_place(local, value.ty.clone(), span);
        let value = Some(value);
        let mut statements = vec![tree::Statement::Let { local, value }];
        let element = |at: tree::Expr| {
            let mut place = array.clone();
            place
                .projections
                .push(tree::Projection::Index(Box::new(at)));
            load(tree::Place {
                ty: ty.clone(),
                ..place
            })
        };
        if !self.frame.function.typed.of(node).reads_first {
            return super::sequence(statements, element(index));
        }
        let index = self.kept(index, "at", &mut statements);
        let length = self.length_of_slice(&Slice::whole(array.clone()), span);
        let is_there = binary(BinaryOp::Lt, index.clone(), length);
        let found = self.kept(element(index), "found", &mut statements);
        let first = element(usize_literal(0, span));
        super::sequence(statements, choice(is_there, found, first))
    }
}
