//! `first`, `last` and `get` of arrays and slices: an element that is there or not, as a chain finds it;
//! and `split_at`.

use syn::{Expr, ExprMethodCall, Local, Pat, Stmt, parse_quote_spanned};

use super::{
    Made, Names, Refusal, bare, build,
    drive::{none, some},
    ends::{End, Found},
    item::Item,
    sources::{By, length_of, place},
};

/// The methods.
pub const METHODS: &[&str] = &[
    "first",
    "last",
    "get",
    "first_mut",
    "last_mut",
    "get_mut",
    "split_at",
];

/// What such a method is called on, if that is an array or a slice, and whether the element is written.
pub fn of<'a>(call: &'a ExprMethodCall, names: &Names) -> Option<(&'a Expr, bool)> {
    let name = call.method.to_string();
    let is_one =
        name != "split_at" && METHODS.contains(&&*name) && names.known.is_slice(&call.receiver);
    is_one.then_some((&call.receiver, name.ends_with("_mut")))
}

/// The element.
pub fn found(call: &ExprMethodCall, source: &Expr, mutable: bool, names: &mut Names) -> Made<End> {
    let (span, name) = (call.method.span(), call.method.to_string());
    let index = match (
        name.trim_end_matches("_mut"),
        call.args.first(),
        call.args.len(),
    ) {
        ("get", Some(index), 1) if matches!(bare(index), Expr::Range(_)) => {
            return Err(Refusal::new(
                span,
                format!("`{name}` of a range"),
                "compare the range with the length, and write `&a[i..j]`",
            ));
        }
        ("get", Some(index), 1) => Some(index),
        ("first" | "last", None, 0) => None,
        ("get", ..) => {
            return Err(Refusal::new(
                span,
                format!("`{name}` with {} arguments", call.args.len()),
                "it takes the position: `a.get(i)`",
            ));
        }
        _ => {
            return Err(Refusal::new(
                span,
                format!("`{name}` with {} arguments", call.args.len()),
                "leave them out",
            ));
        }
    };
    let (mut slices, base) = place(source, By::Reference { mutable }, names);
    let length = length_of(&base, (&name, index), &mut slices, span, names);
    let at = names.fresh("at", span);
    slices.push(match index {
        Some(index) => parse_quote_spanned!(span=> let #at: usize = #index;),
        None if name.starts_with("first") => parse_quote_spanned!(span=> let #at: usize = 0;),
        None => parse_quote_spanned!(span=> let #at: usize = #length - 1;),
    });
    let item = Item::Place {
        place: parse_quote_spanned!(span=> #base[#at]),
        mutable,
    };
    let told = match &*item.told() {
        [one] => some(one, span),
        all => some(&parse_quote_spanned!(span=> (#(#all,)*)), span),
    };
    let is_there = parse_quote_spanned!(span=> #at < #length);
    Ok(End::Item(Box::new(Found {
        told: build::choose(is_there, told, Some(none(span)), span),
        item,
        slices,
    })))
}

/// `let (left, right) = a.split_at(middle);` as the two slices.
pub fn halves(local: &Local, names: &mut Names) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let (Expr::MethodCall(call), Pat::Tuple(pattern)) = (bare(&init.expr), &local.pat) else {
        return None;
    };
    let is_name = |part: &&Pat| matches!(part, Pat::Ident(_) | Pat::Wild(_));
    let parts: Vec<&Pat> = pattern.elems.iter().filter(is_name).collect();
    let ([left, right], Some(middle)) = (&*parts, call.args.first()) else {
        return None;
    };
    let is_split = call.method == "split_at" && call.args.len() == 1 && pattern.elems.len() == 2;
    if !is_split || !names.known.is_slice(&call.receiver) {
        return None;
    }
    let span = call.method.span();
    let (mut statements, base) = place(&call.receiver, By::Reference { mutable: false }, names);
    length_of(
        &base,
        ("split_at", Some(middle)),
        &mut statements,
        span,
        names,
    );
    let at = names.fresh("middle", span);
    let [first, second] = ["left", "right"].map(|name| names.fresh(name, span));
    let more: [Stmt; 5] = [
        parse_quote_spanned!(span=> let #at: usize = #middle;),
        parse_quote_spanned!(span=> let #first = &#base[..#at];),
        parse_quote_spanned!(span=> let #second = &#base[#at..];),
        parse_quote_spanned!(span=> let #left = #first;),
        parse_quote_spanned!(span=> let #right = #second;),
    ];
    statements.extend(more);
    Some(statements)
}
