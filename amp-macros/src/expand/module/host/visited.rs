//! What kernels have in place of `impl IntoIterator for &Grid`: a method of the type with the same body, which a
//! loop over such a value calls.
//!
//! The iterator is a type of one's own with `impl Iterator`. Blocks with other iterators are the host's alone, as are
//! bodies that say `Self`, which is another type in them.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, GenericParam, ImplItem, Item, ItemImpl, Type, parse_quote_spanned};

use crate::language::{VISITS, VISITS_BEHIND};

/// The block with the method, if there is one.
pub(super) fn method_of(block: &ItemImpl) -> Option<Item> {
    let (own, is_behind) = match &*block.self_ty {
        Type::Reference(reference) if reference.mutability.is_none() => (&*reference.elem, true),
        Type::Path(_) => (&*block.self_ty, false),
        _ => return None,
    };
    let Type::Path(path) = own else { return None };
    let name = &path.path.segments.last()?.ident;
    let mut iterator = None;
    let mut function = None;
    for part in &block.items {
        match part {
            ImplItem::Type(ty) if ty.ident == "IntoIter" => iterator = Some(&ty.ty),
            ImplItem::Fn(method) if method.sig.ident == "into_iter" => function = Some(method),
            _ => {}
        }
    }
    let (iterator, function) = (iterator?, function?);
    let FnArg::Receiver(receiver) = function.sig.inputs.first()? else {
        return None;
    };
    let body = &function.block;
    if !matches!(iterator, Type::Path(_)) || says_self(body.to_token_stream()) {
        return None;
    }
    let mut generics = block.generics.clone();
    generics.params = generics
        .params
        .into_iter()
        .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
        .collect();
    let (parameters, _, clause) = generics.split_for_impl();
    let span = function.sig.ident.span();
    let start = match is_behind {
        true => VISITS_BEHIND,
        false => VISITS,
    };
    let method = format_ident!("{start}{name}", span = span.resolved_at(Span::mixed_site()));
    let this = &receiver.self_token;
    let receiver = match is_behind {
        true => quote!(&#this),
        false => receiver.to_token_stream(),
    };
    Some(parse_quote_spanned! {span=>
        impl #parameters #own #clause {
            #[doc(hidden)]
            #[allow(dead_code, non_snake_case, private_interfaces, clippy::all)]
            pub fn #method(#receiver) -> #iterator #body
        }
    })
}

fn says_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "Self",
        TokenTree::Group(group) => says_self(group.stream()),
        _ => false,
    })
}
