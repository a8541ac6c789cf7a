//! The constants of an `#[amp_module]`, which all its items share.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericParam, Generics, Visibility};

use super::super::constant::{self, Constant};
use crate::import::{CARRIER, Member};

/// The constants of the functions of a module, and who repeats them.
#[derive(Default)]
pub(super) struct Constants {
    own: Vec<Constant>,
    /// Types, and those of them that stand there for this alone.
    carriers: Vec<(TokenStream, Option<TokenStream>)>,
}

impl Constants {
    /// Adds what is written in a function, and what it gets from outside of the module.
    /// What it gets from another member is that member's to add.
    pub(super) fn add(&mut self, constants: Vec<Constant>, members: &[Member]) {
        for constant in constants {
            let mut own = self.own.iter();
            let is_known = own.any(|known| known.name == constant.name);
            let of_member = constant
                .from
                .as_ref()
                .is_some_and(|id| members.iter().any(|member| member.id == *id));
            if !is_known && !of_member {
                self.own.push(constant);
            }
        }
    }

    /// A type, or a function of this visibility, under whose name the constants are.
    /// Of a generic type, any one will do.
    pub(super) fn repeat_for(
        &mut self,
        name: &Ident,
        generics: Option<&Generics>,
        function: Option<&Visibility>,
    ) {
        let declared = function.map(|visibility| constant::carrier_type(name, visibility));
        let parameters = generics.iter().flat_map(|generics| &generics.params);
        let arguments: Vec<TokenStream> = parameters
            .map(|parameter| match parameter {
                GenericParam::Lifetime(_) => quote!('_),
                GenericParam::Const(_) => quote!(0),
                GenericParam::Type(_) => quote!(::core::primitive::u32),
            })
            .collect();
        let carrier = match arguments.is_empty() {
            true => quote!(#name),
            false => quote!(#name<#(#arguments),*>),
        };
        self.carriers.push((carrier, declared));
    }

    pub(super) fn to_tokens(&self) -> TokenStream {
        if self.own.is_empty() {
            return TokenStream::new();
        }
        let carrier = format_ident!("{CARRIER}");
        let home = constant::carrier(&carrier, &Visibility::Inherited, &self.own);
        let names: Vec<&Ident> = self.own.iter().map(|constant| &constant.name).collect();
        let carriers = self.carriers.iter().map(|(name, declared)| {
            quote! {
                #declared
                #[allow(non_upper_case_globals, dead_code)]
                impl #name {
                    #(#[doc(hidden)] pub const #names: ::core::primitive::u64 = #carrier::#names;)*
                }
            }
        });
        quote!(#home #(#carriers)*)
    }
}
