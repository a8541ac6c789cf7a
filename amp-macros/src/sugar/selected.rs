//! `select_nth_unstable` and its forms with `by` and `by_key`, as sorts: what they leave in order is all that they promise.
//!
//! ```text
//! let (_, median, _) = a.select_nth_unstable(k);      let at = k; a.sort_unstable(); let median = &a[at];
//! *a.select_nth_unstable(k).1                          { let at = k; a.sort_unstable(); a[at] }
//! ```
//!
//! The three parts can be read. Left out are parts that are written, and receivers that are no names or fields.

use syn::{Expr, Ident, Member, Pat, Stmt, UnOp, parse_quote_spanned};

use crate::iterate::{Names, bare};

/// `*a.select_nth_unstable(k).1`
pub fn plain(expr: &Expr, names: &mut Names) -> Option<Expr> {
    let Expr::Unary(unary) = expr else {
        return None;
    };
    let Expr::Field(field) = bare(&unary.expr) else {
        return None;
    };
    let is_element = matches!(unary.op, UnOp::Deref(_))
        && matches!(&field.member, Member::Unnamed(at) if at.index == 1);
    if !is_element {
        return None;
    }
    let Selected { sorted, of, at } = selected(&field.base, names)?;
    Some(parse_quote_spanned!(at.span()=> { #(#sorted)* #of[#at] }))
}

/// `let (less, element, greater) = a.select_nth_unstable(k);` and `a.select_nth_unstable(k);`
pub fn of_statement(statement: &Stmt, names: &mut Names) -> Option<Vec<Stmt>> {
    let (value, pattern) = match statement {
        Stmt::Local(local) => {
            let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
            (&*init.expr, Some(&local.pat))
        }
        Stmt::Expr(value, Some(_)) => (value, None),
        _ => return None,
    };
    let parts = match pattern {
        Some(Pat::Tuple(tuple)) if tuple.elems.len() == 3 => Some(&tuple.elems),
        Some(_) => return None,
        None => None,
    };
    let Selected { mut sorted, of, at } = selected(value, names)?;
    let span = at.span();
    let places: [Expr; 3] = [
        parse_quote_spanned!(span=> &#of[..#at]),
        parse_quote_spanned!(span=> &#of[#at]),
        parse_quote_spanned!(span=> &#of[#at + 1..]),
    ];
    let Some(parts) = parts else {
        // A position that is out of bounds is a fault.
        let there = names.fresh("there", span);
        sorted.push(parse_quote_spanned!(span=> let #there = #of[#at];));
        return Some(sorted);
    };
    for (part, place) in parts.iter().zip(places) {
        if !matches!(part, Pat::Wild(_)) {
            sorted.push(parse_quote_spanned!(span=> let #part = #place;));
        }
    }
    Some(sorted)
}

/// A slice that is sorted, and the position of the element.
struct Selected {
    sorted: Vec<Stmt>,
    of: Expr,
    at: Ident,
}

fn selected(value: &Expr, names: &mut Names) -> Option<Selected> {
    let Expr::MethodCall(call) = bare(value) else {
        return None;
    };
    let sort = match &*call.method.to_string() {
        "select_nth_unstable" => "sort_unstable",
        "select_nth_unstable_by" => "sort_unstable_by",
        "select_nth_unstable_by_key" => "sort_unstable_by_key",
        _ => return None,
    };
    let of = bare(&call.receiver);
    if !matches!(of, Expr::Path(_) | Expr::Field(_)) {
        return None;
    }
    let span = call.method.span();
    let (sort, at) = (Ident::new(sort, span), names.fresh("at", span));
    let mut arguments = call.args.iter();
    let position = arguments.next()?;
    let sorted = vec![
        parse_quote_spanned!(span=> let #at = #position;),
        parse_quote_spanned!(span=> #of.#sort(#(#arguments),*);),
    ];
    let of = of.clone();
    Some(Selected { sorted, of, at })
}
