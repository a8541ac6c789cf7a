//! What kernels have in place of `impl FromIterator<T> for Bits`: a function of the type with the same body.
//!
//! Of a type that is made of references, too, it is the one of values.

use quote::{ToTokens, format_ident};
use syn::{ImplItem, Item, ItemImpl, Type, parse_quote_spanned};

use crate::language::COLLECTS;

/// The block with the function, if there is one.
pub(super) fn function_of(block: &ItemImpl) -> Option<Item> {
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
    function.sig.ident = format_ident!("{COLLECTS}", span = span);
    let (parameters, _, clause) = block.generics.split_for_impl();
    Some(parse_quote_spanned! {span=>
        impl #parameters #own #clause {
            #[doc(hidden)]
            #[allow(dead_code, clippy::all)]
            pub #function
        }
    })
}
