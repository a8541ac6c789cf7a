//! The one type of the items of `a.chain(b)`, whose loops have a body each.
//!
//! ```text
//! for k in (0..n).chain(once(0)) { k.reverse_bits(); }
//! ```
//!
//! The body after `once(0)` alone does not tell the type of `0`. Where the numbers of one chain have
//! no type of their own, what never runs before the loops assigns items of both to one variable.
//! Left out are numbers that closures make: a closure stands in each loop anew.

use proc_macro2::Span;
use syn::{Expr, Lit, Pat, Stmt, UnOp, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, bare,
    build::{self, Marks},
    drive::{Loops, Rest},
    flow::{Driver, Flow},
};

impl Flow {
    /// Whether items are numbers without a type of their own. Those of a range get a name in the setup.
    pub(super) fn is_untyped(&mut self, names: &mut Names) -> bool {
        let (setup, driver) = (&mut self.setup, &mut self.driver);
        match driver {
            Driver::Both { untyped, .. } => *untyped,
            Driver::Range { range, .. } => {
                let bounds = [&range.start, &range.end];
                if !bounds.into_iter().flatten().all(|it| is_untyped(it)) {
                    return false;
                }
                if let Some(start) = &mut range.start {
                    let span = start.span();
                    let name = names.fresh("bound", span);
                    setup.push(parse_quote_spanned!(span=> let #name = #start;));
                    **start = parse_quote_spanned!(span=> #name);
                }
                true
            }
            _ => setup.iter().any(|statement| match statement {
                Stmt::Local(local) => {
                    let value = local.init.as_ref().map(|init| &*init.expr);
                    matches!(local.pat, Pat::Ident(_)) && value.is_some_and(is_untyped)
                }
                _ => false,
            }),
        }
    }
}

/// Whether a value is a number, or an array of numbers, without a type.
fn is_untyped(value: &Expr) -> bool {
    match bare(value) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.suffix().is_empty(),
            Lit::Float(number) => number.suffix().is_empty(),
            _ => false,
        },
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_untyped(&unary.expr),
        Expr::Array(array) => array.elems.iter().all(is_untyped),
        Expr::Repeat(repeat) => is_untyped(&repeat.expr),
        Expr::Reference(reference) => is_untyped(&reference.expr),
        _ => false,
    }
}

impl Loops<'_> {
    /// What gives the items of two chains one type, and never runs.
    pub(super) fn alike(&mut self, one: &Flow, two: &Flow) -> Made<Stmt> {
        let span = self.span;
        let same = self.names.fresh("same", span);
        let statements = self.apart(one, span, &mut |outer, first| {
            let first = first.read(span);
            let mut body = outer.apart(two, span, &mut |inner, second| {
                let second = second.read(span);
                let leave = inner.leave();
                Ok(parse_quote_spanned!(span=> { #same = #second; #leave }))
            })?;
            let declared = parse_quote_spanned! {span=>
                #[allow(unused_variables, unused_assignments)]
                let mut #same = #first;
            };
            body.insert(0, declared);
            body.push(Stmt::Expr(outer.leave(), None));
            Ok(build::of_block(build::block(body, None, span), None))
        })?;
        let block = build::block(statements, None, span);
        let never = parse_quote_spanned!(span=> false);
        let choice = build::choose(never, build::of_block(block, None), None, span);
        Ok(build::statement(choice, span))
    }

    /// The statements that run a chain of its own.
    fn apart(&mut self, flow: &Flow, span: Span, rest: &mut Rest) -> Made<Vec<Stmt>> {
        Loops::new(self.names, flow, Marks::default(), span).run(flow, rest)
    }
}
