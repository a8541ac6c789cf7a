//! What a kernel says.

use amp_spirv::tree::{self, ExprKind, Message};
use syn::ExprCall;

use super::FnLower;
use crate::message::{self, Told};

impl FnLower<'_, '_> {
    /// What an assertion, a panic or a print became.
    pub(super) fn told(&mut self, call: &ExprCall, told: Told) -> tree::Expr {
        // Not with the attributes that may stand before it.
        let span = self.span(&*call.func);
        let operands = call.args.iter().skip(1);
        let message = Message {
            kind: told.kind(),
            format: message::format_of(call),
            operands: operands.map(|operand| self.expr(operand)).collect(),
        };
        let said = tree::Expr {
            kind: ExprKind::Message(message),
            ty: tree::Type::Unit,
            span,
        };
        if told != Told::Panic {
            return said;
        }
        let leave = self.leave_with_zero(span);
        let block = tree::Block {
            statements: vec![tree::Statement::Expr(said)],
            value: Some(Box::new(leave)),
            ty: tree::Type::Never,
            span,
        };
        tree::Expr {
            kind: ExprKind::Block(Box::new(block)),
            ty: tree::Type::Never,
            span,
        }
    }
}
