//! Values that are written shorter than kernels know them: characters as numbers, strings of bytes, the
//! rest of a struct by `Default::default()`, arrays by `into`, and lengths that an array tells.

use proc_macro2::{Literal, Span};
use syn::{
    Expr, ExprBinary, ExprCast, ExprIndex, ExprLit, ExprStruct, ExprUnary, Lit, LitByteStr, Local,
    Pat, PatType, Token, Type, UnOp, parse_quote_spanned,
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

/// `b"ab"` as `&[97_u8, 98_u8]`.
pub fn byte_string(literal: &ExprLit) -> Option<Expr> {
    let Lit::ByteStr(string) = &literal.lit else {
        return None;
    };
    let array = array(string)?;
    Some(parse_quote_spanned!(string.span()=> &#array))
}

/// `b"ab"[i]` as `[97_u8, 98_u8][i]`.
pub fn byte_of_string(index: &ExprIndex) -> Option<Expr> {
    let index = ExprIndex {
        expr: Box::new(array_of(&index.expr)?),
        ..index.clone()
    };
    Some(Expr::Index(index))
}

/// `*b"ab"` as `[97_u8, 98_u8]`.
pub fn bytes(unary: &ExprUnary) -> Option<Expr> {
    array_of(&unary.expr).filter(|_| matches!(unary.op, UnOp::Deref(_)))
}

/// A binary operation whose strings of bytes are arrays.
pub fn operands(binary: &ExprBinary) -> ExprBinary {
    let mut binary = binary.clone();
    for side in [&mut binary.left, &mut binary.right] {
        if let Some(array) = array_of(side) {
            **side = array;
        }
    }
    binary
}

fn array_of(string: &Expr) -> Option<Expr> {
    match bare(string) {
        Expr::Lit(ExprLit {
            lit: Lit::ByteStr(string),
            ..
        }) => array(string),
        _ => None,
    }
}

/// The bytes, if there are any: nothing tells the type of an empty array's elements.
fn array(string: &LitByteStr) -> Option<Expr> {
    let bytes = string.value();
    let bytes = bytes.iter().map(|byte| Literal::u8_suffixed(*byte));
    (bytes.len() > 0).then(|| parse_quote_spanned!(string.span()=> [#(#bytes),*]))
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

/// `let [a, b] = x.into();` with the type that the pattern tells.
pub fn array_of_into(local: &mut Local) {
    let Some(init) = &local.init else { return };
    if let Pat::Slice(slice) = &local.pat
        && let Expr::MethodCall(call) = &*init.expr
        && call.method == "into"
        && !slice.elems.iter().any(|part| matches!(part, Pat::Rest(_)))
    {
        let (pattern, length) = (&local.pat, slice.elems.len());
        let length = Literal::usize_unsuffixed(length);
        local.pat = Pat::Type(PatType {
            attrs: Vec::new(),
            pat: Box::new(pattern.clone()),
            colon_token: Token![:](call.method.span()),
            ty: parse_quote_spanned!(call.method.span()=> [_; #length]),
        });
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
