//! Types of a module that borrow: `struct Reader<'a> { bytes: &'a [u8], pos: usize }`.
//!
//! What makes or passes on such a type has Rust's own references in the host version, which the type keeps. Methods
//! have these in any case; functions of the module that have to do with such a type are marked here.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    GenericArgument, GenericParam, ImplItem, Item, ItemImpl, Lifetime, LifetimeParam,
    PathArguments, Type, parse_quote,
};

use crate::attribute::{OWN_REFERENCES, has_attribute};

/// The names of the types that borrow: those with a field that is a reference, or has one.
pub fn names<'a>(items: impl IntoIterator<Item = &'a Item>) -> HashSet<String> {
    let with_lifetime: Vec<(&Ident, Fields)> = items
        .into_iter()
        .filter_map(|item| match item {
            Item::Struct(item) => Some((&item.ident, &item.generics, vec![&item.fields])),
            Item::Enum(item) => {
                let fields = item.variants.iter().map(|case| &case.fields);
                Some((&item.ident, &item.generics, fields.collect()))
            }
            _ => None,
        })
        .filter(|(_, generics, _)| generics.lifetimes().next().is_some())
        .map(|(name, _, fields)| (name, fields))
        .collect();
    let mut names = HashSet::new();
    loop {
        let before = names.len();
        for (name, fields) in &with_lifetime {
            let mut fields = fields.iter().flat_map(|fields| fields.iter());
            if fields.any(|field| borrows(&field.ty, &names)) {
                names.insert(name.to_string());
            }
        }
        if names.len() == before {
            return names;
        }
    }
}

type Fields<'a> = Vec<&'a syn::Fields>;

/// Whether a type has a reference in it, or names one of these types.
fn borrows(ty: &Type, names: &HashSet<String>) -> bool {
    let tokens = ty.to_token_stream();
    has(tokens, &|token| match token {
        TokenTree::Punct(mark) => mark.as_char() == '&',
        TokenTree::Ident(name) => names.contains(&name.to_string()),
        _ => false,
    })
}

/// Marks what has to do with types that borrow, and gives the names of these.
pub fn settle(members: &mut [Item]) -> HashSet<String> {
    let types = names(&*members);
    name_lifetimes(members, &types);
    mark(members, &types);
    types
}

/// Gives the lifetimes in the heads of their blocks names, `impl<'a> Reader<'a>` for `impl Reader<'_>`: functions say
/// the type in full, where `'_` would be another one.
fn name_lifetimes(members: &mut [Item], types: &HashSet<String>) {
    for member in members {
        let Item::Impl(block) = member else { continue };
        let Type::Path(path) = &mut *block.self_ty else {
            continue;
        };
        let Some(last) = path.path.segments.last_mut() else {
            continue;
        };
        if !types.contains(&last.ident.to_string()) {
            continue;
        }
        let mut named = Vec::new();
        if let PathArguments::AngleBracketed(arguments) = &mut last.arguments {
            for argument in &mut arguments.args {
                if let GenericArgument::Lifetime(lifetime) = argument
                    && lifetime.ident == "_"
                {
                    let name = format!("'__amp_{}", named.len());
                    *lifetime = Lifetime::new(&name, lifetime.span());
                    named.push(lifetime.clone());
                }
            }
        }
        let named = named.into_iter().map(LifetimeParam::new);
        let written = std::mem::take(&mut block.generics.params);
        let named = named.map(GenericParam::Lifetime);
        block.generics.params = named.chain(written).collect();
    }
}

/// Marks the functions that name such a type, or a function that does.
fn mark(members: &mut [Item], types: &HashSet<String>) {
    let mut known = types.clone();
    let of_methods = members.iter().flat_map(|member| match member {
        Item::Impl(block) => methods(block, types),
        _ => Vec::new(),
    });
    known.extend(of_methods.collect::<Vec<_>>());
    loop {
        let mut has_new = false;
        for member in &mut *members {
            let Item::Fn(function) = member else { continue };
            // Nothing calls a kernel.
            if has_attribute(&function.attrs, "amp_kernel") {
                continue;
            }
            let tokens = function.to_token_stream();
            if (names_any(tokens.clone(), &known) || optional_slice(tokens))
                && known.insert(function.sig.ident.to_string())
            {
                let mark = quote::format_ident!("{OWN_REFERENCES}");
                function.attrs.push(parse_quote!(#[#mark]));
                has_new = true;
            }
        }
        if !has_new {
            return;
        }
    }
}

/// The names of a block's methods whose signatures name such a type.
fn methods(block: &ItemImpl, types: &HashSet<String>) -> Vec<String> {
    let mut known = types.clone();
    if names_any(block.self_ty.to_token_stream(), types) {
        known.insert("Self".to_owned());
    }
    let functions = block.items.iter().filter_map(|part| match part {
        ImplItem::Fn(function) => Some(&function.sig),
        _ => None,
    });
    functions
        .filter(|signature| signature.receiver().is_some())
        .filter(|signature| names_any(signature.output.to_token_stream(), &known))
        .map(|signature| signature.ident.to_string())
        .collect()
}

/// Whether one of these names stands in tokens.
fn names_any(tokens: TokenStream, names: &HashSet<String>) -> bool {
    has(tokens, &|token| match token {
        TokenTree::Ident(name) => names.contains(&name.to_string()),
        _ => false,
    })
}

/// Whether the type of an `Option` or a `Result` with a slice stands in tokens.
fn optional_slice(tokens: TokenStream) -> bool {
    let text: String = tokens.to_string().split_whitespace().collect();
    ["Option<", "Result<"].iter().any(|of| {
        text.match_indices(of).any(|(start, _)| {
            let mut depth = 0;
            let inside = text[start..].char_indices().find(|(_, letter)| {
                depth += i32::from(*letter == '<') - i32::from(*letter == '>');
                *letter == '>' && depth == 0
            });
            inside.is_some_and(|(end, _)| text[start..start + end].contains("&["))
        })
    })
}

fn has(tokens: TokenStream, wanted: &dyn Fn(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has(group.stream(), wanted),
        token => wanted(&token),
    })
}
