//! Views made from views, in the twin.

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprMethodCall};

use super::twin::Twin;
use crate::infer::{Callee, Ty, key};

impl Twin<'_> {
    /// `view.section(origin, extent)` and its kin. A writable view that has no name is
    /// taken, not borrowed: what is made from it lives longer than it does.
    pub(super) fn derived_view(&self, call: &mut ExprMethodCall, span: Span) {
        let typed = &self.function.typed;
        let receiver = key(bare(&call.receiver));
        let mutable = matches!(typed.types.get(&receiver), Some(Ty::View(view)) if view.mutable);
        let nameless = matches!(typed.calls.get(&receiver), Some(Callee::Derived(_)));
        let name = match mutable && nameless {
            true => format!("into_{}", call.method),
            false => call.method.to_string(),
        };
        call.method = Ident::new(&name, span);
    }
}

fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => bare(&paren.expr),
        Expr::Group(group) => bare(&group.expr),
        other => other,
    }
}
