//! Vectors and matrices: from the functions that the compiler itself computes, and from operators,
//! to operations on components.

mod calculation;
mod matrix;
mod method;

use amp_spirv::tree::{self, BinaryOp, ExprKind, Type};
use syn::{Expr, ExprPath};

use self::calculation::Calculation;
use super::FnLower;
use crate::infer::{Operation, Ty, VectorCall};

impl FnLower<'_, '_> {
    /// A function of a vector or matrix; the receiver is the first argument.
    pub(super) fn vector_call(
        &mut self,
        call: &VectorCall,
        arguments: Vec<tree::Expr>,
        ty: Type,
        span: tree::Span,
    ) -> tree::Expr {
        if call.operation == Operation::New {
            let kind = ExprKind::Construct(arguments);
            return tree::Expr { kind, ty, span };
        }
        let mut calculation = Calculation::new(self, span);
        let kept: Vec<tree::Expr> = arguments
            .into_iter()
            .map(|argument| calculation.keep(argument))
            .collect();
        let value = match &call.of {
            Ty::Matrix(_) => calculation.matrix_method(&call.operation, &kept, ty),
            _ => calculation.method(&call.operation, &kept, ty),
        };
        calculation.finish(value)
    }

    /// A function of the library, of each component of a vector; a scalar stands for each.
    pub(super) fn each_call(
        &mut self,
        function: usize,
        arguments: Vec<tree::Expr>,
        ty: Type,
        span: tree::Span,
    ) -> tree::Expr {
        let id = self.ids[&function];
        let component = Type::Scalar(calculation::scalar(&ty));
        let mut calculation = Calculation::new(self, span);
        let kept: Vec<tree::Expr> = arguments
            .into_iter()
            .map(|argument| calculation.keep(argument))
            .collect();
        let parts = (0..calculation::count(&ty)).map(|k| {
            let operands = kept.iter().map(|kept| match kept.ty {
                Type::Vector(..) => calculation.part(kept, k),
                _ => kept.clone(),
            });
            let kind = ExprKind::Call(id, operands.collect());
            let ty = component.clone();
            tree::Expr { kind, ty, span }
        });
        let value = calculation.construct(ty.clone(), parts.collect());
        calculation.finish(value)
    }

    /// A constant like `Vec3::ZERO`, if the path is one.
    pub(super) fn vector_constant(&mut self, expr: &Expr, path: &ExprPath) -> Option<tree::Expr> {
        let facts = self.frame.function.typed.of(expr);
        let ty = self
            .consts
            .ty(facts.ty.as_ref().filter(|_| facts.vector_constant)?);
        let name = path.path.segments.last()?.ident.to_string();
        let span = self.span(path);
        let calculation = Calculation::new(self, span);
        Some(calculation.constant(&ty, &name))
    }

    /// The constant of this name of a vector or matrix type.
    pub(super) fn constant_of_vector(
        &mut self,
        ty: &Type,
        name: &str,
        span: tree::Span,
    ) -> tree::Expr {
        Calculation::new(self, span).constant(ty, name)
    }

    /// A constant that rustc computes.
    pub(super) fn constant(&mut self, index: usize, ty: Type, span: tree::Span) -> tree::Expr {
        let kind = match self.frame.function.typed.constant_parts.get(&index) {
            Some(first) => return self.constant_of_parts(&mut first.clone(), ty, span),
            None => ExprKind::Const(self.consts.id(index)),
        };
        tree::Expr { kind, ty, span }
    }

    /// The value of type `ty` from the constants that begin at `next`.
    fn constant_of_parts(&mut self, next: &mut usize, ty: Type, span: tree::Span) -> tree::Expr {
        let parts: Vec<Type> = match &ty {
            Type::Array(element, _) => vec![(**element).clone(); calculation::count(&ty)],
            Type::Vector(scalar, count) => vec![Type::Scalar(*scalar); *count as usize],
            Type::Tuple(parts) => parts.clone(),
            Type::Struct(id) => {
                let fields = self.consts.structs[id.0 as usize].fields.iter();
                fields.map(|field| field.ty.clone()).collect()
            }
            _ => {
                let kind = ExprKind::Const(self.consts.id(*next));
                *next += 1;
                return tree::Expr { kind, ty, span };
            }
        };
        let parts = parts
            .into_iter()
            .map(|part| self.constant_of_parts(next, part, span))
            .collect();
        let kind = ExprKind::Construct(parts);
        tree::Expr { kind, ty, span }
    }

    /// `left op right` of vectors and matrices that is not one operation for each
    /// component.
    pub(super) fn vector_binary(
        &mut self,
        op: BinaryOp,
        left: &tree::Expr,
        right: &tree::Expr,
        span: tree::Span,
    ) -> Option<tree::Expr> {
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let by_matrix = is_matrix(&left.ty) || is_matrix(&right.ty);
        if !(by_matrix || is_equality && matches!(left.ty, Type::Vector(..))) {
            return None;
        }
        let mut calculation = Calculation::new(self, span);
        let left = calculation.keep(left.clone());
        let right = calculation.keep(right.clone());
        let value = match is_equality {
            true => calculation.equality(op, &left, &right),
            false => calculation.matrix_operator(op, &left, &right),
        };
        Some(calculation.finish(value))
    }

    /// `-matrix`
    pub(super) fn matrix_negation(&mut self, value: tree::Expr, span: tree::Span) -> tree::Expr {
        let mut calculation = Calculation::new(self, span);
        let ty = value.ty.clone();
        let value = calculation.keep(value);
        let columns = calculation.parts(&value);
        let negated = columns.into_iter().map(|c| calculation.neg(c)).collect();
        let value = calculation.construct(ty, negated);
        calculation.finish(value)
    }

    /// `place op= value` of a matrix. What the place's indices are is computed once,
    /// after the value.
    pub(super) fn matrix_assignment(
        &mut self,
        op: BinaryOp,
        mut place: tree::Place,
        value: tree::Expr,
        span: tree::Span,
    ) -> tree::Expr {
        let mut calculation = Calculation::new(self, span);
        let value = calculation.keep(value);
        if let tree::Root::Element { index, .. } = &mut place.root {
            **index = calculation.keep((**index).clone());
        }
        for step in &mut place.projections {
            if let tree::Projection::Index(index) = step {
                **index = calculation.keep((**index).clone());
            }
        }
        let old = calculation.keep(super::load(place.clone()));
        let new = calculation.matrix_operator(op, &old, &value);
        let assigned = calculation.cx.assignment(None, place, new, span);
        calculation.finish(assigned)
    }
}

/// Whether the type is an array of vectors, which operators only have for matrices.
pub(super) fn is_matrix(ty: &Type) -> bool {
    matches!(ty, Type::Array(element, _) if matches!(**element, Type::Vector(..)))
}
