//! What a kernel says.

use amp_spirv::ir::{self, ExprKind, Message};
use syn::ExprCall;

use super::FnLower;
use crate::message::{self, Told};

impl FnLower<'_, '_> {
    /// What an assertion, a panic or a print became.
    pub(super) fn told(&mut self, call: &ExprCall, told: Told) -> ir::Expr {
        // Not with the attributes that may stand before it.
        let span = self.span(&*call.func);
        let operands = call.args.iter().skip(1);
        let message = Message {
            kind: told.kind(),
            format: message::format_of(call),
            operands: operands.map(|operand| self.expr(operand)).collect(),
        };
        let said = ir::Expr {
            kind: ExprKind::Message(message),
            ty: ir::Type::Unit,
            span,
        };
        if told != Told::Panic {
            return said;
        }
        let leave = self.leave_with_zero(span);
        let block = ir::Block {
            statements: vec![ir::Statement::Expr(said)],
            value: Some(Box::new(leave)),
            ty: ir::Type::Never,
            span,
        };
        ir::Expr {
            kind: ExprKind::Block(Box::new(block)),
            ty: ir::Type::Never,
            span,
        }
    }
}
