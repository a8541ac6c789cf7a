//! The way of a kernel from its tree to its artifact.

use std::borrow::Cow;

use crate::artifact::Artifact;
use crate::clear::cleared;
use crate::emit::emit;
use crate::ir::visit::{self, Node};
use crate::ir::{ExprKind, Module};
use crate::{mir, opt};

/// Compiles a kernel in which [`check`](crate::check::check) found nothing wrong.
pub fn compile(tree: &Module) -> Artifact {
    let cleared = cleared(tree);
    let mut module = mir::build(&cleared);
    debug_assert_eq!(mir::verify(&module), Ok(()));
    opt::run(&mut module);
    let mut artifact = emit(&module);
    if let Cow::Owned(_) = cleared {
        // What a device clears is zero on the CPU anyway, so nothing waits for it there.
        artifact.has_barrier = meets(tree);
    }
    artifact
}

/// Whether threads meet: at a barrier, or in an operation of their subgroup.
fn meets(tree: &Module) -> bool {
    let mut meets = false;
    for function in &tree.functions {
        visit::block(&function.body, &mut |node| {
            meets |= matches!(
                node,
                Node::Expr(expr) if matches!(expr.kind, ExprKind::Barrier(_) | ExprKind::Subgroup(..))
            );
        });
    }
    meets
}
