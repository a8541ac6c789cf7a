//! Methods and operators of modules, which are calls, and comparison part by part.

use amp_spirv::ir::{self, BinaryOp, ExprKind, LazyOp, UnaryOp};
use syn::{Expr, ExprBinary};

use super::{FnLower, load, local_place, sequence, usize_literal};
use crate::infer::{Callee, key};

impl FnLower<'_, '_> {
    /// The function of a module behind an operator, if it is no operator of the language.
    pub(super) fn own_function(&self, node: usize) -> Option<usize> {
        match self.frame.function.typed.calls.get(&node) {
            Some(Callee::Helper(function)) => Some(*function),
            _ => None,
        }
    }

    /// The call of a helper or member with what the expressions stand for.
    pub(super) fn own_call(
        &mut self,
        function: usize,
        arguments: &[&Expr],
        ty: ir::Type,
        span: ir::Span,
    ) -> ir::Expr {
        let Some(&id) = self.ids.get(&function) else {
            return self.inline(function, arguments, span);
        };
        let arguments = arguments
            .iter()
            .map(|argument| self.expr(argument))
            .collect();
        let kind = ExprKind::Call(id, arguments);
        ir::Expr { kind, ty, span }
    }

    /// An operator of a module, or a comparison of structs.
    pub(super) fn own_binary(
        &mut self,
        op: BinaryOp,
        binary: &ExprBinary,
        ty: &ir::Type,
        span: ir::Span,
    ) -> Option<ir::Expr> {
        let sides = [&*binary.left, &*binary.right];
        if self.frame.function.typed.by_parts.contains(&key(binary)) {
            let mut statements = Vec::new();
            let [left, right] = sides.map(|side| {
                let value = self.expr(side);
                let (ty, span) = (value.ty.clone(), value.span);
                let local = self.temporary("compared", ty.clone(), span);
                let value = Some(value);
                statements.push(ir::Statement::Let { local, value });
                local_place(local, ty, span)
            });
            let equal = self.equal_parts(left, right, span);
            return Some(sequence(statements, negated_if(op == BinaryOp::Ne, equal)));
        }
        let function = self.own_function(key(binary))?;
        let name = &self.program.functions[function].item.sig.ident;
        let is_negated = op == BinaryOp::Ne && name == "eq";
        let call = self.own_call(function, &sides, ty.clone(), span);
        Some(negated_if(is_negated, call))
    }

    fn equal_parts(&mut self, left: ir::Place, right: ir::Place, span: ir::Span) -> ir::Expr {
        let parts: Vec<(ir::Projection, ir::Type)> = match &left.ty {
            ir::Type::Struct(id) => {
                let fields = self.consts.structs[id.0 as usize].fields.iter();
                let types: Vec<_> = fields.map(|field| field.ty.clone()).collect();
                let part = |(position, ty)| (ir::Projection::Field(position as u32), ty);
                types.into_iter().enumerate().map(part).collect()
            }
            ir::Type::Array(element, ir::Len::Literal(length)) => {
                let part = |position| {
                    let index = Box::new(usize_literal(position, span));
                    (ir::Projection::Index(index), (**element).clone())
                };
                (0..*length).map(part).collect()
            }
            _ => {
                let kind =
                    ExprKind::Binary(BinaryOp::Eq, Box::new(load(left)), Box::new(load(right)));
                let ty = ir::Type::BOOL;
                return ir::Expr { kind, ty, span };
            }
        };
        let mut equal = None;
        for (projection, ty) in parts {
            let [left, right] = [&left, &right].map(|whole| {
                let mut part = whole.clone();
                part.projections.push(projection.clone());
                part.ty = ty.clone();
                part
            });
            let part = self.equal_parts(left, right, span);
            equal = Some(match equal {
                None => part,
                Some(others) => ir::Expr {
                    kind: ExprKind::Lazy(LazyOp::And, Box::new(others), Box::new(part)),
                    ty: ir::Type::BOOL,
                    span,
                },
            });
        }
        equal.unwrap_or(ir::Expr {
            kind: ExprKind::Literal(ir::Literal::Bool(true)),
            ty: ir::Type::BOOL,
            span,
        })
    }
}

fn negated_if(negated: bool, value: ir::Expr) -> ir::Expr {
    if !negated {
        return value;
    }
    let span = value.span;
    ir::Expr {
        kind: ExprKind::Unary(UnaryOp::Not, Box::new(value)),
        ty: ir::Type::BOOL,
        span,
    }
}
