//! `#[amp_struct]` on a struct with views: how kernels take it, and what their host versions see in
//! its stead.
//!
//! ```text
//! struct Bodies<'a> {                        struct __AmpHostVersionOfBodies<'a> {
//!     position: ArrayView<'a, Vec3, 1>,          position: cpu::ArrayView<'a, Vec3, 1>,
//!     mass: f32,                                 mass: f32,
//! }                                          }
//! ```
//!
//! A host version names the second through the trait `Bundle` of the first, so that code that imports
//! the one has the other; only methods, which stand beside both, name it themselves.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Expr, ExprField, FnArg, GenericArgument, ImplItem, Item, ItemImpl, ItemStruct, Lifetime,
    PathArguments, Receiver, ReceiverKind, Type, parse_quote, parse_quote_spanned,
    spanned::Spanned,
};

use super::borrowing;
use super::host_version::{HostVersion, view_path_of_cpu};
use crate::{
    infer::{FunctionDef, Meaning, NodeId, Program, Ty},
    language::name::path_key,
};

/// The name of the host version's struct.
pub fn host_version_name(name: &Ident) -> Ident {
    format_ident!("__AmpHostVersionOf{}", name)
}

/// What stands beside a struct with views, the last of the program.
pub fn expand(item: &ItemStruct, program: &Program) -> TokenStream {
    let Some((index, definition)) = program.structs.iter().enumerate().next_back() else {
        return TokenStream::new();
    };
    let is_writable = program.is_writable_bundle(index);
    let name = &item.ident;
    let host_version = host_version_name(name);
    let life = Lifetime::new("'amp_data", proc_macro2::Span::call_site());
    let parts: Vec<Part> = item
        .fields
        .iter()
        .zip(item.fields.members())
        .zip(&definition.fields)
        .enumerate()
        .map(|(position, ((field, member), (_, ty)))| Part {
            member,
            name: format_ident!("part_{position}"),
            ty: renamed(&field.ty, &life),
            is_value: !matches!(ty, Ty::View(_) | Ty::Bundle(_)),
        })
        .collect();
    let host_version_item = host_version_item(item, &definition.fields, is_writable);
    let slots = parts.iter().map(Part::slots);
    let names: Vec<_> = parts.iter().map(|part| &part.name).collect();
    let members: Vec<_> = parts.iter().map(|part| &part.member).collect();
    let opened = parts.iter().map(Part::opened);
    let copied = parts.iter().map(Part::for_thread);
    let borrowed: Vec<_> = parts.iter().map(|part| part.bound(true)).collect();
    let owned = parts.iter().map(|part| part.bound(false));
    let lent: Vec<_> = parts.iter().map(Part::lent).collect();
    let lenders = parts.iter().filter(|part| !part.is_value);
    let lenders = lenders.map(|part| &part.member);
    let shared = (!is_writable).then(|| {
        quote! {
            impl<'amp, #life> ::amp::__private::Bind<'amp> for &'amp #name<#life> {
                type Slots = <#name<#life> as ::amp::__private::Bundle>::Slots;

                fn bind(self, binding: &mut ::amp::__private::Binding<'amp>) -> Self::Slots {
                    let #name { #(#members: #names),* } = self;
                    (#(#borrowed,)*)
                }
            }
        }
    });
    quote! {
        #item
        #host_version_item
        impl<#life> ::amp::__private::Bundle for #name<#life> {
            type HostVersion<'amp_launch> = #host_version<'amp_launch>;
            type Slots = (#(#slots,)*);

            #[inline(always)]
            fn open<'amp_launch>(
                (#(#names,)*): Self::Slots,
                views: ::amp::__private::cpu::Views<'amp_launch>,
            ) -> Self::HostVersion<'amp_launch> {
                #host_version { #(#members: #opened),* }
            }

            #[inline(always)]
            fn for_thread<'amp_launch>(
                #host_version { #(#members: #names),* }: &Self::HostVersion<'amp_launch>,
            ) -> Self::HostVersion<'amp_launch> {
                #host_version { #(#members: #copied),* }
            }
        }
        impl<'amp, #life> ::amp::__private::Lent for &'amp #name<#life> {
            type HostVersion = #host_version<'amp>;

            #[track_caller]
            fn lent(self) -> #host_version<'amp> {
                let #name { #(#members: #names),* } = self;
                #host_version { #(#members: #lent),* }
            }
        }
        impl<'amp, #life> ::amp::__private::Lent for &'amp mut #name<#life> {
            type HostVersion = #host_version<'amp>;

            #[track_caller]
            fn lent(self) -> #host_version<'amp> {
                let #name { #(#members: #names),* } = self;
                #host_version { #(#members: #lent),* }
            }
        }
        impl<#life> ::amp::__private::Lender for #name<#life> {
            fn find<__AmpElement, const M: ::core::primitive::usize>(
                &self,
                place: &::amp::__private::cpu::Located<__AmpElement, M>,
            ) -> ::core::option::Option<::amp::__private::Found<'_, M>> {
                ::core::option::Option::None
                    #(.or_else(|| ::amp::__private::Lender::find(&self.#lenders, place)))*
            }
        }
        #shared
        impl<'amp, #life> ::amp::__private::Bind<'amp> for &'amp mut #name<#life> {
            type Slots = <#name<#life> as ::amp::__private::Bundle>::Slots;

            fn bind(self, binding: &mut ::amp::__private::Binding<'amp>) -> Self::Slots {
                let #name { #(#members: #names),* } = self;
                (#(#borrowed,)*)
            }
        }
        impl<#life> ::amp::__private::Bind<#life> for #name<#life> {
            type Slots = <#name<#life> as ::amp::__private::Bundle>::Slots;

            fn bind(self, binding: &mut ::amp::__private::Binding<#life>) -> Self::Slots {
                let #name { #(#members: #names),* } = self;
                (#(#owned,)*)
            }
        }
    }
}

