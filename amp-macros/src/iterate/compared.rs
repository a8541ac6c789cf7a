//! Comparisons: of two chains item by item, the first of which drives the loop, and of each item of a chain
//! with the one before.

use proc_macro2::{Ident, Span};
use quote::{format_ident, quote_spanned};
use syn::{BinOp, Expr, ExprBinary, Stmt, UnOp, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, Refusal, bare, build,
    drive::{is_nested, none, some},
    ends::{Ended, Found, some_pattern},
    flow::{Driver, Stage},
    into_flow,
    item::Item,
    yielded::told,
};

/// What a comparison begins with, and its result if the first chain is longer, and if it is shorter.
fn outcomes(name: &str, span: Span) -> [Expr; 3] {
    ["Equal", "Greater", "Less"].map(|order| {
        let is_equal = order == "Equal";
        let order = format_ident!("{order}", span = span);
        let order = parse_quote_spanned!(span=> ::core::cmp::Ordering::#order);
        match name {
            "eq" | "ne" => parse_quote_spanned!(span=> #is_equal),
            "cmp" => order,
            _ => some(&order, span),
        }
    })
}

impl Names {
    /// `a == b` of slices as `a.iter().eq(b.iter())`, and so for `<` and the like. What a function returns is a
    /// slice if the other side is one.
    pub fn comparison(&self, binary: &ExprBinary) -> Option<Expr> {
        let span = binary.op.span();
        let method = match binary.op {
            BinOp::Eq(_) => "eq",
            BinOp::Ne(_) => "ne",
            BinOp::Lt(_) => "lt",
            BinOp::Le(_) => "le",
            BinOp::Gt(_) => "gt",
            BinOp::Ge(_) => "ge",
            _ => return None,
        };
        let sides = [&*binary.left, &*binary.right];
        let may_be = sides.map(|side| self.known.is_slice(side) || is_returned(side));
        let is_slice = sides.map(|side| self.known.is_unsized(side));
        if !is_slice.contains(&true) || may_be.contains(&false) {
            return None;
        }
        let [left, right] = sides.map(|side| match bare(side) {
            Expr::Reference(reference) => bare(&reference.expr),
            side => side,
        });
        let method = Ident::new(method, span);
        Some(parse_quote_spanned!(span=> (#left).iter().#method((#right).iter())))
    }
}

/// Whether an expression is what a function returns, or what that refers to.
fn is_returned(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => is_returned(&unary.expr),
        expr => matches!(expr, Expr::Call(_) | Expr::MethodCall(_)),
    }
}

impl Ended<'_> {
    /// `eq`, `lt`, `cmp` and the like of two chains.
    pub(super) fn compared(&self, name: &str, other: &Expr, names: &mut Names) -> Made<Expr> {
        let (span, result) = (self.span, &self.result);
        let mut other = into_flow(other, names)?;
        let [equal, longer, shorter] = outcomes(name, span);
        let mut before = std::mem::take(&mut other.setup);
        before.push(parse_quote_spanned!(span=> let mut #result = #equal;));
        let Driver::Indexed(indexed) = &other.driver else {
            return Err(Refusal::new(
                span,
                "a comparison with an iterator that has no positions",
                "compare in a loop: `a.iter().zip(b).all(|(x, y)| x == y)`",
            ));
        };
        if is_nested(&other) || !other.stages.iter().all(Stage::is_one_to_one) {
            return Err(Refusal::new(
                span,
                "a comparison with an iterator that leaves items out",
                "let it be the first of the two, or compare in a loop",
            ));
        }
        let mut setup = Vec::new();
        let indexed = indexed.clone().plain(names, &mut setup, span);
        before.extend(setup);
        let counter = names.fresh("count", span);
        let length = indexed.length.clone();
        before.push(parse_quote_spanned!(span=> let mut #counter: usize = 0;));
        let named = parse_quote_spanned!(span=> #result);
        let value = self.block(before, named, names, |loops, item| {
            let at = loops.names.fresh("at", span);
            let leave = loops.leave();
            let mut statements: Vec<Stmt> = vec![
                parse_quote_spanned!(span=> if !(#counter < #length) { #result = #longer; #leave }),
                parse_quote_spanned!(span=> let #at = #counter;),
                parse_quote_spanned!(span=> #counter = #at + 1;),
            ];
            let (more, second) = (indexed.at)(loops.names, parse_quote_spanned!(span=> #at));
            statements.extend(more);
            let compared = loops.through(&other.stages, second, &mut |loops, second| {
                let (first, second) = (item.read(span), second.read(span));
                let order = loops.names.fresh("order", span);
                let value: Expr = match name {
                    "eq" | "ne" => parse_quote_spanned!(span=> #first == #second),
                    "cmp" => parse_quote_spanned!(span=> (#first).cmp(&(#second))),
                    _ => parse_quote_spanned!(span=> (#first).partial_cmp(&(#second))),
                };
                let leave = loops.leave();
                Ok(parse_quote_spanned! {span=> {
                    let #order = #value;
                    if !(#order == #equal) { #result = #order; #leave }
                }})
            })?;
            statements.push(Stmt::Expr(compared, None));
            Ok(build::of_block(build::block(statements, None, span), None))
        })?;
        // The counter is declared within the block.
        let order = names.fresh("order", span);
        let ended = match value {
            Expr::Block(mut block) => {
                block.block.stmts.pop();
                let last = parse_quote_spanned! {span=>
                    if #result == #equal && #counter < #length { #shorter } else { #result }
                };
                block.block.stmts.push(Stmt::Expr(last, None));
                Expr::Block(block)
            }
            value => value,
        };
        let is = |orders: &[&str]| -> Expr {
            let orders = orders.iter().map(|order| -> Expr {
                let order = format_ident!("{order}", span = span);
                some(
                    &parse_quote_spanned!(span=> ::core::cmp::Ordering::#order),
                    span,
                )
            });
            let all = orders.map(|known| quote_spanned!(span=> #order == #known));
            parse_quote_spanned!(span=> { let #order = #ended; #(#all)||* })
        };
        Ok(match name {
            "ne" => parse_quote_spanned!(span=> !#ended),
            "lt" => is(&["Less"]),
            "le" => is(&["Less", "Equal"]),
            "gt" => is(&["Greater"]),
            "ge" => is(&["Greater", "Equal"]),
            _ => ended,
        })
    }

    /// `is_sorted` and the like.
    pub(super) fn sorted(&self, name: &str, f: Option<&Expr>, names: &mut Names) -> Made<Expr> {
        let (span, result) = (self.span, &self.result);
        let last = names.fresh("last", span);
        let nothing: Expr = none(span);
        let before = vec![
            parse_quote_spanned!(span=> let mut #result = true;),
            parse_quote_spanned!(span=> let mut #last = #nothing;),
        ];
        let value = parse_quote_spanned!(span=> #result);
        self.block(before, value, names, |loops, item| {
            let (mut statements, item) = match (name, f) {
                ("is_sorted_by_key", Some(f)) => {
                    let key = loops.names.fresh("key", span);
                    let value = loops.names.applied(f, &[(&item, false)])?;
                    let named = parse_quote_spanned!(span=> #key);
                    let kept = parse_quote_spanned!(span=> let #key = #value;);
                    (vec![kept], Item::Value(named))
                }
                _ => (Vec::new(), item),
            };
            if item.is_lent() {
                return Err(Refusal::new(
                    span,
                    format!("`{name}` of references that a function yields"),
                    "copy the items before: `.copied()`",
                ));
            }
            let found = Found {
                slices: Vec::new(),
                told: parse_quote_spanned!(span=> #last),
                item: item.clone(),
                borrowed: false,
            };
            let (pattern, earlier) = found.taken(loops.names, span);
            let holds = match (name, f) {
                ("is_sorted_by", Some(f)) => {
                    loops.names.applied(f, &[(&earlier, true), (&item, true)])?
                }
                _ => {
                    let (earlier, item) = (earlier.read(span), item.read(span));
                    parse_quote_spanned!(span=> #earlier <= #item)
                }
            };
            let leave = loops.leave();
            let out_of_order = parse_quote_spanned!(span=> { #result = false; #leave });
            let nothing: Expr = parse_quote_spanned!(span=> {});
            let checked = build::choose(holds, nothing.clone(), Some(out_of_order), span);
            let arms = vec![
                (some_pattern(&pattern, span), checked),
                (none(span), nothing),
            ];
            let choice = build::choice(parse_quote_spanned!(span=> #last), arms, span);
            statements.push(build::statement(choice, span));
            let kept: Expr = some(&told(&item, span), span);
            statements.push(parse_quote_spanned!(span=> #last = #kept;));
            Ok(build::of_block(build::block(statements, None, span), None))
        })
    }
}
