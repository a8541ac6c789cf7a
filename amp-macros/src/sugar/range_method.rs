//! Methods of ranges that are written out: `contains` and `is_empty`, as the comparisons that they make, and `into`, of a
//! variable.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::{
    Attribute, Expr, ExprMethodCall, ExprRange, RangeLimits, parse_quote_spanned, spanned::Spanned,
};

use crate::iterate::bare;

/// The plain form of a call, if it is one of these.
pub fn plain(call: &ExprMethodCall) -> Option<Expr> {
    contained(call)
        .or_else(|| emptiness(call))
        .or_else(|| converted(call))
}

/// `(low..high).contains(&item)` as the comparisons that it makes, if that is what it is.
fn contained(call: &ExprMethodCall) -> Option<Expr> {
    let Expr::Range(range) = bare(&call.receiver) else {
        return None;
    };
    let [item] = &*call.args.iter().collect::<Vec<_>>() else {
        return None;
    };
    if call.method != "contains" || call.turbofish.is_some() {
        return None;
    }
    // Places the block as written by the macro: lints would ask for the range again.
    let span = call.method.span().resolved_at(Span::mixed_site());
    let item: Expr = match bare(item) {
        Expr::Reference(reference) if reference.mutability.is_none() => {
            bare(&reference.expr).clone()
        }
        reference => parse_quote_spanned!(reference.span()=> #[amp_contained] *#reference),
    };
    let start = range.start.as_deref().map(bare);
    let end = range.end.as_deref().map(bare);
    let before = match range.limits {
        RangeLimits::Closed(_) => quote_spanned!(span=> <=),
        RangeLimits::HalfOpen(_) => quote_spanned!(span=> <),
    };
    Some(match (start, end) {
        (Some(start), Some(end)) => parse_quote_spanned! {span=> {
            let __amp_low = #start;
            let __amp_high = #end;
            let __amp_item = #item;
            __amp_low <= __amp_item && __amp_item #before __amp_high
        }},
        (Some(start), None) => parse_quote_spanned! {span=> {
            let __amp_low = #start;
            let __amp_item = #item;
            __amp_low <= __amp_item
        }},
        (None, Some(end)) => parse_quote_spanned! {span=> {
            let __amp_high = #end;
            let __amp_item = #item;
            __amp_item #before __amp_high
        }},
        (None, None) => return None,
    })
}

/// Whether an attribute marks what `contains` looks for, where that is no `&x`.
pub fn is_of_contains(attribute: &Attribute) -> bool {
    attribute.path().is_ident("amp_contained")
}

/// `(low..high).is_empty()` as the comparison that it makes, if that is what it is.
fn emptiness(call: &ExprMethodCall) -> Option<Expr> {
    let Expr::Range(range) = bare(&call.receiver) else {
        return None;
    };
    let (Some(start), Some(end)) = (&range.start, &range.end) else {
        return None;
    };
    if call.method != "is_empty" || !call.args.is_empty() {
        return None;
    }
    let span = call.method.span().resolved_at(Span::mixed_site());
    let before = match range.limits {
        RangeLimits::Closed(_) => quote_spanned!(span=> <=),
        RangeLimits::HalfOpen(_) => quote_spanned!(span=> <),
    };
    Some(parse_quote_spanned!(span=> !{
        let __amp_low = #start;
        let __amp_high = #end;
        __amp_low #before __amp_high
    }))
}

/// `(low..high).into()` as that of a variable, which has the type of ranges.
fn converted(call: &ExprMethodCall) -> Option<Expr> {
    let range @ Expr::Range(ExprRange {
        start: Some(_),
        limits: RangeLimits::HalfOpen(_),
        end: Some(_),
        ..
    }) = bare(&call.receiver)
    else {
        return None;
    };
    let (method, span) = (&call.method, call.method.span());
    let is_into = method == "into" && call.args.is_empty();
    let span = span.resolved_at(Span::mixed_site());
    is_into.then(|| {
        parse_quote_spanned!(span=> {
            let __amp_range: ::core::ops::Range<_> = #range;
            __amp_range.#method()
        })
    })
}
