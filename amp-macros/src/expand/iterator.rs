//! What a chain of iterators asks of types, in the host version.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ExprMethodCall;

use super::types;
use crate::infer::{Callee, Iteration, Program};

/// The value of a method of a chain, whose type is `ty`.
pub(super) fn asked(
    callee: &Callee,
    call: &ExprMethodCall,
    ty: Option<TokenStream>,
    program: &Program,
    span: Span,
) -> TokenStream {
    let receiver = &call.receiver;
    let ty = ty.unwrap_or_else(|| quote!(_));
    let none = quote!(::core::iter::empty::<#ty>());
    let Callee::Iteration(what) = callee else {
        return quote_spanned!(span=> #receiver.len());
    };
    match what {
        Iteration::Length => quote_spanned!(span=> #receiver.extent()[0]),
        Iteration::IsCase(case) => {
            let is_it = match case {
                1 => quote_spanned!(span=> is_some),
                _ => quote_spanned!(span=> is_ok),
            };
            quote_spanned!(span=> ::core::primitive::usize::from(#receiver.#is_it()))
        }
        Iteration::EmptySum => quote_spanned!(span=> <#ty as ::core::iter::Sum>::sum(#none)),
        Iteration::EmptyProduct => {
            quote_spanned!(span=> <#ty as ::core::iter::Product>::product(#none))
        }
        Iteration::Ordered | Iteration::Like => quote_spanned!(span=> #receiver),
        Iteration::Output { of, position } => {
            let case = types::standard_case(&program.structs[*of].cases[*position].name, span);
            // A `?` before it does not tell the type of the error.
            quote_spanned!(span=> {
                let __amp_output: #ty = #case(#receiver);
                __amp_output
            })
        }
    }
}
