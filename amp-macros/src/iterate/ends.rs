//! What ends a chain with a value.

use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::{Expr, ExprMethodCall, ReturnType, Stmt, parse_quote_spanned};

use super::{
    Made, Names, Refusal, build,
    build::Marks,
    drive::{Loops, none, some},
    flow::{Driver, Flow, Indexed, Order, Stage},
    item::Item,
};

/// The methods that end a chain, and how many arguments they take.
const ENDS: &[(&str, usize)] = &[
    ("sum", 0),
    ("product", 0),
    ("count", 0),
    ("len", 0),
    ("fold", 2),
    ("try_fold", 2),
    ("try_for_each", 1),
    ("for_each", 1),
    ("any", 1),
    ("all", 1),
    ("position", 1),
    ("rposition", 1),
    ("eq", 1),
    ("ne", 1),
    ("lt", 1),
    ("le", 1),
    ("gt", 1),
    ("ge", 1),
    ("cmp", 1),
    ("partial_cmp", 1),
    ("is_sorted", 0),
    ("is_sorted_by", 1),
    ("is_sorted_by_key", 1),
    ("find_map", 1),
];

/// Those whose value is an item, if there is one.
const OPTIONAL: &[(&str, usize)] = &[
    ("reduce", 1),
    ("min", 0),
    ("max", 0),
    ("min_by", 1),
    ("max_by", 1),
    ("min_by_key", 1),
    ("max_by_key", 1),
    ("find", 1),
    ("last", 0),
    ("nth", 1),
    ("next", 0),
    ("next_back", 0),
];

/// The comparisons with another iterator.
pub(super) const COMPARISONS: [&str; 8] =
    ["eq", "ne", "lt", "le", "gt", "ge", "cmp", "partial_cmp"];

/// Whether a method ends a chain.
pub fn is_end(name: &str) -> bool {
    ENDS.iter().chain(OPTIONAL).any(|(known, _)| *known == name)
}

/// The names of all that end a chain.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    ENDS.iter().chain(OPTIONAL).map(|(name, _)| *name)
}

/// What a chain's end is.
pub enum End {
    Value(Expr),
    /// An item, if there is one.
    Item(Box<Found>),
}

/// An item that a chain has found, or not.
pub struct Found {
    /// An `Option` of what tells the item.
    pub told: Expr,
    /// The item, told by other values.
    pub item: Item,
    /// What names the slices that the item is an element of: it stands before `told`.
    pub slices: Vec<Stmt>,
    /// Whether it is by a reference to the item, as `peek` has it.
    pub borrowed: bool,
}

