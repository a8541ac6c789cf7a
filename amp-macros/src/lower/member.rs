//! Methods and operators of modules, which are calls, and where comparisons part by part begin.

use amp_spirv::tree::{self, BinaryOp, ExprKind};
use syn::{Expr, ExprBinary};

use super::comparison::not;
use super::{FnLower, local_place, sequence};
use crate::infer::Node;

impl FnLower<'_, '_> {
    /// The function of a module behind an operator, if it is no operator of the language.
    pub(super) fn own_function(&self, node: impl Node) -> Option<usize> {
        self.frame.function.typed.of(node).helper()
    }

    /// The call of a helper or member with what the expressions stand for.
    pub(super) fn own_call(
        &mut self,
        function: usize,
        arguments: &[&Expr],
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let Some(&id) = self.ids.get(&function) else {
            return self.inline(function, arguments, span);
        };
        let arguments = arguments
            .iter()
            .map(|argument| self.expr(argument))
            .collect();
        let kind = ExprKind::Call(id, arguments);
        tree::Expr { kind, ty, span }
    }

    /// An operator of a module, or a comparison of structs.
    pub(super) fn own_binary(
        &mut self,
        op: BinaryOp,
        binary: &ExprBinary,
        ty: &tree::Type,
        span: tree::Span,
    ) -> Option<tree::Expr> {
        let sides = [&*binary.left, &*binary.right];
        if self.frame.function.typed.of(binary).by_parts {
            let mut statements = Vec::new();
            let [left, right] = sides.map(|side| {
                let value = self.expr(side);
                let (ty, span) = (value.ty.clone(), value.span);
                let local = self.temporary("compared", ty.clone(), span);
                let value = Some(value);
                statements.push(tree::Statement::Let { local, value });
                local_place(local, ty, span)
            });
            let value = match op {
                BinaryOp::Eq => self.equal_parts(left, right, span),
                BinaryOp::Ne => negated_if(true, self.equal_parts(left, right, span)),
                _ => self.ordered_parts(op, left, right, span),
            };
            return Some(sequence(statements, value));
        }
        let function = self.own_function(binary)?;
        let name = &self.program.functions[function].item.sig.ident;
        let is_negated = op == BinaryOp::Ne && name == "eq";
        let call = self.own_call(function, &sides, ty.clone(), span);
        Some(negated_if(is_negated, call))
    }
}

fn negated_if(negated: bool, value: tree::Expr) -> tree::Expr {
    match negated {
        true => not(value),
        false => value,
    }
}
