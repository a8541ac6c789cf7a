//! Operations of subgroups stand in kernels with tiles.
//!
//! Makes one [`Code::Subgroup`] for each operation in a kernel over `Index`: the run time
//! chooses the workgroups of such a kernel, and threads outside of the domain are not
//! there. Whether all threads of a tile come to an operation together is proved with the
//! barriers, in [`super::uniformity`].

use crate::{
    diagnostic::{Code, Diagnostic},
    tree::{
        Domain, ExprKind, Module,
        visit::{self, Node},
    },
};

/// Checks every operation of the module.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    if let Domain::Tiled { .. } = module.domain {
        return diagnostics;
    }
    for function in &module.functions {
        visit::block(&function.body, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Subgroup(..) = expr.kind
            {
                let message = "subgroup operation in a kernel without tiles";
                diagnostics.push(
                    Diagnostic::new(Code::Subgroup, expr.span, message)
                        .help("let the kernel take a `TiledIndex`: `t_idx: TiledIndex<1, 64>`"),
                );
            }
        });
    }
    diagnostics
}
