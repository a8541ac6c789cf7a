//! Parameters that other parameters can say: patterns as `let`s, and `impl Trait` and pointers to functions as type
//! parameters.

use proc_macro2::Span;
use quote::{ToTokens, quote_spanned};
use syn::{Block, Ident, Signature, Stmt, Type, parse_quote_spanned, spanned::Spanned};

use super::conditional;

/// `(a, b): (A, B)` becomes a name, which the body, if there is one, takes apart first.
pub fn name_patterns(signature: &mut Signature, body: Option<&mut Block>) {
    let mut apart: Vec<Stmt> = Vec::new();
    for (position, input) in signature.inputs.iter_mut().enumerate() {
        let syn::FnArg::Typed(typed) = input else {
            continue;
        };
        if conditional::declared(&typed.pat).is_some() {
            continue;
        }
        let span = typed.pat.span();
        let name = Ident::new(
            &format!("__amp_parameter_{position}"),
            span.resolved_at(Span::mixed_site()),
        );
        let pattern = std::mem::replace(&mut *typed.pat, parse_quote_spanned!(span=> #name));
        apart.push(parse_quote_spanned!(span=> let #pattern = #name;));
    }
    if let Some(body) = body {
        body.stmts.splice(..0, apart);
    }
}

/// What the names of parameters begin with that the user did not name.
const UNNAMED: &str = "Impl";

/// Whether the user did not name a type parameter: then no call writes its argument.
pub fn is_unnamed(parameter: &Ident) -> bool {
    let name = parameter.to_string();
    let number = name.strip_prefix(UNNAMED);
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// `x: impl Bound` becomes `x: T` with `T: Bound`: the same, but that the type has a name. So does a pointer to a
/// function, `f: fn(A) -> B`, with `T: Fn(A) -> B`.
pub fn name_parameters(signature: &mut Signature) {
    for (position, input) in signature.inputs.iter_mut().enumerate() {
        let syn::FnArg::Typed(typed) = input else {
            continue;
        };
        let ty = match &mut *typed.ty {
            Type::Reference(reference) => &mut *reference.elem,
            ty => ty,
        };
        let (span, bounds) = match ty {
            Type::ImplTrait(bounded) => {
                let bounds = std::mem::take(&mut bounded.bounds);
                (bounded.impl_token.span, bounds.to_token_stream())
            }
            // A named function, or a closure.
            Type::FnPtr(pointer) if is_plain(pointer) => {
                let span = pointer.fn_token.span;
                let (inputs, output) = (pointer.inputs.iter().map(|it| &it.ty), &pointer.output);
                (span, quote_spanned!(span=> Fn(#(#inputs),*) #output))
            }
            _ => continue,
        };
        let name = Ident::new(
            &format!("{UNNAMED}{position}"),
            span.resolved_at(Span::mixed_site()),
        );
        *ty = parse_quote_spanned!(span=> #name);
        let parameter = parse_quote_spanned!(span=> #name: #bounds);
        signature.generics.params.push(parameter);
    }
}

/// Whether a function pointer is one that closures become, too.
fn is_plain(pointer: &syn::TypeFnPtr) -> bool {
    pointer.unsafety.is_none() && pointer.abi.is_none() && pointer.variadic.is_none()
}
