//! How a kernel's arguments are passed: what the binding takes, and what the host version gets.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{GenericArgument, PathArguments, Type, TypePath, spanned::Spanned};

use crate::infer::has_lifetime;

/// See the module's documentation. A kernel's parameter says by its type alone which it is.
pub(super) enum Passed {
    /// `x: f32`
    Value,
    /// `a: &ArrayView<T, N>`, `a: &mut ArrayViewMut<T, N>`
    View { mutable: bool },
    /// `p: &Bodies`, `p: &mut Bodies`, `p: Bodies<'_>`: a struct with views, with what
    /// stands before it and without.
    Bundle {
        reference: TokenStream,
        ty: Box<Type>,
    },
}

impl Passed {
    /// How a parameter of this type is passed, and the type that the binding has for it.
    pub(super) fn of(ty: &Type) -> (Self, TokenStream) {
        if let Some((arguments, mutable)) = view_arguments(ty) {
            let source = match mutable {
                false => quote!(&'amp impl ::amp::__private::ReadSource<#arguments>),
                true => quote!(&'amp mut impl ::amp::__private::WriteSource<#arguments>),
            };
            return (Passed::View { mutable }, source);
        }
        match ty {
            Type::Reference(reference) => {
                let (mutability, target) = (&reference.mutability, &*reference.elem);
                let kind = Passed::Bundle {
                    reference: quote!(& #mutability),
                    ty: Box::new(target.clone()),
                };
                (kind, quote!(&'amp #mutability #target))
            }
            Type::Path(path) if has_lifetime(ty) => {
                let kind = Passed::Bundle {
                    reference: TokenStream::new(),
                    ty: Box::new(ty.clone()),
                };
                let path = for_the_kernel(path);
                (kind, quote!(#path))
            }
            _ => (Passed::Value, quote!(#ty)),
        }
    }

    /// The statement that binds the argument of this name.
    pub(super) fn bound(&self, name: &Ident) -> TokenStream {
        match self {
            Passed::Value => quote!(__amp_binding.value(#name);),
            Passed::View { mutable: false } => quote!(let #name = __amp_binding.read(#name);),
            Passed::View { mutable: true } => quote!(let #name = __amp_binding.write(#name);),
            Passed::Bundle { .. } => {
                quote!(let #name = ::amp::__private::Bind::bind(#name, &mut __amp_binding);)
            }
        }
    }

    /// The type of what [`Passed::bound`] leaves in the variable, for a parameter of this type.
    pub(super) fn slot(&self, ty: &Type) -> TokenStream {
        match self {
            Passed::Value => quote!(#ty),
            Passed::View { mutable } => {
                let slot = match mutable {
                    false => quote!(ReadSlot),
                    true => quote!(WriteSlot),
                };
                let arguments = view_arguments(ty).map(|(arguments, _)| arguments);
                quote!(::amp::__private::cpu::#slot<#arguments>)
            }
            Passed::Bundle { ty, .. } => quote!(<#ty as ::amp::__private::Bundle>::Slots),
        }
    }

    /// The statement that makes what the threads of a piece share of what [`Passed::bound`] left in
    /// the variable.
    pub(super) fn opened(&self, name: &Ident) -> TokenStream {
        match self {
            Passed::Value => quote!(let #name = #name;),
            Passed::View { mutable: false } => quote!(let #name = __amp_views.read(#name);),
            Passed::View { mutable: true } => quote!(let #name = __amp_views.write(#name);),
            Passed::Bundle { ty, .. } => {
                quote!(let #name = <#ty as ::amp::__private::Bundle>::open(#name, __amp_views);)
            }
        }
    }

    /// The host version's argument for what [`Passed::opened`] left in the variable, or for what a
    /// thread has for itself.
    pub(super) fn passed(&self, name: &Ident, has_own: bool) -> TokenStream {
        match self {
            Passed::View { mutable: false } if has_own => quote!(&#name),
            Passed::View { mutable: true } if has_own => quote!(&mut { #name }),
            Passed::Value => quote!(#name),
            Passed::View { mutable: false } => quote!(&#name.for_thread()),
            Passed::View { mutable: true } => quote!(&mut #name.for_thread()),
            Passed::Bundle { reference, ty } => {
                quote!(#reference <#ty as ::amp::__private::Bundle>::for_thread(&#name))
            }
        }
    }
}

/// The path with the kernel's lifetime in the place of the one that is written.
fn for_the_kernel(path: &TypePath) -> TypePath {
    let mut path = path.clone();
    if let Some(last) = path.path.segments.last_mut()
        && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
    {
        for argument in &mut arguments.args {
            if let GenericArgument::Lifetime(lifetime) = argument
                && lifetime.ident != "static"
            {
                *lifetime = syn::Lifetime::new("'amp", lifetime.span());
            }
        }
    }
    path
}

/// `T, N` of a view behind a reference, and whether it is written.
pub(super) fn view_arguments(ty: &Type) -> Option<(TokenStream, bool)> {
    let Type::Reference(reference) = ty else {
        return None;
    };
    let Type::Path(path) = &*reference.elem else {
        return None;
    };
    let last = path.path.segments.last()?;
    let mutable = match last.ident.to_string().as_str() {
        "ArrayView" => false,
        "ArrayViewMut" => true,
        _ => return None,
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut arguments: Vec<&GenericArgument> = arguments
        .args
        .iter()
        .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
        .collect();
    let rank_one: GenericArgument = syn::parse_quote_spanned!(ty.span()=> 1);
    if arguments.len() == 1 {
        arguments.push(&rank_one);
    }
    Some((quote!(#(#arguments),*), mutable))
}