impl Found {
    /// The item that such values tell, which a pattern of the second kind takes out.
    pub fn taken(&self, names: &mut Names, span: Span) -> (Expr, Item) {
        let values = self.item.told();
        let taken: Vec<Ident> = values.iter().map(|_| names.fresh("found", span)).collect();
        let mut values = taken.iter().map(|name| parse_quote_spanned!(span=> #name));
        let item = self.item.retold(&mut values);
        let pattern = match &*taken {
            [one] => parse_quote_spanned!(span=> #one),
            all => parse_quote_spanned!(span=> (#(#all,)*)),
        };
        (pattern, item)
    }
}

/// The value of `chain.method(arguments)`.
pub fn end(call: &ExprMethodCall, flow: &Flow, names: &mut Names) -> Made<End> {
    let span = call.method.span();
    let name = call.method.to_string();
    let mut all = ENDS.iter().chain(OPTIONAL);
    let wanted = all
        .find(|(known, _)| *known == name)
        .map(|(_, count)| *count);
    let mut flow = flow.clone();
    let arguments = call.args.iter().map(|it| names.moved(it, &mut flow.setup));
    let arguments: Vec<Expr> = arguments.collect();
    let arguments: Vec<&Expr> = arguments.iter().collect();
    if wanted != Some(arguments.len()) {
        let wanted = wanted.unwrap_or_default();
        let plural = if wanted == 1 { "" } else { "s" };
        return Err(Refusal::new(
            span,
            format!(
                "`{name}` takes {wanted} argument{plural}, found {}",
                arguments.len()
            ),
            "write it as Rust's iterators have it",
        ));
    }
    let ended = Ended {
        call,
        flow: &flow,
        span,
        result: names.fresh("result", span),
    };
    match (&*name, &*arguments) {
        ("min" | "max" | "last" | "next", []) => ended.item(&name, None, names),
        ("next_back", []) => {
            let mut flow = flow.clone();
            flow.reversed(span)?;
            Ended {
                flow: &flow,
                ..ended
            }
            .item("next", None, names)
        }
        ("reduce" | "min_by" | "max_by" | "min_by_key" | "max_by_key" | "find" | "nth", [f]) => {
            ended.item(&name, Some(f), names)
        }
        _ => ended.value(&name, &arguments, names).map(End::Value),
    }
}

pub(super) struct Ended<'a> {
    call: &'a ExprMethodCall,
    pub(super) flow: &'a Flow,
    pub(super) span: Span,
    pub(super) result: Ident,
}

impl Ended<'_> {
    /// A block that declares the result, runs the chain, and has a value.
    pub(super) fn block(
        &self,
        mut before: Vec<Stmt>,
        value: Expr,
        names: &mut Names,
        mut rest: impl FnMut(&mut Loops, Item) -> Made<Expr>,
    ) -> Made<Expr> {
        // Rust makes the iterator before it computes the arguments of the method.
        let mut statements = self.flow.setup.clone();
        statements.append(&mut before);
        let flow = Flow {
            setup: Vec::new(),
            ..self.flow.clone()
        };
        let mut loops = Loops::new(names, &flow, Marks::default(), self.span);
        statements.extend(loops.run(&flow, &mut rest)?);
        Ok(build::of_block(
            build::block(statements, Some(value), self.span),
            None,
        ))
    }

    /// The declaration of the result, with the type that a turbofish or a `let` around tells.
    fn declared(&self, value: &Expr, names: &mut Names) -> Stmt {
        let (span, result) = (self.span, &self.result);
        let expected = names.expected.take();
        let arguments = self.call.turbofish.as_ref().map(|it| &it.args);
        match (arguments.and_then(|arguments| arguments.first()), expected) {
            (Some(syn::GenericArgument::Type(ty)), _) => {
                parse_quote_spanned!(span=> let mut #result: #ty = #value;)
            }
            (_, Some(ty)) => parse_quote_spanned!(span=> let mut #result: #ty = #value;),
            _ => parse_quote_spanned!(span=> let mut #result = #value;),
        }
    }

    fn value(&self, name: &str, arguments: &[&Expr], names: &mut Names) -> Made<Expr> {
        let (span, result) = (self.span, &self.result);
        let named: Expr = parse_quote_spanned!(span=> #result);
        let declared = |value: Expr| -> Vec<Stmt> {
            vec![parse_quote_spanned!(span=> let mut #result = #value;)]
        };
        match (name, arguments) {
            ("sum" | "product", []) => {
                let none: Expr = match name {
                    "sum" => parse_quote_spanned!(span=> ().__amp_empty_sum()),
                    _ => parse_quote_spanned!(span=> ().__amp_empty_product()),
                };
                let before = vec![self.declared(&none, names)];
                self.block(before, named, names, |_, item| {
                    let item = item.read(span);
                    Ok(match name {
                        "sum" => parse_quote_spanned!(span=> { #result = #result.__amp_like(#item) + #item; }),
                        _ => parse_quote_spanned!(span=> { #result = #result.__amp_like(#item) * #item; }),
                    })
                })
            }
            ("len", []) if self.flow.is_endless() => Err(Refusal::new(
                span,
                "`len` of an iterator without an end",
                "end it: `.cycle().take(n)`",
            )),
            ("len", [])
                if let Driver::Indexed(Indexed { length, order, .. }) = &self.flow.driver
                    && order.iter().all(|order| matches!(order, Order::Rev))
                    && self.flow.stages.iter().all(Stage::is_one_to_one) =>
            {
                let setup = self.flow.setup.clone();
                Ok(build::of_block(
                    build::block(setup, Some(length.clone()), span),
                    None,
                ))
            }
            ("count" | "len", []) => {
                let before = vec![parse_quote_spanned!(span=> let mut #result: usize = 0;)];
                self.block(before, named, names, |_, _| {
                    Ok(parse_quote_spanned!(span=> { #result = #result + 1; }))
                })
            }
            ("fold", [init, f]) => {
                let before = vec![self.declared(init, names)];
                self.block(before, named.clone(), names, |loops, item| {
                    let so_far = Item::Value(named.clone());
                    let value = loops
                        .names
                        .applied(f, &[(&so_far, false), (&item, false)])?;
                    Ok(parse_quote_spanned!(span=> { #result = #value; }))
                })
            }
            ("for_each", [f]) => {
                let unit = parse_quote_spanned!(span=> ());
                self.block(Vec::new(), unit, names, |loops, item| {
                    let value = loops.names.applied(f, &[(&item, false)])?;
                    let done = vec![build::statement(value, span)];
                    Ok(build::of_block(build::block(done, None, span), None))
                })
            }
            ("try_fold" | "try_for_each", _) => self.tried(arguments, names),
            ("any" | "all", [f]) => {
                let is_any = name == "any";
                let start: Expr = parse_quote_spanned!(span=> !#is_any);
                self.block(declared(start), named, names, |loops, item| {
                    let holds = loops.names.applied(f, &[(&item, false)])?;
                    let leave = loops.leave();
                    let found = parse_quote_spanned!(span=> { #result = #is_any; #leave });
                    Ok(match is_any {
                        true => build::choose(holds, found, None, span),
                        false => {
                            let nothing = parse_quote_spanned!(span=> {});
                            build::choose(holds, nothing, Some(found), span)
                        }
                    })
                })
            }
            ("position" | "rposition", [f]) => {
                let is_last = name == "rposition";
                let mut flow = self.flow.clone();
                flow.numbered(names, span);
                if is_last {
                    flow.reversed(span)?;
                }
                let before = declared(none(span));
                let numbered = Ended {
                    flow: &flow,
                    result: result.clone(),
                    ..*self
                };
                numbered.block(before, named, names, |loops, item| {
                    let Item::Tuple(parts) = &item else {
                        return Ok(item.read(span));
                    };
                    let [position, item] = &**parts else {
                        return Ok(item.read(span));
                    };
                    let holds = loops.names.applied(f, &[(item, false)])?;
                    let position: Expr = some(&position.read(span), span);
                    let leave = loops.leave();
                    let found = parse_quote_spanned!(span=> { #result = #position; #leave });
                    Ok(build::choose(holds, found, None, span))
                })
            }
            ("find_map", [f]) => {
                let value = names.fresh("found", span);
                let value: Expr = parse_quote_spanned!(span=> #value);
                self.block(declared(none(span)), named, names, |loops, item| {
                    let mapped = loops.names.applied(f, &[(&item, false)])?;
                    let leave = loops.leave();
                    let taken: Expr = some(&value, span);
                    let found = parse_quote_spanned!(span=> { #result = #taken; #leave });
                    let nothing = parse_quote_spanned!(span=> {});
                    let arms = vec![(some(&value, span), found), (none(span), nothing)];
                    Ok(build::choice(mapped, arms, span))
                })
            }
            (_, [other]) if COMPARISONS.contains(&name) => self.compared(name, other, names),
            ("is_sorted" | "is_sorted_by" | "is_sorted_by_key", f) => {
                self.sorted(name, f.first().copied(), names)
            }
            _ => Err(Refusal::new(
                span,
                format!("`{name}` of an iterator in a kernel"),
                "write the loop: `for x in .. { .. }`",
            )),
        }
    }

    /// `try_fold`, whose function returns an `Option` or a `Result`.
    fn tried(&self, arguments: &[&Expr], names: &mut Names) -> Made<Expr> {
        let (span, result) = (self.span, &self.result);
        let named: Expr = parse_quote_spanned!(span=> #result);
        let tried = names.fresh("tried", span);
        let (before, f): (Vec<Stmt>, &Expr) = match arguments {
            [init, f] => (
                vec![parse_quote_spanned!(span=> let mut #result = #init;)],
                f,
            ),
            [f, ..] => (vec![parse_quote_spanned!(span=> let mut #result = ();)], f),
            [] => return Ok(named),
        };
        let folds = arguments.len() == 2;
        let output = parse_quote_spanned!(span=> #result.__amp_output());
        let body = self.block(before, output, names, |loops, item| {
            let so_far = Item::Value(named.clone());
            let items = match folds {
                true => vec![(&so_far, false), (&item, false)],
                false => vec![(&item, false)],
            };
            let value = loops.names.applied(f, &items)?;
            Ok(parse_quote_spanned!(span=> { #result = (#value)?; }))
        })?;
        Ok(build::called(&tried, &ReturnType::Default, &body, span))
    }
}

/// `Some(pattern)`
pub fn some_pattern(pattern: &Expr, span: Span) -> syn::Pat {
    use super::drive::FromTokens;
    syn::Pat::from_tokens(quote_spanned!(span=> ::core::option::Option::Some(#pattern)))
}
