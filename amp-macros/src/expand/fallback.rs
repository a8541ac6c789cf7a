//! The implementation of `Fallback`: what a fault leaves of one's own type of which zeroes are no value, such
//! as a struct with an `Option` in it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Fields, Generics, Ident, parse_quote};

use super::types::zero_of;
use crate::infer::{Program, Ty};

/// The implementation for a type whose value is `made` with these fields, if it needs one.
pub(super) fn implementation(
    program: &Program,
    (name, generics): (&Ident, &Generics),
    made: &TokenStream,
    fields: &Fields,
) -> Option<TokenStream> {
    let this = program.template(program.structs.len().checked_sub(1)?);
    let Ty::Struct(index, applied) = &this else {
        return None;
    };
    let is_needed = program.without_zero(&this).is_some() && !program.holds_range(&this);
    if !is_needed || program.without_end(&this).is_some() {
        return None;
    }
    let members = fields.members();
    let values = program.of_zero(*index, applied);
    let values = values.iter().map(|(_, ty)| zero_of(program, ty));
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        let bound = parse_quote!(::amp::__private::bytemuck::Zeroable);
        parameter.bounds.push(bound);
    }
    let (parameters, arguments, clause) = generics.split_for_impl();
    Some(quote! {
        impl #parameters ::amp::__private::host_version::bounded::Fallback for #name #arguments #clause {
            fn fallback() -> Self {
                #made { #(#members: #values),* }
            }
        }
    })
}
