//! `zip`: two chains side by side. Where both have positions, so has the result; otherwise the first
//! drives the loop, and each of its items takes one of the second.

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprRange, RangeLimits, Stmt, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, Refusal,
    drive::{Exit, Loops},
    flow::{Driver, Flow, Indexed, Order, Pulled, Stage},
    into_flow,
    item::Item,
    kept,
    sources::INTO_ITER,
    taken::TAKE_VALUE,
};

impl Flow {
    /// Whether Rust's `zip` asks the chain for its items by their positions.
    fn is_by_position(&self) -> bool {
        let source = match &self.driver {
            Driver::Indexed(indexed) => indexed.order.is_empty() && indexed.by_position,
            Driver::Range { range, order } => {
                order.is_empty() && range.end.is_some() && !is_closed(range)
            }
            _ => false,
        };
        let mut stages = self.stages.iter();
        let is_plain = |stage: &Stage| {
            matches!(
                stage,
                Stage::Map(_) | Stage::Copied(_) | Stage::Enumerate(_) | Stage::Partner(..)
            )
        };
        source && stages.all(is_plain)
    }

    /// Whether the items of the chain, as the second of two, are told by their numbers.
    fn has_positions(&self) -> bool {
        let is_counted = matches!(
            &self.driver,
            Driver::Indexed(_) | Driver::Repeat(_) | Driver::Range { .. }
        );
        is_counted && self.stages.iter().all(Stage::is_one_to_one)
    }

