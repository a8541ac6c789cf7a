//! `first`, `last`, `get`, `split_first`, `split_last`, `strip_prefix` and `strip_suffix` of arrays and slices, their forms with `mut`, and `get`, `first` and
//! `last` of views: an element or a part that is there or not, as a chain finds it; and `split_at`.

use proc_macro2::{Ident, Span};
use syn::{
    Attribute, Expr, ExprMethodCall, ExprRange, Local, Pat, RangeLimits, Stmt, parse_quote_spanned,
    spanned::Spanned,
};

use crate::position;

use super::{
    Made, Names, Refusal, bare, build,
    drive::{none, some},
    ends::{End, Found},
    item::{Item, Neighbours},
    place::{By, length_of, place},
    shape::depth_within_fields,
};

/// The methods.
pub const METHODS: &[&str] = &[
    "first",
    "last",
    "get",
    "first_mut",
    "last_mut",
    "get_mut",
    "split_first",
    "split_last",
    "split_first_mut",
    "split_last_mut",
    "split_at",
    "split_at_mut",
    "strip_prefix",
    "strip_suffix",
];

/// What such a method is called on, if that is an array, a slice or a view, and whether the element is written.
pub fn of<'a>(call: &'a ExprMethodCall, names: &Names) -> Option<(&'a Expr, bool)> {
    let name = call.method.to_string();
    let is_of_slice = match &*name {
        "strip_prefix" | "strip_suffix" => may_be_slice(call, names),
        name => !name.starts_with("split_at") && METHODS.contains(&name) && is_slice(call, names),
    };
    let of_views = ["get", "first", "last"];
    let is_of_view = of_views.iter().any(|it| name.starts_with(it));
    let is_one = is_of_slice || is_of_view && names.known.is_view(&call.receiver);
    is_one.then_some((&call.receiver, name.ends_with("_mut")))
}

/// Whether a method is called on an array or a slice. What a field or an element is syntax does not tell: the
/// method is that of slices unless the file has another of its name.
fn is_slice(call: &ExprMethodCall, names: &Names) -> bool {
    let is_part = match bare(&call.receiver) {
        Expr::Field(_) | Expr::Index(_) => true,
        Expr::Path(path) => {
            let last = path.path.segments.last();
            last.is_some_and(|last| !last.ident.to_string().contains(char::is_lowercase))
        }
        _ => false,
    };
    names.known.is_slice(&call.receiver)
        || is_part && !has_another(call)
        || depth_within_fields(&call.receiver) > 0
}

/// The same of what has a name that says more: of all variables, unless the file has another of its name.
pub fn may_be_slice(call: &ExprMethodCall, names: &Names) -> bool {
    let is_place = matches!(
        bare(&call.receiver),
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_)
    );
    names.known.is_slice(&call.receiver) || is_place && !has_another(call)
}

fn has_another(call: &ExprMethodCall) -> bool {
    position::file_declares(call.method.span(), &call.method.to_string())
}

