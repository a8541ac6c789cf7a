//! Views made from views, in the host version.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{
    ExprMethodCall, FnArg, GenericArgument, ItemFn, Lifetime, PathArguments, ReturnType, Type,
    parse_quote,
};

use super::host_version::{HostVersion, view_path_of_cpu};
use crate::infer::{Callee, FunctionDef, Ty, bare, source_of_view};

/// Gives a helper that returns a view the host version's type for it, and says whose data it is of
/// where Rust's own rule does not.
pub(super) fn result(item: &mut ItemFn, function: &FunctionDef) {
    let Some(lifetime) = lifetime(item, function) else {
        return;
    };
    if let Some(path) = result_path(item) {
        view_path_of_cpu(path, &lifetime);
    }
}

/// The same with the host's type.
pub(super) fn result_of_host(item: &mut ItemFn, function: &FunctionDef) {
    let Some(lifetime) = lifetime(item, function) else {
        return;
    };
    if let Some(last) = result_path(item).and_then(|path| path.segments.last_mut())
        && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
    {
        let arguments = &mut arguments.args;
        *arguments = std::mem::take(arguments)
            .into_iter()
            .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
            .collect();
        if arguments.len() == 1 {
            arguments.push(parse_quote!(1));
        }
        arguments.insert(0, parse_quote!(#lifetime));
    }
}

/// The path of the type of a returned view.
fn result_path(item: &mut ItemFn) -> Option<&mut syn::Path> {
    match &mut item.sig.output {
        ReturnType::Type(_, ty) => match &mut **ty {
            Type::Path(path) => Some(&mut path.path),
            _ => None,
        },
        ReturnType::Default => None,
    }
}

/// The lifetime of a returned view, which the parameter that it is made of has too.
fn lifetime(item: &mut ItemFn, function: &FunctionDef) -> Option<TokenStream> {
    let Ty::View(_) = &function.result else {
        return None;
    };
    let source = source_of_view(&function.params);
    let input = source.and_then(|source| item.sig.inputs.iter_mut().nth(source));
    Some(match input {
        Some(FnArg::Typed(typed)) => {
            let life: Lifetime = parse_quote!('amp_view);
            if let Type::Reference(reference) = &mut *typed.ty {
                reference.lifetime = Some(life.clone());
            }
            item.sig.generics.params.insert(0, parse_quote!(#life));
            quote!(#life)
        }
        _ => quote!('_),
    })
}

impl HostVersion<'_> {
    /// `view.section(origin, extent)` and the like. A writable view that has no name is
    /// taken, not borrowed: what is made from it lives longer than it does.
    pub(super) fn derived_view(&self, call: &mut ExprMethodCall, span: Span) {
        let typed = &self.function.typed;
        let receiver = typed.of(bare(&call.receiver));
        let mutable = matches!(&receiver.ty, Some(Ty::View(view)) if view.mutable);
        let nameless = matches!(receiver.callee, Some(Callee::Derived(_)));
        let name = match mutable && nameless {
            true => format!("into_{}", call.method),
            false => call.method.to_string(),
        };
        call.method = Ident::new(&name, span);
    }
}
