//! The ends of a chain whose value is an item, if there is one.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::{Expr, Stmt, parse_quote_spanned};

use super::{
    Made, Names, Refusal, build,
    drive::{none, some},
    ends::{End, Ended, Found, some_pattern},
    item::Item,
    mentioned::binds,
    place::is_behind,
};

/// What tells an item, as one value.
pub(super) fn told(item: &Item, span: Span) -> Expr {
    match item {
        item if !item.refers() => item.read(span),
        item => match &*item.told() {
            [one] => one.clone(),
            all => parse_quote_spanned!(span=> (#(#all,)*)),
        },
    }
}

/// An item whose values have the types of another's, which inference knows by then.
fn alike(item: &Item, like: &Item, span: Span) -> Item {
    match (item, like) {
        (Item::Value(value), Item::Value(like)) => {
            Item::Value(parse_quote_spanned!(span=> #value.__amp_like(#like)))
        }
        (Item::Tuple(parts), Item::Tuple(like)) => {
            let parts = parts.iter().zip(like);
            Item::Tuple(parts.map(|(part, like)| alike(part, like, span)).collect())
        }
        (item, _) => item.clone(),
    }
}

/// The same of what copies of an item's references have been kept in, which are variables.
fn of_copies(item: &Item, like: &Item, typed: &mut Vec<Stmt>, span: Span) {
    match (item, like) {
        (Item::Place { place: copy, .. }, Item::Place { place, .. }) if is_behind(place) => {
            typed.push(parse_quote_spanned!(span=> let #copy = #copy.__amp_like(#place);));
        }
        (Item::Tuple(parts), Item::Tuple(like)) => {
            let parts = parts.iter().zip(like);
            parts.for_each(|(part, like)| of_copies(part, like, typed, span));
        }
        _ => {}
    }
}

impl Ended<'_> {
    /// An end whose value is an item.
    pub(super) fn item(&self, name: &str, f: Option<&Expr>, names: &mut Names) -> Made<End> {
        let (span, result) = (self.span, &self.result);
        let named: Expr = parse_quote_spanned!(span=> #result);
        let mut yielded: Option<Item> = None;
        let mut before: Vec<Stmt> = Vec::new();
        let left = names.fresh("left", span);
        if name == "nth"
            && let Some(number) = f
        {
            before.push(parse_quote_spanned!(span=> let mut #left: usize = #number;));
        }
        let nothing: Expr = none(span);
        before.push(parse_quote_spanned!(span=> let mut #result = #nothing;));
        let told_by = self.block(before, named.clone(), names, |loops, item| {
            if item.is_lent() {
                return Err(Refusal::new(
                    span,
                    format!("`{name}` of references that a function yields"),
                    "copy the items before: `.copied()`",
                ));
            }
            let mut copied = Vec::new();
            let item = match item.refers() && binds(self.flow, &item.passed(span)) {
                true => item
                    .by_copies(loops.names, &mut copied, span)
                    .ok_or_else(|| {
                        Refusal::new(
                            span,
                            format!("`{name}` of references into what `flat_map` names"),
                            "copy the items before, `.copied()`, or write a loop in a loop",
                        )
                    })?,
                false => item,
            };
            yielded.get_or_insert_with(|| item.clone());
            let found = told(&item, span);
            let kept: Expr = some(&found, span);
            let keep: Expr = parse_quote_spanned!(span=> { #result = #kept; });
            let done = match (name, f) {
                ("last", _) => keep,
                ("next", _) => {
                    let leave = loops.leave();
                    parse_quote_spanned!(span=> { #result = #kept; #leave })
                }
                ("nth", _) => {
                    let leave = loops.leave();
                    parse_quote_spanned! {span=>
                        if #left == 0 { #result = #kept; #leave } else { #left = #left - 1; }
                    }
                }
                ("find", Some(f)) => {
                    let holds = loops.names.applied(f, &[(&item, true)])?;
                    let leave = loops.leave();
                    let found = parse_quote_spanned!(span=> { #result = #kept; #leave });
                    build::choose(holds, found, None, span)
                }
                ("reduce", Some(f)) => {
                    if item.refers() {
                        return Err(Refusal::new(
                            span,
                            "`reduce` of references",
                            "copy the items before: `.copied().reduce(..)`",
                        ));
                    }
                    let so_far = loops.names.fresh("so_far", span);
                    let so_far: Expr = parse_quote_spanned!(span=> #so_far);
                    let value = alike(&Item::Value(so_far.clone()), &Item::Value(found), span);
                    let value = loops.names.applied(f, &[(&value, false), (&item, false)])?;
                    let arms = vec![
                        (some(&so_far, span), some(&value, span)),
                        (none(span), kept),
                    ];
                    let next = build::choice(named.clone(), arms, span);
                    parse_quote_spanned!(span=> { #result = #next; })
                }
                ("min_by_key" | "max_by_key", Some(f)) => {
                    let key = loops.names.fresh("key", span);
                    let best = loops.names.fresh("best", span);
                    let value = loops.names.key(f, &item)?;
                    let ordered: Expr = parse_quote_spanned!(span=> #key.__amp_ordered());
                    let is_better: Expr = match name {
                        "min_by_key" => {
                            parse_quote_spanned!(span=> #key < #best.__amp_like(#key))
                        }
                        _ => parse_quote_spanned!(span=> !(#key < #best.__amp_like(#key))),
                    };
                    let kept: Expr = some(&parse_quote_spanned!(span=> (#key, #found)), span);
                    let pattern: Expr = parse_quote_spanned!(span=> (#best, _));
                    let (pattern, none) = (some_pattern(&pattern, span), none(span));
                    let body = build::choice(
                        named.clone(),
                        vec![
                            (pattern, is_better),
                            (none, parse_quote_spanned!(span=> true)),
                        ],
                        span,
                    );
                    let choose = build::choose(
                        body,
                        parse_quote_spanned!(span=> { #result = #kept; }),
                        None,
                        span,
                    );
                    build::of_block(
                        build::block(
                            vec![
                                parse_quote_spanned!(span=> let #key = #value;),
                                parse_quote_spanned!(span=> let _ = #ordered;),
                            ],
                            Some(choose),
                            span,
                        ),
                        None,
                    )
                }
                _ => {
                    let so_far = Found {
                        slices: Vec::new(),
                        told: named.clone(),
                        item: item.clone(),
                        borrowed: false,
                    };
                    let (pattern, best) = so_far.taken(loops.names, span);
                    let is_min = name.starts_with("min");
                    let is_better: Expr = match f {
                        None => {
                            let (new, old) = (item.read(span), best.read(span));
                            let is_less = quote_spanned! {span=>
                                (#new).__amp_ordered() < #old.__amp_like(#new)
                            };
                            match is_min {
                                true => parse_quote_spanned!(span=> #is_less),
                                false => parse_quote_spanned!(span=> !(#is_less)),
                            }
                        }
                        Some(f) => {
                            let mut typed = Vec::new();
                            of_copies(&best, &item, &mut typed, span);
                            let best = alike(&best, &item, span);
                            let order = loops.names.applied(f, &[(&best, true), (&item, true)])?;
                            let is_better = match is_min {
                                true => parse_quote_spanned!(span=> (#order).is_gt()),
                                false => parse_quote_spanned!(span=> !(#order).is_gt()),
                            };
                            build::within(typed, is_better, span)
                        }
                    };
                    let pattern = some_pattern(&pattern, span);
                    let arms = vec![
                        (pattern, is_better),
                        (none(span), parse_quote_spanned!(span=> true)),
                    ];
                    let is_better = build::choice(named.clone(), arms, span);
                    build::choose(is_better, keep, None, span)
                }
            };
            Ok(build::within(copied, done, span))
        })?;
        let Some(item) = yielded else {
            return Ok(End::Value(told_by));
        };
        let mut told_by = told_by;
        if name.ends_with("by_key") {
            let (of_key, found) = (names.fresh("result", span), names.fresh("found", span));
            let pattern: Expr = parse_quote_spanned!(span=> (_, #found));
            let found: Expr = parse_quote_spanned!(span=> #found);
            let arms = vec![
                (some_pattern(&pattern, span), some(&found, span)),
                (none(span), none(span)),
            ];
            let choice = build::choice(parse_quote_spanned!(span=> #of_key), arms, span);
            told_by = build::within(
                vec![parse_quote_spanned!(span=> let #of_key = #told_by;)],
                choice,
                span,
            );
        }
        Ok(match item.refers() {
            false => End::Value(told_by),
            true => End::Item(Box::new(Found {
                slices: Vec::new(),
                told: told_by,
                item,
                borrowed: false,
            })),
        })
    }
}
