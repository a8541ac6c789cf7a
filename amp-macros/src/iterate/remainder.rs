//! `remainder` of `chunks_exact`: the elements behind the last whole part, as a slice.
//!
//! ```text
//! let parts = a.chunks_exact(n);          let count: usize = n; let rest = &a[a.len() / count * count..];
//! f(parts.remainder());                   f(rest);
//! ```

use proc_macro2::{Ident, Literal, Span};
use syn::{Expr, ExprMethodCall, Stmt, parse_quote_spanned, spanned::Spanned};

use super::{Made, Names, Refusal, bare, marked::OWN};

/// What such a call is written as.
pub fn plain(call: &ExprMethodCall, names: &Names) -> Option<Made<Expr>> {
    if call.method != "remainder" || !call.args.is_empty() {
        return None;
    }
    if let Some(named) = names.kept(&call.receiver) {
        let rest = named.kept.remainder.as_ref()?;
        return Some(Ok(parse_quote_spanned!(call.span()=> #rest)));
    }
    let (parts, count) = exact(&call.receiver)?;
    Some(match count {
        Expr::Lit(_) | Expr::Path(_) => Ok(slice(parts, count)),
        count => Err(Refusal::new(
            count.span(),
            "the length of the parts of a `remainder`, which is computed here",
            "name it: `let n = ..; a.chunks_exact(n).remainder()`",
        )),
    })
}

/// The call that makes parts of one length, with that.
fn exact(expr: &Expr) -> Option<(&ExprMethodCall, &Expr)> {
    let Expr::MethodCall(parts) = bare(expr) else {
        return None;
    };
    let count = parts.args.first().filter(|_| parts.args.len() == 1)?;
    (parts.method == "chunks_exact").then_some((parts, bare(count)))
}

fn slice(parts: &ExprMethodCall, count: &Expr) -> Expr {
    let (of, span) = (&parts.receiver, parts.method.span());
    let length = Ident::new(&format!("{OWN}{}", parts.method), span);
    let none = Literal::usize_suffixed(0);
    parse_quote_spanned!(span=> &#of[#of.#length(#none) / #count * #count..])
}

/// Statements that name what is behind the parts that an iterator in a variable visits, whose length then has a
/// name, too; with that of the slice.
pub fn kept(source: &mut Expr, names: &mut Names) -> Option<(Vec<Stmt>, Ident)> {
    let (parts, count) = exact(source)?;
    if !matches!(bare(&parts.receiver), Expr::Path(_) | Expr::Field(_)) {
        return None;
    }
    let span: Span = parts.method.span();
    let (length, rest) = (names.fresh("count", span), names.fresh("rest", span));
    let mut statements = vec![parse_quote_spanned!(span=> let #length: usize = #count;)];
    let mut parts = parts.clone();
    parts.args = std::iter::once::<Expr>(parse_quote_spanned!(span=> #length)).collect();
    let slice = slice(&parts, &parts.args[0]);
    statements.push(parse_quote_spanned!(span=> let #rest = #slice;));
    *source = Expr::MethodCall(parts);
    Some((statements, rest))
}
