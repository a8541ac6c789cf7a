//! Traits: what proves that an `impl` block is of the trait whose id a kernel has.
//!
//! A macro cannot know which trait a block names where a glob import brings it. So each exported
//! trait has a function of its name beside it, which each import brings along:
//!
//! ```text
//! pub struct __amp_trait_Area;
//! impl IsTrait<__AmpItem> for __amp_trait_Area {}
//! impl __amp_trait_Area { pub const fn implied<T: Area>(self, _: PhantomData<T>) {} }
//! pub const fn Area() -> __amp_trait_Area { __amp_trait_Area }
//! ```
//!
//! A block calls it: what it returns is the trait's with the id, and compiles if the trait of the
//! block implies that one.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    GenericParam, Generics, ImplItem, ImplItemFn, ItemImpl, ItemTrait, Path, TraitItem,
    parse_quote, spanned::Spanned,
};

use super::claim::{Lent, claim, defined, item_of, lent, names, without_lifetimes};
use crate::{import::method_id, visit::VisitMut};

/// What stands beside a trait.
pub(super) fn interface(id: &str, item: &ItemTrait) -> TokenStream {
    let (name, vis) = (&item.ident, &item.vis);
    let function = format_ident!("{name}");
    let known = format_ident!("__amp_trait_{name}");
    let (_, arguments, _) = item.generics.split_for_impl();
    let generics = with_self(&item.generics);
    let (params, clause) = (&generics.params, &generics.where_clause);
    let lifetimes = item.generics.lifetimes();
    let known_as = quote! {
        #[doc(hidden)]
        #[allow(dead_code, missing_debug_implementations, non_camel_case_types)]
        #vis struct #known;
        #[allow(dead_code, private_bounds)]
        impl #known {
            #vis const fn implied<
                #(#lifetimes,)* __AmpSelf: #name #arguments + ?::core::marker::Sized, #params
            >(self, _: ::core::marker::PhantomData<__AmpSelf>) #clause {}
        }
        #[doc(hidden)]
        #[allow(dead_code, non_snake_case)]
        #vis const fn #function() -> #known {
            #known
        }
    };
    let is_trait = quote!(impl ::amp::__private::IsTrait<__AmpItem> for #known {});
    let mut parameters = item.generics.params.iter();
    if parameters.any(|parameter| matches!(parameter, GenericParam::Lifetime(_))) {
        let found = defined(id, &quote!(), &is_trait);
        return quote!(#known_as #found);
    }
    let functions = item.items.iter().filter_map(|part| match part {
        TraitItem::Fn(function) => Some(&function.sig),
        _ => None,
    });
    let functions = functions.map(|function| {
        let id = method_id(id, &function.ident);
        let of: GenericParam = parse_quote!(__AmpSelf: #name #arguments);
        let mut generics: Generics = with_self(&item.generics);
        let own = with_self(&function.generics);
        if let Some(clause) = own.where_clause {
            generics
                .make_where_clause()
                .predicates
                .extend(clause.predicates);
        }
        generics.params = std::iter::once(of)
            .chain(generics.params)
            .chain(own.params)
            .collect();
        let path = &function.ident;
        let path = quote!(<__AmpSelf as #name #arguments>::#path);
        defined(
            &id,
            &claim(&path, &function.generics, &generics, None),
            &quote!(),
        )
    });
    // What a bound by a trait with parameters is, the functions that are called by it prove.
    let implied = item
        .generics
        .params
        .is_empty()
        .then(|| quote!(pub fn implied<__AmpType: #name + ?::core::marker::Sized>() {}));
    let implied = quote!(#implied);
    let found = defined(id, &implied, &quote!(#is_trait #(#functions)*));
    quote!(#known_as #found)
}

/// What stands beside a block of a trait: the claim that this is the trait with an id. A trait that
/// `is_beside` it is there without an import.
pub(super) fn block(id: &str, block: &ItemImpl, path: &Path, is_beside: bool) -> TokenStream {
    let mut around = path.clone();
    let name = around.segments.pop().map(|last| last.ident);
    around.segments.pop_punct();
    let around = match around.segments.is_empty() {
        true => quote!(self),
        false => quote!(#around),
    };
    let mut path = path.clone();
    Lent.visit_path_mut(&mut path);
    let generics = lent(&block.generics);
    let (params, clause) = (&generics.params, &generics.where_clause);
    let lifetimes = block.generics.lifetimes();
    // A trait that implies another, and has members of the same names, has these twice.
    let members = block.items.iter().filter_map(|part| match part {
        ImplItem::Const(constant) => Some(&constant.ident),
        ImplItem::Fn(function) => is_plain(function).then_some(&function.sig.ident),
        _ => None,
    });
    let implied = quote_spanned! {path.span()=>
        fn implied<'__amp_lent, #(#lifetimes,)* __AmpSelf: #path, #params>() #clause {
            #name().implied(::core::marker::PhantomData::<__AmpSelf>);
            #(let _ = __AmpSelf::#members;)*
        }
    };
    // Where no import brings another one.
    let none = quote! {
        mod __amp_none {
            pub const fn #name() -> ::amp::__private::NoTrait {
                ::amp::__private::NoTrait
            }
        }
        use __amp_none::*;
    };
    let (none, imports) = match is_beside {
        true => (None, None),
        false => (Some(none), Some(quote!(use #around::*;))),
    };
    let function = quote! {
        #[allow(dead_code, non_snake_case, unused_imports)]
        pub fn of_trait<__AmpTrait>() -> impl ::core::marker::Sized {
            #none
            {
                #imports
                #implied
                ::amp::__private::OfTrait::<_, __AmpTrait>::of(#name)
            }
        }
    };
    defined(id, &function, &quote!())
}

/// What compiles if a block whose trait no module is known to have is of the standard library's trait of
/// that name: where the type of an operand is a parameter, nothing else proves what an operator calls.
pub(super) fn is_of_library(block: &ItemImpl, path: &Path) -> Option<TokenStream> {
    let last = path.segments.last()?;
    let name = &last.ident;
    let module = match &*name.to_string() {
        "PartialEq" | "PartialOrd" | "Ord" => quote!(cmp),
        "From" | "TryFrom" => quote!(convert),
        "Default" => quote!(default),
        "Iterator" => quote!(iter),
        name if is_operator(name) => quote!(ops),
        _ => return None,
    };
    let mut path = path.clone();
    Lent.visit_path_mut(&mut path);
    let arguments = &path.segments.last()?.arguments;
    let generics = lent(&block.generics);
    let (params, clause) = (&generics.params, &generics.where_clause);
    let names = names(&generics.params);
    Some(quote_spanned! {path.span()=>
        #[allow(dead_code, clippy::all)]
        const _: () = {
            fn is<'__amp_lent, __AmpSelf: ::core::#module::#name #arguments, #params>() #clause {}
            fn implied<'__amp_lent, __AmpSelf: #path, #params>() #clause {
                is::<__AmpSelf, #(#names),*>();
            }
        };
    })
}

/// Whether a function of a block can be named without more than the type, as one of the block's trait.
fn is_plain(function: &ImplItemFn) -> bool {
    let generics = &function.sig.generics;
    let has_parameters = !without_lifetimes(generics).params.is_empty();
    let name = function.sig.ident.to_string();
    !has_parameters && generics.where_clause.is_none() && !OF_LIBRARY.contains(&&*name)
}

/// Functions that traits of the library have, by which one's own trait may be bounded.
const OF_LIBRARY: &[&str] = &[
    "clone",
    "clone_from",
    "eq",
    "ne",
    "partial_cmp",
    "lt",
    "le",
    "gt",
    "ge",
    "cmp",
    "max",
    "min",
    "clamp",
    "hash",
    "default",
    "from",
    "into",
    "try_from",
    "try_into",
    "as_ref",
    "fmt",
    "next",
    "neg",
    "not",
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "bitand",
    "bitor",
    "bitxor",
    "shl",
    "shr",
    "add_assign",
    "sub_assign",
    "mul_assign",
    "div_assign",
    "rem_assign",
    "index",
    "index_mut",
];

/// Whether a trait of `std::ops` has this name.
fn is_operator(name: &str) -> bool {
    let name = name.strip_suffix("Assign").unwrap_or(name);
    let all = [
        "Add", "Sub", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor", "Shl", "Shr",
    ];
    all.contains(&name) || matches!(name, "Neg" | "Not" | "Index" | "IndexMut")
}

/// An item that compiles if a block is of a trait.
pub(super) fn is_of_trait(block: &str, of_trait: &str, span: Span) -> TokenStream {
    let (block, of_trait) = (item_of(block, span), item_of(of_trait, span));
    quote_spanned! {span=>
        #[allow(clippy::all)]
        const _: () = ::amp::__private::holds(|| <#block>::of_trait::<#of_trait>());
    }
}

/// The parameters of a trait or its function where its type has another name.
fn with_self(generics: &Generics) -> Generics {
    struct Renamed;
    impl VisitMut for Renamed {
        fn visit_ident_mut(&mut self, name: &mut Ident) {
            if name == "Self" {
                *name = Ident::new("__AmpSelf", name.span());
            }
        }
    }
    let mut generics = without_lifetimes(generics);
    Renamed.visit_generics_mut(&mut generics);
    generics
}
