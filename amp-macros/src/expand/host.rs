//! Helpers whose parameters the host has otherwise than kernels: views, structs with views, and
//! references to places that other threads use.
//!
//! ```text
//! fn trace(ray: Ray, spheres: &ArrayView<Sphere, 1>) -> Vec3 {      what the user wrote
//!     <item>::host_version(PhantomData, ray, &lent(spheres))
//! }
//! fn host_version(_: PhantomData<()>, ray: Ray, spheres: &cpu::ArrayView<'_, Sphere, 1>) -> Vec3 {
//! .. }
//! ```
//!
//! The body stands in the host version, which kernels call. What is a fault there is a panic on the
//! host.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, FnArg, GenericArgument, GenericParam, Generics, ItemFn, Pat, PathArguments,
    ReturnType, Type, TypeParam, TypeParamBound, parse_quote, punctuated::Punctuated,
};

use super::{
    claim::{item_of, parameters_of},
    view,
};
use crate::{
    infer::{FunctionDef, ParamDef, Ty, source_of_view},
    language::returned::{self, EACH, ITEM},
};

/// The attributes that say how rustc treats a body.
const OF_BODY: &[&str] = &["allow", "warn", "deny", "expect", "forbid", "inline"];

/// The function that the host calls.
pub(super) fn function(id: &str, mut item: ItemFn, function: &FunctionDef) -> ItemFn {
    let item_of = item_of(id, item.sig.ident.span());
    let parameters = parameters_of(&item.sig.generics);
    let mut names: Vec<Ident> = Vec::new();
    for input in &mut item.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Pat::Ident(pattern) = &mut *typed.pat else {
            continue;
        };
        pattern.mutability = None;
        names.push(pattern.ident.clone());
        with_rank(&mut typed.ty);
    }
    let arguments = function.params.iter().zip(&names).map(lent);
    let call = quote! {
        <#item_of>::host_version(::core::marker::PhantomData::<#parameters>, #(#arguments),*)
    };
    let body = match (&function.result, source_of_view(&function.params)) {
        (Ty::View(view), Some(source)) => {
            let (source, found) = (
                &names[source],
                match view.mutable {
                    true => quote!(found_mut),
                    false => quote!(found),
                },
            );
            quote! {
                let __amp_place = #call.located();
                ::amp::__private::#found(#source, &__amp_place)
            }
        }
        _ => call,
    };
    view::result_of_host(&mut item, function);
    *item.block = parse_quote!({ #body });
    item.attrs.push(parse_quote!(#[track_caller]));
    item.attrs.push(parse_quote!(#[allow(clippy::all)]));
    item
}

/// The argument that the host version takes for a parameter of the function.
fn lent((param, name): (&ParamDef, &Ident)) -> TokenStream {
    let is_part = |ty: &Ty| matches!(ty, Ty::View(_) | Ty::Bundle(_));
    let lent = quote!(::amp::__private::Lent::lent);
    match &param.ty {
        Ty::View(view) if view.mutable => quote!(&mut #lent(&mut *#name)),
        Ty::View(_) => quote!(&#lent(&*#name)),
        Ty::Reference { mutable, target } if is_part(target) => match mutable {
            true => quote!(&mut #lent(&mut *#name)),
            false => quote!(&#lent(&*#name)),
        },
        ty if is_part(ty) => quote!(#lent(&mut { #name })),
        _ => quote!(#name),
    }
}

/// Writes the rank of a view that says none.
fn with_rank(ty: &mut Type) {
    if let Type::Reference(reference) = ty
        && let Type::Path(path) = &mut *reference.elem
        && let Some(last) = path.path.segments.last_mut()
        && (last.ident == "ArrayView" || last.ident == "ArrayViewMut")
        && let syn::PathArguments::AngleBracketed(arguments) = &mut last.arguments
        && arguments.args.len() == 1
    {
        arguments.args.push(parse_quote!(1));
    }
}

/// A function that returns an iterator or a closure, with the type parameters that the user wrote.
pub(super) fn without_returned(mut item: ItemFn) -> ItemFn {
    let each = item.sig.inputs.iter().find_map(|input| match input {
        FnArg::Typed(typed) if returned::name_of(input).is_some_and(|name| name == EACH) => {
            Some(&typed.ty)
        }
        _ => None,
    });
    if let Some(Type::Path(each)) = each.map(|ty| &**ty) {
        let params = item.sig.generics.params.into_iter();
        item.sig.generics.params = params
            .filter(
                |param| !matches!(param, GenericParam::Type(of) if each.path.is_ident(&of.ident)),
            )
            .collect();
    }
    item
}

/// The path of a function that takes iterators, with one without items for each, and the function without the type
/// parameters of these.
pub(super) fn without_taken(mut item: ItemFn) -> (TokenStream, ItemFn) {
    let taken = |param: &TypeParam| {
        let input = item.sig.inputs.iter().find(|input| {
            let name = returned::name_of(input).and_then(returned::taken);
            name.is_some() && matches!(input, FnArg::Typed(typed) if is_parameter(&typed.ty, param))
        })?;
        let taken = returned::name_of(input).and_then(returned::taken)?;
        Some(nothing_of(made(param)?, taken.by_reference))
    };
    let (mut arguments, mut others) = (Vec::new(), Punctuated::new());
    for param in &item.sig.generics.params {
        let mut is_other = true;
        match param {
            GenericParam::Type(of) => match taken(of) {
                Some(nothing) => {
                    arguments.push(nothing);
                    is_other = false;
                }
                None if of.ident.to_string().starts_with(ITEM) => {}
                None => arguments.push(of.ident.to_token_stream()),
            },
            GenericParam::Const(of) => arguments.push(of.ident.to_token_stream()),
            GenericParam::Lifetime(_) => {}
        }
        if is_other {
            others.push(param.clone());
        }
    }
    let name = &item.sig.ident;
    let path = match arguments.is_empty() {
        true => quote!(#name),
        false => quote!(#name::<#(#arguments),*>),
    };
    item.sig.generics.params = others;
    (path, item)
}

fn is_parameter(ty: &Type, param: &TypeParam) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(&param.ident))
}

/// What a function that is given makes an `Option` of.
fn made(param: &TypeParam) -> Option<&GenericArgument> {
    param.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let PathArguments::Parenthesized(f) = &bound.path.segments.last()?.arguments else {
            return None;
        };
        let ReturnType::Type(_, output) = &f.output else {
            return None;
        };
        let Type::Path(option) = &**output else {
            return None;
        };
        match &option.path.segments.last()?.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.first(),
            _ => None,
        }
    })
}

/// The type of an iterator without items of a type, or without references to it.
fn nothing_of(item: &GenericArgument, by_reference: bool) -> TokenStream {
    let by_reference = by_reference.then(|| quote!(&'__amp_lent));
    quote!(::core::iter::Empty<#by_reference #item>)
}

/// The function that kernels call, of the rewritten item, which has these parameters for its callers.
pub(super) fn host_version(mut item: ItemFn, generics: &Generics) -> ItemFn {
    let parameters = parameters_of(generics);
    let is_of_body = |attribute: &Attribute| {
        let path = attribute.path();
        OF_BODY.iter().any(|name| path.is_ident(name))
    };
    item.attrs.retain(is_of_body);
    item.attrs
        .push(parse_quote!(#[allow(unused_parens, unused_braces, clippy::all)]));
    item.vis = parse_quote!(pub);
    item.sig.constness = None;
    item.sig.ident = format_ident!("host_version", span = item.sig.ident.span());
    item.sig
        .inputs
        .insert(0, parse_quote!(_: ::core::marker::PhantomData<#parameters>));
    item
}
