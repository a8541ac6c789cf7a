//! Patterns of the slices that items refer to: `[a, b]`, `[first, rest @ ..]`.
//!
//! The length of an array is known, and rustc compares it with the pattern's. That of another slice may
//! differ, so that such a pattern is one that may not match: a `match` has a pattern for the length, which rustc
//! proves to leave none out, and elsewhere it is refused, as Rust refuses it.

use proc_macro2::{Ident, Literal, Span};
use quote::quote_spanned;
use syn::{
    Expr, ExprLit, Lit, Pat, PatIdent, PatSlice, Token, parse_quote_spanned, spanned::Spanned,
};

use super::{
    Made, Names, Refusal,
    drive::FromTokens,
    item::{Item, Neighbours, Scope},
    slice_elements::rest_name,
};
use crate::visit::VisitMut;

/// Has a pattern for the values that tell an item want the lengths that another wants of its slices.
pub fn want_lengths(told: &mut Pat, pattern: &Pat, item: &Item) {
    struct Wanted {
        name: Ident,
        length: Pat,
    }
    impl VisitMut for Wanted {
        fn visit_pat_ident_mut(&mut self, told: &mut PatIdent) {
            if told.ident == self.name {
                let at = Token![@](told.ident.span());
                told.subpat = Some((at, Box::new(self.length.clone())));
            }
        }
    }
    match (pattern, item) {
        (Pat::Paren(paren), _) => want_lengths(told, &paren.pat, item),
        (Pat::Reference(reference), _) => want_lengths(told, &reference.pat, item),
        (Pat::Tuple(tuple), Item::Tuple(parts)) => {
            for (pattern, part) in tuple.elems.iter().zip(parts) {
                want_lengths(told, pattern, part);
            }
        }
        (Pat::Slice(slice), Item::Neighbours(of)) if of.count.is_none() => {
            let Expr::Path(name) = &of.length else { return };
            let Some(name) = name.path.get_ident() else {
                return;
            };
            let (span, parts) = (slice.span(), Parts::of(slice));
            let named = parts.named();
            let length = match parts.rest {
                Some(_) => quote_spanned!(span=> #named..),
                None => quote_spanned!(span=> #named),
            };
            let (name, length) = (name.clone(), Pat::from_tokens(length));
            Wanted { name, length }.visit_pat_mut(told);
        }
        _ => {}
    }
}

/// The parts of a pattern: those before `..`, it, and those behind.
struct Parts<'a> {
    before: Vec<&'a Pat>,
    rest: Option<&'a Pat>,
    after: Vec<&'a Pat>,
}

impl<'a> Parts<'a> {
    fn of(pattern: &'a PatSlice) -> Self {
        let mut before: Vec<&Pat> = pattern.elems.iter().collect();
        let is_rest = |part: &&Pat| matches!(part, Pat::Rest(_)) || rest_name(part).is_some();
        let Some(position) = before.iter().position(is_rest) else {
            return Self {
                before,
                rest: None,
                after: Vec::new(),
            };
        };
        let after = before.split_off(position + 1);
        let rest = before.pop();
        Self {
            before,
            rest,
            after,
        }
    }

    /// How many elements it wants.
    fn named(&self) -> Literal {
        Literal::usize_suffixed(self.before.len() + self.after.len())
    }
}

impl Scope {
    /// Binds a pattern to the elements of a slice.
    pub(super) fn elements(
        &mut self,
        names: &mut Names,
        pattern: &PatSlice,
        of: &Neighbours,
    ) -> Made<()> {
        let (span, parts) = (pattern.span(), Parts::of(pattern));
        let (wanted, named) = (parts.before.len() + parts.after.len(), parts.named());
        let is_whole = parts.rest.is_none();
        match (&of.count, of.count.as_ref().and_then(number)) {
            (Some(_), Some(count)) if wanted == count || !is_whole && wanted < count => {}
            (Some(_), Some(count)) => {
                return Err(Refusal::new(
                    span,
                    format!("an array of {count} elements is taken apart into {wanted}"),
                    "name each element, or write `_` for it",
                ));
            }
            (Some(count), None) if is_whole => {
                self.push(parse_quote_spanned!(span=> let _: [u32; #count] = [0; #named];));
            }
            (None, _) if self.has_lengths => {}
            _ => {
                return Err(Refusal::new(
                    span,
                    "a pattern of a slice that may not match",
                    "take arrays, `a.array_windows::<2>()`, or test the length: `if let [a, b] = part`",
                ));
            }
        }
        let (length, start) = (&of.length, &of.start);
        let from_start = (parts.before.iter().enumerate()).map(|(offset, part)| {
            let offset = Literal::usize_suffixed(offset);
            (*part, parse_quote_spanned!(span=> #start + #offset))
        });
        let from_end = (parts.after.iter().rev().enumerate()).map(|(offset, part)| {
            let offset = Literal::usize_suffixed(offset + 1);
            (
                *part,
                parse_quote_spanned!(span=> #start + #length - #offset),
            )
        });
        for (part, position) in from_start.chain(from_end).collect::<Vec<(&Pat, Expr)>>() {
            self.element(names, part, &position, of)?;
        }
        let Some(rest) = parts.rest.and_then(rest_name) else {
            return Ok(());
        };
        let first = Literal::usize_suffixed(parts.before.len());
        let others = Item::Neighbours(Box::new(Neighbours {
            start: parse_quote_spanned!(span=> (#start + #first)),
            length: parse_quote_spanned!(span=> (#length - #named)),
            count: None,
            ..of.clone()
        }));
        let mut name = rest.clone();
        name.subpat = None;
        self.bind(names, &Pat::Ident(name), &others, false)
    }

    fn element(
        &mut self,
        names: &mut Names,
        part: &Pat,
        position: &Expr,
        of: &Neighbours,
    ) -> Made<()> {
        let (span, base): (Span, &Expr) = (part.span(), &of.base);
        let at = names.fresh("at", span);
        self.push(parse_quote_spanned!(span=> let #at = #position;));
        let element = Item::Place {
            place: parse_quote_spanned!(span=> #base[#at]),
            mutable: of.mutable,
        };
        self.bind(names, part, &element, false)
    }
}

/// The number that a count is, if it is written.
fn number(count: &Expr) -> Option<usize> {
    match count {
        Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        }) => number.base10_parse().ok(),
        _ => None,
    }
}
