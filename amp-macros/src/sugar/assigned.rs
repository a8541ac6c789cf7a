//! Assignments of several parts, `(a, b[i]) = pair;`, and of references that are chosen,
//! `rest = if c { &a[1..] } else { a };` as `if c { rest = &a[1..] } else { rest = a }`.
//!
//! A reference is no value, and what is chosen would be one. Other choices stay as they are.

use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::{Block, Expr, ExprAssign, Pat, Stmt, Token, parse_quote_spanned, spanned::Spanned};

use crate::iterate::bare;

/// The plain form of an assignment, if it is such a one.
pub fn plain(assign: &ExprAssign) -> Option<Expr> {
    parts_assigned(assign).or_else(|| reference_chosen(assign))
}

/// `_ = value` as `let _ = value;` in a block, and `(a, b) = value` as
/// `{ let (x, y) = value; a = x; b = y; }`, if that is what it is.
fn parts_assigned(assign: &ExprAssign) -> Option<Expr> {
    if !matches!(&*assign.left, Expr::Tuple(_) | Expr::Infer(_)) {
        return None;
    }
    let span = assign.eq_token.span;
    let mut places = Vec::new();
    let pattern = parts(&assign.left, &mut places, span)?;
    let value = &assign.right;
    // A place that starts with a block is no statement.
    let step = |(place, part)| syn::parse2(quote_spanned!(span=> #place = #part;)).ok();
    let steps: Vec<Stmt> = places.into_iter().map(step).collect::<Option<_>>()?;
    Some(parse_quote_spanned!(span=> { let #pattern = #value; #(#steps)* }))
}

/// The pattern that takes a value apart as nested tuples of places do, and the variable of
/// each place.
fn parts(left: &Expr, places: &mut Vec<(Expr, Ident)>, span: Span) -> Option<Pat> {
    match left {
        Expr::Tuple(tuple) => {
            let parts = tuple.elems.iter().map(|part| parts(part, places, span));
            let parts: Vec<Pat> = parts.collect::<Option<_>>()?;
            Some(parse_quote_spanned!(span=> (#(#parts,)*)))
        }
        Expr::Paren(paren) => parts(&paren.expr, places, span),
        Expr::Infer(_) => Some(parse_quote_spanned!(span=> _)),
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) => {
            let part = Ident::new(&format!("__amp_part_{}", places.len()), Span::mixed_site());
            places.push((left.clone(), part.clone()));
            Some(parse_quote_spanned!(span=> #part))
        }
        _ => None,
    }
}

fn reference_chosen(assign: &ExprAssign) -> Option<Expr> {
    let chosen = bare(&assign.right);
    let is_choice = matches!(chosen, Expr::If(_) | Expr::Match(_));
    if !is_choice || !matches!(&*assign.left, Expr::Path(_)) {
        return None;
    }
    let mut plain = chosen.clone();
    let mut refers = false;
    each_value(&mut plain, &mut |value| {
        refers |= matches!(value, Expr::Reference(_));
        let span = value.span();
        *value = Expr::Assign(ExprAssign {
            attrs: Vec::new(),
            left: assign.left.clone(),
            eq_token: Token![=](span),
            right: Box::new(value.clone()),
        });
    });
    refers.then_some(plain)
}

/// Calls `meet` for each value among which an expression chooses, but not for what leaves the expression.
fn each_value(expr: &mut Expr, meet: &mut impl FnMut(&mut Expr)) {
    match expr {
        Expr::If(branch) => {
            last_value(&mut branch.then_branch, meet);
            if let Some((_, otherwise)) = &mut branch.else_branch {
                each_value(otherwise, meet);
            }
        }
        Expr::Match(choice) => {
            for arm in &mut choice.arms {
                each_value(&mut arm.body, meet);
            }
        }
        Expr::Block(block) if block.label.is_none() => last_value(&mut block.block, meet),
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Macro(_) => {}
        value => meet(value),
    }
}

fn last_value(block: &mut Block, meet: &mut impl FnMut(&mut Expr)) {
    if let Some(Stmt::Expr(value, None)) = block.stmts.last_mut() {
        each_value(value, meet);
    }
}
