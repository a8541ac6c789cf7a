//! What stands beside an exported item: the claim that something else is the same.
//!
//! `amp_runtime::resolved` finds it by the item's id:
//!
//! ```text
//! const _: () = {
//!     pub struct __AmpItem;
//!     impl Defined<__AmpItem> for Id<17> { type Item = __AmpItem; }
//!     impl __AmpItem {
//!         pub fn same<Other>(_: Other) -> impl Sized { Claim::<Other, _>::of(sq) }
//!     }
//! };
//! ```
//!
//! Those of traits are in `interface.rs`, of the functions of blocks in `method.rs`, and the proofs
//! that use it in `resolved.rs`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    ExprPath, GenericArgument, GenericParam, Generics, ImplItemConst, ItemEnum, ItemFn, ItemImpl,
    ItemStruct, Lifetime, PathArguments, Token, Type, parse_quote, punctuated::Punctuated,
};

use crate::{
    import::number,
    visit::{self, VisitMut},
};

/// What stands beside an exported item, with these functions and more.
pub(super) fn defined(id: &str, functions: &TokenStream, more: &TokenStream) -> TokenStream {
    let id = number(id);
    quote! {
        #[allow(
            missing_debug_implementations, non_local_definitions, private_bounds,
            private_interfaces, clippy::all
        )]
        const _: () = {
            #[doc(hidden)]
            pub struct __AmpItem;
            impl ::amp::__private::Defined<__AmpItem> for ::amp::__private::Id<#id> {
                type Item = __AmpItem;
            }
            impl __AmpItem { #functions }
            #more
        };
    }
}

/// By what an item is known whose id this is.
pub(super) fn item_of(id: &str, span: Span) -> TokenStream {
    let id = number(id);
    quote_spanned!(span=>
        <::amp::__private::Id<#id> as ::amp::__private::Defined<_>>::Item
    )
}

