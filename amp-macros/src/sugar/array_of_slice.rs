//! Arrays that are made of slices, where the syntax tells their length: the argument of `u32::from_be_bytes`,
//! `let key: [u8; 4] = slice.try_into().unwrap();` and `<[u8; 4]>::try_from(slice).unwrap()`, and what a function ends
//! with whose signature says the array.
//!
//! Left out is a `try_into` whose result is kept: that is one of numbers and of own types.

use proc_macro2::Span;
use quote::quote;
use syn::{
    Expr, ExprCall, ExprMethodCall, ExprReference, GenericArgument, ItemFn, Local, Pat,
    PathArguments, ReturnType, Stmt, Type, TypeArray, parse_quote_spanned, spanned::Spanned,
};

use amp_spirv::tree::Scalar;

use crate::iterate::bare;

/// Rewrites the argument of `u32::from_be_bytes(slice.try_into().unwrap())`.
pub fn of_number(call: &mut ExprCall) -> Option<()> {
    let Expr::Path(function) = bare(&call.func) else {
        return None;
    };
    let mut names = function
        .path
        .segments
        .iter()
        .rev()
        .map(|segment| &segment.ident);
    let (name, owner) = (names.next()?, names.next()?);
    if !["from_be_bytes", "from_le_bytes", "from_ne_bytes"]
        .iter()
        .any(|known| name == known)
    {
        return None;
    }
    let bytes = Scalar::from_name(&owner.to_string())
        .filter(|scalar| scalar.is_element())?
        .bits()
        / 8;
    let argument = call.args.first_mut()?;
    let array = parse_quote_spanned!(name.span()=> [::core::primitive::u8; #bytes as ::core::primitive::usize]);
    *argument = unwrapped(argument, Some(&array))?;
    Some(())
}

/// Rewrites the value of `let key: [u8; 4] = slice.try_into().unwrap();`.
pub fn of_local(local: &mut Local) -> Option<()> {
    let Pat::Type(typed) = &local.pat else {
        return None;
    };
    let Type::Array(array) = &*typed.ty else {
        return None;
    };
    let init = local.init.as_mut()?;
    *init.expr = unwrapped(&init.expr, Some(array))?;
    Some(())
}

/// Rewrites what a function ends with that returns `[u8; 4]`, or that in an `Option` or a `Result`.
pub fn of_result(function: &mut ItemFn) -> Option<()> {
    let ReturnType::Type(_, ty) = &function.sig.output else {
        return None;
    };
    let Stmt::Expr(end, None) = function.block.stmts.last_mut()? else {
        return None;
    };
    let (array, end) = match (&**ty, end) {
        (Type::Array(array), end) => (array, end),
        (Type::Path(of), Expr::Call(call)) if is_case(&call.func) => {
            let PathArguments::AngleBracketed(written) = &of.path.segments.last()?.arguments else {
                return None;
            };
            let Some(GenericArgument::Type(Type::Array(array))) = written.args.first() else {
                return None;
            };
            (array, call.args.first_mut()?)
        }
        _ => return None,
    };
    *end = unwrapped(end, Some(array))?;
    Some(())
}

/// `Some` or `Ok`
fn is_case(function: &Expr) -> bool {
    matches!(function, Expr::Path(case) if case.path.is_ident("Some") || case.path.is_ident("Ok"))
}

/// `<[u8; 4]>::try_from(slice).unwrap()` as the array.
pub fn plain(call: &ExprMethodCall) -> Option<Expr> {
    made(call, None)
}

fn unwrapped(value: &Expr, array: Option<&TypeArray>) -> Option<Expr> {
    match bare(value) {
        Expr::MethodCall(call) => made(call, array),
        _ => None,
    }
}

/// The array that an `unwrap` or `expect` gives.
fn made(unwrap: &ExprMethodCall, array: Option<&TypeArray>) -> Option<Expr> {
    let message = match (unwrap.method.to_string().as_str(), unwrap.args.len()) {
        ("unwrap", 0) => quote!("the slice has another length than the array"),
        ("expect", 1) => {
            let message = &unwrap.args[0];
            quote!(#message)
        }
        _ => return None,
    };
    let (slice, array) = match (bare(&unwrap.receiver), array) {
        (Expr::MethodCall(into), Some(array))
            if into.method == "try_into" && into.args.is_empty() =>
        {
            (&*into.receiver, array)
        }
        (Expr::Call(call), _) => tried(call)?,
        _ => return None,
    };
    let (element, length) = (&array.elem, &array.len);
    let span = unwrap.method.span().resolved_at(Span::mixed_site());
    let slice = whole(slice);
    let expect = syn::Ident::new("expect", unwrap.method.span());
    Some(parse_quote_spanned! {span=> {
        let __amp_slice = #slice;
        (__amp_slice.len() == #length)
            .then(|| ::core::array::from_fn::<#element, { #length }, _>(|__amp_at| __amp_slice[__amp_at]))
            .#expect(#message)
    }})
}

/// The slice and the type of `<[u8; 4]>::try_from(slice)`.
fn tried(call: &ExprCall) -> Option<(&Expr, &TypeArray)> {
    let Expr::Path(function) = bare(&call.func) else {
        return None;
    };
    let Type::Array(array) = &*function.qself.as_ref()?.ty else {
        return None;
    };
    let mut names = function.path.segments.iter().map(|segment| &segment.ident);
    let is_tried = names.next()? == "try_from" && names.next().is_none();
    is_tried.then_some(())?;
    Some((call.args.first()?, array))
}

/// The slice of all elements of what is a slice or an array.
fn whole(slice: &Expr) -> Expr {
    match bare(slice) {
        slice @ Expr::Reference(ExprReference { expr, .. }) => match bare(expr) {
            Expr::Index(_) => slice.clone(),
            place => parse_quote_spanned!(place.span()=> &#place[..]),
        },
        part @ Expr::Index(index) if let Expr::Range(_) = bare(&index.index) => {
            parse_quote_spanned!(part.span()=> &#part)
        }
        place => parse_quote_spanned!(place.span()=> &#place[..]),
    }
}
