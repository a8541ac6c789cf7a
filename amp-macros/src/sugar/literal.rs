//! Values that are written shorter than kernels know them: characters as numbers, the
//! rest of a struct by `Default::default()`, arrays by `into`, and lengths that an array tells.

use proc_macro2::{Literal, Span};
use syn::{
    Expr, ExprCast, ExprLit, ExprStruct, Lit, Local, Pat, PatType, Token, Type,
    parse_quote_spanned, spanned::Spanned,
};

use crate::{
    iterate::bare,
    language::name::{path_key, within_standard},
};

/// `'a' as u8` as `97_u32 as u8`.
pub fn character(cast: &ExprCast) -> Option<Expr> {
    let Expr::Lit(ExprLit {
        lit: Lit::Char(char),
        ..
    }) = bare(&cast.expr)
    else {
        return None;
    };
    let (span, ty) = (char.span(), &cast.ty);
    let code = Literal::u32_suffixed(char.value().into());
    Some(parse_quote_spanned!(span=> #code as #ty))
}

/// `P { x, ..Default::default() }` as `P { x, ..P::default() }`.
pub fn rest_by_default(literal: &ExprStruct) -> Option<Expr> {
    let Expr::Call(call) = bare(literal.rest.as_deref()?) else {
        return None;
    };
    let Expr::Path(function) = bare(&call.func) else {
        return None;
    };
    let span: Span = function.path.segments.last()?.ident.span();
    let key = path_key(&function.path);
    let name = within_standard(&key);
    let is_default = ["Default::default", "default::Default::default"].contains(&name);
    if !is_default || !call.args.is_empty() || literal.qself.is_some() {
        return None;
    }
    let mut owner = literal.path.clone();
    for segment in &mut owner.segments {
        if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
            arguments
                .colon2_token
                .get_or_insert_with(|| Token![::](span));
        }
    }
    Some(Expr::Struct(ExprStruct {
        rest: Some(parse_quote_spanned!(span=> #owner::default())),
        ..literal.clone()
    }))
}

/// `let [a, b] = x.into();` and `let [a, b] = std::array::from_fn(f);` with the length that the pattern tells.
pub fn length_of_pattern(local: &mut Local) {
    let Some(init) = &local.init else { return };
    let Pat::Slice(slice) = &local.pat else {
        return;
    };
    let makes_array = match bare(&init.expr) {
        Expr::MethodCall(call) => call.method == "into",
        Expr::Call(call) => match bare(&call.func) {
            Expr::Path(f) => {
                let key = path_key(&f.path);
                within_standard(&key) == "array::from_fn"
            }
            _ => false,
        },
        _ => false,
    };
    if makes_array && !slice.elems.iter().any(|part| matches!(part, Pat::Rest(_))) {
        let (pattern, length) = (&local.pat, slice.elems.len());
        let (span, length) = (init.expr.span(), Literal::usize_unsuffixed(length));
        local.pat = Pat::Type(PatType {
            attrs: Vec::new(),
            pat: Box::new(pattern.clone()),
            colon_token: Token![:](span),
            ty: parse_quote_spanned!(span=> [_; #length]),
        });
    }
}

/// A closure that a macro has passed on, without the delimiters around it.
pub fn closure_of_macro(local: &mut Local) {
    if let Some(init) = &mut local.init
        && let closure @ Expr::Closure(_) = bare(&init.expr)
    {
        *init.expr = closure.clone();
    }
}

/// `let a: [T; _] = [x, y];` with the length that the value tells.
pub fn length_of_array(local: &mut Local) {
    fn tell(ty: &mut Type, value: &Expr) {
        let Type::Array(array) = ty else { return };
        let first = match bare(value) {
            Expr::Array(elements) => {
                if let Expr::Infer(unknown) = &array.len {
                    let count = Literal::usize_unsuffixed(elements.elems.len());
                    array.len = parse_quote_spanned!(unknown.underscore_token.span=> #count);
                }
                elements.elems.first()
            }
            Expr::Repeat(repeated) => {
                if let Expr::Infer(_) = &array.len {
                    array.len = (*repeated.len).clone();
                }
                Some(&*repeated.expr)
            }
            _ => None,
        };
        if let Some(first) = first {
            tell(&mut array.elem, first);
        }
    }
    if let (Pat::Type(typed), Some(init)) = (&mut local.pat, &local.init) {
        tell(&mut typed.ty, &init.expr);
    }
}
