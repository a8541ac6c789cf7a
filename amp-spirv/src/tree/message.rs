//! The distinct messages of a module.

use super::{
    ExprKind, Message, Module, Type,
    visit::{self, Node},
};

impl Module {
    /// The distinct messages, in the order of their numbers.
    pub fn messages(&self) -> Vec<&Message> {
        let mut messages: Vec<&Message> = Vec::new();
        for function in &self.functions {
            visit::block(&function.body, &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::Message(message) = &expr.kind
                    && message.number_among(&messages).is_none()
                {
                    messages.push(message);
                }
            });
        }
        messages
    }
}

impl Message {
    /// The number of a message among the distinct ones.
    pub fn number_among(&self, messages: &[&Message]) -> Option<usize> {
        let types = |message: &Message| -> Vec<Type> {
            let operands = message.operands.iter();
            operands.map(|operand| operand.ty.clone()).collect()
        };
        messages.iter().position(|message| {
            (message.kind, &message.format) == (self.kind, &self.format)
                && types(message) == types(self)
        })
    }
}
