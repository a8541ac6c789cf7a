//! `cycle`: what has positions is counted anew, so that it still has positions; a range keeps its next number.

use proc_macro2::Span;
use syn::{Expr, RangeLimits, Stmt, parse_quote_spanned};

use super::{
    Made, Names, Refusal,
    flow::{Driver, Flow, Indexed, Stage},
};

impl Flow {
    /// The same items again and again.
    pub(super) fn cycle(&mut self, names: &mut Names, span: Span) -> Made<()> {
        // One that leaves out all items ends, which its source does not tell.
        let is_whole = self.stages.iter().all(|stage| {
            let is_partner = matches!(stage, Stage::Partner(..));
            stage.is_one_to_one() && !is_partner
        });
        if let Driver::Indexed(indexed) = &self.driver
            && is_whole
        {
            let mut setup = Vec::new();
            let indexed = indexed.clone().plain(names, &mut setup, span);
            let (old, length) = (indexed.length.clone(), names.fresh("length", span));
            setup.push(parse_quote_spanned! {span=>
                let #length = if #old == 0 { 0 } else { 4_294_967_295 };
            });
            self.setup.extend(setup);
            let length = parse_quote_spanned!(span=> #length);
            let again = move |at| parse_quote_spanned!(span=> #at % #old);
            self.driver = Driver::Indexed(Indexed {
                endless: true,
                ..indexed.moved(length, again, span)
            });
            return Ok(());
        }
        if let Driver::Range { range, order } = &self.driver
            && order.is_empty()
            && let (Some(start), Some(end)) = (&range.start, &range.end)
            && matches!(range.limits, RangeLimits::HalfOpen(_))
            && is_whole
        {
            let [first, last, next, item] =
                ["start", "end", "next", "item"].map(|name| names.fresh(name, span));
            self.setup.extend::<[Stmt; 3]>([
                parse_quote_spanned!(span=> let #first = #start;),
                parse_quote_spanned!(span=> let #last = #end;),
                parse_quote_spanned!(span=> let mut #next = #first;),
            ]);
            let none: Expr = parse_quote_spanned!(span=> ::core::option::Option::None);
            let f = parse_quote_spanned! {span=> || {
                let #item = #next;
                if #item < #last {
                    #next = #item + 1;
                    if !(#next < #last) { #next = #first; }
                    ::core::option::Option::Some(#item)
                } else { #none }
            }};
            let (first, back) = (false, None);
            self.driver = Driver::Next {
                next,
                first,
                f,
                back,
            };
            return Ok(());
        }
        Err(Refusal::new(
            span,
            "`cycle` of an iterator that does not tell its length",
            "repeat an array, a slice or a range, before the adapters that leave items out or count",
        ))
    }
}
