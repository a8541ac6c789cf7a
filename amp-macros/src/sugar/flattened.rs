//! `rows.as_flattened().iter()` as `rows.iter().flatten()`, and so with `mut`.

use syn::{Block, Expr, ExprMethodCall, parse_quote_spanned};

use crate::{
    iterate::bare,
    position,
    visit::{self, VisitMut},
};

/// Rewrites the iterators of a body.
pub fn rewrite(body: &mut Block) {
    Flattened.visit_block_mut(body);
}

struct Flattened;

impl VisitMut for Flattened {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit::visit_expr_mut(self, expr);
        if let Expr::MethodCall(call) = &*expr
            && let Some(plain) = of_rows(call)
        {
            *expr = plain;
        }
    }
}

fn of_rows(call: &ExprMethodCall) -> Option<Expr> {
    let Expr::MethodCall(flattened) = bare(&call.receiver) else {
        return None;
    };
    let (iterator, name) = (&call.method, flattened.method.to_string());
    let is_one = match &*name {
        "as_flattened" => iterator == "iter",
        "as_flattened_mut" => iterator == "iter_mut",
        _ => false,
    };
    let span = flattened.method.span();
    if !is_one || !flattened.args.is_empty() || position::file_declares(span, &name) {
        return None;
    }
    let rows = &flattened.receiver;
    Some(parse_quote_spanned!(span=> #rows.#iterator().flatten()))
}
