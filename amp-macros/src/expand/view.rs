//! Views made from views, in the twin.

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::{Expr, ExprMethodCall, FnArg, ItemFn, Lifetime, ReturnType, Type, parse_quote};

use super::twin::{Twin, view_path_of_cpu};
use crate::infer::{Callee, FunctionDef, Ty, key, source_of_view};

/// Gives a helper that returns a view the twin's type for it, and says whose data it is of
/// where Rust's own rule does not.
pub(super) fn result(item: &mut ItemFn, function: &FunctionDef) {
    let (Ty::View(_), ReturnType::Type(_, ty)) = (&function.result, &mut item.sig.output) else {
        return;
    };
    let Type::Path(result) = &mut **ty else {
        return;
    };
    let source = source_of_view(&function.params);
    let input = source.and_then(|source| item.sig.inputs.iter_mut().nth(source));
    let lifetime = match input {
        Some(FnArg::Typed(typed)) => {
            let life: Lifetime = parse_quote!('amp_view);
            if let Type::Reference(reference) = &mut *typed.ty {
                reference.lifetime = Some(life.clone());
            }
            item.sig.generics.params.insert(0, parse_quote!(#life));
            life
        }
        _ => parse_quote!('_),
    };
    view_path_of_cpu(&mut result.path, &quote!(#lifetime));
}

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
