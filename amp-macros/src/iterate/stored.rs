//! Assignments to the item that a chain has found: `*a.get_mut(i)? = x`, `a.last_mut().unwrap().count += 1`.

use syn::{BinOp, Expr, Stmt, UnOp, parse_quote_spanned, spanned::Spanned};

use super::{Made, Names, bare, build, found, item::Item};

/// What an assignment is written as whose place is such an item, or a part of it.
pub fn rewrite(expr: &Expr, names: &mut Names) -> Option<Made<Expr>> {
    let (mut statements, place) = match place(assigned(expr)?, names)? {
        Ok(found) => found,
        Err(refusal) => return Some(Err(refusal)),
    };
    let (value, assignment) = value_first(expr, place, names)?;
    statements.insert(0, value);
    statements.push(assignment);
    let span = expr.span();
    Some(Ok(build::within(
        statements,
        parse_quote_spanned!(span=> ()),
        span,
    )))
}

/// The place that is assigned, and what finds it.
fn place(left: &Expr, names: &mut Names) -> Option<Made<(Vec<Stmt>, Expr)>> {
    match bare(left) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => of_item(&unary.expr, names),
        Expr::Field(field) => {
            let (whole, span, member) = (base(&field.base, names)?, field.span(), &field.member);
            Some(whole.map(|(statements, whole)| {
                (statements, parse_quote_spanned!(span=> #whole.#member))
            }))
        }
        Expr::Index(index) => {
            let (whole, span, at) = (base(&index.expr, names)?, index.span(), &index.index);
            Some(
                whole.map(|(statements, whole)| {
                    (statements, parse_quote_spanned!(span=> #whole[#at]))
                }),
            )
        }
        _ => None,
    }
}

/// What has a part that is assigned: a part itself, or the item, whose reference Rust follows.
fn base(whole: &Expr, names: &mut Names) -> Option<Made<(Vec<Stmt>, Expr)>> {
    place(whole, names).or_else(|| of_item(whole, names))
}

fn of_item(chain: &Expr, names: &mut Names) -> Option<Made<(Vec<Stmt>, Expr)>> {
    match found::part(chain, names)? {
        Ok((
            statements,
            Item::Place {
                place,
                mutable: true,
            },
        )) => Some(Ok((statements, place))),
        Ok(_) => None,
        Err(refusal) => Some(Err(refusal)),
    }
}

/// The place of an assignment, if an expression is one.
pub fn assigned(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Assign(assign) => Some(&assign.left),
        Expr::Binary(binary) if is_assignment(&binary.op) => Some(&binary.left),
        _ => None,
    }
}

/// An assignment to another place, as the evaluation of its value, which Rust does first, and the rest.
pub fn value_first(assignment: &Expr, place: Expr, names: &mut Names) -> Option<(Stmt, Stmt)> {
    let mut rest = assignment.clone();
    let (left, right) = match &mut rest {
        Expr::Assign(assign) => (&mut assign.left, &mut assign.right),
        Expr::Binary(binary) => (&mut binary.left, &mut binary.right),
        _ => return None,
    };
    let (span, value) = (right.span(), names.fresh("value", right.span()));
    let first = parse_quote_spanned!(span=> let #value = #right;);
    **left = place;
    **right = parse_quote_spanned!(span=> #value);
    Some((first, parse_quote_spanned!(span=> #rest;)))
}

fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
