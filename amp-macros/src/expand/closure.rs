//! Closures of the host version: Rust's own, with the types of their parameters.

use syn::{ExprClosure, Pat};

use super::{host_version::HostVersion, pattern::say_type};
use crate::infer::{NodeId, Ty};
use crate::visit::VisitMut;

impl HostVersion<'_> {
    pub(super) fn closure(&mut self, this: NodeId, closure: &mut ExprClosure) {
        for input in &mut closure.inputs {
            if matches!(input, Pat::Type(_)) {
                continue;
            }
            if let Some(ty) = self.pattern_type(input) {
                say_type(input, ty);
            }
        }
        let of_closure = match self.function.typed.ty(this) {
            Ty::Closure(index) => &self.program.closures[*index].result,
            _ => self.result,
        };
        let around = std::mem::replace(&mut self.result, of_closure);
        self.visit_expr_mut(&mut closure.body);
        self.result = around;
    }
}