/// The element of a view at an index of any kind, and whether it is there.
fn of_view(
    index: &Expr,
    base: &Expr,
    mutable: bool,
    slices: &mut Vec<Stmt>,
    names: &mut Names,
) -> Made<(Expr, Item)> {
    let span = index.span();
    if let Expr::Range(_) = index {
        return Err(Refusal::new(
            span,
            "a part of a view that may not be there",
            "compare the bounds, and make it by `a.section(origin, extent)`",
        ));
    }
    let at = names.fresh("at", span);
    slices.push(parse_quote_spanned!(span=> let #at = #index;));
    let item = Item::Place {
        place: parse_quote_spanned!(span=> #base[#at]),
        mutable,
    };
    Ok((
        parse_quote_spanned!(span=> #base.extent().contains(#at)),
        item,
    ))
}

/// The element, or the part.
pub fn found(call: &ExprMethodCall, source: &Expr, mutable: bool, names: &mut Names) -> Made<End> {
    let (span, name) = (call.method.span(), call.method.to_string());
    let wanted = usize::from(name.starts_with("get") || name.starts_with("strip"));
    if call.args.len() != wanted {
        let help = match wanted {
            1 if name.starts_with("get") => "it takes the position: `a.get(i)`",
            1 => "it takes the part: `a.strip_prefix(&[1, 2])`",
            _ => "leave them out",
        };
        let message = format!("`{name}` with {} arguments", call.args.len());
        return Err(Refusal::new(span, message, help));
    }
    let index = call.args.first();
    let is_view = names.known.is_view(source);
    let (mut slices, base) = place(source, By::Reference { mutable }, names);
    let (is_there, item) = match index.map(bare) {
        Some(part) if name.starts_with("strip") => {
            let length = length_of(&base, (&name, None), &mut slices, span, names);
            stripped(
                part,
                (&base, &length),
                name == "strip_prefix",
                &mut slices,
                names,
            )
        }
        Some(index) if is_view => of_view(index, &base, mutable, &mut slices, names)?,
        Some(Expr::Range(range)) => {
            let length = length_of(&base, (&name, index), &mut slices, span, names);
            part(range, &base, (&length, mutable), &mut slices, names)
        }
        _ if name.starts_with("split") && mutable => {
            let length = length_of(&base, (&name, index), &mut slices, span, names);
            let is_first = name == "split_first_mut";
            apart(&base, (&length, is_first), &mut slices, span, names)
        }
        _ => {
            let length = length_of(&base, (&name, index), &mut slices, span, names);
            let at = names.fresh("at", span);
            slices.push(match index {
                Some(index) => parse_quote_spanned!(span=> let #at: usize = #index;),
                None if name.contains("first") => {
                    parse_quote_spanned!(span=> let #at: usize = 0;)
                }
                None => parse_quote_spanned!(span=> let #at: usize = #length - 1;),
            });
            let element = Item::Place {
                place: parse_quote_spanned!(span=> #base[#at]),
                mutable,
            };
            let start = match &*name {
                "split_first" => Some(parse_quote_spanned!(span=> 1usize)),
                "split_last" => Some(parse_quote_spanned!(span=> 0usize)),
                _ => None,
            };
            let item = match start {
                Some(start) => {
                    let others = Item::Neighbours(Box::new(Neighbours {
                        base,
                        start,
                        length: parse_quote_spanned!(span=> (#length - 1)),
                        mutable,
                        count: None,
                    }));
                    Item::Tuple(vec![element, others])
                }
                None => element,
            };
            (parse_quote_spanned!(span=> #at < #length), item)
        }
    };
    let told = match &*item.told() {
        [one] => some(one, span),
        all => some(&parse_quote_spanned!(span=> (#(#all,)*)), span),
    };
    Ok(End::Item(Box::new(Found {
        told: build::choose(is_there, told, Some(none(span)), span),
        item,
        slices,
        borrowed: false,
    })))
}

/// The first or the last element of a slice and the others, all of them to be written, and whether there are any.
fn apart(
    base: &Expr,
    (length, is_first): (&Expr, bool),
    slices: &mut Vec<Stmt>,
    span: Span,
    names: &mut Names,
) -> (Expr, Item) {
    let middle = match is_first {
        true => parse_quote_spanned!(span=> #length.min(1)),
        false => parse_quote_spanned!(span=> #length - #length.min(1)),
    };
    let [left, right] = halves_of(base, &middle, true, slices, span, names);
    let (one, others) = if is_first {
        (left, right)
    } else {
        (right, left)
    };
    let element = Item::Place {
        place: parse_quote_spanned!(span=> #one[0usize]),
        mutable: true,
    };
    let others = Item::Neighbours(Box::new(Neighbours {
        base: parse_quote_spanned!(span=> #others),
        start: parse_quote_spanned!(span=> 0usize),
        length: parse_quote_spanned!(span=> (#length - 1)),
        mutable: true,
        count: None,
    }));
    (
        parse_quote_spanned!(span=> #length != 0),
        Item::Tuple(vec![element, others]),
    )
}

/// What is left of a slice without what it may begin or end with, and whether it does.
fn stripped(
    part: &Expr,
    (base, length): (&Expr, &Expr),
    is_first: bool,
    slices: &mut Vec<Stmt>,
    names: &mut Names,
) -> (Expr, Item) {
    let (span, name) = (part.span(), names.fresh("part", part.span()));
    slices.push(parse_quote_spanned!(span=> let #name = #part;));
    let is_there = match is_first {
        true => parse_quote_spanned!(span=> #base.starts_with(#name)),
        false => parse_quote_spanned!(span=> #base.ends_with(#name)),
    };
    let rest = Item::Neighbours(Box::new(Neighbours {
        base: base.clone(),
        start: match is_first {
            true => parse_quote_spanned!(span=> #name.len()),
            false => parse_quote_spanned!(span=> 0usize),
        },
        length: parse_quote_spanned!(span=> (#length - #name.len())),
        mutable: false,
        count: None,
    }));
    (is_there, rest)
}

/// A part of a slice, and whether it is there.
fn part(
    range: &ExprRange,
    base: &Expr,
    (length, mutable): (&Expr, bool),
    slices: &mut Vec<Stmt>,
    names: &mut Names,
) -> (Expr, Item) {
    let span = range.span();
    let is_closed = matches!(range.limits, RangeLimits::Closed(_));
    let [start, end, after] = ["start", "end", "after"].map(|name| names.fresh(name, span));
    let first: Expr = match &range.start {
        Some(first) => (**first).clone(),
        None => parse_quote_spanned!(span=> 0),
    };
    let (last, before): (Expr, Expr) = match &range.end {
        Some(last) if is_closed => (
            (**last).clone(),
            parse_quote_spanned!(span=> #end < #length),
        ),
        Some(last) => (
            (**last).clone(),
            parse_quote_spanned!(span=> #end <= #length),
        ),
        None => (length.clone(), parse_quote_spanned!(span=> true)),
    };
    slices.push(parse_quote_spanned!(span=> let #start: usize = #first;));
    slices.push(parse_quote_spanned!(span=> let #end: usize = #last;));
    slices.push(match is_closed {
        true => parse_quote_spanned!(span=> let #after: usize = #end + 1;),
        false => parse_quote_spanned!(span=> let #after: usize = #end;),
    });
    let item = Item::Neighbours(Box::new(Neighbours {
        base: base.clone(),
        start: parse_quote_spanned!(span=> #start),
        length: parse_quote_spanned!(span=> (#after - #start)),
        mutable,
        count: None,
    }));
    (
        parse_quote_spanned!(span=> #before && #start <= #after),
        item,
    )
}

/// `let (left, right) = a.split_at(middle);` as the two slices. Of one that is written, the host version
/// splits the first half off.
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
    let name = call.method.to_string();
    let mutable = name == "split_at_mut";
    let is_split =
        (mutable || name == "split_at") && call.args.len() == 1 && pattern.elems.len() == 2;
    if !is_split || !is_slice(call, names) {
        return None;
    }
    let span = call.method.span();
    let by = By::Reference { mutable };
    let (mut statements, base) = place(&call.receiver, by, names);
    length_of(&base, (&name, Some(middle)), &mut statements, span, names);
    let [first, second] = halves_of(&base, middle, mutable, &mut statements, span, names);
    statements.push(parse_quote_spanned!(span=> let #left = #first;));
    statements.push(parse_quote_spanned!(span=> let #right = #second;));
    Some(statements)
}

/// `a.split_at(middle)` where no `let` names both slices, as a tuple of these.
pub fn both_halves(call: &ExprMethodCall, names: &mut Names) -> Option<Made<Expr>> {
    let middle = call.args.first()?;
    if call.method != "split_at" || call.args.len() != 1 || !is_slice(call, names) {
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
    let [left, right] = halves_of(&base, middle, false, &mut statements, span, names);
    let both = parse_quote_spanned!(span=> (#left, #right));
    Some(Ok(build::within(statements, both, span)))
}

/// The names of the two slices before and behind a position.
pub fn halves_of(
    base: &Expr,
    middle: &Expr,
    mutable: bool,
    statements: &mut Vec<Stmt>,
    span: Span,
    names: &mut Names,
) -> [Ident; 2] {
    let at = names.fresh("middle", span);
    let [first, second] = ["left", "right"].map(|name| names.fresh(name, span));
    statements.push(parse_quote_spanned!(span=> let #at: usize = #middle;));
    let halves: [Stmt; 2] = match mutable {
        false => [
            parse_quote_spanned!(span=> let #first = &#base[..#at];),
            parse_quote_spanned!(span=> let #second = &#base[#at..];),
        ],
        true => {
            let (whole, mark) = (names.fresh("whole", span), Ident::new(SPLIT_OFF, span));
            statements.push(parse_quote_spanned!(span=> let #whole = &mut #base[..];));
            [
                parse_quote_spanned!(span=> let #first = #[#mark] &mut #whole[..#at];),
                parse_quote_spanned!(span=> let #second = #[#mark] &mut #whole[#at..];),
            ]
        }
    };
    statements.extend(halves);
    [first, second]
}

/// The attribute of the `&mut` before the halves of a slice.
const SPLIT_OFF: &str = "__amp_split_off";

/// Whether an attribute marks a half of a slice.
pub fn is_of_halves(attribute: &Attribute) -> bool {
    attribute.path().is_ident(SPLIT_OFF)
}
