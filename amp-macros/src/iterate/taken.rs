//! The uses of iterators that variables are: items are taken out of them, or looked at, and what is left is
//! visited as a whole.

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprMethodCall, ExprRange, Stmt, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, Refusal, bare, build,
    drive::{none, some},
    ends::{self, End, Found},
    flow::{Driver, Flow, Indexed, Order, Stage, closure, reference},
    found,
    item::Item,
    kept::{Kept, Named, Source},
    range,
    sources::taking,
};

/// How an iterator is used.
enum Use {
    /// It is moved.
    Moved,
    /// A copy is visited.
    Copied,
    /// Items are taken out of it, from its front or its back.
    Taken { back: bool },
    /// Its next item is looked at.
    Peeked,
}

/// The iterator that a source is, and how a chain uses it that begins with it.
fn used(source: &Expr, names: &Names) -> Option<(Named, Use)> {
    let source = bare(source);
    let taken = Use::Taken { back: false };
    match source {
        Expr::Path(_) => {
            let named = names.kept(source)?;
            let how = if named.kept.is_lent {
                taken
            } else {
                Use::Moved
            };
            Some((named, how))
        }
        Expr::MethodCall(call) if call.args.is_empty() && call.method == "by_ref" => {
            Some((names.kept(&call.receiver)?, taken))
        }
        Expr::MethodCall(call) if call.args.is_empty() && call.method == "clone" => {
            Some((names.kept(&call.receiver)?, Use::Copied))
        }
        source => {
            let reference = reference(source).filter(|it| it.mutability.is_some())?;
            Some((names.kept(&reference.expr)?, taken))
        }
    }
}

/// The methods that take the next item, by value, for a function that is passed the iterator or for `zip`: one that may be of
/// values or of references, one of values, and one of references.
pub const TAKE: &str = "__amp_take";
pub const TAKE_VALUE: &str = "__amp_take_value";
pub const TAKE_REFERENCE: &str = "__amp_take_reference";

/// What follows in the names of those that take the last item.
pub const BACK: &str = "_back";

/// Whether a chain begins with an iterator that is kept.
pub fn is_used(source: &Expr, names: &Names) -> bool {
    used(source, names).is_some()
}

/// The chain of what an iterator has left.
pub fn flow(source: &Expr, names: &mut Names) -> Option<Made<Flow>> {
    let (named, how) = used(source, names)?;
    Some(named.flow(&how, source.span(), names))
}

/// What uses an iterator by one of its own methods.
pub fn ended(call: &ExprMethodCall, names: &mut Names) -> Option<Made<End>> {
    let name = call.method.to_string();
    let (name, back) = match name.strip_suffix(BACK) {
        Some(take) if take.starts_with(TAKE) => (take.to_owned(), true),
        _ => (name, false),
    };
    let (span, receiver) = (call.method.span(), bare(&call.receiver));
    let mut plain = call.clone();
    // `it.peek().copied()`
    if let ("copied" | "cloned", Expr::MethodCall(peek)) = (&*name, receiver)
        && peek.method == "peek"
        && let Some(named) = names.kept(&peek.receiver)
    {
        plain.method = Ident::new("next", span);
        if let Some(peeked) = &named.kept.peeked {
            let found = peeked.peek(span, names);
            return Some(Ok(match peeked.refers {
                true => End::Item(Box::new(Found {
                    borrowed: false,
                    ..found
                })),
                false => End::Value(found.told),
            }));
        }
        return Some(named.asked(&plain, &Use::Peeked, names));
    }
    let named = names.kept(receiver)?;
    let how = match &*name {
        "peek" | "next_if" | "next_if_eq" if !named.kept.is_peekable => {
            return Some(Err(Refusal::new(
                span,
                format!("`{name}` of an iterator that is not `peekable`"),
                "write it where the iterator is declared: `let mut it = a.iter().peekable();`",
            )));
        }
        "peek" if let Some(peeked) = &named.kept.peeked => {
            return Some(Ok(End::Item(Box::new(peeked.peek(span, names)))));
        }
        "peek" => {
            plain.method = Ident::new("next", span);
            let made = named.asked(&plain, &Use::Peeked, names);
            return Some(made.map(|end| by_reference(end, span, names)));
        }
        "next_if" | "next_if_eq" => return Some(named.next_if(call, receiver, names)),
        "next_back" | "rposition" => Use::Taken { back: true },
        "next" | "nth" | TAKE | TAKE_VALUE | TAKE_REFERENCE => Use::Taken { back },
        "len" => Use::Peeked,
        name if range::LEAVES_RANGE.contains(&name) => Use::Taken { back: false },
        _ => return None,
    };
    match &*name {
        TAKE | TAKE_VALUE | TAKE_REFERENCE => {
            plain.method = Ident::new("next", span);
            let asked = named.asked(&plain, &how, names);
            return Some(asked.and_then(|end| by_value(end, &name, &plain, names)));
        }
        "next_back" => plain.method = Ident::new("next", span),
        "rposition" => {
            return Some(Err(Refusal::new(
                span,
                "`rposition` of an iterator in a variable",
                "call it where the chain stands",
            )));
        }
        "len" => return Some(named.length(&plain, names)),
        _ => {}
    }
    Some(named.asked(&plain, &how, names))
}

