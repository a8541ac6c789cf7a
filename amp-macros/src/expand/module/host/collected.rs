//! What kernels have in place of `impl FromIterator<T> for Bits` and `impl Extend<T> for Bits`: a function of the type
//! with the same body.
//!
//! Of a type that is made of references, too, it is the one of values. `extend` keeps its name, which host code then
//! means by it, too: a type with several functions of this name is left out.

use quote::{ToTokens, format_ident};
use syn::{Ident, ImplItem, Item, ItemImpl, Type, parse_quote_spanned};

use crate::{import::implementation::self_path, language::COLLECTS};

/// The block with `from_iter`, if there is one.
pub(super) fn made(block: &ItemImpl) -> Option<Item> {
    function_of(block, COLLECTS)
}

/// The block with `extend`, if there is one, and no other of the type's blocks has one.
pub(super) fn extended(block: &ItemImpl, extending: &[Ident]) -> Option<Item> {
    let own = extends(block)?;
    let mut all = extending.iter().filter(|of| **of == own);
    (all.next().is_some() && all.next().is_none()).then_some(())?;
    function_of(block, "extend")
}

/// The type whose `extend` a block has.
pub(super) fn extends(block: &ItemImpl) -> Option<Ident> {
    let is_it =
        |part: &ImplItem| matches!(part, ImplItem::Fn(function) if function.sig.ident == "extend");
    let own = self_path(block)?.segments.last()?.ident.clone();
    block.items.iter().any(is_it).then_some(own)
}

fn function_of(block: &ItemImpl, name: &str) -> Option<Item> {
    let [ImplItem::Fn(function)] = &*block.items else {
        return None;
    };
    let (of_trait, _) = block.trait_.as_ref()?;
    let arguments = &of_trait.segments.last()?.arguments;
    let is_of_references = arguments.to_token_stream().to_string().contains('&');
    let own = &block.self_ty;
    if is_of_references || !matches!(**own, Type::Path(_)) {
        return None;
    }
    let mut function = function.clone();
    let span = function.sig.ident.span();
    function.sig.ident = format_ident!("{name}", span = span);
    let (parameters, _, clause) = block.generics.split_for_impl();
    Some(parse_quote_spanned! {span=>
        impl #parameters #own #clause {
            #[doc(hidden)]
            #[allow(dead_code, clippy::all)]
            pub #function
        }
    })
}
