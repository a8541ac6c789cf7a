//! `sum` and `product` of `Option`s and `Result`s: of what is in them, up to the first that has nothing.
//!
//! ```text
//! it.sum::<Option<T>>()       { let s = it.map_while(|x| ..).sum::<T>(); if failed { None } else { Some(s) } }
//! ```
//!
//! Left out are those whose type is not written beside them.

use syn::{Expr, ExprMethodCall, GenericArgument, PathArguments, Type, parse_quote_spanned};

use super::Names;

/// What such an end is written as.
pub fn plain(call: &ExprMethodCall, names: &mut Names) -> Option<Expr> {
    if call.method != "sum" && call.method != "product" || !call.args.is_empty() {
        return None;
    }
    let written = call.turbofish.as_ref().and_then(|of| of.args.first());
    let ty = match written {
        Some(GenericArgument::Type(ty)) => ty.clone(),
        _ => names.expected.clone()?,
    };
    let Type::Path(path) = &ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let GenericArgument::Type(of) = arguments.args.first()? else {
        return None;
    };
    let (chain, end, span) = (&call.receiver, &call.method, call.method.span());
    let [item, failed, sum] = ["item", "failed", "sum"].map(|name| names.fresh(name, span));
    if last.ident == "Option" {
        return Some(parse_quote_spanned! {span=> {
            let mut #failed = false;
            let #sum: #of = #chain.map_while(|#item| {
                if #item.is_none() {
                    #failed = true;
                }
                #item
            }).#end::<#of>();
            if #failed { ::core::option::Option::None } else { ::core::option::Option::Some(#sum) }
        }});
    }
    (last.ident == "Result").then(|| {
        parse_quote_spanned! {span=> {
            let mut #failed = ::core::option::Option::None;
            let #sum: #of = #chain.map_while(|#item| match #item {
                ::core::result::Result::Ok(#item) => ::core::option::Option::Some(#item),
                ::core::result::Result::Err(#item) => {
                    #failed = ::core::option::Option::Some(#item);
                    ::core::option::Option::None
                }
            }).#end::<#of>();
            match #failed {
                ::core::option::Option::Some(#failed) => ::core::result::Result::Err(#failed),
                ::core::option::Option::None => ::core::result::Result::Ok(#sum),
            }
        }}
    })
}
