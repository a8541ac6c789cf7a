//! `kernel!(|idx: Index<1>| [x: &mut ArrayViewMut<f32, 1>, s: f32] { .. })`: a kernel as an
//! expression, bound to variables of the scope around it.
//!
//! It becomes a block with an `#[amp_kernel]` and a call of that with the captured names,
//! so that everything else is the attribute's. Arguments of the attribute stand before:
//! `kernel!(fast_math, index = 64, |idx: Index<1>| ..)`.

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{
    Block, Pat, PatType, Token, Type, bracketed,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
    token::Paren,
};

use super::passed::view_arguments;
use crate::report::Report;

/// What stands in the parentheses.
struct Expression {
    /// Of the attribute.
    arguments: TokenStream,
    index: PatType,
    captures: Punctuated<PatType, Token![,]>,
    body: Block,
}

impl Parse for Expression {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut arguments = TokenStream::new();
        // A name alone, with a value, or with parentheses.
        while input.peek(Ident::peek_any)
            && (input.peek2(Token![,]) || input.peek2(Token![=]) || input.peek2(Paren))
        {
            arguments.extend(argument(input)?);
        }
        input.parse::<Token![|]>()?;
        let index = typed(input)?;
        input.parse::<Token![|]>()?;
        let captures;
        bracketed!(captures in input);
        let captures = captures.parse_terminated(typed, Token![,])?;
        let body = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self {
            arguments,
            index,
            captures,
            body,
        })
    }
}

/// An argument of the attribute, and the comma after it.
fn argument(input: ParseStream) -> syn::Result<Vec<TokenTree>> {
    let mut tokens = Vec::new();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ',');
    while !input.is_empty() && !tokens.last().is_some_and(is_comma) {
        tokens.push(input.parse()?);
    }
    Ok(tokens)
}

/// `pattern: Type`
fn typed(input: ParseStream) -> syn::Result<PatType> {
    Ok(PatType {
        attrs: Vec::new(),
        pat: Box::new(Pat::parse_single(input)?),
        colon_token: input.parse()?,
        ty: input.parse()?,
    })
}

/// The expansion of a kernel in an expression.
pub fn expand(tokens: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let bound = match syn::parse2::<Expression>(tokens) {
        Ok(expression) => bind(&expression, &mut report),
        Err(error) => {
            report.error_help(
                Code::Signature,
                error.span(),
                format!("this is no kernel: {error}"),
                "write `kernel!(|idx: Index<1>| [x: &mut ArrayViewMut<f32, 1>] { x[idx] = 0.0; })`",
            );
            TokenStream::new()
        }
    };
    let errors = report.to_tokens();
    match report.is_clean() {
        true => bound,
        // What follows the call is not unreachable: rustc would warn of it.
        false => quote!({
            #errors
            fn __amp_refused<'amp, I>() -> ::amp::Kernel<'amp, I> { ::core::unreachable!() }
            __amp_refused()
        }),
    }
}

fn bind(expression: &Expression, report: &mut Report) -> TokenStream {
    let Expression {
        arguments,
        index,
        captures,
        body,
    } = expression;
    let mut captured = Vec::new();
    for capture in captures {
        let Pat::Ident(pattern) = &*capture.pat else {
            report.error_help(
                Code::Signature,
                &*capture.pat,
                "a kernel captures variables by their names",
                "give the value a name with `let` before the kernel",
            );
            continue;
        };
        let name = &pattern.ident;
        captured.push(match (&*capture.ty, view_arguments(&capture.ty)) {
            (_, Some((_, true))) => quote!(#name.amp_captured_mut()),
            (_, Some((_, false))) => quote!(#name.amp_captured()),
            // Of a struct with views.
            (Type::Reference(reference), None) => match reference.mutability {
                Some(_) => quote!(#name.amp_captured_mut()),
                None => quote!(#name.amp_captured()),
            },
            (_, None) => quote!(#name),
        });
    }
    let name = Ident::new("kernel_expression", Span::mixed_site());
    quote!({
        #[::amp::amp_kernel(#arguments)]
        fn #name(#index, #captures) #body
        #[allow(unused_imports)]
        use ::amp::__private::Capture as _;
        #name(#(#captured),*)
    })
}
