//! Proof that Rust calls the functions of the module's traits, too.
//!
//! Where a type has a function of its own, Rust calls that one in the place of a trait's. One in
//! an `impl` block outside of the module is nothing that kernels see. So rustc compares, in a module
//! that has no other trait in scope, what a name means with what the trait has.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{GenericParam, ImplItem, Item, ItemImpl, Path, PathArguments};

use crate::import::{Member, implementation, local_key, name_of};

/// The proof for all `impl` blocks of the module's traits for its types.
pub(super) fn proof(members: &[Member]) -> TokenStream {
    let blocks = || {
        members.iter().filter_map(|member| match &member.item {
            Item::Impl(block) => Some(block),
            _ => None,
        })
    };
    let mut statements = TokenStream::new();
    for block in blocks() {
        let (Some((of_trait, _)), Some(ty)) = (&block.trait_, implementation::self_path(block))
        else {
            continue;
        };
        let (Some(interface), Some(ty)) = (own(of_trait, members), own(ty, members)) else {
            continue;
        };
        let of_type = |other: &&ItemImpl| {
            let path = implementation::self_path(other);
            other.trait_.is_none() && path.and_then(|path| own(path, members)) == Some(ty)
        };
        let seen: Vec<&Ident> = blocks().filter(of_type).flat_map(names).collect();
        for name in names(block).filter(|name| !seen.contains(name)) {
            statements.extend(quote_spanned! {name.span()=> {
                use super::#interface;
                ::amp::__private::holds(|| ::amp::__private::same_function(
                    super::#ty::#name,
                    <super::#ty as #interface>::#name,
                ));
            }});
        }
    }
    match statements.is_empty() {
        true => statements,
        false => quote! {
            #[no_implicit_prelude]
            #[allow(dead_code, unused_imports, clippy::all)]
            mod __amp_methods {
                fn __amp_names() { #statements }
            }
        },
    }
}

/// The name of the module's item that a path without parameters means.
fn own<'a>(path: &'a Path, members: &[Member]) -> Option<&'a Ident> {
    let last = path.segments.last()?;
    let key = local_key(path);
    let is_own = matches!(last.arguments, PathArguments::None)
        && last.ident == key
        && members
            .iter()
            .any(|member| name_of(&member.item).is_some_and(|name| name == key));
    is_own.then_some(&last.ident)
}

/// The names of a block's functions, but of those with parameters that a mention does not tell.
fn names(block: &ItemImpl) -> impl Iterator<Item = &Ident> {
    block.items.iter().filter_map(|part| match part {
        ImplItem::Fn(function) => {
            let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
            let generics = &function.sig.generics;
            let is_plain = generics.params.iter().all(is_lifetime);
            is_plain.then_some(&function.sig.ident)
        }
        _ => None,
    })
}
