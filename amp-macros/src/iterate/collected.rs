//! `collect` into one's own types, by the function that kernels have in place of `from_iter`.
//!
//! ```text
//! it.collect::<Bits>()        Bits::from_iter(it)
//! ```
//!
//! The type is written beside it, or by the `let`, or it is what the function returns. Which types these are is known
//! when the program's functions are.

use proc_macro2::Ident;
use syn::{
    Expr, ExprMethodCall, GenericArgument, ItemFn, Path, PathArguments, ReturnType, Stmt, Type,
    parse_quote_spanned,
};

use super::{Made, Names, Refusal, recognise};
use crate::language::COLLECTS;

/// What such an end is written as.
pub fn plain(call: &ExprMethodCall, names: &mut Names) -> Option<Made<Expr>> {
    let called = names.called.clone()?;
    if call.method != "collect" || !call.args.is_empty() {
        return None;
    }
    recognise(&call.receiver, names)?;
    let (span, chain) = (call.method.span(), &call.receiver);
    let written = call.turbofish.as_ref().and_then(|of| of.args.first());
    let ty = match written {
        Some(GenericArgument::Type(ty)) => Some(ty),
        _ => names.expected.as_ref(),
    };
    let path = match ty {
        Some(Type::Path(ty)) if called.collects(&ty.path) => function_of(&ty.path),
        _ => {
            return Some(Err(Refusal::new(
                span,
                "`collect` in a kernel",
                "kernels allocate nothing: declare an array, and write to it in a loop, \
                 `for (y, x) in y.iter_mut().zip(x.iter()) { *y = .. }`; a type of an `#[amp_module]` with \
                 `impl FromIterator` is named, `collect::<Bits>()`",
            )));
        }
    };
    let function = Ident::new(COLLECTS, span);
    Some(Ok(parse_quote_spanned!(span=> #path::#function(#chain))))
}

/// The path of a type as it begins that of a function.
fn function_of(ty: &Path) -> Path {
    let mut path = ty.clone();
    for segment in &mut path.segments {
        if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
            arguments.colon2_token.get_or_insert_default();
        }
    }
    path
}

/// Names the type that a function ends with by `collect`.
pub fn of_result(function: &mut ItemFn) {
    if let ReturnType::Type(_, ty) = &function.sig.output
        && let Some(Stmt::Expr(Expr::MethodCall(call), None)) = function.block.stmts.last_mut()
        && call.method == "collect"
        && call.turbofish.is_none()
    {
        call.turbofish = Some(parse_quote_spanned!(call.method.span()=> ::<#ty>));
    }
}