    /// Two chains side by side, the second of which is kept and has values.
    fn zip_with_kept(&mut self, source: &Expr, names: &mut Names) -> Made<()> {
        let span = source.span();
        let (name, into) = (names.fresh("partner", span), Ident::new(INTO_ITER, span));
        let kept = parse_quote_spanned!(span=> let mut #name = #into(#source););
        let Stmt::Local(kept) = kept else {
            return Err(Refusal::later(span));
        };
        match names.is_unfolded(source) {
            true => self.setup.push(Stmt::Local(kept)),
            false => {
                let setup = kept::declared(&kept, names).transpose()?;
                self.setup.extend(setup.unwrap_or_default());
            }
        }
        let nothing = Flow {
            setup: Vec::new(),
            driver: Driver::Repeat(parse_quote_spanned!(span=> ())),
            stages: Vec::new(),
        };
        self.stages
            .push(Stage::Zip(Box::new(nothing), Pulled::Kept(name, span)));
        Ok(())
    }

    /// Two chains side by side.
    pub fn zip(&mut self, source: &Expr, names: &mut Names, span: Span) -> Made<()> {
        let mut other = into_flow(source, names)?;
        if !other.has_positions() {
            return self.zip_with_kept(source, names);
        }
        self.setup.extend(std::mem::take(&mut other.setup));
        let mut setup = Vec::new();
        if let (Some(one), Some(two)) = (self.bare_indexed(), other.bare_indexed()) {
            let one = one.plain(names, &mut setup, span);
            let two = two.plain(names, &mut setup, span);
            let (shorter, first, second) = (names.fresh("shorter", span), one.length, two.length);
            setup.push(parse_quote_spanned! {span=>
                let #shorter = if #first < #second { #first } else { #second };
            });
            self.setup.extend(setup);
            let (one_by_position, two_by_position) = (one.by_position, two.by_position);
            let (one_endless, two_endless) = (one.endless, two.endless);
            let (one, two) = (one.at, two.at);
            self.driver = Driver::Indexed(Indexed {
                length: parse_quote_spanned!(span=> #shorter),
                order: Vec::new(),
                by_position: one_by_position && two_by_position,
                endless: one_endless && two_endless,
                at: Rc::new(move |names, at| {
                    let (mut statements, first) = one(names, at.clone());
                    let (more, second) = two(names, at);
                    statements.extend(more);
                    (statements, Item::Tuple(vec![first, second]))
                }),
            });
            return Ok(());
        }
        let by_position = self.is_by_position() && other.is_by_position();
        let pulled = match &mut other.driver {
            Driver::Indexed(indexed) => {
                let plain = indexed.clone().plain(names, &mut setup, span);
                *indexed = plain;
                let zero = parse_quote_spanned!(span=> 0);
                self.setup.extend(setup);
                Pulled::Position(self.counter(names, "count", &zero))
            }
            Driver::Range { range, order } => {
                let reversed = match &**order {
                    [] => false,
                    [Order::Rev] => true,
                    _ => {
                        return Err(Refusal::new(
                            span,
                            "`zip` with a range that has a step",
                            "multiply by the step: `.zip(0..n).map(|(x, i)| (x, i * step))`",
                        ));
                    }
                };
                let closed = is_closed(range);
                let start = range.start.clone();
                let end = range.end.clone();
                let start = start.map(|start| {
                    let name = names.fresh("start", span);
                    self.setup
                        .push(parse_quote_spanned!(span=> let mut #name = #start;));
                    name
                });
                let end = end.map(|end| {
                    let name = names.fresh("end", span);
                    self.setup
                        .push(parse_quote_spanned!(span=> let mut #name = #end;));
                    name
                });
                let Some(start) = start else {
                    return Err(Refusal::new(
                        span,
                        "a range without a start",
                        "write it: `0..n`",
                    ));
                };
                let is_done = (closed).then(|| {
                    let name = names.fresh("is_done", span);
                    self.setup
                        .push(parse_quote_spanned!(span=> let mut #name = !(#start <= #end);));
                    name
                });
                Pulled::Range {
                    start,
                    end,
                    is_done,
                    reversed,
                }
            }
            _ => Pulled::Same,
        };
        if let (true, Pulled::Position(counter), Driver::Indexed(indexed)) =
            (by_position, &pulled, &other.driver)
        {
            let partner = Stage::Partner(counter.clone(), indexed.length.clone());
            self.stages.insert(0, partner);
        }
        self.stages.push(Stage::Zip(Box::new(other), pulled));
        Ok(())
    }
}

fn is_closed(range: &ExprRange) -> bool {
    matches!(range.limits, RangeLimits::Closed(_))
}

impl Loops<'_> {
    /// What advances the second iterator of `zip`, and its item.
    pub(super) fn pulled(
        &mut self,
        other: &Flow,
        pulled: &Pulled,
        exit: &Exit,
    ) -> Made<(Vec<Stmt>, Item)> {
        let span = self.span;
        let mut statements: Vec<Stmt> = Vec::new();
        let item = match (&other.driver, pulled) {
            (Driver::Indexed(indexed), Pulled::Position(counter)) => {
                let (length, leave) = (&indexed.length, self.left_by(exit));
                let at = self.names.fresh("at", span);
                statements.push(parse_quote_spanned!(span=> if !(#counter < #length) { #leave }));
                statements.push(parse_quote_spanned!(span=> let #at = #counter;));
                statements.push(parse_quote_spanned!(span=> #counter = #at + 1;));
                let (more, item) = (indexed.at)(self.names, parse_quote_spanned!(span=> #at));
                statements.extend(more);
                item
            }
            (
                _,
                Pulled::Range {
                    start,
                    end,
                    is_done,
                    reversed,
                },
            ) => {
                let number = self.names.fresh("number", span);
                match (end, is_done) {
                    (Some(_), Some(done)) => {
                        let leave = self.left_by(exit);
                        statements.push(parse_quote_spanned!(span=> if #done { #leave }));
                    }
                    (Some(end), None) => {
                        let leave = self.left_by(exit);
                        statements
                            .push(parse_quote_spanned!(span=> if !(#start < #end) { #leave }));
                    }
                    (None, _) => {}
                }
                match (end, is_done, reversed) {
                    (Some(end), None, true) => {
                        statements.push(parse_quote_spanned!(span=> #end = #end - 1;));
                        statements.push(parse_quote_spanned!(span=> let #number = #end;));
                    }
                    (Some(end), Some(done), true) => {
                        statements.push(parse_quote_spanned!(span=> let #number = #end;));
                        statements.push(parse_quote_spanned! {span=>
                            if #start < #end { #end = #end - 1; } else { #done = true; }
                        });
                    }
                    (Some(end), Some(done), false) => {
                        statements.push(parse_quote_spanned!(span=> let #number = #start;));
                        statements.push(parse_quote_spanned! {span=>
                            if #start < #end { #start = #start + 1; } else { #done = true; }
                        });
                    }
                    _ => {
                        statements.push(parse_quote_spanned!(span=> let #number = #start;));
                        statements.push(parse_quote_spanned!(span=> #start = #start + 1;));
                    }
                }
                Item::Value(parse_quote_spanned!(span=> #number))
            }
            (_, Pulled::Kept(name, place)) => {
                let span = *place;
                let (item, leave) = (self.names.fresh("item", span), self.left_by(exit));
                let take = Ident::new(TAKE_VALUE, span);
                statements.push(parse_quote_spanned! {span=>
                    let ::core::option::Option::Some(#item) = #name.#take() else { #leave };
                });
                Item::Value(parse_quote_spanned!(span=> #item))
            }
            (Driver::Repeat(value), _) => Item::Value(value.clone()),
            _ => {
                return Err(Refusal::new(
                    span,
                    "`zip` with this iterator",
                    "write the loop",
                ));
            }
        };
        Ok((statements, item))
    }
}