/// A field.
struct Part {
    member: syn::Member,
    /// Its variable.
    name: Ident,
    /// Its type, with the lifetime that this file writes.
    ty: Type,
    is_value: bool,
}

impl Part {
    /// Type of what the host version finds it by: a value is that itself.
    fn slots(&self) -> TokenStream {
        let ty = &self.ty;
        match self.is_value {
            true => quote!(#ty),
            false => quote!(<#ty as ::amp::__private::Bundle>::Slots),
        }
    }

    fn opened(&self) -> TokenStream {
        let Part { name, ty, .. } = self;
        match self.is_value {
            true => quote!(#name),
            false => quote!(<#ty as ::amp::__private::Bundle>::open(#name, views)),
        }
    }

    fn for_thread(&self) -> TokenStream {
        let Part { name, ty, .. } = self;
        match self.is_value {
            true => quote!(*#name),
            false => quote!(<#ty as ::amp::__private::Bundle>::for_thread(#name)),
        }
    }

    fn lent(&self) -> TokenStream {
        let name = &self.name;
        match self.is_value {
            true => quote!(*#name),
            false => quote!(::amp::__private::Lent::lent(#name)),
        }
    }

    fn bound(&self, borrowed: bool) -> TokenStream {
        let name = &self.name;
        match (self.is_value, borrowed) {
            (true, true) => quote!({ binding.value(*#name); *#name }),
            (true, false) => quote!({ binding.value(#name); #name }),
            (false, _) => quote!(::amp::__private::Bind::bind(#name, binding)),
        }
    }
}

/// The struct that the host version has.
fn host_version_item(item: &ItemStruct, fields: &[(String, Ty)], is_writable: bool) -> TokenStream {
    let mut host_version = item.clone();
    host_version.attrs = vec![
        parse_quote!(#[doc(hidden)]),
        parse_quote!(#[allow(dead_code, missing_debug_implementations)]),
    ];
    if !is_writable {
        host_version
            .attrs
            .push(parse_quote!(#[derive(::core::clone::Clone, ::core::marker::Copy)]));
    }
    host_version.ident = host_version_name(&item.ident);
    let lifetime = item
        .generics
        .lifetimes()
        .next()
        .map(|param| param.lifetime.clone());
    for (field, (_, ty)) in host_version.fields.iter_mut().zip(fields) {
        field.attrs.clear();
        match (&mut field.ty, ty) {
            (Type::Path(path), Ty::View(_)) => {
                let lifetime = lifetime.iter();
                view_path_of_cpu(&mut path.path, &quote!(#(#lifetime)*));
            }
            (ty, Ty::Bundle(_)) => {
                let (inner, lifetime) = (&*ty, lifetime.iter());
                *ty = parse_quote_spanned! {inner.span()=>
                    <#inner as ::amp::__private::Bundle>::HostVersion<#(#lifetime)*>
                };
            }
            _ => {}
        }
    }
    quote!(#host_version)
}

/// A field's type with another lifetime.
fn renamed(ty: &Type, lifetime: &Lifetime) -> Type {
    let mut ty = ty.clone();
    if let Type::Path(path) = &mut ty
        && let Some(last) = path.path.segments.last_mut()
        && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
    {
        for argument in &mut arguments.args {
            if let GenericArgument::Lifetime(own) = argument {
                *own = lifetime.clone();
            }
        }
    }
    ty
}

/// `self: &mut T` as `&mut self`, which says it of whatever type the block is for.
pub fn without_type(receiver: &mut Receiver) {
    if let ReceiverKind::Typed(_, ty) = &receiver.kind {
        receiver.kind = match &**ty {
            Type::Reference(reference) => {
                ReceiverKind::Reference(reference.and_token, None, reference.mutability)
            }
            _ => ReceiverKind::Value,
        };
    }
}

/// What the host version has in the place of a parameter that takes a bundle.
pub fn parameter(input: &mut FnArg, function: &FunctionDef, position: usize) {
    let Some(param) = function.params.get(position) else {
        return;
    };
    if !matches!(param.ty.target(), Ty::Bundle(_)) {
        return;
    }
    match input {
        // It stands in an `impl` of the host version's struct.
        FnArg::Receiver(receiver) => without_type(receiver),
        FnArg::Typed(typed) => {
            let target = match &mut *typed.ty {
                Type::Reference(reference) => &mut *reference.elem,
                ty => ty,
            };
            let own = &*target;
            *target = Type::Verbatim(
                quote_spanned!(own.span()=> <#own as ::amp::__private::Bundle>::HostVersion<'_>),
            );
        }
    }
}

impl HostVersion<'_> {
    /// `Bodies::function` as a path to the function of the host version's struct.
    pub(super) fn function_of_host_version(&self, function: &Expr) -> Option<Expr> {
        let Expr::Path(path) = function else {
            return None;
        };
        let name = &path.path.segments.last()?.ident;
        let mut owner = path.path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        match self.function.names.get(&path_key(&owner))? {
            Meaning::Struct(index) if self.program.structs[index].is_bundle => {
                Some(Expr::Verbatim(quote_spanned! {function.span()=>
                    <<#owner as ::amp::__private::Bundle>::HostVersion<'_>>::#name
                }))
            }
            _ => None,
        }
    }

    /// Whether a field is a writable view, in a struct that is only read: then it is used
    /// as the view that only reads, to which it dereferences.
    pub(super) fn is_only_read(&self, node: NodeId, field: &ExprField) -> bool {
        let typed = &self.function.typed;
        let (Some(Ty::View(found)), Ty::Bundle(index)) =
            (&typed.of(node).ty, typed.ty(&field.base))
        else {
            return false;
        };
        let declared = self.program.field(*index, &field.member);
        !found.mutable && matches!(declared, Some((_, Ty::View(view))) if view.mutable)
    }
}

/// The structs with views among these items.
pub fn names<'a>(items: impl IntoIterator<Item = &'a Item>) -> Vec<Ident> {
    let items: Vec<&Item> = items.into_iter().collect();
    let borrowing = borrowing::names(items.iter().copied());
    let structs = items.into_iter().filter_map(|item| match item {
        Item::Struct(item) if item.generics.lifetimes().next().is_some() => Some(&item.ident),
        _ => None,
    });
    let bundles = structs.filter(|name| !borrowing.contains(&name.to_string()));
    bundles.cloned().collect()
}

/// Whether a block is of one of these structs.
pub fn is_one(block: &ItemImpl, bundles: &[Ident]) -> bool {
    match &*block.self_ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| bundles.contains(&last.ident)),
        _ => false,
    }
}

/// Has functions of such a block be no constant ones: rustc reaches them by a dereference alone.
pub fn without_const(member: &mut Item, bundles: &[Ident]) {
    let Item::Impl(block) = member else { return };
    if is_one(block, bundles) {
        for part in &mut block.items {
            if let ImplItem::Fn(function) = part {
                function.sig.constness = None;
            }
        }
    }
}

/// Makes an `impl` block of a module that of the host version's struct, if its type is one of
/// these. Its constants stay with the user's, for rustc to compute: these come back.
pub fn redirect(block: &mut ItemImpl, bundles: &[Ident]) -> Option<ItemImpl> {
    if !is_one(block, bundles) {
        return None;
    }
    let mut constants = block.clone();
    let Type::Path(path) = &mut *block.self_ty else {
        return None;
    };
    let last = path.path.segments.last_mut()?;
    last.ident = host_version_name(&last.ident);
    let is_constant = |part: &ImplItem| matches!(part, ImplItem::Const(_));
    block.items.retain(|part| !is_constant(part));
    constants.items.retain(is_constant);
    Some(constants).filter(|constants| !constants.items.is_empty())
}
