//! Variables that are ranges: `let r = a..b;` declares two variables, the bounds, and `r` is written out
//! as the range of these where it is used.
//!
//! This is done by syntax, and so for names that a function binds once. Others are values (see `infer::range`), which
//! ranges that include their end are not.

use std::collections::HashMap;

use proc_macro2::{Ident, Span};
use syn::{
    Expr, ExprRange, ItemFn, Local, Member, Pat, RangeLimits, UnOp, parse_quote_spanned,
    spanned::Spanned,
};

use crate::{
    iterate::{bare, refused},
    visit::{self, Visit, VisitMut},
};

/// Writes out the variables of a function that are ranges.
pub fn rewrite(item: &mut ItemFn) {
    let mut found = Found::default();
    found.visit_item_fn(item);
    let Found { bound, ranges } = found;
    let once = |(name, _): &(Ident, bool)| bound.get(&name.to_string()) == Some(&1);
    let ranges: HashMap<String, Kept> = ranges
        .into_iter()
        .filter(once)
        .enumerate()
        .map(|(number, (name, is_closed))| {
            let bound = |what: &str| {
                let bound = format!("__amp_{what}_of_range_{number}");
                Ident::new(&bound, name.span().resolved_at(Span::mixed_site()))
            };
            let kept = Kept {
                start: bound("start"),
                end: bound("end"),
                is_closed,
            };
            (name.to_string(), kept)
        })
        .collect();
    if !ranges.is_empty() {
        Written(ranges).visit_block_mut(&mut item.block);
    }
}

/// The bounds of a range.
struct Kept {
    start: Ident,
    end: Ident,
    is_closed: bool,
}

impl Kept {
    fn range(&self, span: Span) -> Expr {
        let (start, end) = (&self.start, &self.end);
        match self.is_closed {
            false => parse_quote_spanned!(span=> (#start..#end)),
            true => parse_quote_spanned!(span=> (#start..=#end)),
        }
    }
}

/// How often each name is bound, and the names of ranges.
#[derive(Default)]
struct Found {
    bound: HashMap<String, usize>,
    ranges: Vec<(Ident, bool)>,
}

/// The name and the range, if a `let` declares one that has both bounds.
fn declared(local: &Local) -> Option<(&Ident, &ExprRange)> {
    let Pat::Ident(name) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let Expr::Range(range) = bare(&init.expr) else {
        return None;
    };
    let is_plain = name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none();
    let has_bounds = range.start.is_some() && range.end.is_some();
    (is_plain && has_bounds).then_some((&name.ident, range))
}

impl<'s> Visit<'s> for Found {
    fn visit_pat_ident(&mut self, pattern: &'s syn::PatIdent) {
        *self.bound.entry(pattern.ident.to_string()).or_default() += 1;
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_local(&mut self, local: &'s Local) {
        if let Some((name, range)) = declared(local) {
            let is_closed = matches!(range.limits, RangeLimits::Closed(_));
            self.ranges.push((name.clone(), is_closed));
        }
        visit::visit_local(self, local);
    }
}

fn not_a_value(place: Span) -> Expr {
    refused(
        place,
        "a range that includes its end, as a value",
        "write it without its end, `a..b + 1`, which has the type `std::ops::Range`, or use it where it \
         is named: `for i in r.clone()`, `&a[r.clone()]`, `r.contains(&x)`",
    )
}

struct Written(HashMap<String, Kept>);

impl Written {
    fn named(&self, expr: &Expr) -> Option<&Kept> {
        match bare(expr) {
            Expr::Path(path) => self.0.get(&path.path.get_ident()?.to_string()),
            _ => None,
        }
    }

    /// The bound that `r.start()` or `r.end()` of a range that includes its end refers to.
    fn bound(&self, expr: &Expr) -> Option<&Ident> {
        let Expr::MethodCall(call) = bare(expr) else {
            return None;
        };
        let kept = self.named(&call.receiver)?;
        match &*call.method.to_string() {
            _ if !kept.is_closed || !call.args.is_empty() => None,
            "start" => Some(&kept.start),
            "end" => Some(&kept.end),
            _ => None,
        }
    }

    /// The range in the place of its name.
    fn replace(&self, expr: &mut Expr) {
        if let Some(kept) = self.named(expr) {
            *expr = kept.range(expr.span());
        }
    }
}

impl VisitMut for Written {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit::visit_local_mut(self, local);
        let Some((name, range)) = declared(local) else {
            return;
        };
        let (Some(kept), Some(first), Some(last)) =
            (self.0.get(&name.to_string()), &range.start, &range.end)
        else {
            return;
        };
        let (start, end, span) = (&kept.start, &kept.end, range.span());
        // A comparison, so that both have one type.
        let value = parse_quote_spanned! {span=> {
            let #start = #first;
            let #end = #last;
            let _ = #start == #end;
            (#start, #end)
        }};
        local.pat = parse_quote_spanned!(span=> (#start, #end));
        if let Some(init) = &mut local.init {
            *init.expr = value;
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Unary(unary)
                if matches!(unary.op, UnOp::Deref(_))
                    && let Some(bound) = self.bound(&unary.expr) =>
            {
                *expr = parse_quote_spanned!(unary.span()=> #bound);
                return;
            }
            Expr::MethodCall(_) if let Some(bound) = self.bound(expr) => {
                *expr = parse_quote_spanned!(expr.span()=> &#bound);
                return;
            }
            Expr::MethodCall(call) if self.named(&call.receiver).is_some() => {
                self.replace(&mut call.receiver);
                if call.method == "clone" && call.args.is_empty() {
                    *expr = (*call.receiver).clone();
                }
            }
            Expr::Field(field)
                if let Some(kept) = self.named(&field.base)
                    && let Member::Named(member) = &field.member
                    && !kept.is_closed =>
            {
                let span = field.span();
                let bound = match &*member.to_string() {
                    "start" => &kept.start,
                    "end" => &kept.end,
                    _ => {
                        *field.base = not_a_value(field.base.span());
                        return;
                    }
                };
                *expr = parse_quote_spanned!(span=> #bound);
                return;
            }
            Expr::ForLoop(round) => self.replace(&mut round.expr),
            Expr::Index(index) => self.replace(&mut index.index),
            Expr::Path(_) if let Some(kept) = self.named(expr) => {
                *expr = match kept.is_closed {
                    false => kept.range(expr.span()),
                    true => not_a_value(expr.span()),
                };
                return;
            }
            _ => {}
        }
        visit::visit_expr_mut(self, expr);
    }
}
