//! Statements under `#[cfg(..)]`, as ones that rustc chooses by `cfg!`, which kernels have as a constant.
//!
//! ```text
//! #[cfg(a)] { .. }                                       if cfg!(a) { .. }
//! #[cfg(a)] let x = 1; #[cfg(not(a))] let x = 2;         let x = if cfg!(a) { 1 } else { 2 };
//! ```
//!
//! So what is left out has to type-check, too. Left to inference, which refuses them, are conditions on
//! everything else, and on a `let` without its counterpart.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    AttrStyle, Attribute, Block, Expr, ItemFn, Meta, Stmt, parse_quote_spanned, spanned::Spanned,
};

use crate::visit::{self, VisitMut};

/// Rewrites the statements of a function that are there under a condition.
pub fn rewrite(item: &mut ItemFn) {
    Conditional.visit_block_mut(&mut item.block);
}

struct Conditional;

impl VisitMut for Conditional {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut statements = std::mem::take(&mut block.stmts).into_iter().peekable();
        while let Some(mut statement) = statements.next() {
            let either = statements.peek().and_then(|next| either(&statement, next));
            if let Some(either) = either {
                statements.next();
                statement = either;
            } else if let Some(chosen) = chosen(&statement) {
                statement = chosen;
            }
            block.stmts.push(statement);
        }
        visit::visit_block_mut(self, block);
    }
}

/// A statement that does something, under a condition.
fn chosen(statement: &Stmt) -> Option<Stmt> {
    let mut plain = statement.clone();
    let attributes = match &mut plain {
        Stmt::Macro(call) => &mut call.attrs,
        Stmt::Expr(expr, _) => attributes_of(expr)?,
        _ => return None,
    };
    let condition = taken(attributes)?;
    let span = statement.span();
    Some(parse_quote_spanned!(span=> if ::core::cfg!(#condition) { #plain }))
}

/// Two declarations of a name, one of which is there.
fn either(one: &Stmt, other: &Stmt) -> Option<Stmt> {
    let (Stmt::Local(one), Stmt::Local(other)) = (one, other) else {
        return None;
    };
    let (mut one, mut other) = (one.clone(), other.clone());
    let (first, second) = (taken(&mut one.attrs)?, taken(&mut other.attrs)?);
    let is_not = |of: &TokenStream, not: &TokenStream| text(not) == format!("not({})", text(of));
    let is_either = is_not(&first, &second) || is_not(&second, &first);
    if !is_either || text(&one.pat) != text(&other.pat) {
        return None;
    }
    let value = other.init.filter(|init| init.diverge.is_none())?.expr;
    let init = one.init.as_mut().filter(|init| init.diverge.is_none())?;
    let (span, own) = (init.expr.span(), &init.expr);
    *init.expr = parse_quote_spanned!(span=> if ::core::cfg!(#first) { #own } else { #value });
    Some(Stmt::Local(one))
}

/// Tokens without spaces, to compare them.
fn text(tokens: &impl ToTokens) -> String {
    tokens
        .to_token_stream()
        .to_string()
        .split_whitespace()
        .collect()
}

/// Takes the condition out of attributes, if there is one.
fn taken(attributes: &mut Vec<Attribute>) -> Option<TokenStream> {
    let is_condition = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && matches!(attribute.style, AttrStyle::Outer)
    };
    let position = attributes.iter().position(is_condition)?;
    let Meta::List(condition) = attributes.remove(position).meta else {
        return None;
    };
    Some(condition.tokens)
}

/// The attributes of an expression on which Rust has them as a statement's.
fn attributes_of(expr: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expr {
        Expr::Block(expr) => &mut expr.attrs,
        Expr::Break(expr) => &mut expr.attrs,
        Expr::Call(expr) => &mut expr.attrs,
        Expr::Continue(expr) => &mut expr.attrs,
        Expr::ForLoop(expr) => &mut expr.attrs,
        Expr::If(expr) => &mut expr.attrs,
        Expr::Loop(expr) => &mut expr.attrs,
        Expr::Macro(expr) => &mut expr.attrs,
        Expr::Match(expr) => &mut expr.attrs,
        Expr::MethodCall(expr) => &mut expr.attrs,
        Expr::Return(expr) => &mut expr.attrs,
        Expr::While(expr) => &mut expr.attrs,
        _ => return None,
    })
}
