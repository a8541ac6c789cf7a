//! References of the twin: a helper's `&mut T` is a place that other threads may see.
//!
//! ```text
//! fn bump(x: &mut i32) { .. }    fn bump<'amp0>(x: impl Into<RefMut<'amp0, i32>>) {
//!                                    let mut x: RefMut<'_, i32> = x.into(); .. }
//! bump(x)                        bump(&mut *x)
//! ```
//!
//! `amp_runtime::cpu::twin::RefMut` says why. Whoever calls the helper from plain Rust
//! passes `&mut x` as ever.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::{
    Expr, FnArg, ItemFn, Lifetime, Pat, Stmt, Type, parse_quote, spanned::Spanned,
    visit_mut::VisitMut,
};

use super::twin::{Twin, run_time};
use crate::infer::{FunctionDef, Ty, key};

/// Rewrites a helper's parameters that are references to values.
pub(super) fn parameters(item: &mut ItemFn, function: &FunctionDef) {
    let mut converted: Vec<Stmt> = Vec::new();
    for (position, input) in item.sig.inputs.iter_mut().enumerate() {
        let is_reference = function
            .params
            .get(position)
            .is_some_and(|param| matches!(param.ty, Ty::Reference { .. }));
        let FnArg::Typed(typed) = input else { continue };
        let (Pat::Ident(name), Type::Reference(reference)) = (&*typed.pat, &*typed.ty) else {
            continue;
        };
        if !is_reference {
            continue;
        }
        let span = reference.span();
        let kind = match reference.mutability {
            Some(_) => run_time("RefMut", span),
            None => run_time("Ref", span),
        };
        let lifetime = Lifetime::new(&format!("'amp{position}"), Span::call_site());
        let (name, target) = (&name.ident, &reference.elem);
        converted.push(parse_quote! {
            #[allow(unused_mut, unused_variables)]
            let mut #name: #kind<'_, #target> = #name.into();
        });
        *typed.ty = parse_quote!(impl ::core::convert::Into<#kind<#lifetime, #target>>);
        item.sig.generics.params.insert(0, parse_quote!(#lifetime));
    }
    item.block.stmts.splice(..0, converted);
}

impl Twin<'_> {
    /// What a method of a module is called on.
    pub(super) fn receiver(&mut self, method: usize, receiver: &mut Expr) {
        let params = &self.program.functions[method].params;
        let by = params.first().map(|param| &param.ty);
        match by {
            Some(Ty::Reference { mutable: true, .. }) => {
                self.place(receiver);
                if let Expr::Verbatim(place) = receiver {
                    *place = quote_spanned!(place.span()=> (#place));
                }
            }
            _ => self.visit_expr_mut(receiver),
        }
    }

    /// An argument of a call.
    pub(super) fn argument(&mut self, argument: &mut Expr) {
        let mutable = match self.function.typed.types.get(&key(argument)) {
            Some(Ty::Reference { mutable, .. }) => *mutable,
            _ => return self.visit_expr_mut(argument),
        };
        match argument {
            Expr::Reference(reference) if mutable => self.place(&mut reference.expr),
            Expr::Path(path) => {
                let span = path.span();
                *argument = Expr::Verbatim(match mutable {
                    true => quote_spanned!(span=> &mut *#path),
                    false => quote_spanned!(span=> &*#path),
                });
            }
            other => self.visit_expr_mut(other),
        }
    }
}
