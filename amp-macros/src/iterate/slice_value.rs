//! Slices that are matched behind a `*`, as the references that they stand behind:
//!
//! ```text
//! match *slice { [a, b] => e, _ => f }    match slice { &[a, b] => e, _ => f }
//! ```
//!
//! So the names are values there. Left out are slices that are not behind the name of a reference.

use syn::{Expr, ExprMatch, ExprUnary, Pat, UnOp, parse_quote_spanned, spanned::Spanned};

use super::{Names, bare};

/// The reference to the slice that `*slice` is.
pub fn behind<'e>(expr: &'e Expr, names: &Names) -> Option<&'e Expr> {
    match bare(expr) {
        Expr::Unary(ExprUnary {
            op: UnOp::Deref(_),
            expr: slice,
            ..
        }) if names.known.is_reference(slice) && names.known.is_unsized(slice) => Some(slice),
        _ => None,
    }
}

/// The `match` of the reference.
pub fn lent(choice: &ExprMatch, names: &Names) -> Option<ExprMatch> {
    let slice = behind(&choice.expr, names)?;
    let mut lent = choice.clone();
    *lent.expr = slice.clone();
    for arm in &mut lent.arms {
        match &mut arm.pat {
            Pat::Guard(guarded) => of_value(&mut guarded.pat),
            pattern => of_value(pattern),
        }
    }
    Some(lent)
}

/// The pattern of what a reference refers to as that of the reference.
fn of_value(pattern: &mut Pat) {
    match pattern {
        Pat::Paren(paren) => of_value(&mut paren.pat),
        Pat::Or(choice) => choice.cases.iter_mut().for_each(of_value),
        Pat::Wild(_) => {}
        other => *other = parse_quote_spanned!(other.span()=> &#other),
    }
}