/// The parameters of a function as one type.
pub(super) fn parameters_of(generics: &Generics) -> TokenStream {
    let types = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some({
            let name = &param.ident;
            quote!(#name)
        }),
        // rustc refuses constants of all types but those that have one name.
        GenericParam::Const(param) => match &param.ty {
            Type::Path(path) => path.path.get_ident().map(|ty| {
                let name = &param.ident;
                quote!(::amp::__private::constant::#ty<#name>)
            }),
            _ => None,
        },
        GenericParam::Lifetime(_) => None,
    });
    quote!((#(#types,)*))
}

/// What stands beside a function. The host version, if it has one of its own, takes the parameters of the function
/// before all else; a path says which function of the host it is.
pub(super) fn function(
    id: &str,
    item: &ItemFn,
    host_version: Option<(TokenStream, &ItemFn)>,
) -> TokenStream {
    let generics = &item.sig.generics;
    let Some((path, host_version)) = host_version else {
        let same = same(&item.sig.ident, generics, None);
        return defined(id, &same, &quote!());
    };
    let parameters = parameters_of(generics);
    let witness = quote!(_: ::core::marker::PhantomData<#parameters>);
    let same = claim(&path, &Generics::default(), generics, Some(witness));
    defined(id, &quote!(#same #host_version), &quote!())
}

/// The claim that what is passed is the function of this name.
fn same(name: &Ident, generics: &Generics, witness: Option<TokenStream>) -> TokenStream {
    claim(&quote!(#name), generics, generics, witness)
}

/// The claim that what is passed is what a path and the parameters of its last part lead to, where
/// these `generics` are known.
pub(super) fn claim(
    path: &TokenStream,
    last: &Generics,
    generics: &Generics,
    witness: Option<TokenStream>,
) -> TokenStream {
    let params = without_lifetimes(generics).params;
    let last = without_lifetimes(last);
    let (_, arguments, _) = last.split_for_impl();
    let (arguments, clause) = (arguments.as_turbofish(), &generics.where_clause);
    let names = names(&params);
    quote! {
        pub fn same<'__amp_lent, __AmpOther, #params>(_: __AmpOther, #witness)
            -> impl ::core::marker::Sized + use<'__amp_lent, __AmpOther, #(#names),*> #clause
        {
            ::amp::__private::Claim::<__AmpOther, _>::of(#path #arguments)
        }
    }
}

/// The parameters that are no lifetimes, without defaults, as functions declare them.
pub(super) fn without_lifetimes(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    for param in &mut generics.params {
        match param {
            GenericParam::Type(param) => param.default = None,
            GenericParam::Const(param) => param.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    generics.params = generics
        .params
        .into_iter()
        .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
        .collect();
    generics
}

/// The names of parameters that are no lifetimes.
pub(super) fn names(params: &Parameters) -> Vec<&Ident> {
    let names = params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    });
    names.collect()
}

type Parameters = Punctuated<GenericParam, Token![,]>;

/// Gives each reference, and what borrows, the lifetime `'__amp_lent`, where rustc elides none: any lifetime, since a type
/// parameter need not be `'static`.
pub(super) struct Lent;

impl VisitMut for Lent {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Reference(reference) = ty {
            reference
                .lifetime
                .get_or_insert_with(|| parse_quote!('__amp_lent));
        }
        for lifetime in lifetimes_of(ty) {
            *lifetime = parse_quote!('__amp_lent);
        }
        visit::visit_type_mut(self, ty);
    }
}

/// Has rustc find the lifetimes of a type that borrows.
fn elide(ty: &mut Type) {
    for lifetime in lifetimes_of(ty) {
        *lifetime = parse_quote!('_);
    }
}

/// The lifetimes that a path ends with.
fn lifetimes_of(ty: &mut Type) -> impl Iterator<Item = &mut Lifetime> {
    let last = match ty {
        Type::Path(path) => path.path.segments.last_mut(),
        _ => None,
    };
    let arguments = last.and_then(|last| match &mut last.arguments {
        PathArguments::AngleBracketed(arguments) => Some(arguments.args.iter_mut()),
        _ => None,
    });
    let arguments = arguments.into_iter().flatten();
    arguments.filter_map(|argument| match argument {
        GenericArgument::Lifetime(lifetime) => Some(lifetime),
        _ => None,
    })
}

/// The parameters, without lifetimes, of what declares `'__amp_lent`: each type lives as long.
pub(super) fn lent(generics: &Generics) -> Generics {
    let mut generics = without_lifetimes(generics);
    for param in generics.type_params_mut() {
        param.bounds.push(parse_quote!('__amp_lent));
    }
    generics
}

/// What stands beside a struct.
pub(super) fn structure(id: &str, item: &ItemStruct, is_bundle: bool) -> TokenStream {
    let (name, generics) = (&item.ident, &item.generics);
    let stand_ins = stand_ins(generics, Span::call_site());
    let constructor =
        matches!(item.fields, syn::Fields::Unnamed(_)).then(|| same(name, generics, None));
    // Kernels make no struct with views.
    let constructor = constructor.filter(|_| !is_bundle);
    defined(
        id,
        &quote! {
            pub fn same_type<__AmpOther>() -> impl ::core::marker::Sized {
                ::amp::__private::Claim::<__AmpOther, #name #stand_ins>::of_type()
            }
            #constructor
        },
        &type_of(id, name, generics),
    )
}

/// What leads from the id of a type to the type.
fn type_of(id: &str, name: &Ident, generics: &Generics) -> TokenStream {
    let id = number(id);
    let applied = parameters_of(generics);
    let (parameters, arguments, clause) = generics.split_for_impl();
    quote! {
        impl #parameters ::amp::__private::TypeOf<#name #arguments, #applied>
            for ::amp::__private::Id<#id> #clause
        {
            type Type = #name #arguments;
        }
    }
}

/// What stands beside an enum.
pub(super) fn enumeration(id: &str, item: &ItemEnum) -> TokenStream {
    let name = &item.ident;
    let stand_ins = stand_ins(&item.generics, Span::call_site());
    defined(
        id,
        &quote! {
            pub fn same_type<__AmpOther>() -> impl ::core::marker::Sized {
                ::amp::__private::Claim::<__AmpOther, #name #stand_ins>::of_type()
            }
        },
        &type_of(id, name, &item.generics),
    )
}

/// What stands beside a function of a block, which has these parameters of its own.
pub(super) fn method(
    id: &str,
    (block, is_of_bundle): (&ItemImpl, bool),
    name: &Ident,
    own: &Generics,
) -> TokenStream {
    let mut block = block.clone();
    Lent.visit_type_mut(&mut block.self_ty);
    let owner = owner_of(&block);
    let mut path: ExprPath = parse_quote!(#owner::#name);
    let mut generics = block.generics.clone();
    generics.params.extend(own.params.iter().cloned());
    if let Some(clause) = &own.where_clause {
        let all = &mut generics.make_where_clause().predicates;
        all.extend(clause.predicates.iter().cloned());
    }
    let same = match is_of_bundle {
        // The host version's is another type.
        true => quote!(
            pub fn same<__AmpOther>(_: __AmpOther) {}
        ),
        false => {
            Lent.visit_expr_path_mut(&mut path);
            claim(&quote!(#path), own, &lent(&generics), None)
        }
    };
    defined(id, &same, &quote!())
}

/// What stands beside a constant of a block that kernels compute: its value.
pub(super) fn constant(id: &str, block: &ItemImpl, constant: &ImplItemConst) -> TokenStream {
    let (name, ty) = (&constant.ident, &constant.ty);
    let mut elided = block.clone();
    elide(&mut elided.self_ty);
    let owner = owner_of(&elided);
    let generics = without_lifetimes(&block.generics);
    let (params, clause) = (&generics.params, &generics.where_clause);
    let value = quote!(pub const fn value<#params>() -> #ty #clause { #owner::#name });
    defined(id, &value, &quote!())
}

/// By what the functions and constants of a block are known.
pub(super) fn owner_of(block: &ItemImpl) -> TokenStream {
    let ty = &block.self_ty;
    match &block.trait_ {
        Some((of_trait, _)) => quote!(<#ty as #of_trait>),
        None => quote!(<#ty>),
    }
}

/// Arguments for the parameters of a struct, whatever they are bounded by.
pub(super) fn stand_ins(generics: &Generics, span: Span) -> TokenStream {
    if generics.params.is_empty() {
        return TokenStream::new();
    }
    let arguments = generics.params.iter().map(|param| match param {
        GenericParam::Lifetime(_) => quote!('static),
        GenericParam::Type(_) => quote!(::core::primitive::f32),
        GenericParam::Const(_) => quote!(1),
    });
    quote_spanned!(span=> <#(#arguments),*>)
}
