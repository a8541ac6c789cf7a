//! Assignments of several parts, `(a, b[i]) = pair;`, `[a, .., b] = c;`, `Point { x, y } = p;`, and of references that are chosen:
//! `rest = if c { &a[1..] } else { a };` as `if c { rest = &a[1..] } else { rest = a }`, and
//! `let r = if c { &x } else { &y };` as `let r; if c { r = &x } else { r = &y }`.
//!
//! A reference is no value, and what is chosen would be one. Other choices stay as they are.

use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::{
    Block, Expr, ExprAssign, ExprUnary, Local, Pat, Stmt, Token, UnOp, parse_quote_spanned,
    punctuated::Punctuated, spanned::Spanned,
};

use super::conditional;
use crate::iterate::{Names, bare};

/// The plain form of an assignment, if it is such a one.
pub fn plain(assign: &ExprAssign, names: &Names) -> Option<Expr> {
    parts_assigned(assign).or_else(|| reference_chosen(assign, names))
}

/// The statements that give a variable one of several references to read, if a `let` does that.
pub fn chosen(local: &Local, names: &mut Names) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    if !matches!(&*init.expr, Expr::If(_) | Expr::Match(_)) {
        return None;
    }
    let mut choice = (*init.expr).clone();
    let (mut first, mut all_refer) = (None, true);
    each_value(&mut choice, &mut |value| match value {
        Expr::Reference(reference) if reference.mutability.is_some() => all_refer = false,
        value => {
            let is_name = names.known.is_reference(value) && !names.known.is_view(value);
            all_refer &= is_name || matches!(value, Expr::Reference(_));
            first.get_or_insert_with(|| value.clone());
        }
    });
    let first = first.filter(|_| all_refer)?;
    let span = first.span();
    let own = Ident::new("__amp_chosen", Span::mixed_site());
    let name = conditional::declared(&local.pat);
    let variable = name.unwrap_or(&own).clone();
    let mut statements = Vec::new();
    each_value(&mut choice, &mut |value| {
        // What is no place lives as long as the variable, as in Rust.
        if let Expr::Reference(reference) = value
            && !is_place(&reference.expr)
        {
            let kept = format!("__amp_chosen_{}", statements.len());
            let (kept, of) = (Ident::new(&kept, Span::mixed_site()), &reference.expr);
            statements.push(parse_quote_spanned!(span=> let #kept;));
            *value = parse_quote_spanned!(span=> { #kept = #of; #variable = &#kept; });
        } else {
            *value = assignment(parse_quote_spanned!(span=> #variable), value);
        }
    });
    names.known.assign_reference(variable.to_string(), &first);
    let (attributes, pattern) = (&local.attrs, &local.pat);
    statements.extend(match name {
        Some(_) => vec![parse_quote_spanned!(span=> #(#attributes)* let #pattern;)],
        None => vec![parse_quote_spanned!(span=> let #own;)],
    });
    statements.push(Stmt::Expr(choice, Some(local.semi_token)));
    if name.is_none() {
        statements.push(parse_quote_spanned!(span=> #(#attributes)* let #pattern = #own;));
    }
    Some(statements)
}

/// Whether an expression is a place, or a constant, which has one.
fn is_place(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        Expr::Path(_) | Expr::Lit(_) | Expr::Call(_) | Expr::MethodCall(_) => true,
        _ => false,
    }
}

/// `_ = value` as `let _ = value;` in a block, and `(a, [b, ..], Point { x: c.x, .. }) = value` as
/// `{ let (p, [q, ..], Point { x: r, .. }) = value; a = p; b = q; c.x = r; }`, as Rust does, if that is what it is.
fn parts_assigned(assign: &ExprAssign) -> Option<Expr> {
    let is_apart = match &*assign.left {
        Expr::Tuple(_) | Expr::Array(_) | Expr::Infer(_) | Expr::Struct(_) => true,
        Expr::Call(call) => matches!(&*call.func, Expr::Path(_)),
        _ => false,
    };
    if !is_apart {
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

/// The pattern that takes a value apart as nested places do, and the variable of each place.
fn parts(left: &Expr, places: &mut Vec<(Expr, Ident)>, span: Span) -> Option<Pat> {
    let mut all = |parts_of: &Punctuated<Expr, Token![,]>| -> Option<Vec<Pat>> {
        let parts = parts_of.iter().map(|part| parts(part, places, span));
        parts.collect()
    };
    match left {
        Expr::Tuple(tuple) => {
            let parts = all(&tuple.elems)?;
            // `(..,)` is no pattern.
            Some(match &*parts {
                [Pat::Rest(_)] => parse_quote_spanned!(span=> (..)),
                parts => parse_quote_spanned!(span=> (#(#parts,)*)),
            })
        }
        Expr::Array(array) => {
            let parts = all(&array.elems)?;
            Some(parse_quote_spanned!(span=> [#(#parts),*]))
        }
        Expr::Call(call) if let Expr::Path(path) = &*call.func => {
            let parts = all(&call.args)?;
            Some(parse_quote_spanned!(span=> #path(#(#parts),*)))
        }
        Expr::Struct(of) if of.qself.is_none() && of.rest.is_none() => {
            let mut fields = Vec::new();
            for field in &of.fields {
                let (name, part) = (&field.member, parts(&field.expr, places, span)?);
                fields.push(quote_spanned!(span=> #name: #part));
            }
            fields.extend(of.dot2_token.map(|rest| quote_spanned!(span=> #rest)));
            let path = &of.path;
            Some(parse_quote_spanned!(span=> #path { #(#fields),* }))
        }
        Expr::Paren(paren) => parts(&paren.expr, places, span),
        Expr::Infer(_) => Some(parse_quote_spanned!(span=> _)),
        Expr::Range(rest) if rest.start.is_none() && rest.end.is_none() => {
            Some(parse_quote_spanned!(span=> ..))
        }
        Expr::Path(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::MethodCall(_)
        | Expr::Unary(ExprUnary {
            op: UnOp::Deref(_), ..
        }) => {
            let part = Ident::new(&format!("__amp_part_{}", places.len()), Span::mixed_site());
            places.push((left.clone(), part.clone()));
            Some(parse_quote_spanned!(span=> #part))
        }
        _ => None,
    }
}

fn reference_chosen(assign: &ExprAssign, names: &Names) -> Option<Expr> {
    let chosen = bare(&assign.right);
    let is_choice = matches!(chosen, Expr::If(_) | Expr::Match(_));
    if !is_choice || !matches!(&*assign.left, Expr::Path(_)) {
        return None;
    }
    let mut plain = chosen.clone();
    let mut refers = false;
    each_value(&mut plain, &mut |value| {
        refers |= matches!(value, Expr::Reference(_)) || names.known.is_reference(value);
        *value = assignment((*assign.left).clone(), value);
    });
    refers.then_some(plain)
}

fn assignment(variable: Expr, value: &Expr) -> Expr {
    Expr::Assign(ExprAssign {
        attrs: Vec::new(),
        left: Box::new(variable),
        eq_token: Token![=](value.span()),
        right: Box::new(value.clone()),
    })
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
