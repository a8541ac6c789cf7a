//! Methods of the standard library's numbers: the host version calls these.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::Expr;

use super::{host_version::run_time, types};
use crate::{
    infer::FunctionDef,
    language::{
        owner::Owner,
        source::{Source, replaced},
    },
};

/// The call of a function of the standard library, in the place of the user's.
pub(super) fn call(
    owner: Owner,
    source: &Source,
    function: &FunctionDef,
    operands: &[Expr],
    span: Span,
) -> TokenStream {
    let ty = match owner {
        Owner::Scalar(scalar) => types::scalar(scalar),
        Owner::Conversion { from, to } => {
            let (from, to) = (types::scalar(from), types::scalar(to));
            quote_spanned!(span=> <#to as ::core::convert::TryFrom<#from>>)
        }
        Owner::Glam(_) => return TokenStream::new(),
    };
    let Some(host) = source.host else {
        let name = Ident::new(source.name, span);
        return quote_spanned!(span=> #ty::#name(#(#operands),*));
    };
    let host = replaced(host.parse().unwrap_or_default(), span, &|name| match name {
        "T" => Some(ty.clone()),
        "some" | "divided" => Some(run_time(name, span)),
        _ => None,
    });
    let parameters = function.params.iter().map(|param| &param.ident);
    quote_spanned!(span=> (match (#(#operands,)*) { (#(#parameters,)*) => #host }))
}