/// The next item of an iterator.
pub(super) fn next(named: &Named, call: &ExprMethodCall, names: &mut Names) -> Made<End> {
    named.asked(call, &Use::Taken { back: false }, names)
}

/// An item as `peek` has it: by one more reference.
fn by_reference(end: End, span: Span, names: &mut Names) -> End {
    let mut found = match end {
        End::Item(found) => found,
        End::Value(told) => {
            let item = names.fresh("item", span);
            Box::new(Found {
                told,
                item: Item::Value(parse_quote_spanned!(span=> #item)),
                slices: Vec::new(),
                borrowed: false,
            })
        }
    };
    found.borrowed = true;
    End::Item(found)
}

/// The next item by value, where one of the methods takes it.
fn by_value(end: End, method: &str, next: &ExprMethodCall, names: &mut Names) -> Made<End> {
    let span = next.method.span();
    let (message, help) = match (end, method) {
        (End::Item(_), TAKE_VALUE) => (
            "an iterator of values is taken here, and this one has references",
            "copy the items: `x.iter().copied()`",
        ),
        (End::Value(_), TAKE_REFERENCE) => (
            "the function takes an iterator of references, and this one has values",
            "pass the elements of an array, `x.iter()`, or let the function take values",
        ),
        (End::Item(found), _) => {
            let read = parse_quote_spanned!(span=> #next.copied());
            let value = found::of_found(&read, "copied", &found, span, names)?;
            return Ok(End::Value(value));
        }
        (value, _) => return Ok(value),
    };
    Err(Refusal::new(span, message, help))
}

/// What stands for an iterator that is used as a value.
pub fn misused(expr: &Expr, names: &Names) -> Option<Expr> {
    let named = names.kept(expr)?;
    let text = match &named.hidden {
        Some(hidden) => hidden_message(hidden),
        None => "an iterator as a value".to_owned(),
    };
    Some(super::refused(
        expr.span(),
        &text,
        "iterators are visited where they are declared: `for x in it`, `it.next()`, `it.by_ref().take(2)`",
    ))
}

fn hidden_message(hidden: &str) -> String {
    format!("the iterator mentions `{hidden}`, which has been declared again")
}

impl Named {
    /// The chain of what is left.
    fn flow(&self, how: &Use, place: Span, names: &mut Names) -> Made<Flow> {
        if let Some(hidden) = &self.hidden {
            return Err(Refusal::new(
                place,
                hidden_message(hidden),
                "give one of the two another name",
            ));
        }
        let Kept { source, stages, .. } = &*self.kept;
        let left = &self.left(place);
        let mut flow = match (how, source) {
            (Use::Moved, Source::Whole(driver) | Source::Stateful(driver)) => {
                let moved = names.fresh("source", place);
                let setup = vec![parse_quote_spanned!(place=> let #moved = #left;)];
                Flow::alone(setup, driver.clone())
            }
            (Use::Moved, Source::Positions { .. } | Source::Numbers { .. })
                if !self.kept.over.is_empty() =>
            {
                let reversed = matches!(source, Source::Numbers { reversed: true });
                let f = self.next(reversed, place, names);
                Flow::alone(Vec::new(), taking(f, place, names))
            }
            // No item has been taken out of it.
            (Use::Copied, Source::Whole(driver)) => Flow::alone(Vec::new(), driver.clone()),
            (Use::Moved | Use::Copied, _) => {
                let moved = names.fresh("source", place);
                let value: Expr = match how {
                    Use::Moved => parse_quote_spanned!(place=> #left),
                    _ => parse_quote_spanned!(place=> #left.clone()),
                };
                let mut setup = vec![parse_quote_spanned!(place=> let #moved = #value;)];
                let driver = self.whole(&moved, &mut setup, place, names)?;
                Flow::alone(setup, driver)
            }
            (Use::Taken { back }, Source::Stateful(driver)) => {
                let mut flow = Flow::alone(Vec::new(), driver.clone());
                if *back {
                    flow.reversed(place)?;
                }
                flow
            }
            (Use::Taken { back }, Source::Positions { .. } | Source::Numbers { .. }) => {
                let reversed = matches!(source, Source::Numbers { reversed: true });
                let f = self.next(*back != reversed, place, names);
                Flow::alone(Vec::new(), taking(f, place, names))
            }
            (Use::Peeked, Source::Positions { .. } | Source::Numbers { .. }) => {
                let first: Expr = match source {
                    Source::Numbers { reversed: true } => {
                        parse_quote_spanned!(place=> #left.end - 1)
                    }
                    _ => parse_quote_spanned!(place=> #left.start),
                };
                let (first, nothing): (Expr, Expr) = (some(&first, place), none(place));
                let f = parse_quote_spanned! {place=>
                    || if #left.start < #left.end { #first } else { #nothing }
                };
                Flow::alone(Vec::new(), taking(f, place, names))
            }
            (_, Source::Whole(_)) | (Use::Peeked, Source::Stateful(_)) => {
                return Err(self.refused(place));
            }
        };
        let fits = match how {
            Use::Moved => true,
            Use::Copied => !self.kept.has_own && stages.iter().all(Stage::has_no_order),
            Use::Taken { back: false } => !stages.iter().any(|stage| {
                matches!(
                    stage,
                    Stage::TakeWhile(_, None) | Stage::FlatMap(_) | Stage::Flatten
                )
            }),
            Use::Taken { back: true } => stages.iter().all(Stage::has_no_order),
            Use::Peeked => stages.iter().all(|stage| matches!(stage, Stage::Copied(_))),
        };
        if !fits {
            return Err(self.refused(place));
        }
        self.end(&mut flow, place);
        let is_indexed = matches!(flow.driver, Driver::Indexed(_));
        if let (Source::Positions { at, .. }, false) = (source, is_indexed) {
            flow.stages.push(Stage::At(at.clone()));
        }
        flow.stages.extend(stages.iter().cloned());
        Ok(flow)
    }

    /// Has a chain end where nothing else comes, whatever is left.
    fn end(&self, flow: &mut Flow, place: Span) {
        let over = self
            .kept
            .over
            .iter()
            .map(|it| -> Expr { parse_quote_spanned!(place=> #it) });
        let over = over.reduce(|one, other| parse_quote_spanned!(place=> #one || #other));
        let Some(over) = over else { return };
        if let Driver::Next { f, .. } = &mut flow.driver
            && let Some(next) = closure(f).map(|f| &f.body)
        {
            let nothing: Expr = none(place);
            *f = parse_quote_spanned!(place=> || if #over { #nothing } else { #next });
        }
    }

    /// The range of what is left, where it is used.
    fn left(&self, place: Span) -> Ident {
        let mut left = self.kept.left.clone();
        left.set_span(left.span().located_at(place));
        left
    }

    /// What takes the first number out of what is left, or the last: of whatever type the numbers are.
    fn next(&self, back: bool, span: Span, names: &mut Names) -> Expr {
        let (left, number) = (self.left(span), names.fresh("number", span));
        let taken: Expr = some(&parse_quote_spanned!(span=> #number), span);
        let nothing: Expr = none(span);
        let take: Expr = match back {
            false => parse_quote_spanned!(span=> {
                let #number = #left.start;
                #left.start = #number + 1;
                #taken
            }),
            true => parse_quote_spanned!(span=> {
                let #number = #left.end - 1;
                #left.end = #number;
                #taken
            }),
        };
        let is_left = parse_quote_spanned!(span=> #left.start < #left.end);
        let choice = build::choose(is_left, take, Some(nothing), span);
        parse_quote_spanned!(span=> || #choice)
    }

    fn refused(&self, place: Span) -> Refusal {
        Refusal::new(
            place,
            "items that are taken one by one out of this iterator, which is kept in a variable or passed to a function",
            "visit it as a whole, `for x in it`, or keep its source: `let mut it = a.iter();`",
        )
    }

    /// What visits all that a range of the iterator's positions or numbers has left.
    fn whole(
        &self,
        moved: &Ident,
        setup: &mut Vec<Stmt>,
        span: Span,
        names: &mut Names,
    ) -> Made<Driver> {
        match &self.kept.source {
            Source::Positions { at, by_position } => {
                let (start, length) = (names.fresh("source", span), names.fresh("source", span));
                setup.push(parse_quote_spanned!(span=> let #start = #moved.start;));
                setup.push(parse_quote_spanned!(span=> let #length = #moved.end - #start;));
                let length: Expr = parse_quote_spanned!(span=> #length);
                let all = Indexed {
                    length: length.clone(),
                    order: Vec::new(),
                    by_position: *by_position,
                    endless: false,
                    at: at.clone(),
                };
                let to = move |at| parse_quote_spanned!(span=> #start + #at);
                Ok(Driver::Indexed(all.moved(length, to, span)))
            }
            Source::Numbers { reversed } => {
                let range: ExprRange = parse_quote_spanned!(span=> #moved.start..#moved.end);
                let order = match reversed {
                    true => vec![Order::Rev],
                    false => Vec::new(),
                };
                Ok(Driver::Range { range, order })
            }
            Source::Stateful(_) | Source::Whole(_) => Err(self.refused(span)),
        }
    }

    /// The value of a method of the chain of what is left.
    fn asked(&self, call: &ExprMethodCall, how: &Use, names: &mut Names) -> Made<End> {
        let flow = self.flow(how, call.method.span(), names)?;
        ends::end(call, &flow, names)
    }

    fn length(&self, call: &ExprMethodCall, names: &mut Names) -> Made<End> {
        let span = call.method.span();
        let left = self.left(span);
        let is_one_to_one = self.kept.stages.iter().all(Stage::is_one_to_one);
        match &self.kept.source {
            Source::Positions { .. } if is_one_to_one => {
                self.flow(&Use::Taken { back: false }, span, names)?;
                Ok(End::Value(
                    parse_quote_spanned!(span=> (#left.end - #left.start)),
                ))
            }
            _ => Err(self.refused(span)),
        }
    }

    /// `it.next_if(f)`, which takes the next item if the function holds of it.
    fn next_if(&self, call: &ExprMethodCall, it: &Expr, names: &mut Names) -> Made<End> {
        let span = call.method.span();
        let flow = self.flow(&Use::Taken { back: false }, span, names)?;
        let (Driver::Next { f, .. }, Some(argument)) = (&flow.driver, call.args.first()) else {
            return Err(self.refused(span));
        };
        let holds: Expr = match call.method == "next_if" {
            true => argument.clone(),
            false => parse_quote_spanned!(span=> |it| it == #argument),
        };
        let take = closure(f).map(|it| &it.body);
        let nothing: Expr = none(span);
        let f = parse_quote_spanned! {span=>
            || if #it.peek().is_some_and(#holds) { #take } else { #nothing }
        };
        let flow = Flow {
            driver: taking(f, span, names),
            ..flow
        };
        let mut next = call.clone();
        next.method = Ident::new("next", span);
        next.args.clear();
        ends::end(&next, &flow, names)
    }
}
