//! Closures of the host version: Rust's own, with the types of their parameters.

use syn::{ExprClosure, Pat, visit_mut::VisitMut};

use super::{host_version::HostVersion, pattern::say_type};

impl HostVersion<'_> {
    pub(super) fn closure(&mut self, closure: &mut ExprClosure) {
        for input in &mut closure.inputs {
            if matches!(input, Pat::Type(_)) {
                continue;
            }
            if let Some(ty) = self.pattern_type(input) {
                say_type(input, ty);
            }
        }
        self.visit_expr_mut(&mut closure.body);
    }
}
