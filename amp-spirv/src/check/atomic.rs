//! Atomic operations work on what several threads see.
//!
//! Makes one [`Code::AtomicPlace`] for each operation on a variable of the thread. Where an
//! operation names its place itself, the front end has refused that already; here it is the
//! place behind a helper's reference, which is another one in each call.

use crate::{
    diagnostic::{Code, Diagnostic},
    tree::{
        ExprKind, Module, Root,
        visit::{self, Node},
    },
};

/// Checks every operation of the module.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for function in &module.functions {
        visit::block(&function.body, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Atomic(atomic) = &expr.kind
                && let Root::Local(_) = atomic.place.root
            {
                let message = "an atomic operation on what no other thread sees";
                let diagnostic = Diagnostic::new(Code::AtomicPlace, atomic.place.span, message)
                    .label(expr.span, "the operation on what the reference names")
                    .help(
                        "pass an element of an `ArrayViewMut` or a tile_static variable; for a \
                         variable of the thread use plain operators",
                    );
                diagnostics.push(diagnostic);
            }
        });
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::super::build::*;
    use super::*;
    use crate::tree::{AtomicOp, Expr};

    fn found(body: impl Into<Vec<Expr>>) -> usize {
        check(&kernel(body)).len()
    }

    #[test]
    fn only_what_others_see_changes_atomically() {
        let add = |place| atomic(AtomicOp::Add, place, [lit(1)]);
        assert_eq!(found([add(at_s(lit(0))), add(at_view(C, lit(0)))]), 0);
        assert_eq!(found([add(at(X))]), 1);
    }
}
